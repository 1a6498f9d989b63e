from __future__ import annotations

from dataclasses import dataclass

from analysis.time_convention import MS_PER_SECOND, best_sub, second, sub_limit_ms
from players.leaderboards.boards import MIN_SUB


@dataclass(frozen=True, slots=True)
class Rung:
    """``missing_ms``: by how much the best time must be beaten to be sub-``n``, on a clock of the same precision."""

    n: int
    missing_ms: int


def next_rung(best_s: float, precision_ms: int | None = None) -> Rung | None:
    """The rung after the best time ``best_s``; None after the lowest one.  ``precision_ms``: of the clock, else 1."""
    time_ms = round(best_s * MS_PER_SECOND)
    n = best_sub(second(time_ms)) - 1
    if n < MIN_SUB:
        return None
    return Rung(n, time_ms - sub_limit_ms(n) + (precision_ms or 1))
