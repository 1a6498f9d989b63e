"""Positions one cell ahead: how likely each number is, and what the chance to win may depend on after it."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.probability import MAX_WEIGHTS, Odds
from analysis.kernels.probability_chain import DONE, FEWEST, MOST, WEIGHTS, backward, forward
from analysis.kernels.probability_front import CLOSED, FLAG, MINE, Front, read_front
from analysis.kernels.probability_order import chain_of
from analysis.kernels.solver_ahead import Ahead, Patch, patch_of
from analysis.kernels.solver_facts import (
    BEST,
    CELLS,
    DEAD_DOUBT,
    DOUBT,
    ENTROPY,
    FACTS,
    FRESH_LOSS,
    GOOD,
    LONELY_LOSS,
    LOSS,
    PAIR_LOSS,
    PARTS,
    SECOND,
    add_cell,
    end_component,
    join,
    one_of_two,
    pair_losses,
    rank,
)
from analysis.kernels.solver_table import Table

#: What the chance to win may depend on, all of about one order: whether a cell is certainly safe, how many are (ln), the
#: two best chances of others, cells to open and mines among the closed ones, log2 of the layouts, doubts about the front,
#: its cells, the chance off the front, undecided cells beside safe ones (ln), cells off the front, nearly safe cells;
#: then see ``solver_facts``, and mines among the undecided cells.
(
    ANY_SAFE, SAFE_CELLS, BEST_CHANCE, SECOND_CHANCE, TO_OPEN, DENSITY, LOG2_LAYOUTS, ENTROPIES, DOUBTS, FRONT_CELLS,
    FAR_CHANCE, BESIDE_SAFE, FAR_CELLS, GOOD_CELLS, LOSSES, LONELY_LOSSES, DEAD_DOUBTS, COMPONENTS, UNDECIDED_DENSITY,
    PAIR_LOSSES, FAR_PAIR_LOSSES, FRESH_LOSSES, FEATURES,
) = range(23)  # fmt: skip

_SURE = 1e-12  # an undecided cell is never nearer to certainty


@njit(cache=True)
def _write_risks(
    patch: Patch, front: Front, chances: NDArray[np.float64], risks: NDArray[np.float64], boxes: NDArray[np.int32]
) -> None:
    """Risk and box of each cell of the patch, into those of the whole board; risks of 0 and 1 are certain."""
    of_box = np.empty(front.size.size, np.float64)
    for box in range(front.size.size):
        size = front.size[box]
        expected, least, most = 0.0, int(size), 0
        for mines in range(size + 1):
            if chances[box, mines] > 0.0:
                expected += mines * chances[box, mines] / size
                least = min(least, mines)
                most = mines
        of_box[box] = 0.0 if most == 0 else 1.0 if least == size else min(max(expected, _SURE), 1.0 - _SURE)
    for index in range(patch.cells.size):
        place, cell = patch.places[index], patch.cells[index]
        boxes[cell] = front.box[place]
        if front.box[place] >= 0:
            risks[cell] = of_box[front.box[place]]
        else:
            risks[cell] = 1.0 if front.status[place] == MINE else 0.0


@njit(cache=True)
def _gather(
    table: Table, patch: Patch, owner: NDArray[np.int32], uneven: NDArray[np.float64], risks: NDArray[np.float64],
    boxes: NDArray[np.int32], facts: NDArray[np.float64],
) -> tuple[int, int, int]:  # fmt: skip
    """Add the facts of the patch; returns certain safe cells, undecided cells beside them, certain mines.

    ``owner``, ``uneven``: of each box of the patch, its component and :func:`one_of_two`.
    """
    near, seen = table.near, table.seen
    parts = 0
    for part in owner:
        parts = max(parts, part + 1)
    local = np.zeros((parts, FACTS), np.float64)
    lonely, fresh = np.ones(parts, np.bool_), np.zeros(parts, np.bool_)
    in_patch = np.zeros(seen.size, np.bool_)
    for cell in patch.cells:
        in_patch[cell] = True
    safe, beside, mines = 0, 0, 0
    for cell in patch.cells:
        if risks[cell] == 1.0:
            mines += 1
        elif risks[cell] == 0.0:
            safe += 1
            for place in range(near[cell, 8]):
                other = near[cell, place]
                beside += seen[other] == CLOSED and 0.0 < risks[other] < 1.0
        else:
            part = owner[boxes[cell]]
            for place in range(near[cell, 8]):
                other = near[cell, place]
                if seen[other] == CLOSED and risks[other] < 1.0:
                    fresh[part] |= risks[other] == 0.0
                    lonely[part] &= in_patch[other] and risks[other] > 0.0 and owner[boxes[other]] == part
            add_cell(local[part], table, risks, boxes, cell)
            if uneven[boxes[cell]] > 0.0:
                local[part, PAIR_LOSS] += pair_losses(table, risks, boxes, cell, uneven[boxes[cell]])
    for part in range(parts):
        if local[part, CELLS] > 0.0:
            end_component(local[part], lonely[part], fresh[part])
            join(facts, local[part])
    return safe, beside, mines


@njit(cache=True)
def _owner_and_uneven(
    front: Front, order: NDArray[np.int64], start: NDArray[np.int32], chances: NDArray[np.float64]
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    owner, uneven = np.zeros(order.size, np.int32), np.zeros(order.size, np.float64)
    for part in range(start.size - 1):
        for box in order[start[part] : start[part + 1]]:
            owner[box] = part
            if front.size[box] > 1:
                uneven[box] = one_of_two(chances[box], front.size[box])
    return owner, uneven


@njit(cache=True)
def _describe(
    features: NDArray[np.float64], facts: NDArray[np.float64], safe: int, beside: int, far: int, chance: float
) -> None:
    """Write what the facts tell."""
    features[ANY_SAFE] = 1.0 if safe > 0 else 0.0
    features[SAFE_CELLS] = math.log(1.0 + safe)
    features[BEST_CHANCE] = facts[BEST] if facts[BEST] > 0.0 else 1.0
    features[SECOND_CHANCE] = facts[SECOND] if facts[SECOND] > 0.0 else features[BEST_CHANCE]
    features[ENTROPIES] = facts[ENTROPY] / 10.0
    features[DOUBTS] = facts[DOUBT] / 10.0
    features[FRONT_CELLS] = facts[CELLS] / 10.0
    features[FAR_CHANCE] = chance
    features[BESIDE_SAFE] = math.log(1.0 + beside)
    features[FAR_CELLS] = far / 100.0
    features[GOOD_CELLS] = facts[GOOD] / 10.0
    features[LOSSES] = facts[LOSS]
    features[LONELY_LOSSES] = facts[LONELY_LOSS]
    features[DEAD_DOUBTS] = facts[DEAD_DOUBT] / 3.0
    features[COMPONENTS] = facts[PARTS] / 3.0
    features[PAIR_LOSSES] = facts[PAIR_LOSS]
    features[FRESH_LOSSES] = facts[FRESH_LOSS]


@njit(cache=True, inline="always")
def _after(
    table: Table, ahead: Ahead, patch: Patch, number: int, risks: NDArray[np.float64], boxes: NDArray[np.int32],
    features: NDArray[np.float64],
) -> float:  # fmt: skip
    """log2 of the weight of the layouts in which the opened cell shows ``number``; -inf if there are none.

    ``table``: shows the number already.  ``risks``, ``boxes``: of each cell of the board; those of the patch are
    overwritten, the others must be those of ``ahead``.  ``features``: all that the patch tells is written.
    """
    patch.grid.reshape(patch.grid.size)[patch.place] = number
    front = read_front(patch.grid, bool(1))
    decided = -patch.flags
    for status in front.status:
        decided += status == MINE
    if front.conflict >= 0 or decided >= patch.outside.size:
        return -np.inf
    order, start, _ = chain_of(front, patch.grid.shape[1] + 2)
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
    _write_risks(patch, front, chances, risks, boxes)
    owner, uneven = _owner_and_uneven(front, order, start, chances)
    facts = patch.facts.copy()
    safe, beside, mines = _gather(table, patch, owner, uneven, risks, boxes, facts)
    far, chance = patch.elsewhere, 0.0
    if far > 0:
        chance = 1.0 - inside / (total * far)
        if inside == 0.0:
            safe, far, chance = safe + far, 0, 0.0
        elif chance < _SURE:
            far, chance = 0, 0.0
        else:
            rank(facts, chance)
            rank(facts, chance if far > 1 else 0.0)
    _describe(features, facts, safe, beside, far, chance)
    features[UNDECIDED_DENSITY] = (ahead.left - mines) / max(ahead.closed - 1 - mines - safe, 1)
    return math.log2(total) + layers.exponent + decided * math.log2(ahead.odds)


@njit(cache=True)
def numbers_after(table: Table, ahead: Ahead, cell: int, odds: Odds, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute the chance of each number and, into ``rows``, the features that the chance to win may depend on.

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
    risks, boxes = ahead.risks.copy(), ahead.boxes.copy()
    weights = np.full(9, -np.inf)
    top = -np.inf
    flags, closed = 0, 0
    for place in range(table.near[cell, 8]):
        flags += table.seen[table.near[cell, place]] == FLAG
        closed += table.seen[table.near[cell, place]] == CLOSED
    for number in range(flags, flags + closed + 1):
        table.seen[cell] = number
        weights[number] = _after(table, ahead, patch, number, risks, boxes, rows[number])
        top = max(top, weights[number])
    table.seen[cell] = CLOSED
    chances = 2.0 ** (weights - top)
    chances *= (1.0 - ahead.risks[cell]) / chances.sum()
    for number in range(9):
        if chances[number] > 0.0:
            rows[number, TO_OPEN] = (ahead.closed - 1 - ahead.left) / 100.0
            rows[number, LOG2_LAYOUTS] = (odds.log2_layouts + math.log2(chances[number])) / 100.0
            rows[number, DENSITY] = ahead.left / (ahead.closed - 1)
            rows[number, FAR_PAIR_LOSSES] = patch.far_pairs
    return chances
