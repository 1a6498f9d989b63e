"""The probabilities of a position, by floating point where that is exact enough and by integers where it is not."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analysis.errors import LimitExceeded
from analysis.kernels import probability as kernels
from analysis.kernels.probability_front import MINE, SAFE
from analysis.probability import counting
from analysis.probability.conflict import NO_LAYOUT, conflict
from analysis.probability.position import Position

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Probabilities:
    """Facts about the closed cells of a position.

    ``mine``: float64, shape (rows, columns), chance that the cell is a mine, right to about 1e-13; 0 in open cells.
    ``certain_safe``, ``certain_mine``: bool, same shape; closed cells that are safe, or mines, in every layout.  They
    come from which counts are zero, never from a comparison of ``mine`` with 0 or 1.
    ``elsewhere``: chance of a mine in each closed cell that no number sees; ``None`` if there is no such cell that is
    not a trusted flag.
    ``frontier``: float64, chance that exactly ``frontier_fewest``, ``frontier_fewest + 1`` ... of the closed cells that
    some number sees are mines.
    ``log2_layouts``: log2 of the number of layouts; :meth:`layouts` counts them exactly.
    """

    position: Position
    trust_flags: bool
    mine: NDArray[np.float64]
    certain_safe: Mask
    certain_mine: Mask
    elsewhere: float | None
    frontier: NDArray[np.float64]
    frontier_fewest: int
    log2_layouts: float

    @property
    def frontier_distribution(self) -> dict[int, float]:
        """Chance of each number of mines in the closed cells that numbers see, impossible numbers left out."""
        return {self.frontier_fewest + more: float(share) for more, share in enumerate(self.frontier) if share > 0}

    def layouts(self) -> int:
        """Count exactly the layouts of the mines that agree with the position.  Milliseconds, not microseconds."""
        return counting.layouts(self.position, trust_flags=self.trust_flags)


@dataclass(frozen=True, slots=True)
class Limits:
    """Most weights of a front: as floating point, and as integers (``None``: any), which take a hundred times as long."""

    weights: int
    exact_weights: int | None = None


def probabilities(position: Position, *, trust_flags: bool = False, limits: Limits | None = None) -> Probabilities:
    """Compute the chance that each closed cell is a mine, all layouts being equally likely.

    ``trust_flags``: flags are mines; else they are closed cells like the others.  ``limits``: of the time;
    ``kernels.MAX_WEIGHTS`` and no limit of integers by default.
    Raises ``ImpossiblePosition`` if no layout agrees with the position; it names numbers that contradict each other;
    ``LimitExceeded`` if the front is so wide that counting needs more weights than ``limits`` allow.
    """
    limits = limits or Limits(kernels.MAX_WEIGHTS)
    odds = _odds(position, position.mines, trust_flags, limits.weights)
    answer = Probabilities(
        position=position,
        trust_flags=trust_flags,
        mine=odds.mine,
        certain_safe=odds.status == SAFE,
        certain_mine=odds.status == MINE,
        elsewhere=None if np.isnan(odds.elsewhere) else float(odds.elsewhere),
        frontier=odds.frontier,
        frontier_fewest=int(odds.fewest),
        log2_layouts=float(odds.log2_layouts),
    )
    if odds.verdict == kernels.ANSWERED:
        return answer
    if limits.exact_weights is not None:
        _odds(position, position.mines, trust_flags, limits.exact_weights)
    return _counted(answer)


def certain_at_any_count(position: Position, *, trust_flags: bool = False) -> tuple[Mask, Mask]:
    """Closed cells that are safe, and that are mines, in every layout that the numbers allow at any count of mines.

    Parameters and errors as :func:`probabilities`.

    Returns
    -------
    safe, mines : bool, shape (rows, columns)
    """
    odds = _odds(position, kernels.ANY_MINES, trust_flags, kernels.MAX_WEIGHTS)
    return odds.status == SAFE, odds.status == MINE


def _odds(position: Position, mines: int, trust_flags: bool, max_weights: int) -> kernels.Odds:
    odds: kernels.Odds = kernels.odds_of(position.grid(), mines, trust_flags, max_weights)
    if odds.verdict in NO_LAYOUT:
        raise conflict(position, trust_flags=trust_flags)
    if odds.verdict == kernels.WIDE:
        raise LimitExceeded("weights of the front", limit=max_weights, value=max_weights + 1)
    return odds


def _counted(answer: Probabilities) -> Probabilities:
    """The same answer with every number counted by integers."""
    counted = counting.exact(answer.position, trust_flags=answer.trust_flags)
    fewest, most = min(counted.frontier), max(counted.frontier)
    return replace(
        answer,
        mine=np.array([[float(chance) for chance in row] for row in counted.mine]),
        elsewhere=None if counted.elsewhere is None else float(counted.elsewhere),
        frontier=np.array([float(counted.frontier.get(mines, 0)) for mines in range(fewest, most + 1)]),
        frontier_fewest=fewest,
        log2_layouts=math.log2(counted.layouts),
    )
