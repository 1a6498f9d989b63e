"""The cover of a click: all cells that it opens on a fresh board; the paper's definitions 8 and 9.

A mine opens alone.  A zero opens its whole opening with its border.  A number opens itself and every opening that
touches it, with border (in ordinary Minesweeper it opens alone).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analysis.kernels import multiplayer as kernels
from analysis.kernels.grid import WALL


class Covers:
    """Covers on one board; keeps what each of them needs, so that one costs no more than its cells."""

    def __init__(self, numbers: NDArray[np.uint8]) -> None:
        """``numbers``: uint8, shape (rows, columns), 0 to 8, and 9 for mines."""
        rows, columns = numbers.shape
        self._width = columns + 2
        self._columns = columns
        self._framed = np.pad(numbers, 1, constant_values=WALL).ravel()
        self._seen = np.zeros(self._framed.size, np.uint32)
        self._cells = np.empty(rows * columns, np.int32)
        self._mark = 0

    def of(self, cell: int) -> NDArray[np.int32]:
        """The cover of ``cell``, which comes first; row * columns + column.

        Raises
        ------
        IndexError
            if ``cell`` is outside the board.
        """
        if not 0 <= cell < self._cells.size:
            raise IndexError(f"cell {cell} is outside the board of {self._cells.size} cells")
        self._mark += 1
        if self._mark == 2**32:
            self._seen.fill(0)
            self._mark = 1
        place = (cell // self._columns + 1) * self._width + cell % self._columns + 1
        count = kernels.cover_of(self._framed, self._width, place, self._seen, self._mark, self._cells)
        kernels.unframe(self._cells, count, self._width)
        return self._cells[:count].copy()


def cover(numbers: NDArray[np.uint8], cell: int) -> NDArray[np.int32]:
    """Return the cells that a click on ``cell`` opens on a fresh board; for many covers of a board use :class:`Covers`.

    Parameters
    ----------
    numbers : uint8, shape (rows, columns); mines hold 9
    cell : row * columns + column

    Returns
    -------
    int32, shape (n,): cells, row * columns + column, the clicked one first

    Raises
    ------
    IndexError
        if ``cell`` is outside the board.
    """
    return Covers(numbers).of(cell)
