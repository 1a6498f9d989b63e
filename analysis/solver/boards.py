"""Random boards that depend on the seed only."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from analysis.errors import Inconsistent
from analysis.kernels import solver as kernels
from analysis.kernels.solver_guess import NEVER, Style
from analysis.kernels.solver_rules import MD2
from analysis.recording import LEVEL_SHAPES, Board, Level

Cell = tuple[int, int]
Shape = tuple[int, int, int]  # rows, columns, mines

MAX_TRIES = 20_000  # boards that are thrown away for one without guesses


class Rules(StrEnum):
    """Guarantee for the first click."""

    XP = "xp"  # it is safe
    WIN7 = "win7"  # it is safe and shows 0
    NO_GUESS = "no-guess"  # that too, and certain cells lead from it to the end


class NoSuchBoard(Inconsistent):
    """No board satisfies the rules, or none was found within ``MAX_TRIES`` tries."""

    code = "no_such_board"


def shape_of(level: Level | Shape) -> Shape:
    """Rows, columns and mines.  Raises ``NoSuchBoard`` for ``Level.CUSTOM``, which has no shape of its own."""
    if not isinstance(level, Level):
        return level
    if level not in LEVEL_SHAPES:
        raise NoSuchBoard("A custom board needs rows, columns and mines.", level=level.value)
    return LEVEL_SHAPES[level]


def start_of(level: Level | Shape, rules: Rules) -> Cell:
    """Return the best first cell: a corner if that cell is only safe; else two cells from two sides, or three on
    Expert boards (measured for many first cells by several programs).
    """
    rows, columns, _ = shape_of(level)
    if rules is Rules.XP:
        return 0, 0
    inside = 3 if columns >= 30 else 2
    return min(inside, (rows - 1) // 2), min(inside, (columns - 1) // 2)


def free_cells(shape: Shape, rules: Rules, start: Cell) -> NDArray[np.int64]:
    """The cells that may hold a mine, row * columns + column, in rising order.

    Raises ``NoSuchBoard`` if they are fewer than the mines.
    """
    rows, columns, mines = shape
    free = np.ones((rows, columns), bool)
    row, column = start
    if rules is Rules.XP:
        free[row, column] = False
    else:
        free[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2] = False
    cells = np.flatnonzero(free)
    if not 0 <= mines <= cells.size:
        raise NoSuchBoard(f"{mines} mines do not fit in {cells.size} cells.", mines=mines, cells=int(cells.size))
    return cells


def generate(level: Level | Shape, rules: Rules, seed: int, *, start: Cell | None = None) -> Board:
    """A board drawn uniformly from all those that keep the promise of ``rules`` for the first click on ``start``.

    Raises ``NoSuchBoard`` if the mines do not fit; for ``NO_GUESS`` also if ``MAX_TRIES`` boards all needed a guess;
    ``LimitExceeded`` if a side is too long.

    Parameters
    ----------
    level : Level, or rows, columns and mines
    rules : Rules; ``NO_GUESS`` draws opening boards until the certain cells, found by counting all layouts, lead to the
        end
    seed : int >= 0; another seed, another board
    start : row and column of the first click; ``start_of`` unless given
    """
    shape = shape_of(level)
    start = start_of(shape, rules) if start is None else start
    rows, columns, mines = shape
    if not (0 <= start[0] < rows and 0 <= start[1] < columns):
        raise NoSuchBoard(f"The first cell {start} is not on the board.", row=start[0], column=start[1])
    free = free_cells(shape, rules, start)
    rng = np.random.default_rng(seed)
    for _ in range(MAX_TRIES if rules is Rules.NO_GUESS else 1):
        board = np.zeros((rows, columns), np.uint8)
        board.flat[rng.choice(free, mines, replace=False, shuffle=False)] = 1
        if rules is not Rules.NO_GUESS or needs_no_guess(board, start):
            return Board(board)
    raise NoSuchBoard(f"{MAX_TRIES} boards all needed a guess.", tries=MAX_TRIES)


def needs_no_guess(mines: NDArray[np.uint8], start: Cell) -> bool:
    """Return whether certain cells lead from ``start`` to the end of the game.

    ``mines``: uint8, shape (rows, columns), contiguous and writable.
    """
    style = Style(MD2, True, NEVER, 0)
    game, _ = kernels.play(mines, start[0] * mines.shape[1] + start[1], 0, style)
    return bool(game.won)
