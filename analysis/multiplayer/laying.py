"""Laying the mines of a board from a start number, area by area; the paper's section 1.

The labels of the cells of an area are swapped with one another; mines lie where the label is then below the number of
mines.  The partner of each swap follows from ``delta``, which is multiplied by Fibonacci numbers modulo a prime.

The result is not a fair shuffle, because every cell is swapped with *any* cell: with 48 mines in areas of 16x16 the
first two rows of an area hold .230 and .210 of mines, the others .178 to .189, where .1875 would be even.  And it has
few boards: only the residue of the start number counts, and start numbers that differ by a factor of two often meet
in the first retry (1, 2, 4 … 256 give the same board).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.kernels import multiplayer as kernels
from analysis.kernels.grid import framed_numbers

MAX_CELLS: Final = 1_000_000
MAX_AREA: Final = 1_000
#: The product of two residues stays below 2^53, so that a browser's numbers hold it exactly.
MAX_MODULUS: Final = 2**26
MAX_START_NUMBER: Final = 2**53 - 1
#: Multiplications for one board.  Delta is above the number of cells almost always, so a usual board takes one a cell;
#: a modulus just above the number of cells of an area takes thousands.
MAX_MULTIPLICATIONS: Final = 10_000_000
#: Rows of a trace, and values of delta shown in one of them.
MAX_STEPS: Final = 2_000
DELTAS_SHOWN: Final = 100

_NO_TRACE: Final = np.empty((0, kernels.TRACE_COLUMNS), np.int64)


class LayingError(ValueError):
    """Parameters from which no board can be laid.

    ``code`` is stable; ``params`` are the values of the sentence.
    """

    def __init__(self, message: str, *, code: str, **params: int | str) -> None:
        super().__init__(message)
        self.code = code
        self.params = params


@dataclass(frozen=True, slots=True)
class Laying:
    """Parameters that determine a board; the defaults are those of the reference.

    ``area``: side of an area; ``area_mines``: mines in a whole area; ``modulus``: p, 2^25 - 39 in the paper, a prime
    there, which is not checked; ``start_number``: s.

    Raises :class:`LayingError` for values that can never make a board.
    """

    rows: int = 75
    columns: int = 75
    area: int = 16
    area_mines: int = 48
    modulus: int = 33_554_393
    start_number: int = 1_437_341

    def __post_init__(self) -> None:
        self._check_range("rows", self.rows, 1, MAX_CELLS)
        self._check_range("columns", self.columns, 1, MAX_CELLS)
        if self.cells > MAX_CELLS:
            raise LayingError(
                f"The board has {self.cells} cells; the limit is {MAX_CELLS}.",
                code="too_many_cells",
                cells=self.cells,
                limit=MAX_CELLS,
            )
        self._check_range("area", self.area, 1, MAX_AREA)
        self._check_range("area_mines", self.area_mines, 0, self.area * self.area - 1)
        # Delta must be able to pass the number of cells of the largest area, and is below the modulus.
        self._check_range("modulus", self.modulus, self.largest_area + 2, MAX_MODULUS)
        self._check_range("start_number", self.start_number, 1, MAX_START_NUMBER)
        if self.start_number % self.modulus == 0:
            raise LayingError(
                f"The start number {self.start_number} is a multiple of the modulus {self.modulus}.",
                code="start_number_zero",
                start_number=self.start_number,
                modulus=self.modulus,
            )

    @staticmethod
    def _check_range(name: str, value: object, least: int, most: int) -> None:
        if not isinstance(value, int) or isinstance(value, bool):
            raise LayingError(f"{name} must be a whole number.", code="not_a_number", name=name)
        if not least <= value <= most:
            raise LayingError(
                f"{name} is {value}; it must be {least} to {most}.",
                code="out_of_range",
                name=name,
                value=value,
                least=least,
                most=most,
            )

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    @property
    def largest_area(self) -> int:
        """Cells of the first area, which no other exceeds."""
        return min(self.area, self.rows) * min(self.area, self.columns)


class Area(NamedTuple):
    """An area: the cell of its top left corner, its sides, its mines."""

    top: int
    left: int
    height: int
    width: int
    mines: int


class LayingStep(NamedTuple):
    """The swap of one cell; cells are (row, column).

    ``deltas``: each value of delta, of which the last is above the number of cells of the area and was taken; of more
    than ``DELTAS_SHOWN`` values the first ones and the last.  ``multiplications``: how many there were.
    """

    cell: tuple[int, int]
    fibonacci: int
    deltas: tuple[int, ...]
    multiplications: int
    swapped_with: tuple[int, int]


def lay(laying: Laying) -> NDArray[np.uint8]:
    """The mines of a board.

    Time: linear in the number of cells, one multiplication a cell and the retries.  It always ends: a retry ends with
    an error when delta is 0, from where it stays 0, and after as many values as the area has cells and one, since
    values of 1 to that number must then have repeated; and all retries together have a limit.

    Returns uint8, shape (rows, columns), 1 = mine.
    Raises ``LayingError`` if delta becomes 0, repeats below the number of cells, or takes more than
    ``MAX_MULTIPLICATIONS``.
    """
    mines = np.empty((laying.rows, laying.columns), np.uint8)
    _run(laying, mines, 0, _NO_TRACE)
    return mines


def areas(laying: Laying) -> list[Area]:
    """The areas in the order in which they are laid: row by row, from the left."""
    side = laying.area
    found = []
    for top in range(0, laying.rows, side):
        height = min(side, laying.rows - top)
        for left in range(0, laying.columns, side):
            width = min(side, laying.columns - left)
            found.append(Area(top, left, height, width, height * width * laying.area_mines // (side * side)))
    return found


def mine_count(laying: Laying) -> int:
    """The mines of the board, without laying it: areas are whole, or cut at the right, below, or on both sides."""
    side = laying.area
    heights, widths = _sides(laying.rows, side), _sides(laying.columns, side)
    return sum(
        down * across * (height * width * laying.area_mines // (side * side))
        for height, down in heights
        for width, across in widths
    )


def _sides(length: int, side: int) -> list[tuple[int, int]]:
    """The lengths of the areas along a side of the board, each with how many of them there are."""
    whole, rest = divmod(length, side)
    return [(side, whole), (rest, 1)]


def steps(laying: Laying, first: int, count: int) -> list[LayingStep]:
    """The swaps ``first`` to ``first + count - 1`` of a laying, counted from 0 over all areas in their order.

    ``first``, ``count``: at least 0; no more than ``MAX_STEPS`` steps are returned, and none past the last cell.
    Raises ``LayingError`` if the laying fails before the last of these steps.
    """
    count = min(count, MAX_STEPS, laying.cells - first)
    if first < 0 or count <= 0:
        return []
    trace = np.zeros((count, kernels.TRACE_COLUMNS), np.int64)
    _run(laying, np.empty((laying.rows, laying.columns), np.uint8), first, trace)
    return [_step(line, laying.modulus) for line in trace.tolist()]


def _step(line: list[int], modulus: int) -> LayingStep:
    row, column, other_row, other_column, fibonacci, before, after, multiplications = line
    deltas = []
    delta = before
    for _ in range(min(multiplications, DELTAS_SHOWN) - 1):
        delta = delta * fibonacci % modulus
        deltas.append(delta)
    return LayingStep((row, column), fibonacci, (*deltas, after), multiplications, (other_row, other_column))


def _run(laying: Laying, mines: NDArray[np.uint8], first: int, trace: NDArray[np.int64]) -> None:
    result, step, _ = kernels.lay_areas(
        mines,
        laying.area,
        laying.area_mines,
        laying.modulus,
        laying.start_number % laying.modulus,
        MAX_MULTIPLICATIONS,
        first,
        trace,
    )
    if result == kernels.DELTA_ZERO:
        raise LayingError(f"Delta becomes 0 in step {step} and stays 0.", code="delta_zero", step=step)
    if result == kernels.DELTA_CYCLE:
        raise LayingError(
            f"Delta never passes the number of cells of the area in step {step}: its values repeat.",
            code="delta_cycle",
            step=step,
        )
    if result == kernels.TOO_LONG:
        raise LayingError(
            f"Laying the board takes more than {MAX_MULTIPLICATIONS} multiplications; take a larger modulus.",
            code="too_long",
            limit=MAX_MULTIPLICATIONS,
        )


def numbers_of(mines: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The number of every cell, 9 for mines.

    ``mines``: uint8, shape (rows, columns), 1 = mine.
    Returns uint8, same shape.
    """
    rows, columns = mines.shape
    plain = np.ascontiguousarray(mines, np.uint8).view()
    plain.setflags(write=False)  # as in analysis.board: one type of array, so one compiled kernel
    framed = framed_numbers(plain).reshape(rows + 2, columns + 2)
    return np.ascontiguousarray(framed[1:-1, 1:-1])
