from __future__ import annotations

from rest_framework import serializers

from analysis.luck import Click, Luck, Sort
from analysis.statistics import LUCK, LUCK_VERSION, Statistic
from players.web.api import TextField, Values
from replays.models import Replay
from replays.odds.luck.selectors import KnownSnapshot
from replays.odds.positions.serializers import CellField, DeductionStepSerializer, FlagUseField, cells


def _field(row: Statistic) -> serializers.IntegerField | serializers.FloatField:
    kind: type[serializers.IntegerField | serializers.FloatField] = (
        serializers.IntegerField if row.integer else serializers.FloatField
    )
    return kind(allow_null=True, help_text=f"{row.label}: {row.doc}")


class LuckValuesSerializer(type("_LuckValues", (serializers.Serializer,), {row.name: _field(row) for row in LUCK})):  # type: ignore[misc]
    """The statistics of luck."""


class ClickSerializer(serializers.Serializer[Click]):
    """A click that opened cells."""

    event = serializers.IntegerField(
        help_text="How many events come before it: the event of the position before the click."
    )
    time_ms = serializers.IntegerField(help_text="Since the opening.")
    cell = CellField()
    cells = serializers.ListField(
        child=CellField(), help_text="The cells that it opened itself, without the flood from a zero."
    )
    chord = serializers.BooleanField(help_text="Whether the click was a chord.")
    survived = serializers.BooleanField(help_text="Whether it hit no mine.")
    sort = serializers.ChoiceField(choices=[(sort.value, sort.value) for sort in Sort], help_text="What the click was.")
    risk = serializers.FloatField(help_text="Chance that one of its cells was a mine.")
    least_risk = serializers.FloatField(help_text="That of the safest closed cell.")
    rule = serializers.CharField(
        allow_null=True, help_text="Of a needless guess: the most difficult rule without which no safe cell is found."
    )


class LuckSerializer(serializers.Serializer[Values]):
    """The clicks of a replay that opened cells, with their risks."""

    version = serializers.IntegerField(help_text="Of the definitions.")
    stored = serializers.BooleanField(help_text="Whether the values are stored in the replay's row.")
    code = TextField(help_text="Why some values are null; else null.")
    values = LuckValuesSerializer(help_text="The luck of the whole game.")
    clicks = ClickSerializer(many=True, help_text="The clicks, in order.")


class SnapshotSerializer(serializers.Serializer[Values]):
    """The board of a replay after some events, as its player saw it."""

    event = serializers.IntegerField(help_text="How many events are played.")
    time_ms = serializers.IntegerField(help_text="Of the last of them, since the opening.")
    mines = serializers.IntegerField(help_text="Mines of the whole board.")
    rows = serializers.ListField(
        child=serializers.CharField(),
        help_text="One text a row: a number, “.” closed, “F” flag, “?” question mark, “*” an open mine.",
    )
    lost = serializers.BooleanField(help_text="Whether a mine is open.")
    too_wide = serializers.BooleanField(help_text="Counting would take too long: the rest is null.")
    flag_use = FlagUseField(allow_null=True)
    mine = serializers.ListField(
        child=serializers.ListField(child=serializers.FloatField(allow_null=True)),
        allow_null=True,
        help_text="The chance of a mine, row by row; null in open cells. The luck of the replay never trusts flags.",
    )
    certain_safe = serializers.ListField(child=CellField(), allow_null=True, help_text="Cells that are certainly safe.")
    certain_mine = serializers.ListField(
        child=CellField(), allow_null=True, help_text="Cells that are certainly mines."
    )
    log2_layouts = serializers.FloatField(
        allow_null=True, help_text="Of the number of layouts of the mines that agree."
    )
    steps = DeductionStepSerializer(many=True, allow_null=True, help_text="The deduction, step by step.")


def luck_values(replay: Replay, luck: Luck) -> Values:
    return {
        "version": LUCK_VERSION,
        "stored": replay.luck_version == LUCK_VERSION,
        "code": luck.problem.code if luck.problem else replay.luck_code,
        "values": luck.values,
        "clicks": luck.clicks,
    }


def snapshot_values(known: KnownSnapshot) -> Values:
    found, deduction, snapshot = known.found, known.deduction, known.snapshot
    values: Values = {
        "event": snapshot.event, "time_ms": known.time_ms, "mines": snapshot.mines, "rows": snapshot.rows(),
        "lost": snapshot.is_lost, "too_wide": known.too_wide,
        "flag_use": known.flags and known.flags.value, "mine": None, "certain_safe": None, "certain_mine": None,
        "log2_layouts": None, "steps": None,
    }  # fmt: skip
    if found is not None and deduction is not None:
        closed = found.position.closed
        rows = zip(found.mine.tolist(), closed.tolist(), strict=True)
        values |= {
            "mine": [[chance if is_closed else None for chance, is_closed in zip(*row, strict=True)] for row in rows],
            "certain_safe": cells(found.certain_safe),
            "certain_mine": cells(found.certain_mine),
            "log2_layouts": found.log2_layouts,
            "steps": deduction.steps,
        }
    return values
