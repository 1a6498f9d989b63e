"""All layouts of the mines in a few cells, one by one."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.grid import MINE
from analysis.kernels.probability_front import CLOSED, FLAG
from analysis.kernels.solver_table import Table

TOO_MANY = -1  # instead of a number of layouts
_STEPS_A_LAYOUT = 400  # give up when the search wanders: dead ends are found late where only the count forbids them


@njit(cache=True)
def area_of(table: Table, first: int, reached: NDArray[np.bool_], cells: NDArray[np.int32]) -> int:
    """The closed cells that ``first`` may tell about: through shared numbers, or side by side; how many.

    They are written to ``cells`` in order of discovery, so that cells of one number come together.
    ``reached``: bool, one a cell; the cells of areas found before, and of this one afterwards.
    """
    near, seen = table.near, table.seen
    cells[0] = first
    reached[first] = True
    end, place = 1, 0
    while place < end:
        cell = cells[place]
        place += 1
        for around in range(near[cell, 8]):
            beside = near[cell, around]
            if seen[beside] == CLOSED and not reached[beside]:
                reached[beside] = True
                cells[end] = beside
                end += 1
            elif 0 < seen[beside] <= 8:
                for far in range(near[beside, 8]):
                    other = near[beside, far]
                    if seen[other] == CLOSED and not reached[other]:
                        reached[other] = True
                        cells[end] = other
                        end += 1
    return end


@njit(cache=True)
def _numbers_of(table: Table, cells: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int8], NDArray[np.int8]]:
    """The numbers beside each cell (row: up to eight, then how many), and what each number needs and sees."""
    near, seen = table.near, table.seen
    name = np.full(seen.size, -1, np.int32)
    beside = np.zeros((cells.size, 9), np.int32)
    need, free = np.zeros(seen.size, np.int8), np.zeros(seen.size, np.int8)
    numbers = 0
    for index in range(cells.size):
        for around in range(near[cells[index], 8]):
            number = near[cells[index], around]
            if seen[number] > 8:
                continue
            if name[number] < 0:
                name[number] = numbers
                need[numbers] = seen[number]
                for far in range(near[number, 8]):
                    need[numbers] -= seen[near[number, far]] == FLAG
                numbers += 1
            free[name[number]] += 1
            beside[index, beside[index, 8]] = name[number]
            beside[index, 8] += 1
    return beside, need, free


@njit(cache=True)
def layouts_of(table: Table, cells: NDArray[np.int32], left: int, most: int) -> tuple[int, NDArray[np.uint8]]:
    """Every layout of ``cells`` that the numbers allow.

    Parameters
    ----------
    cells : int32, closed cells; every other closed cell beside their numbers must be among them
    left : mines in them; -1 if any number
    most : give up beyond so many layouts

    Returns
    -------
    count : layouts, or ``TOO_MANY``
    layouts : uint8, shape (count, cells), 1 = mine
    """
    beside, need, free = _numbers_of(table, cells)
    size = cells.size
    layouts = np.empty((most, size), np.uint8)
    chosen = np.full(size + 1, -1, np.int8)  # of each cell: not tried yet, 0, 1
    depth, found, steps, used = 0, 0, 0, 0
    while depth >= 0:
        steps += 1
        if steps > _STEPS_A_LAYOUT * most:
            return TOO_MANY, layouts
        if depth == size:
            if left in (-1, used):
                if found == most:
                    return TOO_MANY, layouts
                for index in range(size):
                    layouts[found, index] = chosen[index]
                found += 1
            depth -= 1
            continue
        before, now = chosen[depth], chosen[depth] + 1
        fits = True
        for place in range(beside[depth, 8]):
            number = beside[depth, place]
            if before < 0:
                free[number] -= 1
            need[number] -= now == 1
            if now == 2:  # both tried: as if the cell had never been touched
                need[number] += 1
                free[number] += 1
            fits &= 0 <= need[number] <= free[number]
        used += 1 if now == 1 else -1 if now == 2 else 0
        if now == 2:
            chosen[depth] = -1
            depth -= 1
            continue
        chosen[depth] = now
        if fits and (left == -1 or used <= left <= used + size - depth - 1):
            depth += 1
    return found, layouts[:found]


@njit(cache=True)
def shown_in(table: Table, cells: NDArray[np.int32], layouts: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the face of each cell in each layout: uint8, the shape of ``layouts``, ``MINE`` in mines."""
    near, seen = table.near, table.seen
    index_of = np.full(seen.size, -1, np.int32)
    for index in range(cells.size):
        index_of[cells[index]] = index
    shown = np.empty(layouts.shape, np.uint8)
    for index in range(cells.size):
        cell = cells[index]
        flags = 0
        for around in range(near[cell, 8]):
            flags += seen[near[cell, around]] == FLAG
        for layout in range(layouts.shape[0]):
            mines = flags
            for around in range(near[cell, 8]):
                other = index_of[near[cell, around]]
                if other >= 0:
                    mines += layouts[layout, other]
            shown[layout, index] = MINE if layouts[layout, index] else mines
    return shown
