from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.probability import Probabilities

Cell = tuple[int, int]
#: Chances are right to about 1e-13; closer ones are equal.
ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Verdict:
    """The worth of opening a cell of a position.

    ``provable``: some cell was certainly safe.  ``best``: all cells that are right, certainly safe or of least risk.
    """

    right: bool
    provable: bool
    risk: float
    least_risk: float
    best: tuple[Cell, ...]


def verdict_on(found: Probabilities, cell: Cell) -> Verdict:
    """Judge the opening of ``cell``, a closed one.

    Right is any cell that is certainly safe; where there is none, any of the least risk.
    """
    provable = bool(found.certain_safe.any())
    least = 0.0 if provable else float(found.mine[found.position.closed].min())
    best = found.certain_safe if provable else found.position.closed & (found.mine <= least + ROUNDING)
    return Verdict(
        right=bool(best[cell]),
        provable=provable,
        risk=float(found.mine[cell]),
        least_risk=least,
        best=tuple((int(row), int(column)) for row, column in np.argwhere(best)),
    )
