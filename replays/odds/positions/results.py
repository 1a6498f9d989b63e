from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext

from analysis.answers import Contradiction, FlagUse, answer_position
from analysis.deduction import Deduction
from analysis.deduction.conclusion import NUMBER
from analysis.probability import Position, Probabilities
from analysis.solver import Move
from replays.odds.positions.budget import calculate_for
from replays.odds.positions.positions import PositionQuery
from replays.odds.positions.refusal import Refusal

_MAX_NUMBERS_SHOWN = 6
_UNPROCESSABLE = 422


@dataclass(frozen=True, slots=True, eq=False)
class PositionResult:
    """``advice``: ``None`` if it was not requested."""

    query: PositionQuery
    flags: FlagUse
    found: Probabilities
    layouts: int
    deduction: Deduction
    advice: Move | None

    @property
    def position(self) -> Position:
        return self.found.position


def evaluate(query: PositionQuery, *, advice: bool = True, visitor: str = "") -> PositionResult:
    """Evaluate ``query`` in the process that computes, at the cost of ``visitor``.

    Raises
    ------
    Refusal
        if it is not a position, impossible, or would take too long, or if the visitor or the site has no time for it.
    """
    position = query.position()
    task = partial(answer_position, trust_flags=query.trust_flags, advice=advice)
    answer = calculate_for(visitor, task, position.numbers, position.mines, kernels=("tools",))
    if answer is None:
        raise Refusal("too_wide")
    if isinstance(answer, Contradiction):
        raise impossible(query, position, answer)
    return PositionResult(query, answer.flags, answer.found, answer.layouts, answer.deduction, answer.advice)


def impossible(query: PositionQuery, position: Position, found: Contradiction) -> Refusal:
    kind = "impossible_position" if found.without_mines else "impossible_with_mines"
    shown = [
        gettext(NUMBER) % {"shown": position.numbers[cell], "row": cell[0] + 1, "column": cell[1] + 1}
        for cell in found.numbers[:_MAX_NUMBERS_SHOWN]
    ]
    more = " …" if len(found.numbers) > _MAX_NUMBERS_SHOWN else ""
    values = {"mines": query.mines, "numbers": ", ".join(shown) + more}
    return Refusal(kind, values, cells=found.numbers)
