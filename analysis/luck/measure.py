"""The risks of all opening clicks of a recording, and the statistics of luck."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.board import MINE, BoardFacts, board_facts
from analysis.click_machine import Game, chosen_cells, play
from analysis.deduction import Rule
from analysis.errors import Inconsistent, LimitExceeded, ReplayError
from analysis.kernels.probability import ANSWERED, Odds
from analysis.kernels.probability_front import CLOSED, OPEN, SAFE
from analysis.kernels.probability_front import MINE as CERTAIN_MINE
from analysis.kernels.reasoning import GUESS
from analysis.kernels.walk import CELL, CHORD, EVENT_PLACE
from analysis.luck.counted import Deadline, counted
from analysis.luck.difficulty import DIFFICULTIES, difficulty_of_board, difficulty_of_position
from analysis.luck.pace import pace_of
from analysis.probability import Position, exact_fractions
from analysis.probability.counting import layouts
from analysis.recording import Recording
from analysis.statistics import LUCK

Cell: TypeAlias = tuple[int, int]
Value: TypeAlias = float | int | None

#: A guess is worse than needed if its risk is more than this above the least.
WORSE_BY: Final = 0.02


class Sort(StrEnum):
    """Kind of decision behind an opening click."""

    FIRST = "first"
    CERTAIN = "certain"
    GUESS = "guess"
    NEEDLESS = "needless"


@dataclass(frozen=True, slots=True)
class Click:
    """One click that opened cells.

    ``event``: its place in ``recording.events``.  ``time_ms``: on the clock of the game.  ``cell``: where it was made (row,
    column).  ``cells``: what it opened by itself, the flood from a zero not counted; several only for a ``chord``.
    ``risk``: chance that one of them was a mine; ``least_risk``: that of the safest closed cell.  ``rule``: of a
    needless guess, the most difficult rule without which no safe cell is found.
    """

    event: int
    time_ms: int
    cell: Cell
    cells: tuple[Cell, ...]
    chord: bool
    survived: bool
    sort: Sort
    risk: float
    least_risk: float
    rule: Rule | None = None


@dataclass(frozen=True, slots=True)
class Luck:
    """The luck of a game.

    ``clicks``: the opening clicks in order; empty where their risks could not be counted.  ``values``: every row of the
    registry of kind LUCK; ``None`` = not defined.  ``problem``: why some are not defined, or ``None``.
    """

    clicks: tuple[Click, ...]
    values: dict[str, Value]
    problem: ReplayError | None = None


@dataclass(frozen=True, slots=True)
class _Decision:
    """Kind of decision behind a click, its risk, the least risk in its position, and the rule; see ``Click``."""

    sort: Sort = Sort.CERTAIN
    risk: float = 0.0
    least_risk: float = 0.0
    rule: Rule | None = None


def luck_of(recording: Recording, *, max_seconds: float = math.inf) -> Luck:
    """The risk of each opening click.

    A few milliseconds for a game of a ranked level.  Positions that are too wide to count, and games whose clicks or
    whose board take longer than about ``max_seconds``, end in a result without those values.

    ``max_seconds``: time to spend; a game on the largest boards may need minutes.
    Raises ``Inconsistent`` if ``play`` does not accept it.
    """
    facts = board_facts(recording.board)
    played = _Played(recording, facts, play(recording, facts))
    values: dict[str, Value] = dict.fromkeys(row.name for row in LUCK)
    done: tuple[Click, ...] = ()
    problem: ReplayError | None = None
    try:
        done = played.clicks_with_risks(Deadline(max_seconds))
        values |= _summary(done)
    except ReplayError as error:
        problem = error
    try:
        values |= played.difficulty(Deadline(max_seconds))
    except ReplayError as error:
        problem = problem or error
    return Luck(done, values, problem)


def _summary(clicks: tuple[Click, ...]) -> dict[str, Value]:
    survivals = [1 - click.risk for click in clicks if click.survived]
    return {
        "luck": math.prod(survivals),
        "pluck": -sum(math.log10(chance) for chance in survivals) or 0.0,  # not -0.0
        "guesses": sum(click.sort in (Sort.GUESS, Sort.NEEDLESS) for click in clicks),
        "needless_guesses": sum(click.sort is Sort.NEEDLESS for click in clicks),
        "accuracy": accuracy_of(clicks),
        "needless_risk": needless_risk_of(clicks),
        "pace": pace_of([click.time_ms for click in clicks]),
        "worst_risk": max(click.risk for click in clicks),
    }


def was_avoidable(click: Click) -> bool:
    """Return whether the click took a risk beside a cell that was certainly safe, or one much safer (``WORSE_BY``)."""
    if click.sort not in (Sort.GUESS, Sort.NEEDLESS):
        return False
    return click.sort is Sort.NEEDLESS or click.risk > click.least_risk + WORSE_BY


def accuracy_of(clicks: Sequence[Click]) -> float | None:
    """Compute the percentage of clicks without an avoidable risk, one that lost the game included; None without clicks."""
    if not clicks:
        return None
    return 100 * sum(not was_avoidable(click) for click in clicks) / len(clicks)


def needless_risk_of(clicks: Sequence[Click]) -> float | None:
    """Compute the risk that the clicks took beyond the safest cells, in coin flips; None if one was certainly a mine.

    The sum of log2((1 - least risk) / (1 - risk)) over the clicks after the first: 1 for a needless guess of one half.
    """
    later = clicks[1:]
    if not clicks or any(click.risk == 1 for click in later):
        return None
    return math.fsum(math.log2((1 - click.least_risk) / (1 - click.risk)) for click in later)


@dataclass(frozen=True, slots=True, eq=False)
class _Played:
    recording: Recording
    facts: BoardFacts
    game: Game

    @property
    def mines(self) -> int:
        return self.recording.board.mine_count

    def clicks_with_risks(self, deadline: Deadline) -> tuple[Click, ...]:
        """All opening clicks.  Raises ``LimitExceeded``."""
        numbers = self.facts.numbers
        grid = np.full(numbers.shape, CLOSED, np.uint8)
        status = np.zeros(numbers.shape, np.int8)
        clicks = []
        for click in range(len(self.game.clicks)):
            opened = self._cells(click)
            if click == 0:
                decision = self._first(opened)
            elif all(status[cell] == SAFE for cell in opened):  # a cell that was certain once stays so
                decision = _Decision()
            else:
                deadline.check()
                decision, status = self._decision(grid, opened)
            clicks.append(self._click(click, opened, decision))
            now_open = self.game.opened_by == click
            grid[now_open] = numbers[now_open]
        return tuple(clicks)

    def difficulty(self, deadline: Deadline) -> dict[str, Value]:
        """``difficulty`` and ``no_guess``; of no meaning where the first click hit a mine.  Raises ``LimitExceeded``."""
        first = int(self.game.clicks[0, CELL])
        if self.facts.numbers.flat[first] == MINE:
            return {}
        found = difficulty_of_board(self.facts.numbers, first, self.mines, deadline)
        return {"difficulty": found, "no_guess": int(found != GUESS)}

    def _first(self, cells: tuple[Cell, ...]) -> _Decision:
        risk = 0.0 if self._survived(cells) else self.mines / self.recording.board.mines.size
        return _Decision(Sort.FIRST, risk, risk)

    def _decision(self, grid: NDArray[np.uint8], cells: tuple[Cell, ...]) -> tuple[_Decision, NDArray[np.int8]]:
        """The risks of opening ``cells``, and the statuses of the position."""
        odds = counted(grid, self.mines)
        survival = _survival(odds, grid, cells, self.mines)
        if survival is None:
            survival, least = _by_integers(Position(grid, self.mines), cells)
        else:
            least = float(odds.mine[grid == CLOSED].min())
        if survival == 1:
            return _Decision(), odds.status
        if least > 0:
            return _Decision(Sort.GUESS, 1 - survival, least), odds.status
        return _Decision(Sort.NEEDLESS, 1 - survival, 0.0, self._rule(grid)), odds.status

    def _rule(self, grid: NDArray[np.uint8]) -> Rule | None:
        """The easiest rule that finds a safe cell; ``None`` if it could not be found within the limits."""
        try:
            return DIFFICULTIES[difficulty_of_position(grid, self.mines)]
        except LimitExceeded:  # without the count of mines a front may be wider than with it
            return None

    def _cells(self, click: int) -> tuple[Cell, ...]:
        chosen = chosen_cells(self.game.clicks, self.game.opened_by, click)
        return tuple(divmod(cell, self.recording.board.columns) for cell in chosen.tolist())

    def _survived(self, cells: tuple[Cell, ...]) -> bool:
        return all(self.facts.numbers[cell] != MINE for cell in cells)

    def _click(self, number: int, cells: tuple[Cell, ...], decision: _Decision) -> Click:
        event, cell, chord = (int(self.game.clicks[number, column]) for column in (EVENT_PLACE, CELL, CHORD))
        return Click(
            event=event,
            time_ms=int(self.recording.events["time_ms"][event]) - self.recording.start_ms(self.game.start_index),
            cell=divmod(cell, self.recording.board.columns),
            cells=cells,
            chord=bool(chord),
            survived=self._survived(cells),
            sort=decision.sort,
            risk=decision.risk,
            least_risk=decision.least_risk,
            rule=decision.rule,
        )


def _survival(odds: Odds, grid: NDArray[np.uint8], cells: tuple[Cell, ...], mines: int) -> float | None:
    """The chance that all ``cells`` are safe; ``None`` where floating point is not exact enough.  ``odds``: of ``grid``.

    One after the other: the chance of the next, given that those before it are safe (open, with unknown numbers).
    """
    survival = 1.0
    left = grid
    for cell in cells:
        if left is not grid:
            odds = counted(left, mines)
        if odds.verdict != ANSWERED:
            return None
        if odds.status[cell] == CERTAIN_MINE:
            return 0.0
        if odds.status[cell] != SAFE:
            survival *= 1 - float(odds.mine[cell])
            left = left.copy()
            left[cell] = OPEN
    return survival


def _by_integers(position: Position, cells: tuple[Cell, ...]) -> tuple[float, float]:
    """The chance that all ``cells`` are safe, and the least chance of a mine of a closed cell."""
    exact = exact_fractions(position)
    least = min(exact[row][column] for row, column in np.argwhere(position.closed).tolist())
    try:
        survival = Fraction(layouts(position.without(cells)), layouts(position))
    except Inconsistent:  # no layout has all of them safe
        survival = Fraction(0)
    return float(survival), float(least)
