"""The cells that the clicks of a game opened, on plain arrays.  Definitions: ``analysis.luck``.

No kernel here counts layouts: each that called ``odds_of`` would be compiled with all of it, for many seconds.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.clicks import CELL, CHORD
from analysis.kernels.probability_front import SAFE


@njit(cache=True)
def chosen_cells(clicks: NDArray[np.int32], opened_by: NDArray[np.int32], click: int, cells: NDArray[np.int32]) -> int:
    """The cells that a click opened by itself, not by the flood from a zero; written to ``cells``, returns how many.

    A chord opens closed neighbours itself, and a flood past it reaches no other neighbour: those have flags.
    """
    columns = opened_by.shape[1]
    if not clicks[click, CHORD]:
        cells[0] = clicks[click, CELL]
        return 1
    row, column = clicks[click, CELL] // columns, clicks[click, CELL] % columns
    count = 0
    for beside in range(max(row - 1, 0), min(row + 2, opened_by.shape[0])):
        for across in range(max(column - 1, 0), min(column + 2, columns)):
            if opened_by[beside, across] == click:
                cells[count] = beside * columns + across
                count += 1
    return count


@njit(cache=True)
def open_cells(grid: NDArray[np.uint8], numbers: NDArray[np.uint8], opened_by: NDArray[np.int32], click: int) -> None:
    """Show in ``grid`` what ``click`` opened."""
    for row in range(grid.shape[0]):
        for column in range(grid.shape[1]):
            if opened_by[row, column] == click:
                grid[row, column] = numbers[row, column]


@njit(cache=True)
def play_certain(
    grid: NDArray[np.uint8], status: NDArray[np.int8], numbers: NDArray[np.uint8], clicks: NDArray[np.int32],
    opened_by: NDArray[np.int32], click: int,
) -> int:  # fmt: skip
    """Play clicks that open nothing but cells known to be safe.

    A cell that was certain once stays so: the position need not be counted before such a click.

    Parameters
    ----------
    grid : uint8, shape (rows, columns), the position before ``click``; becomes that before the click that is returned
    status : int8, same shape, of a position before (``SAFE`` counts)
    numbers : uint8, same shape, as in ``BoardFacts``
    clicks, opened_by : of ``analysis.kernels.clicks``

    Returns
    -------
    the first click from ``click`` on that opens a cell not known to be safe; the number of clicks if there is none
    """
    columns = grid.shape[1]
    cells = np.empty(8, np.int32)
    while click < clicks.shape[0]:
        for cell in cells[: chosen_cells(clicks, opened_by, click, cells)]:
            if status[cell // columns, cell % columns] != SAFE:
                return click
        open_cells(grid, numbers, opened_by, click)
        click += 1
    return click
