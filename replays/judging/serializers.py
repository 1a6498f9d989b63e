"""Appeals as JSON."""

from __future__ import annotations

from rest_framework import serializers

from players.web.api import Values
from replays.models import Appeal


class AppealTextSerializer(serializers.Serializer[Values]):
    """The text of an appeal."""

    text = serializers.CharField(max_length=Appeal.MAX_CHARS)


class AppealSerializer(serializers.Serializer[Appeal]):
    """An appeal and its answer."""

    id = serializers.IntegerField()
    replay = serializers.IntegerField(source="replay_id")
    text = serializers.CharField()
    created_at = serializers.DateTimeField()
    state = serializers.ChoiceField(choices=Appeal.State.choices)
    answer = serializers.CharField(help_text="What staff answered; it may be empty.")
    answered_at = serializers.DateTimeField(allow_null=True)


class AppealsSerializer(serializers.Serializer[Values]):
    """The appeals of one replay, the latest first."""

    rows = AppealSerializer(many=True)
