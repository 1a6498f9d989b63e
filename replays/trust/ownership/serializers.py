from __future__ import annotations

from rest_framework import serializers

from players.models import MAX_ID
from players.web.api import PageSerializer, Values
from players.web.json_bodies import JsonBody
from replays.models import Replay
from replays.trust.ownership.services import ANSWERS, MAX_ANSWERED

ANSWER_CHOICES = [(answer.value, answer.label) for answer in ANSWERS]


class UploaderSerializer(serializers.Serializer[Values]):
    """The account that uploaded a game."""

    id = serializers.IntegerField()
    name = serializers.CharField(source="username", help_text="User name of the account.")


class AskedGameSerializer(serializers.Serializer[Replay]):
    """A game that somebody else uploaded under a name of the account."""

    id = serializers.IntegerField()
    name = serializers.CharField(source="identifier", help_text="The name inside the replay.")
    level = serializers.CharField()
    result = serializers.CharField()
    time = serializers.FloatField(allow_null=True, help_text="In s.")
    ownership = serializers.ChoiceField(
        [(value, label) for value, label in Replay.Ownership.choices if value],
        help_text="What the owner of the name says of the game.",
    )
    uploader = UploaderSerializer(allow_null=True, help_text="The account that uploaded it; null if it is gone.")
    uploaded_at = serializers.DateTimeField()


class AskedPageSerializer(PageSerializer):
    """A page of these games, newest first."""

    rows = AskedGameSerializer(many=True)


class AnswerSerializer(JsonBody[Values]):
    """The answer to some games under the names of the account."""

    answer = serializers.ChoiceField(choices=ANSWER_CHOICES, help_text="Whether the games are yours.")
    replays = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_ID),
        min_length=1,
        max_length=MAX_ANSWERED,
        help_text="Numbers of the replays.",
    )


class AnsweredSerializer(serializers.Serializer[Values]):
    """The number of games that have another answer now."""

    changed = serializers.IntegerField(help_text="Number of games.")
