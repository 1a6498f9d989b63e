"""What the other modules share."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from players.boards import COMBINED, LEVEL_LABELS, STYLES
from players.links import address_of
from players.persons import Person

# Texts, not enumerations: the schema would need a name for each of the sets that other lists use in part.
LEVELS = ", ".join(level.value for level in LEVEL_LABELS)
ALL_LEVELS = f"{LEVELS}, {COMBINED}"
STYLE_NAMES = ", ".join(STYLES)


class BoardProblemSerializer(serializers.Serializer[Any]):
    """Why a request was turned down: a stable word, and a sentence."""

    code = serializers.CharField()
    message = serializers.CharField()


class PlayerRefSerializer(serializers.Serializer[Person]):
    """A player in another object."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    country = serializers.CharField(help_text="Two letters, or empty.")
    is_bot = serializers.BooleanField()
    url = serializers.SerializerMethodField()

    def get_url(self, player: Person) -> str:
        return address_of("api-player", player.pk)


class ValueSerializer(serializers.Serializer[Any]):
    """A result that one replay achieved."""

    value = serializers.FloatField(help_text="Exact.")
    text = serializers.CharField(help_text="Rounded half up, as pages show it; times count from 0.")
    replay = serializers.IntegerField(allow_null=True, help_text="Number of the replay; null for sums.")
