"""The acts of a film as they follow each other, with the board before each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from analysis.board import MINE
from analysis.film import Film
from analysis.kernels.click_machine import NORMAL_CELL_PX, RIGHT
from analysis.recording import Kind as EventKind
from analysis.review.annotations import Cell

CLOSED, FLAG, QUESTION, OPEN = 0, 1, 2, 3  # faces, as in films
RIGHT_HELD = 1 << RIGHT


@dataclass(slots=True)
class Board:
    """Faces of a board; a cell is row * columns + column."""

    columns: int
    numbers: Sequence[int]
    faces: list[int]

    def around(self, cell: int) -> Iterator[int]:
        row, column = divmod(cell, self.columns)
        for beside in range(max(row - 1, 0), min(row + 2, len(self.faces) // self.columns)):
            for across in range(max(column - 1, 0), min(column + 2, self.columns)):
                if (beside, across) != (row, column):
                    yield beside * self.columns + across

    def flags_around(self, cell: int) -> int:
        return sum(self.faces[other] == FLAG for other in self.around(cell))

    def closed_around(self, cell: int) -> list[int]:
        return [other for other in self.around(cell) if self.faces[other] in (CLOSED, QUESTION)]

    def place(self, cell: int) -> Cell:
        return divmod(cell, self.columns)

    def is_mine(self, cell: int) -> bool:
        return self.numbers[cell] == MINE


@dataclass(frozen=True, slots=True)
class Act:
    """One act.  Counters: by how much each rose.  ``changes``: the cells that it changed, and their new faces.

    ``right_held``: whether the right button stays down after it; ``x_px``, ``y_px`` at 16 px a cell.
    """

    event: int
    kind: int
    time_ms: int
    cell: int | None
    x_px: float
    y_px: float
    path: float
    right_held: bool
    lcl: int
    rcl: int
    dcl: int
    lce: int
    rce: int
    dce: int
    changes: list[tuple[int, int]] = field(default_factory=list)

    @property
    def opens(self) -> bool:
        return self.lce > 0 or self.dce > 0

    @property
    def presses_right(self) -> bool:
        return self.right_held and self.kind in (EventKind.RIGHT_PRESS, EventKind.RIGHT_CHANGE)


def acts_of(film: Film) -> Iterator[tuple[Act, Board]]:
    """Each act of ``film`` with the board before it; the board changes when the next is taken."""
    rows, columns, size = film.board.rows, film.board.columns, film.cell_px
    board = Board(columns, film.facts.numbers.ravel().tolist(), [CLOSED] * (rows * columns))
    before = [0] * 6
    change = 0
    acts = film.events[film.places]
    for number, (time_ms, x, y, kind) in enumerate(acts.tolist()):
        after = film.counters[number, :6].tolist()
        end = change + int(film.changed[number])
        changes = list(zip(film.cells[change:end].tolist(), film.faces[change:end].tolist(), strict=True))
        inside = 0 <= x < columns * size and 0 <= y < rows * size
        lcl, rcl, dcl, lce, rce, dce = (now - earlier for now, earlier in zip(after, before, strict=True))
        act = Act(
            event=int(film.places[number]),
            kind=kind,
            time_ms=time_ms - film.start_ms,
            cell=y // size * columns + x // size if inside else None,
            x_px=x * NORMAL_CELL_PX / size,
            y_px=y * NORMAL_CELL_PX / size,
            path=float(film.path[number]),
            right_held=bool(film.held[number] & RIGHT_HELD),
            lcl=lcl,
            rcl=rcl,
            dcl=dcl,
            lce=lce,
            rce=rce,
            dce=dce,
            changes=changes,
        )
        yield act, board
        for cell, face in changes:
            board.faces[cell] = face
        before, change = after, end
