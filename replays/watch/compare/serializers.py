from __future__ import annotations

from rest_framework import serializers

from analysis.statistics import STORED
from players.people.serializers import PlayerRefSerializer
from players.web.api import ValueField, Values
from players.web.links import address_of
from players.web.statistic_names import StatisticChoiceField
from replays.models import Replay
from replays.odds.positions.serializers import CellField
from replays.watch.compare.selectors import Comparison


class ComparedReplaySerializer(serializers.Serializer[Replay]):
    """One of the two games."""

    id = serializers.IntegerField()
    player = PlayerRefSerializer(allow_null=True)
    level = serializers.CharField()
    result = serializers.CharField()
    time_ms = serializers.IntegerField(allow_null=True, help_text="Time of the game in milliseconds.")
    url = serializers.SerializerMethodField(help_text="The replay in the API.")
    html_url = serializers.CharField(source="get_absolute_url", read_only=True, help_text="The page of the replay.")

    def get_url(self, replay: Replay) -> str:
        return address_of("api-replay", replay.pk)


class DifferenceSerializer(serializers.Serializer[Values]):
    """One number of both games."""

    statistic = StatisticChoiceField(STORED)
    a = ValueField(allow_null=True, help_text="The value of the first game.")
    b = ValueField(allow_null=True, help_text="The value of the second game.")
    difference = ValueField(allow_null=True, help_text="b less a.")
    better = serializers.ChoiceField(
        choices=["a", "b"],
        allow_null=True,
        help_text="Null if neither is. Of a game that was not won and one that was, neither is better in any number; "
        "of two that were not won only completion, estime, stnb and stnb2023 are compared.",
    )


class SplitSerializer(serializers.Serializer[Values]):
    """A point of the split graph."""

    done = serializers.FloatField(help_text="3BV solved, or their share.")
    a_ms = serializers.FloatField(help_text="When a had solved so much.")
    b_ms = serializers.FloatField(help_text="Time of the second game at this point.")
    lead_ms = serializers.FloatField(help_text="By how much a was ahead.")


class ProgressStepSerializer(serializers.Serializer[Values]):
    """A step of the progress of a game, which grows evenly between steps."""

    time_ms = serializers.FloatField(help_text="Time since the start.")
    done = serializers.FloatField(help_text="3BV solved, or their share.")


class CommonClickSerializer(serializers.Serializer[Values]):
    """A cell on which both made the same effective click."""

    sort = serializers.ChoiceField(choices=["left", "right", "double"], help_text="The button.")
    cell = CellField()
    a_ms = serializers.IntegerField(help_text="When a first did.")
    b_ms = serializers.IntegerField(help_text="Time of the click in the second game.")


class ComparisonSerializer(serializers.Serializer[Values]):
    """Two games compared."""

    a = ComparedReplaySerializer(help_text="The first game.")
    b = ComparedReplaySerializer(help_text="The second game.")
    same_board = serializers.BooleanField(help_text="Whether both have the same board.")
    scale = serializers.ChoiceField(
        choices=["3bv", "share"], help_text="What progress is counted in: 3BV on the same board, else shares of it."
    )
    numbers = DifferenceSerializer(many=True, help_text="Every statistic of both.")
    splits = SplitSerializer(many=True, help_text="Who was ahead, point by point.")
    progress_a = ProgressStepSerializer(many=True, help_text="Progress of the first game.")
    progress_b = ProgressStepSerializer(many=True, help_text="Progress of the second game.")
    clicks_a = serializers.IntegerField(help_text="Effective clicks.")
    clicks_b = serializers.IntegerField(help_text="Effective clicks of the second game.")
    common_clicks = CommonClickSerializer(many=True, help_text="On the same board; else empty.")


def comparison_values(found: Comparison) -> Values:
    columns = found.first.columns or 1
    first, second = found.progress
    split = zip(found.splits.done, found.splits.first, found.splits.second, found.splits.lead, strict=True)
    return {
        "a": found.first,
        "b": found.second,
        "same_board": found.same_board,
        "scale": "3bv" if found.same_board else "share",
        "numbers": [
            {
                "statistic": one.row.name, "a": one.first, "b": one.second, "difference": one.difference,
                "better": {"first": "a", "second": "b"}.get(one.better),
            }
            for one in found.differences
        ],
        "splits": [{"done": done, "a_ms": a, "b_ms": b, "lead_ms": lead} for done, a, b, lead in split],
        "progress_a": [{"time_ms": t, "done": d} for t, d in zip(first.times, first.done, strict=True)],
        "progress_b": [{"time_ms": t, "done": d} for t, d in zip(second.times, second.done, strict=True)],
        "clicks_a": found.clicks[0],
        "clicks_b": found.clicks[1],
        "common_clicks": [
            {"sort": one.sort, "cell": divmod(one.cell, columns), "a_ms": one.first_ms, "b_ms": one.second_ms}
            for one in found.common
        ],
    }  # fmt: skip
