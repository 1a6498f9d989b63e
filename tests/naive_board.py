"""Numbers, openings and islands by their definitions, with sets of cells: the slow twin of the kernels."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.recording import Board

Cell = tuple[int, int]


@dataclass(frozen=True)
class NaiveBoard:
    """``shown``: the number of every safe cell; ``openings`` and ``islands``: groups of cells."""

    mines: frozenset[Cell]
    shown: dict[Cell, int]
    openings: list[frozenset[Cell]]
    islands: list[frozenset[Cell]]
    bv: int


def around(cell: Cell) -> list[Cell]:
    """The eight places around ``cell``, on the board or not."""
    row, column = cell
    return [(row + i, column + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]


def groups(cells: set[Cell]) -> list[frozenset[Cell]]:
    """``cells`` split into groups joined over sides and corners, in the order of their first cells."""
    found: list[frozenset[Cell]] = []
    for first in sorted(cells):
        if any(first in group for group in found):
            continue
        group = {first}
        while True:
            grown = group | {beside for cell in group for beside in around(cell) if beside in cells}
            if grown == group:
                break
            group = grown
        found.append(frozenset(group))
    return found


def naive_board(board: Board) -> NaiveBoard:
    """Everything about ``board`` that needs its mines only."""
    cells = [(row, column) for row in range(board.rows) for column in range(board.columns)]
    mines = frozenset(cell for cell in cells if board.mines[cell])
    shown = {cell: sum(beside in mines for beside in around(cell)) for cell in cells if cell not in mines}
    zeros = {cell for cell, number in shown.items() if number == 0}
    alone = {cell for cell in shown if cell not in zeros and not any(beside in zeros for beside in around(cell))}
    openings = groups(zeros)
    return NaiveBoard(mines, shown, openings, groups(alone), len(openings) + len(alone))
