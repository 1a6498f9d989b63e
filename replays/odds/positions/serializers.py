"""Positions and their results as JSON.  Cells are ``[row, column]``, counted from 0."""

from __future__ import annotations

import math

import numpy as np
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from numpy.typing import NDArray
from rest_framework import serializers

from analysis.answers import FlagUse
from analysis.deduction import Conclusion
from analysis.deduction.conclusion import CellSet
from analysis.limits import MAX_SIDE
from analysis.solver import Move
from players.web.api import ProblemSerializer, Values
from players.web.json_bodies import JsonBody
from players.web.parameters import Parsed
from replays.odds.positions.position_texts import advice_text
from replays.odds.positions.positions import MAX_CELLS, Flags, PositionQuery, mines_of_density, read_rows
from replays.odds.positions.refusal import Cell, Refusal
from replays.odds.positions.results import PositionResult

_ROWS_HELP = "One string a row; a cell is 0 to 8, . (closed), F (flag) or ? (open, its number not known)."
FLAGS_HELP = "trusted: a flag is a mine, unless the flags contradict the numbers or the mines; ignored: a closed cell like others."


@extend_schema_field(
    {"type": "array", "maxItems": MAX_SIDE, "items": {"type": "string", "pattern": f"^[0-8.F?]{{1,{MAX_SIDE}}}$"}}
)
class RowsField(serializers.Field[list[str], object, object, object]):
    """Rows.  Wrong cells are refused by the position, which knows their places.

    The first thing that is wrong is the only one that is told: a list of 30,000 would take a second, and its errors a
    megabyte.
    """

    def to_internal_value(self, data: object) -> list[str]:
        if not isinstance(data, list):
            raise serializers.ValidationError(_("rows must be a list of strings."))
        if len(data) > MAX_SIDE:
            raise serializers.ValidationError(str(Refusal("long_side", {"value": len(data), "limit": MAX_SIDE})))
        for row in data:
            if not isinstance(row, str) or not row or not row.isprintable():
                raise serializers.ValidationError(_("rows must be a list of strings."))
            if len(row) > MAX_SIDE:
                raise serializers.ValidationError(str(Refusal("long_side", {"value": len(row), "limit": MAX_SIDE})))
        return data

    def to_representation(self, value: object) -> object:
        return value


class PositionSerializer(JsonBody[PositionQuery]):
    """A position."""

    rows = RowsField(help_text=_ROWS_HELP)
    mines = serializers.IntegerField(min_value=0, max_value=MAX_CELLS, required=False, help_text="Of the whole board.")
    density = serializers.FloatField(
        min_value=0, max_value=1, required=False, help_text="Mines a cell, instead of mines; the nearest whole number of mines is taken."
    )  # fmt: skip
    flags = serializers.ChoiceField([flags.value for flags in Flags], default=Flags.TRUSTED.value, help_text=FLAGS_HELP)
    advice = serializers.BooleanField(default=False, help_text="Also return what the solver would open.")

    def validate(self, attrs: Parsed) -> Parsed:
        density = attrs.get("density")
        if (attrs.get("mines") is None) == (density is None) or (density is not None and not math.isfinite(density)):
            raise serializers.ValidationError(str(Refusal("no_mines")))
        return attrs


def query_in(values: Parsed) -> PositionQuery:
    rows = tuple(values["rows"])
    mines = values.get("mines")
    return PositionQuery(
        rows, mines_of_density(rows, values["density"]) if mines is None else mines, Flags(values["flags"])
    )


def rows_in_query(query: Parsed) -> Values:
    """The parsed parameters of a link in the form of a request body: the position is split into rows."""
    values: Values = {name: value for name, value in query.items() if value is not None}
    values["rows"] = list(read_rows(str(values.pop("position"))))
    return values


class CellField(serializers.ListField):
    child = serializers.IntegerField()

    def __init__(self) -> None:
        super().__init__(min_length=2, max_length=2)


class FlagUseField(serializers.ChoiceField):
    """The way in which flags went into an answer."""

    def __init__(self, *, allow_null: bool = False) -> None:
        super().__init__(
            [use.value for use in FlagUse],
            help_text="How flags were taken: contradictory: asked to be trusted, but ignored, since not all can be right.",
            allow_null=allow_null,
        )


class FrontierShareSerializer(serializers.Serializer[Values]):
    """The probability of a number of mines in the frontier: the closed cells beside numbers."""

    mines = serializers.IntegerField(help_text="Number of mines in the frontier.")
    chance = serializers.FloatField(help_text="Its probability.")


class CellSetSerializer(serializers.Serializer[CellSet]):
    """A set of cells that a step uses: the undecided cells around a number, and the mines in them."""

    name = serializers.CharField(help_text="Letter of the set in the sentences.")
    number = CellField()
    shown = serializers.IntegerField(help_text="The number that the cell shows.")
    cells = serializers.ListField(child=CellField(), help_text="The undecided cells around it.")
    mines = serializers.IntegerField(help_text="Mines among these cells.")


class DeductionStepSerializer(serializers.Serializer[Conclusion]):
    """A step of the deduction: the cells that it decides, and why."""

    rule = serializers.CharField(help_text="Name of the rule.")
    text = serializers.SerializerMethodField(help_text="The step as a sentence.")
    sets = CellSetSerializer(many=True, help_text="The sets of cells that it uses.")
    mines = serializers.ListField(child=CellField(), help_text="Cells that it proves to be mines.")
    safe = serializers.ListField(child=CellField(), help_text="Cells that it proves to be safe.")
    guesses = serializers.ListField(child=CellField(), help_text="The best cells to guess, if nothing is certain.")
    risk = serializers.FloatField(allow_null=True, help_text="The risk of such a guess.")

    def get_text(self, step: Conclusion) -> str:
        """In words, in the language of the request."""
        return step.sentence(_)


class SolverAdviceSerializer(serializers.Serializer[Move]):
    """The cells that the solver would open; ``win`` is null unless perfect play is known."""

    cells = serializers.ListField(
        child=CellField(), help_text="The cells to open next; several only if all are certain."
    )
    reason = serializers.CharField(help_text="Name of the reason.")
    safe = serializers.FloatField(help_text="Chance that each of them is safe.")
    win = serializers.FloatField(
        allow_null=True, help_text="Probability to win with perfect play; null where it is not known."
    )
    text = serializers.SerializerMethodField(help_text="The advice as a sentence.")

    def get_text(self, move: Move) -> str:
        """In words, in the language of the request."""
        return advice_text(move)


class PositionAnswerSerializer(serializers.Serializer[Values]):
    """The result of evaluating a position."""

    link = serializers.CharField(help_text="A page that shows the same.")
    mines = serializers.IntegerField(help_text="Mines of the whole board.")
    flag_use = FlagUseField()
    layouts = serializers.CharField(help_text="How many layouts of the mines agree: a whole number of any length.")
    mine = serializers.ListField(
        child=serializers.ListField(child=serializers.FloatField(allow_null=True)),
        help_text="The chance of a mine, row by row; null in open cells.",
    )
    elsewhere = serializers.FloatField(
        allow_null=True, help_text="The chance in each closed cell that is beside no number."
    )
    frontier = FrontierShareSerializer(many=True, help_text="How many mines the frontier may have, with probabilities.")
    certain_safe = serializers.ListField(child=CellField(), help_text="Cells that are certainly safe.")
    certain_mine = serializers.ListField(child=CellField(), help_text="Cells that are certainly mines.")
    steps = DeductionStepSerializer(many=True, help_text="The deduction, step by step.")
    advice = SolverAdviceSerializer(allow_null=True, help_text="The solver's advice; null unless it was asked for.")


class PositionProblemSerializer(ProblemSerializer):
    """The reason why a position is refused."""

    cells = serializers.ListField(child=CellField(), required=False, help_text="Cells that contradict each other, or the cell that is wrong.")  # fmt: skip


def result_values(found: PositionResult, link: str) -> Values:
    closed = found.position.closed.tolist()
    return {
        "link": link,
        "mines": found.query.mines,
        "flag_use": found.flags.value,
        "layouts": str(found.layouts),
        "mine": [
            [chance if is_closed else None for chance, is_closed in zip(chances, line, strict=True)]
            for chances, line in zip(found.found.mine.tolist(), closed, strict=True)
        ],
        "elsewhere": found.found.elsewhere,
        "frontier": [{"mines": mines, "chance": chance} for mines, chance in found.found.frontier_distribution.items()],
        "certain_safe": cells(found.found.certain_safe),
        "certain_mine": cells(found.found.certain_mine),
        "steps": found.deduction.steps,
        "advice": found.advice,
    }


def cells(mask: NDArray[np.bool_]) -> list[Cell]:
    return [(int(row), int(column)) for row, column in np.argwhere(mask)]
