from __future__ import annotations

from typing import Any

from rest_framework import serializers

from players.web.api import ReplayRefSerializer, TextField, Values
from players.web.json_bodies import JsonBody
from replays.models import Appeal
from replays.trust.judging.findings import finding_sentence


class FindingSerializer(serializers.Serializer[dict[str, Any]]):
    """Something about the file or the way in which the game was played that its reader should know."""

    code = serializers.CharField(help_text="Stable, for programs.")
    params = serializers.DictField(help_text="The values that the text names.")
    text = serializers.SerializerMethodField(help_text="The finding as a sentence.")

    def get_text(self, finding: dict[str, Any]) -> str:
        return finding_sentence(finding["code"], finding["params"])


class AppealTextSerializer(JsonBody[Values]):
    """The text of an appeal."""

    text = serializers.CharField(max_length=Appeal.MAX_CHARS, help_text="Why the judgement is wrong.")


class AppealSerializer(serializers.Serializer[Appeal]):
    """An appeal and its answer."""

    id = serializers.IntegerField()
    replay = ReplayRefSerializer(source="replay_id")
    text = serializers.CharField(help_text="Why the judgement is wrong, in the words of the account.")
    created_at = serializers.DateTimeField()
    state = serializers.ChoiceField(choices=Appeal.State.choices, help_text="What staff decided.")
    answer = TextField(help_text="What staff answered; it may be null.")
    answered_at = serializers.DateTimeField(allow_null=True, help_text="When staff decided; null if they have not yet.")


class AppealsSerializer(serializers.Serializer[Values]):
    """The appeals of one replay, the latest first."""

    rows = AppealSerializer(many=True)
