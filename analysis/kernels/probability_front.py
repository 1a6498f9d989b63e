"""The front of a position: the closed cells that its open numbers restrict.

Closed cells that see the same open numbers are interchangeable: only how many of them are mines matters.  Such a group
is a *box*.  Numbers that leave no choice are worked off first, so that a box holds undecided cells only and every
number that is left has 1 to 7 mines to find among more cells than that.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.grid import WALL, steps_around

CLOSED = 10  # codes of a position's cells; 0 to 8 are open numbers
FLAG = 11
OPEN = 12  # an open cell with unknown number

SETTLED = 0  # statuses of framed cells: open, or outside the board
UNDECIDED = 1
SAFE = 2
MINE = 3


class Front(NamedTuple):
    """Remainder of a position after the numbers that leave no choice are settled.

    ``status``: int8, framed; ``box``: int32, framed, the box of a cell or -1.
    ``size``: int8, cells of each box; ``degree``: int8, its numbers; ``numbers``: int32, shape (boxes, 8), which ones.
    ``place``: int32, the framed cell of each number; ``need``, ``free``: int8, its mines to find, its undecided cells.
    ``conflict``: framed cell of a number that cannot be satisfied, or -1; the boxes are empty then.
    """

    status: NDArray[np.int8]
    box: NDArray[np.int32]
    size: NDArray[np.int8]
    degree: NDArray[np.int8]
    numbers: NDArray[np.int32]
    place: NDArray[np.int32]
    need: NDArray[np.int8]
    free: NDArray[np.int8]
    conflict: int


@njit(cache=True)
def _framed(grid: NDArray[np.uint8], trust_flags: bool) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    """The codes inside a frame of walls, and the statuses before any deduction."""
    rows, columns = grid.shape
    width = columns + 2
    code = np.full((rows + 2) * width, WALL, np.uint8)
    status = np.zeros((rows + 2) * width, np.int8)
    for row in range(rows):
        base = (row + 1) * width + 1
        for column in range(columns):
            here = grid[row, column]
            if here in (CLOSED, FLAG):
                status[base + column] = MINE if trust_flags and here == FLAG else UNDECIDED
            else:
                code[base + column] = here
    return code, status


@njit(cache=True)
def _count_around(
    code: NDArray[np.uint8], status: NDArray[np.int8], width: int
) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int32]]:
    """Mines to find and undecided cells of every number (0 elsewhere), and where the numbers are."""
    need = np.zeros(code.size, np.int8)
    free = np.zeros(code.size, np.int8)
    numbers = np.empty(code.size, np.int32)
    found = 0
    steps = steps_around(width)
    for cell in range(width, code.size - width):
        if code[cell] > 8:
            continue
        mines, undecided = 0, 0
        for step in steps:
            mines += status[cell + step] == MINE
            undecided += status[cell + step] == UNDECIDED
        need[cell] = code[cell] - mines
        free[cell] = undecided
        numbers[found] = cell
        found += 1
    return need, free, numbers[:found]


@njit(cache=True)
def _settle(
    code: NDArray[np.uint8], status: NDArray[np.int8], need: NDArray[np.int8], free: NDArray[np.int8],
    numbers: NDArray[np.int32], width: int,
) -> int:  # fmt: skip
    """Work off the numbers that leave no choice, and those that this changes; returns a conflict or -1."""
    steps = steps_around(width)
    stack = np.empty(numbers.size + 1, np.int32)  # one more: see below
    stack[: numbers.size] = numbers[::-1]
    waiting = np.zeros(code.size, np.bool_)
    for cell in numbers:
        waiting[cell] = True
    height = numbers.size
    while height > 0:
        height -= 1
        cell = stack[height]
        waiting[cell] = False
        if need[cell] < 0 or need[cell] > free[cell]:
            return int(cell)
        if free[cell] == 0 or 0 < need[cell] < free[cell]:
            continue
        verdict = MINE if need[cell] > 0 else SAFE
        for step in steps:
            decided = cell + step
            if status[decided] != UNDECIDED:
                continue
            status[decided] = verdict
            for around in steps:
                number = decided + around
                need[number] -= verdict == MINE  # of no meaning, and never read, where there is no number
                free[number] -= 1
                stack[height] = number  # counted only if it is a new number, as in grid.label_groups
                height += code[number] <= 8 and not waiting[number]
                waiting[number] |= code[number] <= 8
    return -1


@njit(cache=True)
def _numbers_of_cells(
    status: NDArray[np.int8], place: NDArray[np.int32], width: int
) -> tuple[NDArray[np.int32], NDArray[np.int8], NDArray[np.int32]]:
    """For the undecided cells beside ``place``: the numbers (rising), how many, and the cells in order of discovery."""
    seen = np.empty((status.size, 8), np.int32)
    degree = np.zeros(status.size, np.int8)
    cells = np.empty(status.size, np.int32)
    found = 0
    for number in range(place.size):
        for step in steps_around(width):
            cell = place[number] + step
            if status[cell] == UNDECIDED:
                if degree[cell] == 0:
                    cells[found] = cell
                    found += 1
                seen[cell, degree[cell]] = number
                degree[cell] += 1
    return seen, degree, cells[:found]


@njit(cache=True)
def _same(one: NDArray[np.int32], other: NDArray[np.int32], count: int) -> bool:
    same = True
    for place in range(count):
        same &= one[place] == other[place]
    return same


@njit(cache=True)
def read_front(grid: NDArray[np.uint8], trust_flags: bool) -> Front:
    """The front of a position.

    Parameters
    ----------
    grid : uint8, shape (rows, columns): 0 to 8, ``CLOSED``, ``FLAG``, ``OPEN``
    trust_flags : flags are mines; else they are closed cells like the others
    """
    width = grid.shape[1] + 2
    code, status = _framed(grid, trust_flags)
    need, free, numbers = _count_around(code, status, width)
    conflict = _settle(code, status, need, free, numbers, width)
    left = 0
    for cell in numbers:
        if free[cell] > 0 and conflict < 0:
            numbers[left] = cell
            left += 1
    place = numbers[:left]
    seen, degree, cells = _numbers_of_cells(status, place, width)
    box = np.full(status.size, -1, np.int32)
    size = np.zeros(cells.size, np.int8)
    example = np.empty(cells.size, np.int32)  # a cell of each box
    newest = np.full(left, -1, np.int32)  # by first number: the box found last, then through `older`
    older = np.empty(cells.size, np.int32)
    boxes = 0
    for cell in cells:
        first = seen[cell, 0]
        known = newest[first]
        while known >= 0 and not (
            degree[example[known]] == degree[cell] and _same(seen[example[known]], seen[cell], degree[cell])
        ):
            known = older[known]
        if known < 0:
            known = boxes
            example[boxes] = cell
            older[boxes] = newest[first]
            newest[first] = boxes
            boxes += 1
        box[cell] = known
        size[known] += 1
    box_numbers = np.empty((boxes, 8), np.int32)
    box_degree = np.empty(boxes, np.int8)
    for known in range(boxes):
        box_degree[known] = degree[example[known]]
        box_numbers[known] = seen[example[known]]
    return Front(status, box, size[:boxes], box_degree, box_numbers, place, need[place], free[place], conflict)
