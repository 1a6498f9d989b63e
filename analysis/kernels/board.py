"""The numbers of a board that depend on its mines only."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.grid import framed_numbers, isolated_cells, label_groups, openings_of


@njit(cache=True)
def survey(
    mines: NDArray[np.uint8],
) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int32], int, int, int]:
    """Numbers, openings and islands of a board in linear time.

    Parameters
    ----------
    mines : uint8, shape (rows, columns), 1 = mine

    Returns
    -------
    number : uint8, shape (rows, columns), mines hold ``MINE``
    opening : int32, same shape, 1..op in zero cells, else 0
    island : int32, same shape, 1..isl in island cells, else 0
    op, isl, bv : openings, islands and 3BV
    """
    rows, columns = mines.shape
    width = columns + 2
    number = framed_numbers(mines)
    opening, start, members = openings_of(number, width)
    isolated = isolated_cells(number, members)
    op = start.size - 2
    island, isl = label_groups(isolated, width)
    bv = op + int(np.count_nonzero(isolated))
    inner = (rows + 2, width)
    return (
        number.reshape(inner)[1:-1, 1:-1].copy(),
        opening.reshape(inner)[1:-1, 1:-1].astype(np.int32),
        island.reshape(inner)[1:-1, 1:-1].copy(),
        op,
        isl,
        bv,
    )
