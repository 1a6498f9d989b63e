"""What each opening click risked, on plain arrays.  Definitions: ``analysis.luck``."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.clicks import CELL, CHORD, NEVER
from analysis.kernels.probability import ANSWERED, IMPRECISE, odds_of
from analysis.kernels.probability_front import CLOSED, MINE, OPEN, SAFE

# Columns of the table of risks.
RISK, LEAST = 0, 1

# What is known of a click beside its risk.
CERTAIN, GUESS, NEEDLESS = 0, 1, 2
UNCOUNTED = 3  # the position needs integers, or more weights than allowed


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
def _survival(
    grid: NDArray[np.uint8], cells: NDArray[np.int32], mine: NDArray[np.float64], status: NDArray[np.int8], mines: int,
    max_weights: int,
) -> float:  # fmt: skip
    """The chance that all ``cells`` are safe; NaN if it could not be counted.

    One after the other: the chance of the next, given that those before it are safe (open, their numbers not told).
    """
    columns = grid.shape[1]
    left = grid.copy() if cells.size > 1 else grid
    survival = 1.0
    for place in range(cells.size):
        row, column = cells[place] // columns, cells[place] % columns
        if status[row, column] == MINE:
            return 0.0
        if status[row, column] == SAFE:
            continue
        survival *= 1.0 - mine[row, column]
        if place + 1 < cells.size:
            left[row, column] = OPEN
            odds = odds_of(left, mines, False, max_weights)
            if odds.verdict != ANSWERED:
                return np.nan
            mine, status = odds.mine, odds.status
    return survival


@njit(cache=True)
def risks(
    grid: NDArray[np.uint8], status: NDArray[np.int8], numbers: NDArray[np.uint8], clicks: NDArray[np.int32],
    opened_by: NDArray[np.int32], first: int, end: int, mines: int, max_weights: int, risk: NDArray[np.float64],
    sort: NDArray[np.int8],
) -> None:  # fmt: skip
    """Fill ``risk`` and ``sort`` of the clicks ``first`` to ``end`` - 1, and play them.

    A cell that was certain once stays so, so a position is counted only if its click opens a cell that was not known to
    be safe.

    Parameters
    ----------
    grid : uint8, shape (rows, columns), the position before ``first``; becomes that before ``end``
    status : int8, same shape, of the position counted last (0 before any); is kept up to date
    numbers : uint8, same shape, as in ``BoardFacts``
    clicks, opened_by : of ``analysis.kernels.clicks``
    mines : mines of the board
    max_weights : of ``odds_of``
    risk : float64, shape (clicks, 2): chance of a mine, and the least that any closed cell offered
    sort : int8, one a click: ``CERTAIN``, ``GUESS``, ``NEEDLESS`` (a cell was certainly safe) or ``UNCOUNTED``
    """
    rows, columns = grid.shape
    cells = np.empty(8, np.int32)
    for click in range(first, end):
        count = chosen_cells(clicks, opened_by, click, cells)
        known = True
        for cell in cells[:count]:
            known &= status[cell // columns, cell % columns] == SAFE
        risk[click] = 0.0
        sort[click] = CERTAIN
        if not known:
            odds = odds_of(grid, mines, False, max_weights)
            if odds.verdict in (ANSWERED, IMPRECISE):
                status[:] = odds.status
            if odds.verdict != ANSWERED:
                sort[click] = UNCOUNTED
            else:
                least = 1.0
                for row in range(rows):
                    for column in range(columns):
                        if grid[row, column] == CLOSED:
                            least = min(least, odds.mine[row, column])
                survival = _survival(grid, cells[:count], odds.mine, odds.status, mines, max_weights)
                if np.isnan(survival):
                    sort[click] = UNCOUNTED
                elif survival < 1.0:
                    risk[click, RISK], risk[click, LEAST] = 1.0 - survival, least
                    sort[click] = NEEDLESS if least == 0.0 else GUESS
        open_cells(grid, numbers, opened_by, click)


@njit(cache=True)
def position_before(numbers: NDArray[np.uint8], opened_by: NDArray[np.int32], click: int) -> NDArray[np.uint8]:
    """The position before ``click``, without flags: uint8, shape (rows, columns)."""
    rows, columns = numbers.shape
    grid = np.full((rows, columns), CLOSED, np.uint8)
    for row in range(rows):
        for column in range(columns):
            if NEVER < opened_by[row, column] < click:
                grid[row, column] = numbers[row, column]
    return grid
