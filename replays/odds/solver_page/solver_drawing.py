"""A game of the solver prepared for the page: the server draws one step of it, the script all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass

import numpy as np

from analysis.probability import Probabilities
from analysis.solver import Reason, Rules
from analysis.solver.course import Course, Thought
from players.web.api import Values
from replays.odds.positions.position_drawing import SHADES
from replays.odds.positions.position_texts import short_percent
from replays.odds.positions.refusal import Cell
from replays.odds.solver_page.solver_texts import click_text, end_text, facts_text

_CLOSED = ("", "closed")
_SAFE, _MINE = ("✓", "safe"), ("✹", "mine")


@dataclass(frozen=True, slots=True)
class Look:
    """Closed cells that look alike: text, classes of the style sheet, cells (row * columns + column)."""

    shown: str
    classes: str
    cells: list[int]


@dataclass(frozen=True, slots=True)
class ClickView:
    """A click: its cell, those that it opens, its reason in words, and the cells of the reason by the name of the mark.

    ``turn``: the place of what was known before it in ``Playback.turns``.
    """

    cell: int
    opened: list[int]
    turn: int
    words: str
    marks: dict[str, list[int]]


@dataclass(frozen=True, slots=True)
class TurnView:
    """A position as its player sees it: the facts in words, and the closed cells that are not merely closed."""

    facts: str
    looks: list[Look]


@dataclass(frozen=True, slots=True)
class CellLook:
    shown: str
    classes: str


@dataclass(frozen=True, slots=True)
class Playback:
    """A whole game.  ``numbers``: of each cell, -1 for mines; the last of ``turns`` is the end of the game."""

    rows: int
    columns: int
    numbers: list[int]
    clicks: list[ClickView]
    turns: list[TurnView]
    end: str

    @property
    def last_step(self) -> int:
        return len(self.clicks)

    def words(self, step: int) -> str:
        return self.clicks[step].words if step < self.last_step else self.end

    def facts(self, step: int) -> str:
        return self._turn(step).facts

    def table(self, step: int) -> list[list[CellLook]]:
        """The board after ``step`` clicks, row by row, with the next click and its reason."""
        looks = [_CLOSED] * len(self.numbers)
        for look in self._turn(step).looks:
            for cell in look.cells:
                looks[cell] = (look.shown, f"closed {look.classes}")
        for click in self.clicks[:step]:
            for cell in click.opened:
                number = self.numbers[cell]
                looks[cell] = (str(number) if number else "", f"open t{number}")
        marks: dict[int, list[str]] = defaultdict(list)
        if step < self.last_step:
            marks[self.clicks[step].cell].append("advised")
            for mark, places in self.clicks[step].marks.items():
                for cell in places:
                    marks[cell].append(f"on-{mark}")
        cells = [CellLook(shown, " ".join([classes, *marks[cell]])) for cell, (shown, classes) in enumerate(looks)]
        return [cells[start : start + self.columns] for start in range(0, len(cells), self.columns)]

    def for_script(self) -> Values:
        return asdict(self)

    def _turn(self, step: int) -> TurnView:
        return self.turns[self.clicks[step].turn if step < self.last_step else -1]


def playback_of(course: Course, rules: Rules) -> Playback:
    rows, columns = course.numbers.shape
    turns, clicks = [], []
    for place, turn in enumerate(course.turns):
        steps = dict(turn.thought.clicks)
        turns.append(TurnView(facts_text(turn.thought), _looks(turn.thought)))
        for cell, opened in turn.opened:
            step = steps[cell]
            clicks.append(
                ClickView(
                    cell[0] * columns + cell[1],
                    _places(opened, columns),
                    place,
                    click_text(turn.thought, step, rules),
                    {mark: _places(cells, columns) for mark, cells in step.marks.items()} if step else {},
                )
            )
    turns.append(_end(course))
    numbers = np.where(course.board.mines, -1, course.numbers.astype(np.int16)).ravel().tolist()
    return Playback(rows, columns, numbers, clicks, turns, end_text(course))


def _places(cells: Iterable[Cell], columns: int) -> list[int]:
    return [row * columns + column for row, column in cells]


def _looks(thought: Thought) -> list[Look]:
    """Return the closed cells that a player knows something about: certain ones, or at a guess all with their chances."""
    known, move = thought.known, thought.move
    if known is None:
        return []
    columns = known.mine.shape[1]
    if move.reason is Reason.CERTAIN:
        return [Look(*_SAFE, _places(move.cells, columns))]
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for row, column in np.argwhere(known.position.closed).tolist():
        groups[_chance(known, (row, column))].append(row * columns + column)
    return [Look(*face, cells) for face, cells in groups.items()]


def _chance(known: Probabilities, cell: Cell) -> tuple[str, str]:
    if known.certain_safe[cell]:
        return _SAFE
    if known.certain_mine[cell]:
        return _MINE
    chance = float(known.mine[cell])
    return short_percent(chance), f"p{min(SHADES - 1, int(chance * SHADES))}"


def _end(course: Course) -> TurnView:
    """All mines; the one that was hit among them."""
    columns = course.numbers.shape[1]
    last = course.turns[-1]
    hit = [row * columns + column for (row, column), opened in last.opened if not opened]
    mines = [int(cell) for cell in np.flatnonzero(course.board.mines) if cell not in hit]
    facts = facts_text(last.thought) if last.thought.move.reason is Reason.GIVE_UP else ""
    return TurnView(facts, [Look(*_MINE, mines), Look(_MINE[0], f"{_MINE[1]} wrong", hit)])
