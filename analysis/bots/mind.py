"""Deductions of a bot from the open numbers, by single numbers and by pairs of numbers.

The bot sees the numbers that are open and the count of mines, nothing else.  It knows three arguments: a number whose
mines are all known, or whose closed cells must all be mines; two numbers whose cells overlap; the mines that are left.
Beginners do not compare numbers; what strong players see beyond that, :mod:`analysis.solver` tells them.
Sets of cells are Python integers with one bit a cell, which makes the union and the count of a set one operation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from analysis.deduction.sets import cells_around, indices, mask_of

#: Effort of an argument, as a factor on the reaction time.
EASY, PAIR, COUNT, GUESS = 1.0, 2.2, 3.0, 5.0


@dataclass(frozen=True, slots=True)
class Grid:
    """The neighbourhoods of a board of ``rows`` by ``columns`` cells; cell = row * columns + column.

    ``around``: the up to 8 neighbours of each cell; ``around_mask``: the same as a set of bits; ``near``: the cells up
    to two rows and columns away, which are those whose neighbourhoods can overlap.
    """

    rows: int
    columns: int
    around: tuple[tuple[int, ...], ...]
    around_mask: tuple[int, ...]
    near: tuple[tuple[int, ...], ...]


@cache
def grid(rows: int, columns: int) -> Grid:
    around = cells_around(rows, columns, 1)
    return Grid(rows, columns, around, tuple(mask_of(cells) for cells in around), cells_around(rows, columns, 2))


@dataclass(frozen=True, slots=True)
class Insight:
    """Effort of the argument that shows a cell to be safe, and the time when its last number was opened."""

    effort: float
    since_ms: int


class Mind:
    """The knowledge of one bot in one game.

    Attributes
    ----------
    numbers
        The open cells and what they show.
    safe
        Closed cells that cannot be mines, with the reason.
    mines
        Bits of the closed cells that must be mines.
    unknown
        Bits of the closed cells of which nothing is known.
    """

    def __init__(self, board_grid: Grid, mine_count: int, *, compares: bool = True) -> None:
        self.grid = board_grid
        self._compares = compares
        self.mine_count = mine_count
        self.numbers: dict[int, int] = {}
        self.safe: dict[int, Insight] = {}
        self.mines = 0
        self.unknown = (1 << (board_grid.rows * board_grid.columns)) - 1
        # Numbers that still say something: their unknown cells, and how many of these are mines.
        self._limits: dict[int, tuple[int, int]] = {}
        # Work lists; dicts keep the order of insertion, so a game repeats exactly.
        self._changed: dict[int, None] = {}
        self._unpaired: dict[int, None] = {}

    def see(self, opened: Iterable[tuple[int, int]]) -> None:
        for cell, number in opened:
            self.numbers[cell] = number
            self.safe.pop(cell, None)
            self.unknown &= ~(1 << cell)
            self._changed[cell] = None
            self._mark_around(cell)

    def deduce(self, now_ms: int) -> None:
        """Decide all cells that its arguments decide."""
        while True:
            if self._changed:
                self._look_at(self._changed.popitem()[0], now_ms)
            elif self._unpaired:
                self._compare(self._unpaired.popitem()[0], now_ms)
            elif not self._count_mines(now_ms):
                return

    def learn(self, safe: Iterable[int], now_ms: int) -> None:
        self._settle(mask_of(safe), 0, COUNT, now_ms)
        self.deduce(now_ms)

    def risks(self) -> dict[int, float]:
        """A rough chance of a mine for every unknown cell: the worst number beside it, else the mean density."""
        left = self.mine_count - self.mines.bit_count()
        density = left / max(1, self.unknown.bit_count())
        risks = dict.fromkeys(indices(self.unknown), density)
        frontier: dict[int, float] = {}
        for cells, mines in self._limits.values():
            risk = mines / cells.bit_count()
            for cell in indices(cells):
                frontier[cell] = max(risk, frontier.get(cell, 0.0))
        risks.update(frontier)
        return risks

    def _mark_around(self, cell: int) -> None:
        for other in self.grid.around[cell]:
            if other in self._limits:
                self._changed[other] = None

    def _look_at(self, cell: int, now_ms: int) -> None:
        around = self.grid.around_mask[cell]
        cells = around & self.unknown
        if not cells:
            self._limits.pop(cell, None)
            return
        mines = self.numbers[cell] - (around & self.mines).bit_count()
        self._limits[cell] = (cells, mines)
        if mines == 0:
            self._settle(cells, 0, EASY, now_ms)
        elif mines == cells.bit_count():
            self._settle(0, cells, EASY, now_ms)
        elif self._compares:
            self._unpaired[cell] = None

    def _compare(self, cell: int, now_ms: int) -> None:
        """Decide the cells of a number that needs so many more mines than another that the rest are all mines."""
        if cell not in self._limits:
            return
        cells, mines = self._limits[cell]
        for other in self.grid.near[cell]:
            limit = self._limits.get(other)
            if limit is None or not cells & limit[0]:
                continue
            only_mine, only_other = cells & ~limit[0], limit[0] & ~cells
            if not only_mine and not only_other:
                continue
            if mines - limit[1] == only_mine.bit_count():
                self._settle(only_other, only_mine, PAIR, now_ms)
            elif limit[1] - mines == only_other.bit_count():
                self._settle(only_mine, only_other, PAIR, now_ms)
            else:
                continue
            self._unpaired[cell] = None  # the rest of its neighbours has yet to be compared
            return

    def _count_mines(self, now_ms: int) -> bool:
        left = self.mine_count - self.mines.bit_count()
        if not self.unknown or 0 < left < self.unknown.bit_count():
            return False
        if left == 0:
            self._settle(self.unknown, 0, COUNT, now_ms)
        else:
            self._settle(0, self.unknown, COUNT, now_ms)
        return True

    def _settle(self, safe: int, mines: int, effort: float, now_ms: int) -> None:
        self.unknown &= ~(safe | mines)
        self.mines |= mines
        insight = Insight(effort, now_ms)
        for cell in indices(safe):
            self.safe[cell] = insight
        for cell in indices(safe | mines):
            self._mark_around(cell)
