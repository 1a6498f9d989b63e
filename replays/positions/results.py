"""Evaluating a position: mine probabilities, number of layouts, deductions and the solver's advice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext

from analysis.deduction import Deduction
from analysis.deduction.known import MAX_WEIGHTS, known_about
from analysis.deduction.steps import NUMBER
from analysis.kernels import probability as kernels
from analysis.probability import CLOSED, FLAG, OPEN, ImpossiblePosition, Position, Probabilities
from analysis.solver import Move, Solver
from replays.kernels import require_kernels
from replays.positions.positions import PositionQuery
from replays.positions.refusal import Refusal

_MAX_NUMBERS_SHOWN = 6
_UNPROCESSABLE = 422


@dataclass(frozen=True, slots=True, eq=False)
class PositionResult:
    """What is known about a position.

    ``layouts``: the exact number of layouts.  ``advice``: the solver's move; ``None`` if it was not requested.
    """

    query: PositionQuery
    found: Probabilities
    layouts: int
    deduction: Deduction
    advice: Move | None

    @property
    def position(self) -> Position:
        return self.found.position


def evaluate(query: PositionQuery, *, advice: bool = True) -> PositionResult:
    """Evaluate ``query``: milliseconds for positions of games, up to seconds for the hardest within the limits.

    Raises
    ------
    Refusal
        if it is not a position, impossible, or would take too long.
    """
    position = query.position()
    require_kernels("tools")
    try:
        known = known_about(position, trust_flags=query.trust_flags)
    except ImpossiblePosition as error:
        raise _impossible(query, position, error) from error
    if known is None:
        raise Refusal("too_wide", http_status=_UNPROCESSABLE)
    found, deduction = known
    return PositionResult(
        query=query,
        found=found,
        layouts=found.layouts(),
        deduction=deduction,
        advice=Solver().choose(without_flags(position) if query.trust_flags else position) if advice else None,
    )


def without_flags(position: Position) -> Position:
    """``position``, which is possible, with each flag replaced by an open cell, and one less in the numbers around it.

    The solver treats flags as closed cells; in this position their mines are accounted for.
    """
    flags = position.numbers == FLAG
    padded = np.pad(flags, 1).astype(np.int16)
    rows, columns = flags.shape
    flagged = sum(padded[down : down + rows, across : across + columns] for down in range(3) for across in range(3))
    numbers = position.numbers.astype(np.int16)
    numbers = np.where(numbers < min(CLOSED, FLAG, OPEN), numbers - flagged, numbers)
    numbers[flags] = OPEN
    return Position(numbers.astype(np.uint8), position.mines - int(flags.sum()))


def _impossible(query: PositionQuery, position: Position, error: ImpossiblePosition) -> Refusal:
    alone = kernels.odds_of(position.grid(), kernels.ANY_MINES, query.trust_flags, MAX_WEIGHTS).verdict
    kind = "impossible_position" if alone == kernels.CONTRADICTION else "impossible_with_mines"
    shown = [
        gettext(NUMBER) % {"shown": position.numbers[cell], "row": cell[0] + 1, "column": cell[1] + 1}
        for cell in error.numbers[:_MAX_NUMBERS_SHOWN]
    ]
    more = " …" if len(error.numbers) > _MAX_NUMBERS_SHOWN else ""
    values = {"mines": query.mines, "numbers": ", ".join(shown) + more}
    return Refusal(
        kind if error.numbers else "impossible_count", values, cells=error.numbers, http_status=_UNPROCESSABLE
    )
