"""The slow twin of ``analysis.luck``: the naive game played on, every position counted anew, in fractions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from analysis.errors import Inconsistent
from analysis.probability import CLOSED, Position, exact_fractions
from analysis.probability.counting import layouts
from analysis.recording import Kind, Recording
from tests.naive_game import Cell, NaiveGame, cell_at
from tests.naive_probability import naive_layouts

#: A position and cells of it: the chance that all of them are safe, and the least chance of a mine of a closed cell.
Count = Callable[[Position, set[Cell]], tuple[Fraction, Fraction]]


@dataclass
class Opened:
    """Cells that one click opened by itself, and cells that were open before."""

    event: int
    before: frozenset[Cell]
    cells: set[Cell]


@dataclass
class WatchedGame(NaiveGame):
    """A game that remembers the clicks that opened cells."""

    opening: list[Opened] = field(default_factory=list)

    def left_click(self, at: Cell | None) -> None:
        cells = {at} if at is not None and self.may_open(at) else set()
        self._watch(cells)
        super().left_click(at)

    def chord(self, at: Cell | None) -> None:
        before, chords = frozenset(self.opened), self.dce
        cells = {cell for cell in self.around(at) if self.may_open(cell)} if at is not None else set()
        super().chord(at)
        if self.dce > chords:
            self.opening.append(Opened(self.now, before, cells))

    def _watch(self, cells: set[Cell]) -> None:
        if cells:
            self.opening.append(Opened(self.now, frozenset(self.opened), cells))


@dataclass(frozen=True)
class NaiveClick:
    """A click with its risks; the first has those of the convention."""

    event: int
    cells: frozenset[Cell]
    survived: bool
    risk: Fraction
    least_risk: Fraction
    certain_was_there: bool


def by_trying(position: Position, cells: set[Cell]) -> tuple[Fraction, Fraction]:
    """Every layout of the mines is tried."""
    found = list(naive_layouts(position))
    closed = [(int(row), int(column)) for row, column in np.argwhere(position.closed)]
    least = min(Fraction(sum(cell in mines for mines in found), len(found)) for cell in closed)
    return Fraction(sum(not mines & cells for mines in found), len(found)), least


def by_integers(position: Position, cells: set[Cell]) -> tuple[Fraction, Fraction]:
    """Layouts in which the cells are safe, and all layouts, counted exactly."""
    mine = exact_fractions(position)
    least = min(mine[row][column] for row, column in np.argwhere(position.closed).tolist())
    if len(cells) == 1:
        ((row, column),) = cells
        return 1 - mine[row][column], least
    try:
        return Fraction(layouts(position.without(cells)), layouts(position)), least
    except Inconsistent:
        return Fraction(0), least


def naive_clicks(recording: Recording, count: Count) -> list[NaiveClick]:
    """Every opening click."""
    game = WatchedGame(recording.board, recording.question_marks, recording.helps)
    for index, (_, x, y, kind) in enumerate(recording.events.tolist()):
        game.now = index
        game.event(Kind(kind), cell_at(recording, x, y))
        if game.over():
            break
    return [_click(game, number, one, count) for number, one in enumerate(game.opening)]


def _click(game: WatchedGame, number: int, one: Opened, count: Count) -> NaiveClick:
    board = game.board
    survived = not any(game.is_mine(cell) for cell in one.cells)
    if number == 0:
        risk = Fraction(0) if survived else Fraction(board.mine_count, board.rows * board.columns)
        return NaiveClick(one.event, frozenset(one.cells), survived, risk, risk, certain_was_there=False)
    numbers = np.full((board.rows, board.columns), CLOSED, np.uint8)
    for cell in one.before:
        numbers[cell] = game.number(cell)
    survival, least = count(Position(numbers, board.mine_count), one.cells)
    return NaiveClick(one.event, frozenset(one.cells), survived, 1 - survival, least, certain_was_there=least == 0)
