"""The contradiction in a position without a layout: a minimal set of numbers, or the number of mines."""

from __future__ import annotations

import numpy as np

from analysis.kernels import probability as kernels
from analysis.probability.position import Cell, ImpossiblePosition, Position

NO_LAYOUT = (kernels.CONTRADICTION, kernels.MISCOUNT)
_NAMED = 6  # numbers that a message lists; the error holds all


def conflict(position: Position, *, trust_flags: bool) -> ImpossiblePosition:
    """The error for a position that has no layout.

    It holds numbers that have none together (nor with the trusted flags and, where that is the matter, the count of
    mines), and no longer if any one is left out.
    """
    numbers_alone = _impossible(position, kernels.ANY_MINES, trust_flags)
    mines = kernels.ANY_MINES if numbers_alone else position.mines
    cells = _needed(position, mines, trust_flags)
    named = ", ".join(_told(position, cell) for cell in cells[:_NAMED]) + (" …" if len(cells) > _NAMED else "")
    if not cells:
        message = f"{position.mines} mines do not fit the closed cells and the flags."
    elif numbers_alone:
        message = f"No mine layout fits {named}."
    else:
        message = f"No layout of {position.mines} mines agrees with {named}."
    return ImpossiblePosition(message, numbers=cells, mines=position.mines)


def _told(position: Position, cell: Cell) -> str:
    return f"the {position.numbers[cell]} in row {cell[0] + 1}, column {cell[1] + 1}"


def _impossible(position: Position, mines: int, trust_flags: bool) -> bool:
    odds = kernels.odds_of(position.grid(), mines, trust_flags, kernels.MAX_WEIGHTS)
    return odds.verdict in NO_LAYOUT


def _needed(position: Position, mines: int, trust_flags: bool) -> list[Cell]:
    """Leave out as many numbers as the contradiction survives: first halves of them, at last one by one."""
    needed = [(int(row), int(column)) for row, column in np.argwhere(position.numbers <= 8)]
    chunk = len(needed)
    while chunk:
        start = 0
        while start < len(needed):
            left_out = needed[start : start + chunk]
            fewer = position.without(left_out)
            if _impossible(fewer, mines, trust_flags):
                position = fewer
                needed = needed[:start] + needed[start + chunk :]
            else:
                start += chunk
        chunk //= 2
    return needed
