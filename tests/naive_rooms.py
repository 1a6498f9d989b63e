"""The multiplayer paper's rules by their definitions, with sets of cells: the slow twin of ``analysis.multiplayer``.

Cells are row * columns + column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from analysis.multiplayer.laying import Laying

Moves = Sequence[tuple[int, int, int]]  # stamp, cell, player


class NeverEnds(Exception):
    """Delta goes round without passing the number of cells."""


def multiplied(delta: int, f1: int, modulus: int, passes: Callable[[int], bool]) -> list[int]:
    """The values of delta up to the first that ``passes``."""
    values: list[int] = []
    seen = set()
    while True:
        delta = delta * f1 % modulus
        if delta in seen:
            raise NeverEnds
        seen.add(delta)
        values.append(delta)
        if passes(delta):
            return values


def naive_lay(laying: Laying, *, new_delta_each_area: bool = False) -> NDArray[np.uint8]:
    """The paper's section 1 with lists; ``new_delta_each_area`` is another reading of it."""
    side = laying.area
    mines = np.zeros((laying.rows, laying.columns), np.uint8)
    f1, f2 = 1, 2
    delta = laying.start_number
    for top in range(0, laying.rows, side):
        for left in range(0, laying.columns, side):
            height, width = min(side, laying.rows - top), min(side, laying.columns - left)
            count = height * width
            if new_delta_each_area:
                delta = laying.start_number
            labels = list(range(count))
            for cell in range(count):
                f1, f2 = f2, (f1 + f2) % laying.modulus
                delta = multiplied(delta, f1, laying.modulus, lambda value, count=count: value > count)[-1]  # type: ignore[misc]
                other = delta % height * width + delta // height % width
                labels[cell], labels[other] = labels[other], labels[cell]
            for cell, label in enumerate(labels):
                mines[top + cell // width, left + cell % width] = label < count * laying.area_mines // side**2
    return mines


class NaiveBoard:
    """``number``: by cell, 9 for mines."""

    def __init__(self, mines: NDArray[np.uint8]) -> None:
        self.rows, self.columns = mines.shape
        flat = mines.ravel().tolist()
        self.cells = range(len(flat))
        self.mines = {cell for cell in self.cells if flat[cell]}
        self._covers: dict[int, set[int]] = {}  # asked for again and again by ``owners``
        self.number = [9 if flat[cell] else len(self.around(cell) & self.mines) for cell in self.cells]

    def around(self, cell: int) -> set[int]:
        row, column = divmod(cell, self.columns)
        return {
            i * self.columns + j
            for i in range(max(row - 1, 0), min(row + 2, self.rows))
            for j in range(max(column - 1, 0), min(column + 2, self.columns))
        } - {cell}

    def zeros_around(self, cell: int) -> set[int]:
        return {beside for beside in self.around(cell) if self.number[beside] == 0}

    def opening(self, zero: int, *, but: Iterable[int] = ()) -> set[int]:
        """The opening of a zero with its border; it does not grow from the cells ``but``."""
        found = {zero}
        growing = {zero}
        while growing:
            new = set().union(*map(self.around, growing)) - found
            found |= new
            growing = {cell for cell in new if self.number[cell] == 0} - set(but)
        return found

    def cover(self, cell: int) -> set[int]:
        if cell not in self._covers:
            self._covers[cell] = self._cover(cell)
        return self._covers[cell]

    def _cover(self, cell: int) -> set[int]:
        if self.number[cell] == 9:
            return {cell}
        if self.number[cell] == 0:
            return self.opening(cell)
        return {cell}.union(*map(self.opening, self.zeros_around(cell)))

    def literal_cover_of_zero(self, zero: int) -> set[int]:
        """Return the literal cover by the paper's definition 8: a zero opens its zero neighbours, which go on alone."""
        return {zero}.union(*(self.opening(beside, but=[zero]) for beside in self.zeros_around(zero)))

    def owners(self, moves: Moves) -> dict[int, tuple[int, int]]:
        """Return by cell the least stamp with a cover that holds it, and the player of that stamp."""
        found: dict[int, tuple[int, int]] = {}
        for stamp, cell, player in moves:
            for covered in self.cover(cell):
                found[covered] = min(found.get(covered, (stamp, player)), (stamp, player))
        return found


@dataclass
class NaiveServer:
    """A room's game; moves answer with words."""

    board: NaiveBoard
    flags_allowed: bool = False
    chords_allowed: bool = False
    owner: dict[int, tuple[int, int]] = field(default_factory=dict)  # by cell: stamp, player
    flags: dict[int, int] = field(default_factory=dict)  # by cell: player
    number: int = 0

    def move(self, cell: int, player: int, kind: str) -> str:
        """Decide a move; ``kind`` is open, flag or chord."""
        board = self.board
        if cell not in board.cells:
            return "OUTSIDE"
        if len(board.mines | self.owner.keys()) == len(board.cells):
            return "OVER"
        if kind == "flag":
            return self._flag(cell, player)
        if kind == "chord":
            if not self.chords_allowed:
                return "NOT_ALLOWED"
            around = board.around(cell)
            left = {beside for beside in around if beside not in self.owner and beside not in self.flags}
            known = {beside for beside in around if beside in self.flags or beside in board.mines & self.owner.keys()}
            if cell not in self.owner or len(known) != board.number[cell] or not left:
                return "NO_CHORD"
            return self._open(left, player)
        if cell in self.owner:
            return "ALREADY_OPEN"
        if cell in self.flags:
            return "FLAGGED"
        return self._open({cell}, player)

    def _flag(self, cell: int, player: int) -> str:
        if not self.flags_allowed:
            return "NOT_ALLOWED"
        if cell in self.owner:
            return "ALREADY_OPEN"
        self.number += 1
        if self.flags.pop(cell, None):
            return "FLAG_TAKEN"
        self.flags[cell] = player
        return "FLAG_SET"

    def _open(self, cells: set[int], player: int) -> str:
        self.number += 1
        new = set().union(*map(self.board.cover, cells)) - self.owner.keys()
        for cell in new:
            self.owner[cell] = (self.number, player)
            self.flags.pop(cell, None)
        return "BLAST" if new & self.board.mines else "OPENED"
