"""Choice of the cell to open when none is certainly safe.

Functions with one caller and much below them are compiled into it (``inline``): the compiler optimises all that a
function calls once more with each function around it.  That makes the first compilation of the solver a quarter
shorter, and games as fast as before.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.probability import Odds
from analysis.kernels.probability_front import CLOSED, FLAG
from analysis.kernels.solver_after import BEST_CHANCE, FEATURES, SAFE_CELLS, SECOND_CHANCE, numbers_after
from analysis.kernels.solver_ahead import Ahead, look_ahead
from analysis.kernels.solver_endgame import best_play
from analysis.kernels.solver_layouts import area_of, layouts_of, shown_in
from analysis.kernels.solver_table import Table

NEVER, ANY, SAFEST, NEXT_SAFETY = -1, 0, 1, 2  # how a guess is chosen; NEVER gives up instead

BY_PROOF, BY_CHANCE, BY_SAFETY, BY_LOOK_AHEAD, BY_ENDGAME, BY_POCKET = range(6)  # why a cell was chosen

ALIKE = 1e-9  # chances that differ by less are equal: the last digits depend on how a position came about
_NODES_A_LAYOUT = 32  # in play; nearly all endgames need fewer
_POCKET_CELLS, _POCKET_LAYOUTS = 24, 100
_MARGIN, _CANDIDATES = 0.9, 10  # a guess is one of so few cells, each with this part of the best chance to be safe
_STUCK = 0.85  # worth of a position without a certain cell relative to one with them, apart from the next risk
_ONE_LAYOUT = 0.5  # bits: fewer than two layouts


class Style(NamedTuple):
    """Strength of a player.

    ``rule``: the most difficult of the two quick rules; ``exact``: whether all certain cells are found by counting.
    ``guess``: ``NEVER`` ... ``NEXT_SAFETY``.  ``most_layouts``: play perfectly when so few are left; 0: never, nor in
    areas that the rest of the board cannot tell about.
    """

    rule: int
    exact: bool
    guess: int
    most_layouts: int


@njit(cache=True)
def sees_number(table: Table, cell: int) -> bool:
    near, seen = table.near, table.seen
    found = False
    for place in range(near[cell, 8]):
        found |= seen[near[cell, place]] <= 8
    return found


@njit(cache=True)
def mines_left(table: Table, mines: int) -> int:
    """Mines of the board that are not known."""
    for code in table.seen:
        mines -= code == FLAG
    return mines


@njit(cache=True)
def open_near(table: Table, cell: int) -> int:
    """Open numbers in the 5x5 cells around ``cell``; corners of the board first of all."""
    rows, columns = table.grid.shape
    row, column = cell // columns, cell % columns
    count = 0
    for beside in range(max(row - 2, 0), min(row + 3, rows)):
        for across in range(max(column - 2, 0), min(column + 3, columns)):
            count += table.grid[beside, across] <= 8
    return 25 + count if row in (0, rows - 1) and column in (0, columns - 1) else count


@njit(cache=True)
def endgame(
    table: Table, cells: NDArray[np.int32], left: int, most: int, nodes: int, fixed: bool
) -> tuple[int, int, int]:
    """Perfect play of an area: the best cell, layouts won, and layouts; the cell is -1 if there are too many.

    ``cells``, ``left``, ``most``: as for ``layouts_of``.  ``nodes``: give up after so many sets for each layout.
    ``fixed``: only if all layouts have the same number of mines, so that the rest of the board is independent.
    """
    count, layouts = layouts_of(table, cells, left, most)
    if count <= 0:
        return -1, 0, 0
    if fixed:
        first = layouts[0].sum()
        for layout in range(1, count):
            if layouts[layout].sum() != first:
                return -1, 0, 0
    index, wins = best_play(shown_in(table, cells, layouts), nodes * count)
    return (int(cells[index]) if index >= 0 else -1), wins, count


@njit(cache=True, inline="always")
def whole_endgame(table: Table, left: int, most: int, nodes: int) -> tuple[int, int, int]:
    """:func:`endgame` of all closed cells, of which ``left`` are mines."""
    reached = np.zeros(table.seen.size, np.bool_)
    cells = np.empty(table.seen.size, np.int32)
    found = 0
    for ahead in (True, False):  # cells that see numbers first: they are what the numbers can cut off early
        for cell in range(table.seen.size):
            if table.seen[cell] == CLOSED and not reached[cell] and (not ahead or sees_number(table, cell)):
                found += area_of(table, cell, reached, cells[found:])
    return endgame(table, cells[:found], left, most, nodes, bool(0))


@njit(cache=True)
def pocket(table: Table) -> tuple[int, int, int]:
    """:func:`endgame` of a pocket: an area with a known number of mines, on which the rest has no influence."""
    reached = np.zeros(table.seen.size, np.bool_)
    cells = np.empty(table.seen.size, np.int32)
    for cell in range(table.seen.size):
        if table.seen[cell] != CLOSED or reached[cell]:
            continue
        size = area_of(table, cell, reached, cells)
        if size <= _POCKET_CELLS:
            best, wins, count = endgame(table, cells[:size], int(-1), _POCKET_LAYOUTS, _NODES_A_LAYOUT, bool(1))
            if best >= 0:
                return best, wins, count
    return -1, 0, 0


@njit(cache=True)
def safest(table: Table, odds: Odds) -> int:
    """A cell with the least risk; corners first, then what has most open numbers around."""
    best, most, least = -1, -1, 2.0
    risks = odds.mine.reshape(table.seen.size)
    for cell in range(table.seen.size):
        if table.seen[cell] != CLOSED or risks[cell] > least + ALIKE:
            continue
        opened = open_near(table, cell)
        if risks[cell] < least - ALIKE or opened > most:
            best, most = cell, opened
            least = min(least, risks[cell])
    return best


@njit(cache=True)
def candidates_of(table: Table, odds: Odds) -> NDArray[np.int32]:
    """Cells worth looking at, the safest first: at most ``_CANDIDATES``, and those at least ``_MARGIN`` as safe as the safest."""
    risks = odds.mine.reshape(table.seen.size)
    chosen, rank = np.empty(_CANDIDATES + 1, np.int32), np.empty(_CANDIDATES + 1, np.float64)
    found = 0
    for cell in range(table.seen.size):
        if table.seen[cell] != CLOSED:
            continue
        value = 1.0 - risks[cell] + 1e-4 * open_near(table, cell)
        place = found
        while place > 0 and rank[place - 1] < value - ALIKE:
            chosen[place], rank[place] = chosen[place - 1], rank[place - 1]
            place -= 1
        chosen[place], rank[place] = cell, value
        found = min(found + 1, _CANDIDATES)
    best = 0.0
    for place in range(found):
        best = max(best, 1.0 - risks[chosen[place]])
    count = 0
    for place in range(found):
        if 1.0 - risks[chosen[place]] >= _MARGIN * best:
            chosen[count] = chosen[place]
            count += 1
    return chosen[:count]


@njit(cache=True, inline="always")
def score(table: Table, cell: int, odds: Odds, ahead: Ahead, rows: NDArray[np.float64]) -> float:
    """Rate opening ``cell``: the chance to survive it and the guess after it, over all numbers it may show.

    ``rows``: float64, shape (9, FEATURES), receives what is known after each number.
    """
    chances = numbers_after(table, ahead, cell, odds, rows)
    total = 0.0
    for number in range(9):
        if chances[number] > 0.0:
            worth = 1.0
            only_one = odds.log2_layouts + math.log2(chances[number]) < _ONE_LAYOUT
            if rows[number, SAFE_CELLS] == 0 and not only_one:
                worth = _STUCK * (0.8 * rows[number, BEST_CHANCE] + 0.2 * rows[number, SECOND_CHANCE])
            total += chances[number] * worth
    return total


@njit(cache=True, inline="always")
def best_guess(table: Table, odds: Odds, mines: int, style: Style) -> tuple[int, int, float]:
    """The cell to open, why, and what that is worth: the chance to win where it is known, or what ``score`` says."""
    if style.most_layouts > 0 and odds.log2_layouts < math.log2(style.most_layouts + 0.5):
        cell, wins, count = whole_endgame(table, mines_left(table, mines), style.most_layouts, _NODES_A_LAYOUT)
        if cell >= 0:
            return cell, BY_ENDGAME, wins / count
    if style.most_layouts > 0:
        cell, wins, count = pocket(table)
        if cell >= 0:
            return cell, BY_POCKET, wins / count
    if style.guess == SAFEST:
        return safest(table, odds), BY_SAFETY, np.nan
    best, most = -1, -1.0
    ahead = look_ahead(table, odds, mines_left(table, mines))
    rows = np.zeros((9, FEATURES), np.float64)
    for cell in candidates_of(table, odds):
        value = score(table, cell, odds, ahead, rows)
        if value > most + ALIKE:
            best, most = cell, value
    return best, BY_LOOK_AHEAD, most
