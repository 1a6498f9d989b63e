"""Difficulty of a position or a board: the most difficult rule without which the deduction stops."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from analysis.deduction import Rule
from analysis.kernels.probability import ANY_MINES
from analysis.kernels.reasoning import (
    CASES,
    COUNT,
    GUESS,
    HARDEST,
    MD1,
    MD2,
    NMD3,
    NOT_YET,
    NOTHING,
    STUCK,
    begin_board,
    lead_on,
    take_over,
)
from analysis.kernels.reasoning import difficulty_of_position as by_local_rules
from analysis.luck.counted import Deadline, counted

_STAGES = 16  # of a large board between two looks at the clock

#: The rule that each code stands for; none where the first click solves the board.
DIFFICULTIES: dict[int, Rule | None] = {
    NOTHING: None, MD1: Rule.MD1, MD2: Rule.MD2, NMD3: Rule.NMD3, CASES: Rule.CASES, COUNT: Rule.COUNT,
    GUESS: Rule.GUESS,
}  # fmt: skip


def difficulty_of_position(grid: NDArray[np.uint8], mines: int) -> int:
    """A code of :data:`DIFFICULTIES`: which rule finds a safe cell.

    ``grid``: uint8, shape (rows, columns), writable: 0 to 8, ``CLOSED`` elsewhere.  Raises ``LimitExceeded``.
    """
    found, status = by_local_rules(grid)
    return int(found) if found != STUCK else _by_counting(grid, status, mines)


def difficulty_of_board(numbers: NDArray[np.uint8], first: int, mines: int, deadline: Deadline | None = None) -> int:
    """A code of :data:`DIFFICULTIES`: which rules lead from the first click to the end.

    Raises ``LimitExceeded`` if a front is too wide to count, or the deadline has passed.

    Parameters
    ----------
    numbers : uint8, shape (rows, columns), as in ``BoardFacts``
    first : a safe cell, row * columns + column
    mines : of the board
    deadline : for large boards; none if it is ``None``
    """
    deadline = deadline or Deadline(math.inf)
    walk = begin_board(numbers, first, mines)
    while True:
        deadline.check()
        found = lead_on(numbers, walk, _STAGES)
        if found == STUCK:
            harder = _by_counting(walk.grid, walk.status, mines)
            if harder == GUESS:
                return GUESS
            walk.progress[HARDEST] = max(int(walk.progress[HARDEST]), harder)
        elif found != NOT_YET:
            return int(found)


def _by_counting(grid: NDArray[np.uint8], status: NDArray[np.int8], mines: int) -> int:
    """``CASES`` or ``COUNT``, the first that finds a safe cell and writes it to ``status`` (framed); else ``GUESS``."""
    for rule, of_mines in ((CASES, ANY_MINES), (COUNT, mines)):
        if take_over(status, counted(grid, of_mines).status):
            return rule
    return GUESS
