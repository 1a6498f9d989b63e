"""The table a game is played on: what is seen, what is true, and the numbers that deserve another look.

Cells are numbered row * columns + column.  What is seen uses the codes of ``probability_front``: ``CLOSED``, ``FLAG``
for a cell that is certainly a mine, ``OPEN`` for one that is certainly safe and about to be opened, or its number.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.grid import MINE
from analysis.kernels.probability_front import CLOSED

HEIGHT, SAFE_END, OPENED = 0, 1, 2  # places in ``Table.counts``


class Table(NamedTuple):
    """A position and the room for working on it.

    ``grid``: uint8, shape (rows, columns), what is seen; ``seen``: the same memory, flat.
    ``near``: int32, shape (cells, 9), the neighbours of a cell; how many, in the last column.
    ``column``: int32, the column of a cell.
    ``stack``, ``waiting``: numbers whose surroundings have changed, ``counts[HEIGHT]`` of them.
    ``safe``: cells found safe and not opened yet, ``counts[SAFE_END]`` of them; ``counts[OPENED]``: open cells.
    ``flood``: room for one entry a cell.
    """

    grid: NDArray[np.uint8]
    seen: NDArray[np.uint8]
    near: NDArray[np.int32]
    column: NDArray[np.int32]
    stack: NDArray[np.int32]
    waiting: NDArray[np.bool_]
    safe: NDArray[np.int32]
    flood: NDArray[np.int32]
    counts: NDArray[np.int64]


@njit(cache=True)
def neighbours(rows: int, columns: int) -> NDArray[np.int32]:
    """The neighbours of each cell; see ``Table.near``."""
    near = np.zeros((rows * columns, 9), np.int32)
    for cell in range(rows * columns):
        row, column = cell // columns, cell % columns
        found = 0
        for beside in range(max(row - 1, 0), min(row + 2, rows)):
            for across in range(max(column - 1, 0), min(column + 2, columns)):
                if beside != row or across != column:
                    near[cell, found] = beside * columns + across
                    found += 1
        near[cell, 8] = found
    return near


@njit(cache=True)
def table_of(grid: NDArray[np.uint8], near: NDArray[np.int32]) -> Table:
    """A table on the position ``grid`` (contiguous; it becomes the table's own), every number waiting for a look."""
    cells = grid.size
    seen = grid.reshape(cells)
    column = (np.arange(cells) % grid.shape[1]).astype(np.int32)
    stack, waiting = np.empty(cells, np.int32), np.zeros(cells, np.bool_)
    count = np.zeros(3, np.int64)
    for cell in range(cells):
        if seen[cell] <= 8:
            count[OPENED] += 1
            stack[count[HEIGHT]] = cell
            waiting[cell] = True
            count[HEIGHT] += 1
    safe, flood = np.empty(cells, np.int32), np.empty(cells, np.int32)
    return Table(grid, seen, near, column, stack, waiting, safe, flood, count)


@njit(cache=True)
def look_again(table: Table, cell: int) -> None:
    """Something about ``cell`` has changed: the numbers around it, and its own, wait for a look."""
    near, seen, waiting = table.near, table.seen, table.waiting
    height = table.counts[HEIGHT]
    if seen[cell] <= 8 and not waiting[cell]:
        waiting[cell] = True
        table.stack[height] = cell
        height += 1
    for place in range(near[cell, 8]):
        beside = near[cell, place]
        if seen[beside] <= 8 and not waiting[beside]:
            waiting[beside] = True
            table.stack[height] = beside
            height += 1
    table.counts[HEIGHT] = height


@njit(cache=True)
def open_cell(table: Table, numbers: NDArray[np.uint8], cell: int) -> bool:
    """Open ``cell``, and everything around zeros; returns whether it was safe.

    ``numbers``: uint8, flat, the truth, ``MINE`` on mines.
    """
    near, seen, flood = table.near, table.seen, table.flood
    if seen[cell] <= 8:
        return True
    if numbers[cell] == MINE:
        return False
    flood[0] = cell
    seen[cell] = numbers[cell]
    end, place = 1, 0
    while place < end:
        here = flood[place]
        place += 1
        if numbers[here] != 0:
            continue
        for around in range(near[here, 8]):
            beside = near[here, around]
            if seen[beside] > 8:
                seen[beside] = numbers[beside]
                flood[end] = beside
                end += 1
    table.counts[OPENED] += end
    for place in range(end):  # zeros too: a number beside one may have been open before, and has less around it now
        look_again(table, flood[place])
    return True


@njit(cache=True)
def closed_left(table: Table) -> int:
    """Cells that are closed and not known to be mines."""
    left = 0
    for code in table.seen:
        left += code == CLOSED
    return left
