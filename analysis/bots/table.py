"""The state of a bot's game: open cells, flags, and the effects of clicks.

It has only the rules that a bot's own clicks need; ``analysis.click_machine`` replays any recording.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from analysis.board import MINE, board_facts
from analysis.bots.mind import Grid, grid
from analysis.recording import LEVEL_SHAPES, Board, Level

Opened = list[tuple[int, int]]


def draw_board(rng: Generator, level: Level, first: int) -> Board:
    """A board drawn evenly among those on which the cell ``first`` is a zero.

    That is the rule of newer clones (the first click opens an opening).  It is also what is left of the older rule
    (the first cell is no mine) for a player who starts again until the first click opens something, as nearly all do.
    """
    rows, columns, mines = LEVEL_SHAPES[level]
    allowed = np.ones(rows * columns, bool)
    allowed[[first, *grid(rows, columns).around[first]]] = False
    cells = np.zeros(rows * columns, np.uint8)
    cells[rng.choice(np.flatnonzero(allowed), mines, replace=False)] = 1
    return Board(cells.reshape(rows, columns))


class Table:
    def __init__(self, board: Board) -> None:
        self.board = board
        self.grid: Grid = grid(board.rows, board.columns)
        self.truth: list[int] = board_facts(board).numbers.ravel().tolist()
        self.closed = [True] * len(self.truth)
        self.flags: set[int] = set()
        self.closed_safe = len(self.truth) - board.mine_count
        self.blasted = False

    @property
    def won(self) -> bool:
        return self.closed_safe == 0 and not self.blasted

    @property
    def over(self) -> bool:
        return self.blasted or self.closed_safe == 0

    def is_mine(self, cell: int) -> bool:
        return self.truth[cell] == MINE

    def open(self, cell: int) -> Opened:
        if not self.closed[cell] or cell in self.flags:
            return []
        if self.is_mine(cell):
            self.blasted = True
            return []
        return self._flood(cell)

    def chord(self, cell: int) -> Opened:
        around = self.grid.around[cell]
        if self.closed[cell] or sum(other in self.flags for other in around) != self.truth[cell]:
            return []
        opened: Opened = []
        for other in around:
            opened += self.open(other)
        return opened

    def toggle(self, cell: int) -> None:
        self.flags.symmetric_difference_update((cell,))

    def _flood(self, start: int) -> Opened:
        opened: Opened = []
        self.closed[start] = False
        todo = [start]
        while todo:
            cell = todo.pop()
            opened.append((cell, self.truth[cell]))
            if self.truth[cell] == 0:
                for other in self.grid.around[cell]:
                    if self.closed[other] and other not in self.flags:
                        self.closed[other] = False
                        todo.append(other)
        self.closed_safe -= len(opened)
        return opened
