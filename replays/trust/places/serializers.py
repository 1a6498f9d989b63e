from __future__ import annotations

from rest_framework import serializers

from players.web.api import ReplayRefSerializer
from replays.models import Replay
from replays.trust.places.selectors import FileShown


class EqualFileSerializer(serializers.Serializer[FileShown]):
    """Another file of the same play."""

    replay = ReplayRefSerializer(source="replay.pk")
    same_game = serializers.BooleanField(help_text="Whether it has the same name and result as well.")
    holds = serializers.BooleanField(help_text="Whether its game holds the place of the play.")
    judgement = serializers.ChoiceField(
        source="replay.judgement", choices=Replay.Judgement.choices, help_text="Whether and how the other file counts."
    )
