"""Boards as flat arrays inside a frame of wall cells, so that no loop has to look for the edge of the board.

A board of ``rows`` by ``columns`` becomes ``(rows + 2) * (columns + 2)`` cells; ``width`` is ``columns + 2`` and the
cell (row, column) has the index ``(row + 1) * width + column + 1``.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

MINE = 9
WALL = 10


@njit(cache=True)
def steps_around(width: int) -> tuple[int, int, int, int, int, int, int, int]:
    """Index differences from a cell to its eight neighbours."""
    return (-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1)


@njit(cache=True)
def framed_numbers(mines: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The number of every cell, ``MINE`` on mines and ``WALL`` on the frame.

    Parameters
    ----------
    mines : uint8, shape (rows, columns), 1 = mine

    Returns
    -------
    uint8, shape ((rows + 2) * (columns + 2),)
    """
    rows, columns = mines.shape
    width = columns + 2
    steps = steps_around(width)
    counted = np.zeros((rows + 2) * width, np.uint8)
    for row in range(rows):
        for column in range(columns):
            if mines[row, column]:
                cell = (row + 1) * width + column + 1
                for step in steps:
                    counted[cell + step] += 1
    number = np.full((rows + 2) * width, WALL, np.uint8)
    for row in range(rows):
        for column in range(columns):
            cell = (row + 1) * width + column + 1
            number[cell] = MINE if mines[row, column] else counted[cell]
    return number


@njit(cache=True)
def label_groups(member: NDArray[np.bool_], width: int) -> tuple[NDArray[np.int32], int]:
    """Number the 8-connected groups of ``member`` from 1 in row-major order of their first cells.

    Every cell enters the stack once, so the time is linear and the stack never outgrows the board.

    Parameters
    ----------
    member : bool, one a framed cell; False on the frame
    width : cells in a framed row

    Returns
    -------
    int32 of the same shape, 0 outside the groups; and the number of groups
    """
    steps = steps_around(width)
    group = np.zeros(member.size, np.int32)
    stack = np.empty(member.size, np.int32)
    groups = 0
    for first in range(member.size):
        if not member[first] or group[first] != 0:
            continue
        groups += 1
        group[first] = groups
        stack[0] = first
        height = 1
        while height > 0:
            height -= 1
            cell = stack[height]
            for step in steps:
                beside = cell + step
                if member[beside] and group[beside] == 0:
                    group[beside] = groups
                    stack[height] = beside
                    height += 1
    return group, groups


@njit(cache=True)
def isolated_cells(number: NDArray[np.uint8], width: int) -> NDArray[np.bool_]:
    """Safe cells that are neither zero nor beside a zero: each is one 3BV of its own."""
    steps = steps_around(width)
    isolated = (number > 0) & (number < MINE)
    for cell in range(number.size):
        if number[cell] == 0:
            for step in steps:
                isolated[cell + step] = False
    return isolated
