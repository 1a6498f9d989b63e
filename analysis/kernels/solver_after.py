"""Positions one cell ahead: how likely each number is, and how safe the next click is after it."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.probability import MAX_WEIGHTS, Odds
from analysis.kernels.probability_chain import DONE, FEWEST, MOST, WEIGHTS, backward, forward
from analysis.kernels.probability_front import CLOSED, FLAG, MINE, Front, read_front
from analysis.kernels.probability_order import chain_of
from analysis.kernels.solver_ahead import BEST, SECOND, Ahead, Patch, patch_of, rank
from analysis.kernels.solver_table import Table

#: What is known of a position one cell ahead: cells that are certainly safe, and the two best chances of the others.
SAFE_CELLS, BEST_CHANCE, SECOND_CHANCE, FEATURES = range(4)

_SURE = 1e-12  # an undecided cell is never nearer to certainty


@njit(cache=True)
def _safe_cells(patch: Patch, front: Front, chances: NDArray[np.float64], best: NDArray[np.float64]) -> int:
    """Count the certainly safe cells of the patch; the chances of undecided ones join ``best``.

    ``chances``: of each box, that of each number of mines.
    """
    safe = 0
    for place in patch.places:
        safe += front.box[place] < 0 and front.status[place] != MINE
    for box in range(front.size.size):
        size = int(front.size[box])
        expected, least, most = 0.0, size, 0
        for mines in range(size + 1):
            if chances[box, mines] > 0.0:
                expected += mines * chances[box, mines] / size
                least = min(least, mines)
                most = mines
        if most == 0:
            safe += size
        elif least < size:
            for _ in range(min(size, 2)):
                rank(best, min(max(1.0 - expected, _SURE), 1.0 - _SURE))
    return safe


@njit(cache=True, inline="always")
def _after(ahead: Ahead, patch: Patch, number: int, features: NDArray[np.float64]) -> float:
    """log2 of the weight of the layouts in which the opened cell shows ``number``; -inf if there are none.

    ``features``: what is known then is written.
    """
    patch.grid.reshape(patch.grid.size)[patch.place] = number
    front = read_front(patch.grid, bool(1))
    decided = -patch.flags
    for status in front.status:
        decided += status == MINE
    if front.conflict >= 0 or decided >= patch.outside.size:
        return -np.inf
    order, _, _ = chain_of(front, patch.grid.shape[1] + 2)
    layers = forward(front, order, ahead.odds, patch.outside.size - 1 - decided, int(MAX_WEIGHTS))
    if layers.verdict != DONE:
        return -np.inf
    last = layers.first[order.size]
    begin, fewest = layers.states[last, WEIGHTS], decided + layers.states[last, FEWEST]
    count = layers.states[last, MOST] - layers.states[last, FEWEST] + 1
    outside = patch.outside[fewest : fewest + count].copy()
    total, inside = 0.0, 0.0
    for place in range(count):
        total += layers.weights[begin + place] * outside[place]
        inside += layers.weights[begin + place] * patch.inside[fewest + place]
    if total == 0.0:
        return -np.inf
    chances, _ = backward(front, order, ahead.odds, layers, outside)
    best, far = patch.best.copy(), patch.elsewhere
    safe = _safe_cells(patch, front, chances, best)
    if far > 0:
        chance = 1.0 - inside / (total * far)
        if inside == 0.0:
            safe += far
        elif chance >= _SURE:
            for _ in range(min(far, 2)):
                rank(best, chance)
    features[SAFE_CELLS] = safe
    features[BEST_CHANCE] = best[BEST] if best[BEST] > 0.0 else 1.0
    features[SECOND_CHANCE] = best[SECOND] if best[SECOND] > 0.0 else features[BEST_CHANCE]
    return math.log2(total) + layers.exponent + decided * math.log2(ahead.odds)


@njit(cache=True)
def numbers_after(table: Table, ahead: Ahead, cell: int, odds: Odds, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute the chance of each number and, into ``rows``, what is known after it.

    Parameters
    ----------
    table, ahead, odds : the position
    cell : closed, neither certainly safe nor a mine
    rows : float64, shape (9, FEATURES), receives the features after each number that is possible

    Returns
    -------
    float64, shape (9,), adding up to the chance that the cell is safe
    """
    patch = patch_of(table, ahead, cell)
    weights = np.full(9, -np.inf)
    top = -np.inf
    flags, closed = 0, 0
    for place in range(table.near[cell, 8]):
        flags += table.seen[table.near[cell, place]] == FLAG
        closed += table.seen[table.near[cell, place]] == CLOSED
    for number in range(flags, flags + closed + 1):
        weights[number] = _after(ahead, patch, number, rows[number])
        top = max(top, weights[number])
    chances = 2.0 ** (weights - top)
    chances *= (1.0 - odds.mine.reshape(table.seen.size)[cell]) / chances.sum()
    return chances
