"""Boards as flat arrays inside a frame of wall cells, so that no loop has to look for the edge of the board.

A board of ``rows`` by ``columns`` becomes ``(rows + 2) * (columns + 2)`` cells; ``width`` is ``columns + 2`` and the
cell (row, column) has the index ``(row + 1) * width + column + 1``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

MINE = 9
WALL = 10

# Loops that take no memory are compiled without counting references to their arrays, which took up to two thirds of
# their time.  (Under this option an allocation is an error of compilation.)  ``inlined`` ones become part of the caller.
_UNCOUNTED: dict[str, Any] = {"_nrt": False}
uncounted = njit(cache=True, **_UNCOUNTED)
inlined = njit(cache=True, forceinline=True, **_UNCOUNTED)


@njit(cache=True)
def steps_around(width: int) -> tuple[int, int, int, int, int, int, int, int]:
    """Index differences from a cell to its eight neighbours."""
    return (-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1)


@njit(cache=True)
def framed_numbers(mines: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The number of every cell, ``MINE`` on mines and ``WALL`` on the frame.

    Row by row without a branch on the mines: which cell is a mine cannot be guessed, neither by us nor by the CPU.

    Parameters
    ----------
    mines : uint8, shape (rows, columns), 1 = mine

    Returns
    -------
    uint8, shape ((rows + 2) * (columns + 2),)
    """
    framed = np.zeros((mines.shape[0] + 2, mines.shape[1] + 2), np.uint8)
    number = np.full(framed.shape, WALL, np.uint8)
    _count_mines(mines, framed, number)
    return number.ravel()


@uncounted
def _count_mines(mines: NDArray[np.uint8], framed: NDArray[np.uint8], number: NDArray[np.uint8]) -> None:
    """Fill ``number`` inside its frame; ``framed``, all 0 before, becomes the mines inside a frame."""
    rows, columns = mines.shape
    for row in range(rows):
        for column in range(columns):
            framed[row + 1, column + 1] = mines[row, column]
    for row in range(rows):
        above, here, below, shown = framed[row], framed[row + 1], framed[row + 2], number[row + 1]
        for left in range(columns):
            middle, right = left + 1, left + 2
            around = above[left] + above[middle] + above[right] + here[left] + here[right]
            around += below[left] + below[middle] + below[right]
            shown[middle] = MINE if here[middle] else around


@njit(cache=True)
def label_groups(member: NDArray[np.bool_], width: int) -> tuple[NDArray[np.int32], int]:
    """Number the 8-connected groups of ``member`` from 1 in row-major order of their first cells.

    Every cell enters the stack once, so the time is linear and the stack never outgrows the board.  Each neighbour is
    written on top of the stack and counted only if it is new: a branch would be guessed wrong half of the time.

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
    stack = np.empty(member.size + 1, np.int32)
    waiting = member.copy()
    groups = 0
    for first in range(member.size):
        if not waiting[first]:
            continue
        groups += 1
        waiting[first] = False
        stack[0] = first
        height = 1
        while height > 0:
            height -= 1
            cell = stack[height]
            group[cell] = groups
            for step in steps:
                stack[height] = cell + step
                height += waiting[cell + step]
                waiting[cell + step] = False
    return group, groups


@njit(cache=True)
def openings_of(
    number: NDArray[np.uint8], width: int
) -> tuple[NDArray[np.int16], NDArray[np.int32], NDArray[np.int32]]:
    """Openings, and what each opens.

    Openings are numbered from 1 in row-major order of their first cells.  They cannot touch, so a board of 255x255
    has at most 128 * 128, which int16 holds.  A border cell may belong to two (opposite corners of it, never more),
    so the members of all openings are fewer than twice the cells.

    Parameters
    ----------
    number : uint8, framed cells as of :func:`framed_numbers`
    width : cells in a framed row

    Returns
    -------
    opening : int16, framed; 1..op in zero cells, else 0
    start, members : int32; opening k opens the cells ``members[start[k] : start[k + 1]]``, zeros and border, each
        once, its topmost leftmost zero first
    """
    steps = steps_around(width)
    opening = np.zeros(number.size, np.int16)
    last_seen = np.zeros(number.size, np.int16)
    members = np.empty(2 * number.size, np.int32)
    start = np.zeros(number.size // 4 + 3, np.int32)
    openings = 0
    end = 0
    for first in range(number.size):
        if number[first] != 0 or opening[first] != 0:
            continue
        openings += 1
        start[openings] = end
        last_seen[first] = openings
        members[end] = first
        place = end
        end += 1
        while place < end:  # the members found so far are the queue as well
            cell = members[place]
            place += 1
            if number[cell] != 0:
                continue
            opening[cell] = openings
            for step in steps:
                beside = cell + step
                members[end] = beside  # counted only if it is new, as in label_groups
                end += (number[beside] != WALL) & (last_seen[beside] != openings)
                last_seen[beside] = openings
    start[openings + 1] = end
    return opening, start[: openings + 2], members[:end]


@njit(cache=True)
def isolated_cells(number: NDArray[np.uint8], members: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Safe cells that are neither zero nor beside a zero: each is one 3BV of its own.

    ``members``: the cells that openings open, as of :func:`openings_of`.
    """
    isolated = np.empty(number.size, np.bool_)
    for cell in range(number.size):
        isolated[cell] = number[cell] < MINE
    for cell in members:
        isolated[cell] = False
    return isolated
