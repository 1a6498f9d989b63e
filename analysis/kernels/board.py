"""The numbers of a board that depend on its mines only."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.grid import WALL, framed_numbers, isolated_cells, label_groups, openings_of


@njit(cache=True)
def survey(
    mines: NDArray[np.uint8],
) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int32], NDArray[np.int64], int, int, int]:
    """Numbers, openings and islands of a board in linear time.

    Parameters
    ----------
    mines : uint8, shape (rows, columns), 1 = mine

    Returns
    -------
    number : uint8, shape (rows, columns), mines hold ``MINE``
    opening : int32, same shape, 1..op in zero cells, else 0
    island : int32, same shape, 1..isl in island cells, else 0
    shown : int64, shape (11,), cells by number; the last two are mines and frame
    op, isl, bv : openings, islands and 3BV
    """
    rows, columns = mines.shape
    width = columns + 2
    number = framed_numbers(mines)
    opening, start, members = openings_of(number, width)
    isolated = isolated_cells(number, members)
    op = start.size - 2
    island, isl = label_groups(isolated, width)
    shown = np.zeros(WALL + 1, np.int64)
    bv = op
    for cell in range(number.size):
        shown[number[cell]] += 1
        bv += isolated[cell]
    plain_number = np.empty((rows, columns), np.uint8)
    plain_opening = np.empty((rows, columns), np.int32)
    plain_island = np.empty((rows, columns), np.int32)
    for row in range(rows):
        first = (row + 1) * width + 1
        plain_number[row] = number[first : first + columns]
        plain_opening[row] = opening[first : first + columns]
        plain_island[row] = island[first : first + columns]
    return plain_number, plain_opening, plain_island, shown, op, isl, bv
