"""Perfect play by its definition, and games played move by move.  The slow twin of ``analysis.solver``."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from analysis.probability import CLOSED, Position
from analysis.recording import Board
from analysis.solver import Rules, Solver
from tests.naive_probability import Cell, around, naive_layouts, numbers_of


def naive_wins(position: Position) -> dict[Cell, int]:
    """For each closed cell: in how many layouts the game is won if it is opened first and all else is perfect."""
    layouts = tuple(naive_layouts(position))
    closed = [(int(row), int(column)) for row, column in np.argwhere(position.closed)]
    shown = [
        {cell: sum(near in mines for near in around(position, cell)) for cell in closed if cell not in mines}
        for mines in layouts
    ]

    def wins_with(cell: Cell, possible: frozenset[int], opened: frozenset[Cell]) -> int:
        parts: dict[int, set[int]] = {}
        for layout in possible:
            if cell not in layouts[layout]:
                parts.setdefault(shown[layout][cell], set()).add(layout)
        return sum(wins(frozenset(part), opened | {cell}) for part in parts.values())

    @cache
    def wins(possible: frozenset[int], opened: frozenset[Cell]) -> int:
        to_open = [cell for cell in closed if cell not in opened]
        if len(to_open) == position.mines:
            return len(possible)
        return max(wins_with(cell, possible, opened) for cell in to_open)

    return {cell: wins_with(cell, frozenset(range(len(layouts))), frozenset()) for cell in closed}


def naive_open(numbers: NDArray[np.uint8], seen: NDArray[np.uint8], cell: Cell) -> None:
    """Open a safe cell, and everything around zeros."""
    waiting = [cell]
    while waiting:
        row, column = waiting.pop()
        if seen[row, column] == CLOSED:
            seen[row, column] = numbers[row, column]
            if numbers[row, column] == 0:
                near = np.argwhere(np.ones_like(seen[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]))
                waiting += [(int(r) + max(0, row - 1), int(c) + max(0, column - 1)) for r, c in near]


def naive_play(solver: Solver, board: Board, rules: Rules) -> tuple[bool, int, NDArray[np.uint8]]:
    """A whole game, one ``choose`` for each move: won, guesses, what is seen at the end."""
    numbers, mines = np.array(numbers_of(board.mines), np.uint8), board.mines
    seen = np.full(mines.shape, CLOSED, np.uint8)
    guesses = -1  # the first click is none
    while (seen == CLOSED).sum() > board.mine_count:
        move = solver.choose(Position(seen, board.mine_count), rules)
        guesses += move.reason != "certain"
        for cell in move.cells:
            if mines[cell]:
                return False, guesses, seen
            naive_open(numbers, seen, cell)
    return True, guesses, seen
