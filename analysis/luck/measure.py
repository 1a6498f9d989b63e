"""The risks of all opening clicks of a recording, and the numbers of the registry that follow from them."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.board import MINE, BoardFacts, board_facts
from analysis.deduction import Rule
from analysis.errors import Inconsistent, LimitExceeded, ReplayError
from analysis.kernels import luck as kernels
from analysis.kernels.clicks import CELL, CHORD, EVENT_PLACE, opening_clicks
from analysis.kernels.probability import WIDE, odds_of
from analysis.kernels.probability_front import CLOSED
from analysis.kernels.reasoning import (
    CASES,
    COUNT,
    GUESS,
    MD1,
    MD2,
    NMD3,
    NOT_YET,
    NOTHING,
    UNKNOWN,
    begin_board,
    difficulty_of_position,
    lead_on,
)
from analysis.probability import Position, exact_fractions
from analysis.probability.counting import layouts
from analysis.recording import Recording
from analysis.statistics import LUCK

Cell: TypeAlias = tuple[int, int]
Value: TypeAlias = float | int | None

#: Weights that one position may need here: a quarter of what a single answer may (``kernels.probability``), since a
#: game has hundreds of positions.  The hardest positions of real games need a fraction of it.
MAX_WEIGHTS = 1 << 21
_BLOCK = 16  # clicks between two looks at the clock

#: The rule that each difficulty of ``kernels.reasoning`` stands for; none where the first click solves the board.
DIFFICULTIES: dict[int, Rule | None] = {
    NOTHING: None, MD1: Rule.MD1, MD2: Rule.MD2, NMD3: Rule.NMD3, CASES: Rule.CASES, COUNT: Rule.COUNT,
    GUESS: Rule.GUESS,
}  # fmt: skip


class Sort(StrEnum):
    """What kind of decision an opening click was."""

    FIRST = "first"
    CERTAIN = "certain"
    GUESS = "guess"
    NEEDLESS = "needless"


_SORTS = {kernels.CERTAIN: Sort.CERTAIN, kernels.GUESS: Sort.GUESS, kernels.NEEDLESS: Sort.NEEDLESS}


@dataclass(frozen=True, slots=True)
class Click:
    """One click that opened cells.

    ``event``: its place in ``recording.events``.  ``time_ms``: since the opening.  ``cell``: where it was made (row,
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
    """What a game owes to chance.

    ``clicks``: the opening clicks in order; empty where their risks could not be counted.  ``values``: every row of the
    registry of kind LUCK; ``None`` = not defined.  ``problem``: why some are not defined, or ``None``.
    """

    clicks: tuple[Click, ...]
    values: dict[str, Value]
    problem: ReplayError | None = None


def luck_of(recording: Recording, *, max_seconds: float = math.inf) -> Luck:
    """What each opening click risked.

    A few milliseconds for a game of a ranked level.  Positions that are too wide to count, and games whose clicks or
    whose board take longer than about ``max_seconds``, end in a result without those values.

    Parameters
    ----------
    recording : Recording
        of a game that ``analysis.game.play`` accepts.
    max_seconds : time to spend; a game on the largest boards may ask for minutes

    Returns
    -------
    Luck

    Raises
    ------
    Inconsistent
        if no cell is ever opened.
    """
    facts = board_facts(recording.board)
    clicks, opened_by = opening_clicks(
        recording.events,
        recording.cell_px,
        facts.numbers,
        facts.opening_id,
        facts.island_id,
        recording.question_marks,
    )
    if not len(clicks):
        raise Inconsistent("No cell is ever opened.")
    played = _Played(recording, facts, clicks, opened_by)
    values: dict[str, Value] = dict.fromkeys(row.name for row in LUCK)
    done: tuple[Click, ...] = ()
    problem: ReplayError | None = None
    try:
        done = played.measured(_Patience(max_seconds))
        values |= _summary(done)
    except ReplayError as error:
        problem = error
    try:
        values |= played.difficulty(_Patience(max_seconds))
    except ReplayError as error:
        problem = problem or error
    return Luck(done, values, problem)


@dataclass(frozen=True, slots=True)
class _Patience:
    """How long something may take; it is checked between pieces of work of a second at most."""

    seconds: float
    since: float = field(default_factory=time.monotonic)

    def check(self) -> None:
        """Raises ``LimitExceeded`` when it is over."""
        passed = time.monotonic() - self.since
        if passed > self.seconds:
            raise LimitExceeded("seconds of counting", limit=round(self.seconds), value=round(passed))


@dataclass(frozen=True, slots=True, eq=False)
class _Played:
    """A recording with its opening clicks, as ``kernels.clicks`` tells them."""

    recording: Recording
    facts: BoardFacts
    clicks: NDArray[np.int32]
    opened_by: NDArray[np.int32]

    @property
    def mines(self) -> int:
        return self.recording.board.mine_count

    def measured(self, patience: _Patience) -> tuple[Click, ...]:
        """All clicks with their risks.  Raises ``LimitExceeded``."""
        count = len(self.clicks)
        numbers = self.facts.numbers
        grid = np.full(numbers.shape, CLOSED, np.uint8)
        status = np.zeros(numbers.shape, np.int8)
        risk, sort = np.zeros((count, 2)), np.zeros(count, np.int8)
        kernels.open_cells(grid, numbers, self.opened_by, 0)
        for first in range(1, count, _BLOCK):
            end = min(first + _BLOCK, count)
            kernels.risks(
                grid, status, numbers, self.clicks, self.opened_by, first, end, self.mines, MAX_WEIGHTS, risk, sort
            )
            for click in np.flatnonzero(sort[first:end] == kernels.UNCOUNTED) + first:
                sort[click], risk[click] = self._by_integers(int(click))
            patience.check()
        return tuple(self._click(number, risk[number], int(sort[number])) for number in range(count))

    def _by_integers(self, click: int) -> tuple[int, tuple[float, float]]:
        """The sort and the risks of a click that floating point cannot tell."""
        position = self._before(click)
        if odds_of(position.grid(), self.mines, False, MAX_WEIGHTS).verdict == WIDE:
            raise LimitExceeded("weights of the front", limit=MAX_WEIGHTS, value=MAX_WEIGHTS + 1)
        exact = exact_fractions(position)
        least = min(exact[row][column] for row, column in np.argwhere(position.closed).tolist())
        try:
            survival = Fraction(layouts(position.without(self._cells(click))), layouts(position))
        except Inconsistent:  # no layout has all of them safe
            survival = Fraction(0)
        if survival == 1:
            return kernels.CERTAIN, (0.0, 0.0)
        return kernels.NEEDLESS if least == 0 else kernels.GUESS, (float(1 - survival), float(least))

    def _before(self, click: int) -> Position:
        return Position(kernels.position_before(self.facts.numbers, self.opened_by, click), self.mines)

    def _cells(self, click: int) -> tuple[Cell, ...]:
        cells = np.empty(8, np.int32)
        count = kernels.chosen_cells(self.clicks, self.opened_by, click, cells)
        columns = self.recording.board.columns
        return tuple(divmod(cell, columns) for cell in cells[:count].tolist())

    def _click(self, number: int, risk: NDArray[np.float64], sort: int) -> Click:
        events = self.recording.events
        event, cell, chord = (int(self.clicks[number, column]) for column in (EVENT_PLACE, CELL, CHORD))
        cells = self._cells(number)
        survived = all(self.facts.numbers[place] != MINE for place in cells)
        kind, taken, least = _SORTS[sort], float(risk[kernels.RISK]), float(risk[kernels.LEAST])
        if number == 0:
            kind = Sort.FIRST
            taken = least = 0.0 if survived else self.mines / self.recording.board.mines.size
        return Click(
            event=event,
            time_ms=int(events["time_ms"][event]) - int(events["time_ms"][self.clicks[0, EVENT_PLACE]]),
            cell=divmod(cell, self.recording.board.columns),
            cells=cells,
            chord=bool(chord),
            survived=survived,
            sort=kind,
            risk=taken,
            least_risk=least,
            rule=self._missed(number) if kind is Sort.NEEDLESS else None,
        )

    def _missed(self, click: int) -> Rule | None:
        """The rule that would have shown a safe cell."""
        grid = kernels.position_before(self.facts.numbers, self.opened_by, click)
        found = difficulty_of_position(grid, self.mines, MAX_WEIGHTS)
        return DIFFICULTIES.get(found)

    def difficulty(self, patience: _Patience) -> dict[str, Value]:
        """``difficulty`` and ``no_guess``; of no meaning where the first click hit a mine.  Raises ``LimitExceeded``."""
        first = int(self.clicks[0, CELL])
        if self.facts.numbers.flat[first] == MINE:
            return {}
        walk, found = begin_board(self.facts.numbers, first, self.mines), NOT_YET
        while found == NOT_YET:
            found = lead_on(self.facts.numbers, walk, self.mines, MAX_WEIGHTS, _BLOCK)
            patience.check()
        if found == UNKNOWN:
            raise LimitExceeded("weights of the front", limit=MAX_WEIGHTS, value=MAX_WEIGHTS + 1)
        return {"difficulty": found, "no_guess": int(found != GUESS)}


def _summary(clicks: tuple[Click, ...]) -> dict[str, Value]:
    survivals = [1 - click.risk for click in clicks if click.survived]
    return {
        "luck": math.prod(survivals),
        "pluck": -sum(math.log10(chance) for chance in survivals) or 0.0,  # not -0.0
        "guesses": sum(click.sort in (Sort.GUESS, Sort.NEEDLESS) for click in clicks),
        "needless_guesses": sum(click.sort is Sort.NEEDLESS for click in clicks),
        "worst_risk": max(click.risk for click in clicks),
    }
