"""Exact mine probabilities of a position, in one call on plain arrays.

The steps: ``probability_front`` (numbers that leave no choice, boxes), ``probability_order`` (components and the walk),
``probability_chain`` (counting), and here the cells off the front, which weigh every number of mines on it.

Another kernel may call :func:`odds_of` directly; it allocates what it needs, which costs less than a microsecond.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.grid import steps_around
from analysis.kernels.probability_chain import (
    DONE,
    FEWEST,
    FLOOR,
    MOST,
    NO_LAYOUT,
    TOO_WIDE,
    WEIGHTS,
    Layers,
    backward,
    forward,
)
from analysis.kernels.probability_front import MINE, SAFE, UNDECIDED, Front, read_front
from analysis.kernels.probability_order import chain_of

ANSWERED = DONE  # verdicts; the first three are those of a walk
CONTRADICTION = NO_LAYOUT
WIDE = TOO_WIDE  # the front needs more memory than allowed
MISCOUNT = 3  # the numbers agree, but not with the count of mines
IMPRECISE = 4  # statuses are exact, probabilities are not

ANY_MINES = -1  # instead of the count of mines: any number of them

MAX_WEIGHTS = 1 << 23  # 64 MiB of float64 and about a second; the hardest reference position keeps a fifth of it
_MOST_ODDS = 6  # a mine weighs 2**-6 to 2**6: beyond, eight mines of a box would come near FLOOR


class Odds(NamedTuple):
    """The answer to a position.

    ``verdict``: ``ANSWERED``, or why not; only ``ANSWERED`` and ``IMPRECISE`` come with the rest.
    ``number``: with ``CONTRADICTION``, the cell (row * columns + column) of a number in it, or -1.
    ``mine``: float64, shape (rows, columns), chance of a mine; 0 in open cells.
    ``status``: int8, same shape: ``SETTLED`` (open), ``UNDECIDED``, ``SAFE``, ``MINE``.
    ``elsewhere``: chance of a mine in a cell that no number sees, NaN if there is none.
    ``frontier``: float64, chance of ``fewest``, ``fewest + 1`` ... mines in the closed cells that numbers see.
    ``log2_layouts``: log2 of the number of layouts, about 13 digits.
    """

    verdict: int
    number: int
    mine: NDArray[np.float64]
    status: NDArray[np.int8]
    elsewhere: float
    frontier: NDArray[np.float64]
    fewest: int
    log2_layouts: float


@njit(cache=True)
def _unknown(verdict: int, number: int) -> Odds:
    nothing = np.empty((0, 0), np.float64)
    return Odds(verdict, number, nothing, np.empty((0, 0), np.int8), np.nan, np.empty(0, np.float64), 0, -np.inf)


@njit(cache=True)
def odds_of_a_mine(left: int, cells: int) -> float:
    """The power of two nearest to the odds that a closed cell is a mine; any value would be right, see the chain."""
    if left <= 0 or left >= cells:
        return 1.0
    return float(2.0 ** min(max(round(math.log2(left / (cells - left))), -_MOST_ODDS), _MOST_ODDS))


@njit(cache=True)
def weights_elsewhere(fewest: int, count: int, left: int, cells: int, odds: float) -> tuple[NDArray[np.float64], float]:
    """Count the ways to lay ``left - m`` mines in ``cells`` cells, for ``count`` numbers m from ``fewest`` on.

    The count of every m is divided by odds**m; then the greatest is brought to 1.  Ratios of neighbours need no factorials.

    Returns
    -------
    weights : float64, shape (count,)
    log2 : log2 of what the greatest was divided by; -inf if all are 0
    """
    weights = np.zeros(count, np.float64)
    low, high = max(fewest, left - cells), min(fewest + count - 1, left)
    if low > high:
        return weights, -np.inf
    peak = low
    while peak < high and (left - peak) >= odds * (cells - left + peak + 1):
        peak += 1
    weights[peak - fewest] = 1.0
    for mines in range(peak, high):
        ratio = (left - mines) / ((cells - left + mines + 1) * odds)
        weights[mines + 1 - fewest] = max(weights[mines - fewest] * ratio, FLOOR)
    for mines in range(peak, low, -1):
        ratio = (cells - left + mines) * odds / (left - mines + 1)
        weights[mines - 1 - fewest] = max(weights[mines - fewest] * ratio, FLOOR)
    inside = left - peak
    natural = math.lgamma(cells + 1.0) - math.lgamma(inside + 1.0) - math.lgamma(cells - inside + 1.0)
    return weights, natural / math.log(2.0) - peak * math.log2(odds)


@njit(cache=True)
def seen_mines(grid: NDArray[np.uint8], status: NDArray[np.int8]) -> int:
    """Decided mines that an open number sees.  ``status``: framed."""
    rows, columns = grid.shape
    width = columns + 2
    seen = 0
    for row in range(rows):
        for column in range(columns):
            if status[(row + 1) * width + column + 1] != MINE:
                continue
            beside = False
            for step in steps_around(width):
                place = (row + 1) * width + column + 1 + step
                around, across = place // width - 1, place % width - 1
                beside |= 0 <= around < rows and 0 <= across < columns and grid[around, across] <= 8
            seen += beside
    return seen


@njit(cache=True)
def _shares(layers: Layers, elsewhere: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of the numbers of mines in the boxes: the last layer, with what follows it."""
    last = layers.first[layers.first.size - 2]
    begin = layers.states[last, WEIGHTS]
    return layers.weights[begin : begin + elsewhere.size] * elsewhere


@njit(cache=True)
def _spread(
    status: NDArray[np.int8], front: Front, chances: NDArray[np.float64], elsewhere: float, mine: NDArray[np.float64],
    verdicts: NDArray[np.int8],
) -> None:  # fmt: skip
    """Write the chance and the status of each cell of the board into ``mine`` and ``verdicts``.

    ``status``: framed.  ``elsewhere``: the chance off the front; exactly 0 or 1 if it is certain there.
    """
    expected = np.zeros(front.size.size, np.float64)
    certain = np.full(front.size.size, UNDECIDED, np.int8)
    for box in range(front.size.size):
        size = front.size[box]
        least = size
        for mines in range(size, -1, -1):
            expected[box] += mines * chances[box, mines] / size
            if chances[box, mines] > 0.0:
                least = mines
        if expected[box] == 0.0:
            certain[box] = SAFE
        elif least == size:
            certain[box] = MINE
            expected[box] = 1.0
    rows, columns = mine.shape
    certain_elsewhere = SAFE if elsewhere == 0.0 else MINE if elsewhere == 1.0 else UNDECIDED
    for row in range(rows):
        base = (row + 1) * (columns + 2) + 1
        for column in range(columns):
            verdict = status[base + column]
            if verdict == UNDECIDED:
                box = front.box[base + column]
                verdict = certain[box] if box >= 0 else certain_elsewhere
                mine[row, column] = expected[box] if box >= 0 else elsewhere
            else:
                mine[row, column] = 1.0 if verdict == MINE else 0.0
            verdicts[row, column] = verdict


@njit(cache=True)
def _elsewhere(shares: NDArray[np.float64], first: int, left: int, cells: int) -> float:
    """The chance of a mine off the front; 0 and 1 only if it is certain."""
    if cells == 0:
        return np.nan
    total, inside = 0.0, 0.0
    some_safe, some_mine = False, False
    for place in range(shares.size):
        mines = left - first - place
        total += shares[place]
        inside += shares[place] * mines
        some_mine |= shares[place] > 0 and mines > 0
        some_safe |= shares[place] > 0 and mines < cells
    if not some_mine:
        return 0.0
    if not some_safe:
        return 1.0
    return float(min(max(inside / (total * cells), FLOOR), 1.0 - 2.0**-53))


@njit(cache=True)
def odds_of(grid: NDArray[np.uint8], mines: int, trust_flags: bool, max_weights: int) -> Odds:
    """The exact probabilities of a position.

    Parameters
    ----------
    grid : uint8, shape (rows, columns), contiguous and writable (one kind of array, one compilation); it is not
        written to: 0 to 8, or ``CLOSED``, ``FLAG``, ``OPEN`` of ``probability_front``
    mines : mines of the whole board, or ``ANY_MINES``: every layout of the cells that numbers see counts once then,
        and nothing is known of the others
    trust_flags : flags are mines; else they are closed cells like the others
    max_weights : verdict ``WIDE`` beyond; ``MAX_WEIGHTS`` unless the caller knows better
    """
    rows, columns = grid.shape
    width = columns + 2
    front = read_front(grid, trust_flags)
    if front.conflict >= 0:
        return _unknown(CONTRADICTION, (front.conflict // width - 1) * columns + front.conflict % width - 1)
    undecided, decided = 0, 0
    for status in front.status:
        undecided += status == UNDECIDED
        decided += status == MINE
    boxed = int(front.size.sum())
    cells = undecided - boxed
    left = mines - decided if mines != ANY_MINES else boxed
    if not 0 <= left <= undecided:
        return _unknown(MISCOUNT, -1)
    odds = odds_of_a_mine(left, undecided)
    order, _, _ = chain_of(front, width)
    layers = forward(front, order, odds, min(left, boxed), max_weights)
    if layers.verdict != DONE:
        place = front.place[front.numbers[layers.stopped, 0]]
        return _unknown(layers.verdict, (place // width - 1) * columns + place % width - 1)
    last = layers.first[order.size]
    fewest = layers.states[last, FEWEST]
    if mines == ANY_MINES:
        outside, log2_greatest = np.ones(layers.states[last, MOST] - fewest + 1, np.float64), 0.0
    else:
        outside, log2_greatest = weights_elsewhere(fewest, layers.states[last, MOST] - fewest + 1, left, cells, odds)
    shares = _shares(layers, outside)
    total = shares.sum()
    if total == 0.0:
        return _unknown(MISCOUNT, -1)
    log2_layouts = math.log2(total) + layers.exponent + log2_greatest
    chance_elsewhere = _elsewhere(shares, fewest, left, cells) if mines != ANY_MINES else np.nan
    chances, precise = backward(front, order, odds, layers, outside)
    mine, verdicts = np.empty((rows, columns), np.float64), np.empty((rows, columns), np.int8)
    _spread(front.status, front, chances, chance_elsewhere, mine, verdicts)
    seen = seen_mines(grid, front.status) if trust_flags else decided
    verdict = ANSWERED if precise else IMPRECISE  # the last layer's sum is the total but for a small power of two
    return Odds(verdict, -1, mine, verdicts, chance_elsewhere, shares / total, fewest + seen, log2_layouts)
