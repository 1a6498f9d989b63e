"""Probabilities and deduction of a position within a limit of time, for requests of visitors."""

from __future__ import annotations

from typing import Final

from analysis.deduction import Deduction, deduce
from analysis.errors import LimitExceeded
from analysis.kernels.probability import IMPRECISE, WIDE, odds_of
from analysis.probability import Position, Probabilities, probabilities

#: Weights of a front that are counted for a visitor: a second or two in all, and every reference position but none of
#: the boards that were made to be hard.
MAX_WEIGHTS: Final = 1 << 21
#: Where floating point does not do, integers take a hundred times as long.
_MAX_EXACT_WEIGHTS: Final = 1 << 16


def known_about(position: Position, *, trust_flags: bool = False) -> tuple[Probabilities, Deduction] | None:
    """The mine probabilities of ``position``, and the deduction of its certain cells; ``None`` if that takes too long.

    Raises ``ImpossiblePosition`` if no layout agrees.
    """
    if _takes_too_long(position, trust_flags=trust_flags):
        return None
    try:
        return probabilities(position, trust_flags=trust_flags), deduce(position, trust_flags=trust_flags)
    except LimitExceeded:  # reasons are sought without the count of mines, too, and a front may be wider without it
        return None


def _takes_too_long(position: Position, *, trust_flags: bool) -> bool:
    """Counting is tried with a smaller limit than that of the analysis first."""

    def verdict(weights: int) -> int:
        return int(odds_of(position.grid(), position.mines, trust_flags, weights).verdict)

    found = verdict(MAX_WEIGHTS)
    return (verdict(_MAX_EXACT_WEIGHTS) if found == IMPRECISE else found) == WIDE
