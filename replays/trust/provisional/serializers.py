from __future__ import annotations

from rest_framework import serializers

from players.web.api import ReplayRefSerializer, Values
from players.web.json_bodies import JsonBody
from replays.models import Objection


class ObjectionTextSerializer(JsonBody[Values]):
    """The text of an objection."""

    text = serializers.CharField(max_length=Objection.MAX_CHARS, help_text="Why the game should not count.")


class ObjectionSerializer(serializers.Serializer[Objection]):
    """An objection of the signed-in account."""

    id = serializers.IntegerField()
    replay = ReplayRefSerializer(source="replay_id")
    text = serializers.CharField(help_text="Why the game should not count.")
    created_at = serializers.DateTimeField()
