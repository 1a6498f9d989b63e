"""Positions: what a player sees, that is open numbers, closed cells, flags and the number of mines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.errors import BadField, Inconsistent, LimitExceeded
from analysis.kernels.probability_front import CLOSED as CLOSED
from analysis.kernels.probability_front import FLAG as FLAG
from analysis.kernels.probability_front import OPEN as OPEN
from analysis.limits import MAX_SIDE

Cell = tuple[int, int]

#: One character a cell in :meth:`Position.of_rows`: closed, flag, open without its number.
LETTERS: dict[str, int] = {".": CLOSED, "F": FLAG, "?": OPEN} | {str(number): number for number in range(9)}


class ImpossiblePosition(Inconsistent):
    """No layout of the mines agrees with the position.

    ``numbers``: cells (row, column, from 0) of open numbers that contradict each other or the count of mines; leave
    out any one of them and the others agree.  Empty if the count alone is impossible.
    """

    code = "impossible_position"

    def __init__(self, message: str, *, numbers: Sequence[Cell], mines: int) -> None:
        super().__init__(message, numbers=tuple(numbers), mines=mines)
        self.numbers = tuple(numbers)


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """A position in play.

    ``numbers``: uint8, shape (rows, columns), read-only: 0 to 8 in open cells, ``CLOSED``, ``FLAG``, or ``OPEN`` for an
    open cell with unknown number.  ``mines``: mines of the whole board.

    Raises
    ------
    TypeError
        if the numbers are not integers in two dimensions.
    BadField
        if a cell holds anything else.
    LimitExceeded
        if a side is longer than ``MAX_SIDE``.
    Inconsistent
        if there are no cells, or fewer closed cells than mines.
    """

    numbers: NDArray[np.uint8]
    mines: int

    def __post_init__(self) -> None:
        given = np.asarray(self.numbers)
        if given.ndim != 2 or given.dtype.kind not in "iu":
            raise TypeError(f"numbers must be integers of shape (rows, columns), not {given.dtype} of {given.shape}")
        if given.size == 0:
            raise Inconsistent("A position needs at least one cell.")
        for name, side in zip(("rows", "columns"), given.shape, strict=True):
            if side > MAX_SIDE:
                raise LimitExceeded(name, limit=MAX_SIDE, value=side)
        allowed = np.isin(given, list(LETTERS.values()))
        if not allowed.all():
            row, column = map(int, np.argwhere(~allowed)[0])
            raise BadField(
                f"the cell in row {row + 1}, column {column + 1}",
                offset=row * given.shape[1] + column,
                value=int(given[row, column]),
            )
        numbers = given.astype(np.uint8, order="C")
        numbers.setflags(write=False)
        object.__setattr__(self, "numbers", numbers)
        closed = int(self.closed.sum())
        if not 0 <= self.mines <= closed:
            raise Inconsistent(
                f"{self.mines} mines cannot lie in {closed} closed cells.", mines=self.mines, closed=closed
            )

    @classmethod
    def of_rows(cls, rows: Iterable[str], mines: int) -> Position:
        """A position from text, a string a row: digits, ``.`` closed, ``F`` flag, ``?`` open without its number.

        Raises as the class does, ``BadField`` for other characters too, ``Inconsistent`` if the rows differ in length.
        """
        lines = list(rows)
        for row, line in enumerate(lines):
            if len(line) != len(lines[0]):
                raise Inconsistent(f"Row {row + 1} has {len(line)} cells, the first has {len(lines[0])}.", row=row)
            for column, letter in enumerate(line):
                if letter not in LETTERS:
                    name = f"the cell in row {row + 1}, column {column + 1}"
                    raise BadField(name, offset=row * len(line) + column, value=letter)
        codes = [[LETTERS[letter] for letter in line] for line in lines]
        return cls(np.array(codes, np.uint8).reshape(len(lines), -1 if lines else 0), mines)

    @property
    def rows(self) -> int:
        return int(self.numbers.shape[0])

    @property
    def columns(self) -> int:
        return int(self.numbers.shape[1])

    @property
    def closed(self) -> NDArray[np.bool_]:
        """Shape (rows, columns): closed cells, flags among them."""
        closed: NDArray[np.bool_] = (self.numbers == CLOSED) | (self.numbers == FLAG)
        return closed

    def grid(self) -> NDArray[np.uint8]:
        """A copy of the numbers for the kernels: for read-only arrays numba would compile everything once more."""
        return self.numbers.copy()

    def without_flags(self) -> Position:
        """The same position with each flag replaced by an open cell, and one less in the numbers around it.

        For solvers, which treat flags as closed cells: here their mines are accounted for.  The position must be possible
        with its flags as mines.
        """
        flags = self.numbers == FLAG
        padded = np.pad(flags, 1).astype(np.int16)
        flagged = sum(
            padded[down : down + self.rows, across : across + self.columns] for down in range(3) for across in range(3)
        )
        numbers = self.numbers.astype(np.int16)
        numbers = np.where(numbers < min(CLOSED, FLAG, OPEN), numbers - flagged, numbers)
        numbers[flags] = OPEN
        return Position(numbers.astype(np.uint8), self.mines - int(flags.sum()))

    def without(self, cells: Iterable[Cell]) -> Position:
        """The same position with unknown numbers in ``cells``."""
        numbers = self.numbers.copy()
        for cell in cells:
            numbers[cell] = OPEN
        return Position(numbers, self.mines)
