"""The two rules that find most certain cells, MD(1) and MD(2), on plain arrays.

They are those of ``analysis.deduction``, without the reasons; a tenth of the price of counting layouts.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.probability_front import CLOSED, FLAG, OPEN
from analysis.kernels.solver_table import HEIGHT, SAFE_END, Table, look_again

NO_RULE, MD1, MD2 = 0, 1, 2  # the most difficult rule that a player knows


@njit(cache=True)
def _decide(table: Table, cell: int, is_mine: bool) -> None:
    """Mark a closed cell as a mine, or as one to open."""
    if is_mine:
        table.seen[cell] = FLAG
    else:
        table.seen[cell] = OPEN
        table.safe[table.counts[SAFE_END]] = cell
        table.counts[SAFE_END] += 1
    look_again(table, cell)


@njit(cache=True)
def closed_around(table: Table, number: int, cells: NDArray[np.int32]) -> tuple[int, int]:
    """The closed cells around an open number, written to ``cells``: how many, and the mines among them."""
    need, free = int(table.seen[number]), 0
    near, seen = table.near, table.seen
    for place in range(near[number, 8]):
        code = seen[near[number, place]]
        need -= code == FLAG
        cells[free] = near[number, place]  # overwritten by the next one unless closed
        free += code == CLOSED
    return need, free


@njit(cache=True)
def _touch(table: Table, cell: int, other: int) -> bool:
    """Return whether two cells, numbered row by row, are at most one row and one column apart."""
    columns = table.grid.shape[1]
    across = table.column[cell] - table.column[other]
    apart = cell - other - across  # a multiple of the columns
    return bool(-1 <= across <= 1 and -columns <= apart <= columns)


@njit(cache=True)
def _decide_apart(table: Table, cells: NDArray[np.int32], other: int, is_mine: bool) -> None:
    """Decide those of ``cells`` that the number ``other`` does not see."""
    for cell in cells:
        if not _touch(table, cell, other):
            _decide(table, cell, is_mine)


@njit(cache=True)
def _compare(table: Table, number: int, other: int, work: NDArray[np.int32]) -> bool:
    """MD(2) on two numbers; returns whether it decided something.  ``work``: shape (2, 8)."""
    need, free = closed_around(table, number, work[0])
    other_need, other_free = closed_around(table, other, work[1])
    common = 0
    for place in range(free):
        common += _touch(table, work[0, place], other)
    if common == 0:
        return False
    only, other_only = free - common, other_free - common
    if only + other_only == 0:
        return False
    if need - other_need == only:
        _decide_apart(table, work[0, :free], other, True)
        _decide_apart(table, work[1, :other_free], number, False)
        return True
    if other_need - need == other_only:
        _decide_apart(table, work[1, :other_free], number, True)
        _decide_apart(table, work[0, :free], other, False)
        return True
    return False


@njit(cache=True)
def _compare_around(table: Table, number: int, work: NDArray[np.int32]) -> bool:
    """MD(2) on a number and each number up to two rows and columns away."""
    rows, columns = table.grid.shape
    column = table.column[number]
    row = (number - column) // columns
    for beside in range(max(row - 2, 0), min(row + 3, rows)):
        for across in range(max(column - 2, 0), min(column + 3, columns)):
            other = beside * columns + across
            if 0 < table.seen[other] <= 8 and other != number and _compare(table, number, other, work):
                return True
    return False


@njit(cache=True)
def apply_rules(table: Table, rule: int) -> None:
    """Look at the numbers that wait, until none does: certain cells become ``FLAG`` or ``OPEN`` (and ``safe``)."""
    work = np.empty((2, 8), np.int32)
    while table.counts[HEIGHT] > 0:
        table.counts[HEIGHT] -= 1
        number = table.stack[table.counts[HEIGHT]]
        table.waiting[number] = False
        if rule == NO_RULE:
            continue
        need, free = closed_around(table, number, work[0])
        if free == 0:
            continue
        if need in (0, free):
            for place in range(free):
                _decide(table, work[0, place], need > 0)
        elif rule == MD2 and _compare_around(table, number, work):
            look_again(table, number)
