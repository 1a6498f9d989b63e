from __future__ import annotations

from rest_framework import serializers

from analysis.statistics import BY_NAME
from analysis.time_convention import value_text
from players.leaderboards.pages.serializers import ALL_LEVELS, STYLE_NAMES
from players.leaderboards.records.holders import Holder
from players.leaderboards.records.selectors import RecordIdentity, RecordRow
from players.models import RecordEvent
from players.people.serializers import PlayerRefSerializer
from players.web.api import PageSerializer, ReplayRefSerializer, Values
from players.web.statistic_names import StatisticField


class TakenBackSerializer(serializers.Serializer[RecordIdentity]):
    """A record that was taken back, as its game was frozen or deleted."""

    identity = serializers.CharField(source="*", help_text="Game and board: the same if the record comes again.")
    kind = serializers.CharField()
    statistic = StatisticField()
    level = serializers.CharField()
    style = serializers.CharField()  # type: ignore[assignment]  # DRF turns declarations into fields
    replay = ReplayRefSerializer(source="replay_id")


class RecordSerializer(serializers.Serializer[RecordRow]):
    """A personal best or site record as it came in."""

    id = serializers.IntegerField(help_text="Another one if the record was taken back and comes again.")
    identity = serializers.CharField(help_text="Game and board: the same if the record was taken back and comes again.")
    kind = serializers.ChoiceField(
        choices=RecordEvent.Kind.choices, help_text="A personal best, or a record of the whole site."
    )
    player = PlayerRefSerializer()
    statistic = StatisticField()
    level = serializers.CharField(help_text=ALL_LEVELS)
    style = serializers.CharField(help_text=STYLE_NAMES)  # type: ignore[assignment]  # DRF turns declarations into fields
    old_value = serializers.FloatField(allow_null=True, help_text="Null for the first.")
    new_value = serializers.FloatField(help_text="The value that was reached.")
    text = serializers.SerializerMethodField()
    rank_before = serializers.IntegerField(allow_null=True, help_text="Null for the first.")
    rank_after = serializers.IntegerField(help_text="When it came in.")
    replay = ReplayRefSerializer(source="replay_id", help_text="Of a sum: the game that completed it.")
    happened_at = serializers.DateTimeField(help_text="When the game was ranked.")
    uploaded_at = serializers.DateTimeField(help_text="Of the replay; the list is sorted by arrival.")
    updated_at = serializers.DateTimeField(help_text="When the record came in or last changed.")

    def get_text(self, event: RecordRow) -> str:
        return value_text(
            BY_NAME[event.statistic], event.new_value, precision_ms=event.precision_ms, decimals=event.decimals
        )


class RecordPageSerializer(PageSerializer):
    """A page of the record history, newest first."""

    rows = RecordSerializer(many=True)


class HolderSerializer(serializers.Serializer[Holder]):
    """The first row of a board."""

    level = serializers.CharField(source="key.level", help_text=ALL_LEVELS)
    statistic = StatisticField(source="key.statistic")
    player = PlayerRefSerializer()
    value = serializers.FloatField()
    replay = ReplayRefSerializer(source="replay_id", allow_null=True, help_text="Null for sums.")


class HoldersSerializer(serializers.Serializer[Values]):
    """The first rows of all boards of a style."""

    style = serializers.CharField(help_text=STYLE_NAMES)  # type: ignore[assignment]  # DRF turns declarations into fields
    rows = HolderSerializer(many=True)
