"""A position made ready for looking ahead from it: its components, and what opening a cell leaves untouched.

Opening a cell changes the components of the front that it touches and leaves the others as they are, but for the mines
that remain for them.  So only those components are counted again, on a small board of their own (a *patch*), and the
others stand in as one polynomial each, found once a position.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.probability import MAX_WEIGHTS, Odds, odds_of_a_mine, weights_elsewhere
from analysis.kernels.probability_chain import DONE, FEWEST, MOST, WEIGHTS, forward
from analysis.kernels.probability_front import CLOSED, FLAG, OPEN, Front, read_front
from analysis.kernels.probability_order import chain_of
from analysis.kernels.solver_table import Table

NO_BOX = -1  # the box of a cell that no number sees
BEST, SECOND = 0, 1  # places among the two best chances of cells to be safe


class Ahead(NamedTuple):
    """A position without a certain cell.

    ``boxes``: int32, the box of each cell or ``NO_BOX``.  ``owner``: int32, the component of each box.
    ``numbers``, ``number_owner``: int32, the cells of the front's numbers, and their components.
    ``fewest``, ``length``: int64, of each component: least mines, weights in its row of ``polynomials``.
    ``best``: float64, shape (components, 2), the two best chances of their cells to be safe.
    ``closed``: closed cells, ``elsewhere``: those off the front.  ``left``: mines to find.  ``odds``: weight of a mine.
    """

    boxes: NDArray[np.int32]
    owner: NDArray[np.int32]
    numbers: NDArray[np.int32]
    number_owner: NDArray[np.int32]
    fewest: NDArray[np.int64]
    length: NDArray[np.int64]
    polynomials: NDArray[np.float64]
    best: NDArray[np.float64]
    closed: int
    elsewhere: int
    left: int
    odds: float


class Patch(NamedTuple):
    """The components that a cell touches, on a board of their own.

    ``grid``: uint8, their numbers and closed cells and the opened cell, ``OPEN`` elsewhere.
    ``places``: int32, the closed ones in the framed patch.
    ``place``: the opened cell in ``grid``, flat.
    ``flags``: marks on the patch.
    ``outside``, ``inside``: float64, by mines on the patch: weight of the rest of the board; the same times the mines that
    are off the front then.  ``elsewhere``: cells off the front.
    ``best``: float64, shape (2,), of the components apart from the patch, as in ``Ahead``.
    """

    grid: NDArray[np.uint8]
    places: NDArray[np.int32]
    place: int
    flags: int
    outside: NDArray[np.float64]
    inside: NDArray[np.float64]
    elsewhere: int
    best: NDArray[np.float64]


@njit(cache=True)
def rank(best: NDArray[np.float64], chance: float) -> None:
    """Let ``chance`` take its place among the two best."""
    if chance > best[BEST]:
        best[SECOND] = best[BEST]
        best[BEST] = chance
    elif chance > best[SECOND]:
        best[SECOND] = chance


@njit(cache=True)
def _boxes_of(table: Table, front: Front) -> NDArray[np.int32]:
    """The box of each cell of the board."""
    columns = table.grid.shape[1]
    boxes = np.full(table.seen.size, NO_BOX, np.int32)
    for cell in range(table.seen.size):
        boxes[cell] = front.box[(cell // columns + 1) * (columns + 2) + cell % columns + 1]
    return boxes


@njit(cache=True)
def _owners(
    front: Front, order: NDArray[np.int64], start: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The component of each box and of each number."""
    owner, number_owner = np.zeros(order.size, np.int32), np.zeros(front.place.size, np.int32)
    for part in range(start.size - 1):
        for box in order[start[part] : start[part + 1]]:
            owner[box] = part
            for which in range(front.degree[box]):
                number_owner[front.numbers[box, which]] = part
    return owner, number_owner


@njit(cache=True)
def _polynomials(
    front: Front, order: NDArray[np.int64], start: NDArray[np.int32], odds: float, left: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """``fewest``, ``length`` and ``polynomials`` of ``Ahead``; each polynomial may be off by a factor."""
    parts = start.size - 1
    fewest, length = np.zeros(parts, np.int64), np.zeros(parts, np.int64)
    polynomials = np.zeros((parts, min(left, int(front.size.sum())) + 1), np.float64)
    for part in range(parts):
        boxes = order[start[part] : start[part + 1]]
        layers = forward(front, boxes, odds, polynomials.shape[1] - 1, int(MAX_WEIGHTS))
        if layers.verdict == DONE:
            last = layers.first[boxes.size]
            fewest[part] = layers.states[last, FEWEST]
            length[part] = layers.states[last, MOST] - fewest[part] + 1
            begin = layers.states[last, WEIGHTS]
            polynomials[part, : length[part]] = layers.weights[begin : begin + length[part]]
    return fewest, length, polynomials


@njit(cache=True)
def look_ahead(table: Table, odds: Odds, left: int) -> Ahead:
    """Make a position ready.

    Parameters
    ----------
    table : all certain cells are open or marked
    odds : its probabilities; they must have been answered
    left : mines to find
    """
    columns = table.grid.shape[1]
    width = columns + 2
    front = read_front(table.grid, bool(1))
    order, start, _ = chain_of(front, width)
    owner, number_owner = _owners(front, order, start)
    boxes = _boxes_of(table, front)
    risks, best = odds.mine.reshape(table.seen.size), np.zeros((start.size - 1, 2), np.float64)
    elsewhere, closed = 0, 0
    for cell in range(table.seen.size):
        if table.seen[cell] == CLOSED:
            closed += 1
            if boxes[cell] == NO_BOX:
                elsewhere += 1
            else:
                rank(best[owner[boxes[cell]]], 1.0 - risks[cell])
    weight = odds_of_a_mine(left, closed)
    fewest, length, polynomials = _polynomials(front, order, start, weight, left)
    numbers = ((front.place // width - 1) * columns + front.place % width - 1).astype(np.int32)
    return Ahead(
        boxes, owner, numbers, number_owner, fewest, length, polynomials, best, closed, elsewhere, left, weight
    )


@njit(cache=True)
def _times(row: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    product = np.zeros(row.size + other.size - 1, np.float64)
    for place in range(row.size):
        for beside in range(other.size):
            product[place + beside] += row[place] * other[beside]
    return product


@njit(cache=True)
def _rest(
    ahead: Ahead, touched: NDArray[np.bool_], elsewhere: int, most: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """``outside`` and ``inside`` of a patch of the ``touched`` components that holds at most ``most`` mines."""
    row, fewest = np.ones(1, np.float64), 0
    for part in range(touched.size):
        if not touched[part]:
            row = _times(row, ahead.polynomials[part, : ahead.length[part]])
            fewest += ahead.fewest[part]
    weights, _ = weights_elsewhere(fewest, most + row.size, ahead.left, elsewhere, ahead.odds)
    outside, inside = np.zeros(most + 1, np.float64), np.zeros(most + 1, np.float64)
    for mines in range(most + 1):
        for place in range(row.size):
            share = row[place] * weights[mines + place]
            outside[mines] += share
            inside[mines] += share * (ahead.left - fewest - mines - place)
    return outside, inside


@njit(cache=True)
def _touched(table: Table, ahead: Ahead, cell: int) -> tuple[NDArray[np.bool_], int]:
    """The components at a cell; cells off the front that are left without it and its neighbours."""
    touched = np.zeros(ahead.fewest.size, np.bool_)
    elsewhere = ahead.elsewhere
    for place in range(-1, table.near[cell, 8]):
        other = cell if place < 0 else table.near[cell, place]
        if table.seen[other] != CLOSED:
            continue
        if ahead.boxes[other] == NO_BOX:
            elsewhere -= 1
        else:
            touched[ahead.owner[ahead.boxes[other]]] = True
    return touched, elsewhere


@njit(cache=True)
def _cut_out(table: Table, ahead: Ahead, touched: NDArray[np.bool_], cell: int) -> tuple[NDArray[np.uint8], int, int]:
    """The grid of a patch, and the row and the column of the board where it begins."""
    rows, columns = table.grid.shape
    near, seen = table.near, table.seen
    numbers = np.empty(ahead.numbers.size + 1, np.int32)
    numbers[0], found = cell, 1
    top, bottom, first, last = cell // columns, cell // columns, cell % columns, cell % columns
    for index in range(ahead.numbers.size):
        if touched[ahead.number_owner[index]]:
            numbers[found] = ahead.numbers[index]
            row, column = numbers[found] // columns, numbers[found] % columns
            top, bottom, first, last = min(top, row), max(bottom, row), min(first, column), max(last, column)
            found += 1
    top, bottom, first, last = max(top - 1, 0), min(bottom + 1, rows - 1), max(first - 1, 0), min(last + 1, columns - 1)
    grid = np.full((bottom - top + 1, last - first + 1), OPEN, np.uint8)
    for number in numbers[:found]:
        grid[number // columns - top, number % columns - first] = seen[number]
        for place in range(near[number, 8]):
            other = near[number, place]
            if seen[other] in (CLOSED, FLAG):
                grid[other // columns - top, other % columns - first] = seen[other]
    grid[cell // columns - top, cell % columns - first] = OPEN
    return grid, top, first


@njit(cache=True)
def patch_of(table: Table, ahead: Ahead, cell: int) -> Patch:
    """The patch of a closed cell that is about to be opened."""
    columns = table.grid.shape[1]
    touched, elsewhere = _touched(table, ahead, cell)
    grid, top, first = _cut_out(table, ahead, touched, cell)
    flags, closed = 0, 0
    places = np.empty(grid.size, np.int32)
    for row in range(grid.shape[0]):
        for column in range(grid.shape[1]):
            flags += grid[row, column] == FLAG
            if grid[row, column] == CLOSED:
                places[closed] = (row + 1) * (grid.shape[1] + 2) + column + 1
                closed += 1
    outside, inside = _rest(ahead, touched, elsewhere, min(closed, ahead.left))
    best = np.zeros(2, np.float64)
    for part in range(touched.size):
        if not touched[part]:
            rank(best, ahead.best[part, BEST])
            rank(best, ahead.best[part, SECOND])
    place = (cell // columns - top) * grid.shape[1] + cell % columns - first
    return Patch(grid, places[:closed], place, flags, outside, inside, elsewhere, best)
