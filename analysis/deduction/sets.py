"""The graph of overlapping sets: for every number its undecided cells, the mines in them, and the sets beside it.

Sets of cells are Python integers with one bit a cell (row * columns + column).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import numpy as np

from analysis.deduction.conclusion import CellSet
from analysis.probability.position import FLAG, Cell, Position


class Sets:
    """The sets of a position, updated while cells are decided.

    ``cells``, ``mines``: by the index of an open number.  Sets without cells are removed.
    """

    def __init__(self, position: Position, *, trust_flags: bool) -> None:
        self.columns = position.columns
        self.shown = {int(index): int(code) for index, code in enumerate(position.numbers.ravel()) if code <= 8}
        flags = (position.numbers == FLAG) & trust_flags
        closed = mask_of(np.flatnonzero(position.closed & ~flags).tolist())
        flagged = mask_of(np.flatnonzero(flags).tolist())
        self._near = [mask_of(near) for near in cells_around(position.rows, position.columns, 1)]
        self._two_away = cells_around(position.rows, position.columns, 2)
        self.cells = {number: self._near[number] & closed for number in self.shown}
        self.mines = {
            number: shown - (self._near[number] & flagged).bit_count() for number, shown in self.shown.items()
        }

    def overlapping(self, number: int) -> list[int]:
        """The numbers whose sets share a cell with that of ``number``, in rising order."""
        cells = self.cells[number]
        return [other for other in self._two_away[number] if self.cells.get(other, 0) & cells]

    def decide(self, mines: int, safe: int) -> list[int]:
        """Take decided cells out of all sets; returns the numbers whose sets have changed, in rising order."""
        decided = mines | safe
        changed = sorted({number for cell in indices(decided) for number in indices(self._near[cell])})
        changed = [number for number in changed if number in self.cells]
        for number in changed:
            self.cells[number] &= ~decided
            self.mines[number] -= (self._near[number] & mines).bit_count()
        return changed

    def named(self, name: str, number: int) -> CellSet:
        row, column = divmod(number, self.columns)
        return CellSet(name, (row, column), self.shown[number], self.places(self.cells[number]), self.mines[number])

    def places(self, mask: int) -> tuple[Cell, ...]:
        return tuple(divmod(index, self.columns) for index in indices(mask))


def indices(mask: int) -> Iterator[int]:
    """The bits that are set, in rising order."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def mask_of(cells: Iterable[int]) -> int:
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


@cache
def cells_around(rows: int, columns: int, reach: int) -> tuple[tuple[int, ...], ...]:
    """For each cell the others up to ``reach`` rows and columns away, in rising order."""
    return tuple(
        tuple(
            r * columns + c
            for r in range(max(0, row - reach), min(rows, row + reach + 1))
            for c in range(max(0, column - reach), min(columns, column + reach + 1))
            if (r, c) != (row, column)
        )
        for row in range(rows)
        for column in range(columns)
    )
