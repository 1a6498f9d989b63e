"""Matches of the solver: many games on boards that follow from a seed, played by several processes.

A game is the same whichever process plays it: its board and its guesses follow from the seed of the match and its own
number.  Only the times differ.
"""

from __future__ import annotations

import math
import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice

import numpy as np

from analysis.recording import Board, Level
from analysis.solver import Options, Rules, Solver, Strength, generate

Z_95 = 1.959964  # of the normal distribution
BINS = 10
_CHUNK = 25  # games that a process plays at a time: a stop waits for no more
_AHEAD = 4  # chunks that wait for each process


@dataclass(frozen=True, slots=True)
class Match:
    level: Level
    rules: Rules
    strength: Strength
    seed: int

    def deal(self, number: int) -> tuple[Board, Options]:
        """Return the board of game ``number``, which is the same for every strength, and its player.

        Raises ``NoSuchBoard`` if no board without guesses is found.
        """
        board_seed, guess_seed = np.random.SeedSequence((self.seed, number)).generate_state(2, np.uint32).tolist()
        return generate(self.level, self.rules, board_seed), Options(self.strength, seed=guess_seed)

    def play(self, number: int) -> Game:
        """Game ``number``; raises as :meth:`deal`."""
        board, options = self.deal(number)
        solver = Solver(options)
        started = time.thread_time()  # of this process alone: other work of the machine does not count
        played = solver.play(board, rules=self.rules)
        time_ms = (time.thread_time() - started) * 1e3
        return Game(played.won, played.guesses, played.explored, time_ms)

    def games(self, count: int, jobs: int) -> Iterator[list[Game]]:
        """The first ``count`` games in their order, some at a time, by ``jobs`` processes."""
        chunks = (range(first, min(first + _CHUNK, count)) for first in range(0, count, _CHUNK))
        self.warm_up()  # before processes start, that they do not all compile the same
        # One job is a process of its own too: an interrupt in the middle of a kernel ends the process that runs it.
        # Fresh processes: forking one that has threads (the progress bar's) may lock up.
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(jobs, mp_context=context, initializer=_leave_stopping_to_parent) as pool:
            # A few chunks ahead and no more: ten million games would be a gigabyte of tasks before the first is played.
            waiting = deque(pool.submit(self._chunk, numbers) for numbers in islice(chunks, _AHEAD * jobs))
            try:
                while waiting:
                    played = waiting.popleft().result()
                    waiting.extend(pool.submit(self._chunk, numbers) for numbers in islice(chunks, 1))
                    yield played
            finally:
                pool.shutdown(cancel_futures=True)

    def _chunk(self, numbers: Sequence[int]) -> list[Game]:
        self.warm_up()  # loading compiled code is not playing
        return [self.play(number) for number in numbers]

    @staticmethod
    def warm_up() -> None:
        """One short game that does not count."""
        Solver().play(generate((3, 3, 1), Rules.XP, 0))


@dataclass(frozen=True, slots=True)
class Game:
    """The result of one game; ``explored``: part of the safe cells that was opened; ``time_ms``: of computing."""

    won: bool
    guesses: int
    explored: float
    time_ms: float


@dataclass(frozen=True, slots=True)
class Score:
    """The statistics of the games of a match.

    ``interval``: Wilson's interval of 95 % for the chance to win.  ``lost_explored``: lost games by the tenth of the
    board that was open at their end.
    """

    games: int
    wins: int
    guesses_a_game: float
    ms_a_game: float
    interval: tuple[float, float]
    lost_explored: tuple[int, ...]

    @classmethod
    def of(cls, games: Sequence[Game]) -> Score:
        wins = sum(game.won for game in games)
        lost = [0] * BINS
        for game in games:
            if not game.won:
                lost[min(BINS - 1, int(game.explored * BINS))] += 1
        return cls(
            games=len(games),
            wins=wins,
            guesses_a_game=sum(game.guesses for game in games) / len(games),
            ms_a_game=sum(game.time_ms for game in games) / len(games),
            interval=wilson(wins, len(games)),
            lost_explored=tuple(lost),
        )

    @property
    def win_rate(self) -> float:
        return self.wins / self.games


def wilson(wins: int, games: int) -> tuple[float, float]:
    """The interval of 95 % for a share, which stays between 0 and 1 also where all or none were won (Wilson 1927)."""
    share, z2 = wins / games, Z_95 * Z_95
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    reach = Z_95 * math.sqrt(share * (1 - share) / games + z2 / (4 * games * games)) / (1 + z2 / games)
    return middle - reach if wins else 0.0, middle + reach if wins < games else 1.0


def _leave_stopping_to_parent() -> None:
    """Ctrl-C goes to all processes; only the first one reacts, and stops the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
