"""The steadiness of a game: the time that went into slow stretches between its clicks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Final, NamedTuple

SLOW_MS: Final = 1_000
SLOW_MEDIANS: Final = 4


class Gaps(NamedTuple):
    """``usual_ms``: the median gap between clicks that opened cells, 0 with fewer than two.  ``slow``: of each gap that is
    longer than ``SLOW_MS`` and than ``SLOW_MEDIANS`` usual ones, the place of the click after it, and its length in ms.
    """

    usual_ms: float
    slow: list[tuple[int, int]]


def gaps_between(times_ms: Sequence[int]) -> Gaps:
    """Look for slow gaps between clicks that opened cells, at these times."""
    gaps = [later - earlier for earlier, later in pairwise(times_ms)]
    if not gaps:
        return Gaps(0.0, [])
    usual = float(median(gaps))
    least = max(SLOW_MS, SLOW_MEDIANS * usual)
    return Gaps(usual, [(place, gap) for place, gap in enumerate(gaps, start=1) if gap > least])


def pace_of(times_ms: Sequence[int]) -> float | None:
    """Compute 1 - (time of slow gaps beyond the usual one) / time; None for a game without time.

    ``times_ms``: of all clicks that opened cells, the deciding one the last.
    """
    if not times_ms or times_ms[-1] <= 0:
        return None
    usual, slow = gaps_between(times_ms)
    return max(0.0, 1 - sum(gap - usual for _place, gap in slow) / times_ms[-1])
