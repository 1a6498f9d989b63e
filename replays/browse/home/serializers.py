from __future__ import annotations

from rest_framework import serializers

from players.leaderboards.pages.serializers import LEVELS
from players.leaderboards.records.selectors import RecordRow
from players.leaderboards.records.serializers import RecordSerializer
from players.people.serializers import PlayerRefSerializer
from players.web.api import ReplayRefSerializer, Values
from replays.browse.home.news import News


class BestSerializer(serializers.Serializer[RecordRow]):
    """A personal best that a game was."""

    old_value = serializers.FloatField(allow_null=True, help_text="Null for the first.")
    new_value = serializers.FloatField(help_text="The value that was reached.")
    text = serializers.SerializerMethodField()
    rank_before = serializers.IntegerField(allow_null=True, help_text="Null for the first.")
    rank_after = serializers.IntegerField(help_text="When it came in.")

    def get_text(self, event: RecordRow) -> str:
        return RecordSerializer().get_text(event)


class NewsSerializer(serializers.Serializer[News]):
    """A game that was a best of its player and made it among the first ranks."""

    replay = ReplayRefSerializer(source="replay_id")
    player = PlayerRefSerializer()
    level = serializers.CharField(help_text=LEVELS)
    text = serializers.CharField(help_text="What the player did, in words.")
    time = BestSerializer(allow_null=True, help_text="Null if it was no best time.")
    bvs = BestSerializer(allow_null=True, help_text="3BV/s; null if it was no best.")
    first_sub = serializers.IntegerField(
        allow_null=True, help_text="The lowest N of which the player was not sub-N before; null if there is none."
    )
    uploaded_at = serializers.DateTimeField(help_text="Of the replay; the list is sorted by arrival.")


class NewsListSerializer(serializers.Serializer[Values]):
    """Games with bests of time or 3BV/s that reached one of the first hundred ranks of a level, newest first."""

    rows = NewsSerializer(many=True)
