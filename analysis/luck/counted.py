"""Counting the layouts of one position of a game, within limits that allow hundreds of positions, and a limit on time."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from analysis.errors import LimitExceeded
from analysis.kernels.probability import ANSWERED, IMPRECISE, WIDE, Odds, odds_of
from analysis.probability import Position
from analysis.probability.conflict import conflict

#: Weights that one position may need: a quarter of what a single answer may (``kernels.probability``), since a game has
#: hundreds of positions.  The hardest positions of real games need a fraction of it.
MAX_WEIGHTS = 1 << 21


def counted(grid: NDArray[np.uint8], mines: int) -> Odds:
    """The odds of a position without trusted flags; its ``verdict`` is ``ANSWERED`` or ``IMPRECISE``.

    ``grid``: uint8, shape (rows, columns), writable; it is not written to.  ``mines``: of the board, or ``ANY_MINES``.
    Raises ``LimitExceeded`` if the front is too wide; ``ImpossiblePosition`` if no layout agrees.
    """
    odds: Odds = odds_of(grid, mines, False, MAX_WEIGHTS)
    if odds.verdict in (ANSWERED, IMPRECISE):
        return odds
    if odds.verdict == WIDE:
        raise LimitExceeded("weights of the front", limit=MAX_WEIGHTS, value=MAX_WEIGHTS + 1)
    raise conflict(Position(grid, max(mines, 0)), trust_flags=False)


@dataclass(frozen=True, slots=True)
class Deadline:
    """Begins when the object is made.  Call :meth:`check` between short pieces of work."""

    seconds: float
    since: float = field(default_factory=time.monotonic)

    def check(self) -> None:
        """Raises ``LimitExceeded`` after ``seconds``."""
        passed = time.monotonic() - self.since
        if passed > self.seconds:
            raise LimitExceeded("seconds of counting", limit=round(self.seconds), value=round(passed))
