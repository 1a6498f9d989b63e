from __future__ import annotations

from rest_framework import serializers

from analysis.time_convention import value_text
from players.db.keyset import Page
from players.leaderboards.boards import BoardKey
from players.leaderboards.history.selectors import HistoryRow, decimals_of_steps
from players.leaderboards.pages.serializers import LEVELS, STYLE_NAMES
from players.people.serializers import PlayerRefSerializer
from players.web.api import PageSerializer, ReplayRefSerializer, Values
from players.web.statistic_names import StatisticField


class StepSerializer(serializers.Serializer[Values]):
    """A result better than all before it."""

    player = PlayerRefSerializer()
    value = serializers.FloatField(help_text="Exact.")
    text = serializers.CharField(help_text="Rounded half up, as pages show it; times count from 0.")
    old_value = serializers.FloatField(allow_null=True, help_text="What it beat; null for the first.")
    gain = serializers.FloatField(allow_null=True, help_text="By how much it was better; null for the first.")
    replay = ReplayRefSerializer()
    achieved_at = serializers.DateTimeField()


class HistoryPageSerializer(PageSerializer):
    """A page of the history of a board, newest first."""

    level = serializers.CharField(help_text=LEVELS)
    statistic = StatisticField()
    style = serializers.CharField(help_text=STYLE_NAMES)  # type: ignore[assignment]  # DRF turns declarations into fields
    rows = StepSerializer(many=True)


def history_values(key: BoardKey, page: Page[HistoryRow]) -> Values:
    decimals = decimals_of_steps(key.row, page)
    return {
        "level": key.level,
        "statistic": key.statistic,
        "style": key.style,
        "rows": [
            {
                "player": row.player,
                "value": row.step.value,
                "text": value_text(key.row, row.step.value, precision_ms=row.step.precision_ms, decimals=decimals),
                "old_value": row.step.old_value,
                "gain": row.step.gain,
                "replay": row.step.replay_id,
                "achieved_at": row.step.achieved_at,
            }
            for row in page.rows
        ],
        "next_cursor": page.next_cursor,
        "previous_cursor": page.previous_cursor,
    }


class RankAtSerializer(serializers.Serializer[Values]):
    """The rank just before a datetime."""

    before = serializers.DateTimeField(help_text="The moment: the rank is the one just before it.")
    rank = serializers.IntegerField(allow_null=True, help_text="Null before the first game.")


class RankHistorySerializer(serializers.Serializer[Values]):
    """Ranks of a player on a board over time, oldest first."""

    player = PlayerRefSerializer()
    level = serializers.CharField(help_text=LEVELS)
    statistic = StatisticField()
    style = serializers.CharField(help_text=STYLE_NAMES)  # type: ignore[assignment]  # DRF turns declarations into fields
    rows = RankAtSerializer(many=True)
