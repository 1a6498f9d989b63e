"""ZiNi: how few clicks a flagging player who knows the whole board needs with a greedy plan.

Every safe cell that shows a number is a candidate for: open it if it is closed, flag the mines around it, chord it.

    gain = 3BV that the chord opens (its own and each closed opening around it included)
           - unflagged mines around it - 1 - (1 if it is closed)

The best gain is played while it is at least 0; then the remaining 3BV are clicked one by one.  Two published readings
of two details exist, so there are four numbers:

=============  ===================================  ===============================================================
name           among equal gains                    first of all
=============  ===================================  ===============================================================
gzini          topmost row, then leftmost           nothing
hzini          topmost row, then leftmost           every opening is clicked
gzini_ref      leftmost column, then topmost        nothing
hzini_ref      leftmost column, then topmost        every opening is clicked; then only open cells are chorded, and
                                                    when no gain is left one 3BV is clicked and the gains looked at
                                                    again
=============  ===================================  ===============================================================

Source: greedy ZiNi by Elmar Zimmermann and Christoph Nikolaus (2009); the ``_ref`` readings are those of the
originators' code.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analysis.board import board_facts
from analysis.kernels import zini as kernels
from analysis.recording import Board, digest

QUIET_RUNS = 100


#: Of each ZiNi: whether equal gains go by column, the price of opening, whether every opening is clicked first.
_READINGS: Final = {
    "gzini": (False, kernels.OPENING_CLICK, False),
    "hzini": (False, kernels.OPENING_CLICK, True),
    "gzini_ref": (True, kernels.OPENING_CLICK, False),
    "hzini_ref": (True, kernels.UNAFFORDABLE, True),
}
KINDS: Final = tuple(_READINGS)


@dataclass(frozen=True, slots=True)
class RouteStep:
    """A move of a solution at one cell: a left click, flags, a chord, in this order, each of them only if needed.

    Cells are row * columns + column.  ``clicks``: those up to the end of this step.
    """

    cell: int
    opens: bool
    flags: tuple[int, ...]
    chords: bool
    clicks: int


@dataclass(frozen=True, slots=True)
class ZiniCounts:
    """The four deterministic ZiNis of a board, in clicks."""

    gzini: int
    hzini: int
    gzini_ref: int
    hzini_ref: int


def zini_counts(board: Board) -> ZiniCounts:
    """All four ZiNis; faster than one by one, since all use one terrain (``kernels.zini``)."""
    return ZiniCounts(*kernels.all_counts(board.mines))


def rzini(board: Board, quiet_runs: int = QUIET_RUNS) -> int:
    """Random ZiNi in clicks: the lowest greedy count over random orders of equal gains.

    Each run draws one random order of the cells.  A greedy run plays no cell twice, so every sequence of choices
    among equals is the choice of some order.  The draws are seeded by the board alone, with a generator whose stream
    is frozen, so the number repeats everywhere.

    ``quiet_runs``: stop after so many runs in a row that bring no lower count; at least 1.
    Raises ``ValueError`` if ``quiet_runs`` is less than 1.
    """
    if quiet_runs < 1:
        raise ValueError(f"quiet_runs must be at least 1, not {quiet_runs}")
    terrain = kernels.terrain_of(board.mines)
    cells = kernels.row_order(terrain)
    shuffled = np.random.RandomState(_seed(board))

    def clicks_of_a_run() -> int:
        return int(kernels.solve(terrain, shuffled.permutation(cells), kernels.OPENING_CLICK, False))

    lowest, quiet = clicks_of_a_run(), 0
    while quiet < quiet_runs:
        clicks = clicks_of_a_run()
        lowest, quiet = (clicks, 0) if clicks < lowest else (lowest, quiet + 1)
    return lowest


def route(board: Board, kind: str = "gzini") -> tuple[RouteStep, ...]:
    """The solution that a ZiNi counts, step by step.

    ``kind``: one of ``KINDS``.
    Raises ``KeyError`` if there is no such kind.
    """
    return tuple(_steps(board, kernels.moves_of(board.mines, *_READINGS[kind]).tolist()))


def _steps(board: Board, moves: list[int]) -> Iterator[RouteStep]:
    """Yield the clicks of each move, on a board on which the moves before it have opened cells and set flags."""
    facts = board_facts(board)
    opened = np.zeros(board.mines.shape, np.bool_)
    flagged = np.zeros(board.mines.shape, np.bool_)
    clicks = 0
    for move in moves:
        cell, chords = (move, True) if move >= 0 else (-1 - move, False)
        row, column = divmod(cell, board.columns)
        opens = not opened[row, column]
        around = slice(max(row - 1, 0), row + 2), slice(max(column - 1, 0), column + 2)
        flags: tuple[int, ...] = ()
        if opens:
            _open(facts.opening_id, opened, (slice(row, row + 1), slice(column, column + 1)))
        if chords:
            lacking = np.zeros_like(flagged)
            lacking[around] = (board.mines[around] == 1) & ~flagged[around]
            flags = tuple(np.flatnonzero(lacking).tolist())
            flagged |= lacking
            _open(facts.opening_id, opened, around)
        clicks += opens + len(flags) + chords
        yield RouteStep(cell, opens, flags, chords, clicks)


def _open(opening_id: NDArray[np.int32], opened: NDArray[np.bool_], area: tuple[slice, slice]) -> None:
    """Open the cells of ``area``, and with each zero its opening and the border of that."""
    opened[area] = True
    for opening in np.unique(opening_id[area]):
        if opening:
            zeros = np.pad(opening_id == opening, 1)
            rows, columns = opened.shape
            for down in range(3):
                for across in range(3):
                    opened |= zeros[down : down + rows, across : across + columns]


def _seed(board: Board) -> int:
    return int(digest(f"{board.rows}x{board.columns}".encode(), board.packed())[:8], 16)
