"""One game of a bot: its clicks and their times."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Literal

import numpy as np
from numpy.random import Generator

from analysis.board import board_facts
from analysis.bots.hand import CELL_PX, Hand
from analysis.bots.mind import EASY, GUESS, Insight, Mind
from analysis.bots.profiles import BotProfile
from analysis.bots.table import Opened, Table, draw_board
from analysis.deduction.sets import indices
from analysis.probability import CLOSED, Position, probabilities
from analysis.recording import LEVEL_SHAPES, Claims, Kind, Level, Recording
from analysis.solver import Options, Reason, Solver, Strength

PlayStyle = Literal["FL", "NF"]

SOFTWARE = "Sweepbook Bot"
_NEAREST = 8  # of the cells known to be safe, so many are weighed for the next click
_FLAG_REACH = 3.5  # cells; a mine further away is not flagged by mere habit
_BY_THUMB = (Strength.NOVICE, Strength.CAREFUL)  # those who guess as people without a computer do
_FORESIGHT = 0.15  # share of the thinking time that stays even if a cell was known long before


class _Do(Enum):
    OPEN = auto()
    CHORD = auto()
    FLAG = auto()


@dataclass(frozen=True, slots=True)
class _Plan:
    """The next thing to do: at ``cell``, after flagging ``flags``; ``worth`` in cells opened per click."""

    do: _Do
    cell: int
    worth: float
    insight: Insight
    flags: tuple[int, ...] = ()


def play_game(
    profile: BotProfile,
    level: Level,
    style: PlayStyle,
    seed: int,
    *,
    must_win: bool = False,
    played_at: datetime | None = None,
) -> Recording:
    """Let a bot play one game.

    The recording has ``format="rawvf"``; the clock is 0 at the release that opens the first cell.
    Raises ``KeyError`` if the level has no fixed shape.

    Parameters
    ----------
    profile
        Who plays.
    level
        Any level but ``Level.CUSTOM``.
    style
        "NF": no flags, every cell opened by itself.  "FL": with flags and chords.
    seed
        The same arguments with the same seed give the same recording, event by event.
    must_win
        Never lose: every guess looks under the cells, no slip hits a mine, and the bot does not give up.
    played_at
        When the game began.
    """
    rng = np.random.default_rng(seed)
    game = _Game(profile, level, style, rng, must_win=must_win)
    game.play()
    return game.recording(played_at)


class _Game:
    def __init__(self, profile: BotProfile, level: Level, style: PlayStyle, rng: Generator, *, must_win: bool) -> None:
        self.profile, self.style, self.must_win = profile, style, must_win
        self.rng = rng
        rows, columns, mines = LEVEL_SHAPES[level]
        self.first = _first_cell(rng, rows, columns)
        self.table = _deal(rng, level, self.first)
        self.hand = Hand(profile, rng, rows, columns, self.first)
        self.mind = Mind(self.table.grid, mines, compares=profile.strength is not Strength.NOVICE)
        self.advisor = None if profile.strength in _BY_THUMB else Solver(Options(profile.strength))
        self.wanted_flags: set[int] = set()  # mines that are flagged by habit, when the hand comes near
        self.mines_met = 0
        self.flags_placed = 0

    def play(self) -> None:
        self.hand.act(Kind.LEFT_PRESS)
        self.hand.act(Kind.LEFT_RELEASE)
        self._look(self.table.open(self.first))
        give_up_at = self._give_up_at()
        while not self.table.over and self.table.closed_safe > give_up_at:
            self._carry_out(self._choose())
            if not self.table.over and self.rng.random() < self.profile.waste_rate:
                self._waste()

    def _give_up_at(self) -> int:
        """The number of closed safe cells at which the bot leaves the game; -1 to play to the end."""
        if self.must_win or self.rng.random() >= self.profile.give_up_rate:
            return -1
        return int(self.rng.uniform(0.1, 0.9) * self.table.closed_safe)

    def recording(self, played_at: datetime | None) -> Recording:
        """The game as a recording, with those claims that are certain."""
        events = self.hand.events()
        over = self.table.over
        end_ms = int(events["time_ms"][-1])
        claims = Claims(
            time_ms=end_ms if over else None,
            bv=board_facts(self.table.board).bv,
            win=self.table.won if over else None,
            level=self.table.board.level,
            nf=self.flags_placed == 0,
        )
        return Recording(
            format="rawvf",
            format_variant="Rev6",
            board=self.table.board,
            events=events,
            cell_px=CELL_PX,
            player=self.profile.name,
            player_bytes=self.profile.name.encode(),
            software=SOFTWARE,
            country=self.profile.country,
            played_at=played_at,
            ended_at=None if played_at is None else played_at + timedelta(milliseconds=end_ms),
            claims=claims,
        )

    # --- looking and thinking ---------------------------------------------------------------------------------------

    def _look(self, opened: Opened) -> None:
        self.mind.see(opened)
        self.mind.deduce(self.hand.clock_ms)
        if self.style == "FL":
            for cell in indices(self.mind.mines & ~self.mines_met):
                if self.rng.random() < self.profile.flag_habit:
                    self.wanted_flags.add(cell)
            self.mines_met = self.mind.mines

    def _think(self, insight: Insight) -> None:
        """Wait until the reason for a click is understood; what was seen long ago needs little more."""
        needed_ms = insight.effort * self.profile.reaction_ms * self.profile.pace
        needed_ms *= math.exp(0.35 * self.rng.standard_normal())
        self.hand.ponder(max(_FORESIGHT * needed_ms, needed_ms - (self.hand.clock_ms - insight.since_ms)))

    def _choose(self) -> _Plan:
        if not self.mind.safe:
            guess = self._guess()
            if guess is not None:
                return guess
        near = sorted(self.mind.safe, key=self.hand.distance_cells)[:_NEAREST]
        plans = [_Plan(_Do.OPEN, cell, 1.0, self.mind.safe[cell]) for cell in near]
        if self.style == "FL":
            plans += self._chords(near)
            plans += self._habit_flags()
        return max(plans, key=self._appeal)

    def _appeal(self, plan: _Plan) -> float:
        target = plan.flags[0] if plan.flags else plan.cell
        effort = self.mind.safe[plan.cell].effort if plan.do is _Do.OPEN else EASY
        way = 1.0 + 0.22 * self.hand.distance_cells(target) + 0.15 * (effort - EASY)
        return plan.worth / way * (1.0 + 0.08 * self.rng.standard_normal())

    def _chords(self, near: list[int]) -> list[_Plan]:
        """Chords on numbers beside safe cells, where every mine is known."""
        mind, table = self.mind, self.table
        numbers = dict.fromkeys(other for cell in near for other in table.grid.around[cell] if not table.closed[other])
        plans = []
        for number in numbers:
            around = table.grid.around_mask[number]
            if around & mind.unknown:
                continue
            gains = [cell for cell in table.grid.around[number] if cell in mind.safe]
            flags = [cell for cell in indices(around & mind.mines) if cell not in table.flags]
            flags.sort(key=self.hand.distance_cells)
            worth = self.profile.chord_habit * len(gains) / (1 + len(flags))
            if worth > 0.7:
                insight = max((mind.safe[cell] for cell in gains), key=lambda reason: reason.since_ms)
                plans.append(_Plan(_Do.CHORD, number, worth, insight, tuple(flags)))
        return plans

    def _habit_flags(self) -> list[_Plan]:
        """Flags that no chord needs now; a game with flags begins with one, however short it is."""
        insight = Insight(EASY, self.hand.clock_ms - 300)
        if not self.flags_placed and self.mind.mines:
            return [_Plan(_Do.FLAG, min(indices(self.mind.mines), key=self.hand.distance_cells), 9.0, insight)]
        self.wanted_flags -= self.table.flags
        near = (cell for cell in sorted(self.wanted_flags) if self.hand.distance_cells(cell) < _FLAG_REACH)
        return [_Plan(_Do.FLAG, cell, 1.1, insight) for cell in near]

    def _guess(self) -> _Plan | None:
        """Return the cell to guess when the bot knows no safe one; ``None`` if its solver finds a safe cell after all.

        A lucky guess is not a mine.
        """
        lucky = self.must_win or self.rng.random() < self.profile.guess_luck
        if self.advisor is None:
            return self._by_thumb(self.mind.risks(), lucky)
        position = self._position()
        move = self.advisor.choose(position)
        chosen = [row * position.columns + column for row, column in move.cells]
        if move.reason is Reason.CERTAIN:
            self.mind.learn(chosen, self.hand.clock_ms)
            return None
        if lucky and self.table.is_mine(chosen[0]):
            chances = probabilities(position).mine.ravel()
            return self._by_thumb({cell: float(chances[cell]) for cell in indices(self.mind.unknown)}, lucky)
        return _Plan(_Do.OPEN, chosen[0], 1.0, Insight(GUESS, self.hand.clock_ms))

    def _position(self) -> Position:
        numbers = np.full(len(self.table.truth), CLOSED, np.uint8)
        for cell, number in self.mind.numbers.items():
            numbers[cell] = number
        return Position(numbers.reshape(self.table.grid.rows, -1), self.mind.mine_count)

    def _by_thumb(self, risks: dict[int, float], lucky: bool) -> _Plan:
        if lucky:
            risks = {cell: risk for cell, risk in risks.items() if not self.table.is_mine(cell)}
        whims = self.rng.uniform(0.0, 0.03, len(risks))
        costs = {
            cell: risk + 0.003 * self.hand.distance_cells(cell) + whim
            for (cell, risk), whim in zip(risks.items(), whims, strict=True)
        }
        cell = min(costs, key=lambda candidate: costs[candidate])
        return _Plan(_Do.OPEN, cell, 1.0, Insight(GUESS, self.hand.clock_ms))

    # --- clicking ---------------------------------------------------------------------------------------------------

    def _carry_out(self, plan: _Plan) -> None:
        self._think(plan.insight)
        if plan.do is _Do.OPEN:
            self._open(plan.cell)
        elif plan.do is _Do.FLAG:
            self._flag(plan.cell)
            self.hand.act(Kind.RIGHT_RELEASE)
        else:
            self._flag_and_chord(plan)

    def _open(self, cell: int) -> None:
        target = self._slip(cell)
        self.hand.point_at(target)
        self.hand.click(Kind.LEFT_PRESS, Kind.LEFT_RELEASE)
        self._look(self.table.open(target))

    def _slip(self, cell: int) -> int:
        """``cell``, or rarely a cell beside it."""
        if self.rng.random() >= self.profile.slip_rate:
            return cell
        around = self.table.grid.around[cell]
        hit = around[int(self.rng.integers(len(around)))]
        return cell if self.must_win and self.table.is_mine(hit) else hit

    def _flag(self, cell: int) -> None:
        """Press right on a cell; the button is still down afterwards."""
        self.hand.point_at(cell)
        self.hand.act(Kind.RIGHT_PRESS)
        self.table.toggle(cell)
        self.flags_placed += 1
        self.hand.hold()

    def _flag_and_chord(self, plan: _Plan) -> None:
        """Set the missing flags, then chord; the last flag's button may stay down (the 1.5 click)."""
        for cell in plan.flags[:-1]:
            self._flag(cell)
            self.hand.act(Kind.RIGHT_RELEASE)
        right_down = False
        if plan.flags:
            self._flag(plan.flags[-1])
            right_down = self.rng.random() < self.profile.one_half_click
            if not right_down:
                self.hand.act(Kind.RIGHT_RELEASE)
        self.hand.point_at(plan.cell)
        self._chord(plan.cell, right_down=right_down)

    def _chord(self, cell: int, *, right_down: bool) -> None:
        """Both buttons down; the first one up chords, the other follows if the game goes on."""
        left_first = not right_down and self.rng.random() < 0.3
        if left_first:
            self.hand.act(Kind.LEFT_PRESS)
        if not right_down:
            self.hand.hold(0.3)
            self.hand.act(Kind.RIGHT_PRESS)
        if not left_first:
            self.hand.hold(0.3)
            self.hand.act(Kind.LEFT_PRESS)
        self.hand.hold()
        releases = [Kind.LEFT_RELEASE, Kind.RIGHT_RELEASE]
        if left_first and self.rng.random() < 0.5:
            releases.reverse()
        self.hand.act(releases[0])
        self._look(self.table.chord(cell))
        if not self.table.over:
            self.hand.hold(0.3)
            self.hand.act(releases[1])

    def _waste(self) -> None:
        """Make a useless click, as people do."""
        self.hand.wait(0.4 * self.profile.reaction_ms * self.profile.pace)
        here = self._cell_here()
        if self.style == "NF" or self.rng.random() < 0.4:
            if not self.table.closed[here]:
                self.hand.click(Kind.LEFT_PRESS, Kind.LEFT_RELEASE)
        elif here in self.table.flags:
            self._flag(here)
            self.hand.act(Kind.RIGHT_RELEASE)
            self.hand.hold(1.5)
            self._flag(here)
            self.hand.act(Kind.RIGHT_RELEASE)
        elif not self.table.closed[here]:
            self._chord(here, right_down=False)

    def _cell_here(self) -> int:
        return self.hand.y_px // CELL_PX * self.table.grid.columns + self.hand.x_px // CELL_PX


def _deal(rng: Generator, level: Level, first: int) -> Table:
    """A new board; one that the first click would solve is drawn again, since nobody uploads such a game."""
    while True:
        table = Table(draw_board(rng, level, first))
        if board_facts(table.board).bv > 1:
            return table


def _first_cell(rng: Generator, rows: int, columns: int) -> int:
    row = int(np.clip(rng.normal(rows / 2, rows / 6), 0, rows - 1))
    column = int(np.clip(rng.normal(columns / 2, columns / 6), 0, columns - 1))
    return row * columns + column
