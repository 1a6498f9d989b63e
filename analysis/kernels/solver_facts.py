"""Facts of components that the chance to win may depend on, and that can be added up.

Two closed cells that see the same numbers are a *pair*.  Only a cell beside exactly one of them can ever tell which is
the mine, so if all of those are mines and the pair holds one, half of the games are lost there whatever is done.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.probability_front import CLOSED
from analysis.kernels.solver_table import Table

#: Facts of a component or of several together; all but the two best add up.
BEST, SECOND, CELLS, ENTROPY, DOUBT, GOOD, LOSS, LONELY_LOSS, DEAD_DOUBT, PARTS, PAIR_LOSS, FRESH_LOSS, FACTS = range(
    13
)

NO_BOX = -1  # the box of a cell that no number sees


@njit(cache=True)
def rank(facts: NDArray[np.float64], chance: float) -> None:
    """Let ``chance`` take its place among the two best."""
    if chance > facts[BEST]:
        facts[SECOND] = facts[BEST]
        facts[BEST] = chance
    elif chance > facts[SECOND]:
        facts[SECOND] = chance


@njit(cache=True)
def join(facts: NDArray[np.float64], more: NDArray[np.float64]) -> None:
    """Add the facts of others."""
    rank(facts, more[BEST])
    rank(facts, more[SECOND])
    for place in range(CELLS, FACTS):
        facts[place] += more[place]


@njit(cache=True)
def one_of_two(chances: NDArray[np.float64], size: int) -> float:
    """Compute the chance that one of two cells of a box is a mine and the other is not.

    ``chances``: float64, shape (9,), of each number of mines in the box.  ``size``: its cells, at least 2.
    """
    total = 0.0
    for mines in range(1, size):
        total += chances[mines] * mines * (size - mines)
    return 2.0 * total / (size * (size - 1))


@njit(cache=True)
def pair_loss(table: Table, risks: NDArray[np.float64], cell: int, other: int, uneven: float) -> float:
    """Minus the logarithm of the part of games that a pair of neighbours does not lose.

    ``risks``: float64, of each cell, 0 if it is open.  ``uneven``: how likely one of the two is a mine.
    """
    near, columns = table.near, table.grid.shape[1]
    undetected = 0.5 * uneven
    for turn in range(2):
        one, two = (cell, other) if turn == 0 else (other, cell)
        column = table.column[two]
        for place in range(near[one, 8]):
            beside = near[one, place]
            across = table.column[beside] - column
            apart = beside - two - across
            sees_both = beside == two or (-1 <= across <= 1 and -columns <= apart <= columns)
            undetected *= 1.0 if sees_both or table.seen[beside] <= 8 else risks[beside]
    return -math.log(1.0 - undetected)


@njit(cache=True)
def pair_losses(table: Table, risks: NDArray[np.float64], boxes: NDArray[np.int32], cell: int, uneven: float) -> float:
    """Sum :func:`pair_loss` of a cell with the closed cells of its box to its right and below it."""
    columns = table.grid.shape[1]
    total = 0.0
    right, below = cell + 1, cell + columns
    if table.column[cell] + 1 < columns and table.seen[right] == CLOSED and boxes[right] == boxes[cell]:
        total += pair_loss(table, risks, cell, right, uneven)
    if below < table.seen.size and table.seen[below] == CLOSED and boxes[below] == boxes[cell]:
        total += pair_loss(table, risks, cell, below, uneven)
    return total


@njit(cache=True)
def add_cell(
    facts: NDArray[np.float64], table: Table, risks: NDArray[np.float64], boxes: NDArray[np.int32], cell: int
) -> None:  # fmt: skip
    """Add an undecided cell of the front.  ``risks``, ``boxes``: of each cell."""
    risk = risks[cell]
    chance = 1.0 - risk
    doubt = 4.0 * chance * risk
    rank(facts, chance)
    facts[CELLS] += 1.0
    facts[ENTROPY] -= chance * math.log2(chance) + risk * math.log2(risk)
    facts[DOUBT] += doubt
    facts[GOOD] += chance > 0.9
    seen_by_others = False
    for place in range(table.near[cell, 8]):
        other = table.near[cell, place]
        seen_by_others |= table.seen[other] == CLOSED and risks[other] < 1.0 and boxes[other] != boxes[cell]
    facts[DEAD_DOUBT] += 0.0 if seen_by_others else doubt


@njit(cache=True)
def end_component(facts: NDArray[np.float64], lonely: bool, fresh: bool) -> None:
    """All cells of a component have been added.

    ``lonely``: no closed cell beside them may tell about them; ``fresh``: one does that is certainly safe.
    """
    facts[LOSS] = -math.log(facts[BEST])
    facts[LONELY_LOSS] = facts[LOSS] if lonely else 0.0
    facts[FRESH_LOSS] = facts[LOSS] if fresh else 0.0
    facts[PARTS] = 1.0
