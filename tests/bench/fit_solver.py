"""Maker of files like ``worth.csv``: plays games, and fits the chance to win after a guess to how they went.

    python -m tests.bench.fit_solver --games 20000 --rounds 2 --out worth.csv

The chance to win a position is the chance that its safest cell is safe (1 if one is certain) times a small network of
the numbers that ``solver_after`` gives.  At every guess of a game the cell chosen and some others are tried on the true
board, which is as likely as any other that agrees with what is seen.  In the first round the position after a try is
taught how the game ends when it is played on from there; later what the next guess is expected to be worth, by the
network of the round before, which is far less noisy.  Where perfect play begins, its exact chance stands for it.  The
boards have seeds of their own; no board of a bench is among them.

The file ``worth.csv`` of the solver was not written by this command but by a forerunner of the same method, from
241,000 positions of 20,900 games, those of its last two rounds.  It drew the cells that were tried in another way, held
out a tenth of the games to know when to stop, and played perfectly from 400 layouts on; the round before had only the cells
chosen, of 50,000 games.  So the numbers of this command differ; whether its network wins as often was not measured.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.board import plain_mines
from analysis.kernels import solver as kernels
from analysis.kernels import solver_guess as guess
from analysis.kernels.grid import MINE
from analysis.kernels.probability import Odds
from analysis.kernels.probability_front import CLOSED
from analysis.kernels.solver_after import FEATURES
from analysis.kernels.solver_ahead import look_ahead
from analysis.kernels.solver_table import OPENED, Table, neighbours, open_cell, table_of
from analysis.recording import Board, Level
from analysis.solver.boards import Cell, Rules, generate, start_of
from analysis.solver.strength import Options, Strength

Floats = NDArray[np.float64]

#: Which games, and which part of all; the smaller boards are there so that nothing has to be extrapolated to them.
MIX: tuple[tuple[Level, Rules, float], ...] = (
    (Level.EXPERT, Rules.XP, 0.32),
    (Level.EXPERT, Rules.WIN7, 0.47),
    (Level.INTERMEDIATE, Rules.XP, 0.07),
    (Level.INTERMEDIATE, Rules.WIN7, 0.05),
    (Level.BEGINNER_9X9, Rules.XP, 0.05),
    (Level.BEGINNER_9X9, Rules.WIN7, 0.04),
)
FIRST_SEED = 500_000_000
TRIES = 8  # others at each guess
UNITS, PASSES, BATCH = 24, 40, 1024
RATE, DECAY = 4e-3, 1e-3
STEADY, STEADIER = 0.9, 0.999  # of Adam's two means


def _copy_of(table: Table) -> Table:
    """The same position, to be played on by itself."""
    grid = table.grid.copy()
    return table._replace(
        grid=grid, seen=grid.reshape(grid.size), stack=table.stack.copy(), waiting=table.waiting.copy(),
        safe=table.safe.copy(), flood=table.flood.copy(), counts=table.counts.copy(),
    )  # fmt: skip


class Lessons(NamedTuple):
    """``positions``: float64, shape (any, FEATURES), right after a guess; ``chances``: float64, what is to be learnt."""

    positions: Floats
    chances: Floats


class Teacher:
    """Plays games and collects training data.

    ``net``: the network of the round before; with a single row there is none yet, and games are played to their ends
    instead.
    """

    def __init__(self, options: Options, net: Floats) -> None:
        self.net, self.trusted = net, len(net) > 1
        self._style = options.style()
        self._wide = replace(options, margin=0.8, candidates=40).style()
        self._fitted = replace(options, strength=Strength.FULL, fitted=1.0).style()
        self._rows = np.zeros((9, FEATURES))

    def lessons(self, board: Board, first: Cell, rng: np.random.Generator) -> Lessons:
        """Play a game, and before each guess try it and some others.

        All boards that agree with a position are equally likely, and so is the true one: whatever guess is tried on it,
        and is safe, shows a fair sample of what follows.
        """
        near = neighbours(board.rows, board.columns)
        numbers = kernels.true_numbers(plain_mines(board).copy(), near)
        table = table_of(np.full((board.rows, board.columns), CLOSED, np.uint8), near)
        cell = first[0] * board.columns + first[1]
        positions, chances = [], []
        while open_cell(table, numbers, cell):
            odds, _, _ = kernels.open_certain(table, numbers, board.mine_count, self._style)
            if self._won(table, board):
                break
            cell, why, _ = guess.best_guess(table, odds, board.mine_count, self._style, self.net)
            if why == guess.BY_ENDGAME:
                break
            others = guess.candidates_of(table, odds, self._wide.margin, self._wide.candidates)
            for tried in [cell, *rng.choice(others, min(TRIES, len(others)), replace=False)]:
                if numbers[tried] != MINE:
                    self._score(table, int(tried), odds, board)
                    positions.append(self._rows[numbers[tried]].copy())
                    chances.append(self._chance(_copy_of(table), numbers, int(tried), board))
        return Lessons(np.array(positions).reshape(-1, FEATURES), np.array(chances))

    @staticmethod
    def _won(table: Table, board: Board) -> bool:
        return bool(table.counts[OPENED] == board.rows * board.columns - board.mine_count)

    def _score(self, table: Table, cell: int, odds: Odds, board: Board) -> float:
        """Compute the value of a guess by the network alone; the position after each number is left in ``_rows``."""
        ahead = look_ahead(table, odds, guess.mines_left(table, board.mine_count))
        return float(guess.score(table, cell, odds, ahead, self._fitted, self.net, self._rows))

    def _chance(self, table: Table, numbers: NDArray[np.uint8], cell: int, board: Board) -> float:
        """Return the chance to win after opening a safe cell; with no network yet, 1 or 0 by playing to the end."""
        if not self.trusted:
            return float(kernels.finish(table, numbers, cell, board.mine_count, 0, self._style, self.net).won)
        open_cell(table, numbers, cell)
        odds, _, _ = kernels.open_certain(table, numbers, board.mine_count, self._style)
        if self._won(table, board):
            return 1.0
        following, why, value = guess.best_guess(table, odds, board.mine_count, self._style, self.net)
        return float(value) if why == guess.BY_ENDGAME else self._score(table, int(following), odds, board)


def play(options: Options, net: Floats, games: int, first_seed: int) -> Iterator[Lessons]:
    """Play ``games`` games in the proportions of ``MIX`` and yield the lessons of each."""
    teacher, seed = Teacher(options, net), first_seed
    for level, rules, part in MIX:
        for _ in range(round(games * part)):
            yield teacher.lessons(generate(level, rules, seed), start_of(level, rules), np.random.default_rng(seed))
            seed += 1


def gathered(taught: Iterator[Lessons]) -> Lessons:
    every = list(taught)
    return Lessons(
        np.concatenate([lesson.positions for lesson in every]), np.concatenate([lesson.chances for lesson in every])
    )


def fit(taught: Lessons, rng: np.random.Generator) -> Floats:
    """A network by Adam on the likelihood of the chances; float64, shape (UNITS + 1, FEATURES + 2)."""
    mean, spread = taught.positions.mean(axis=0), taught.positions.std(axis=0) + 1e-9
    inputs = (taught.positions - mean) / spread
    survive = np.where(taught.positions[:, 0] > 0, 1.0, taught.positions[:, 2])
    weights = [
        rng.normal(size=(FEATURES, UNITS)) / FEATURES**0.5,
        np.zeros(UNITS),
        0.3 * rng.normal(size=UNITS) / UNITS**0.5,
        np.zeros(1),
    ]
    first, second = [np.zeros_like(part) for part in weights], [np.zeros_like(part) for part in weights]
    steps, step = PASSES * -(-len(inputs) // BATCH), 0
    for _ in range(PASSES):
        order = rng.permutation(len(inputs))
        for begin in range(0, len(order), BATCH):
            batch = order[begin : begin + BATCH]
            step += 1
            rate = RATE * (1 + np.cos(np.pi * step / steps)) / 2
            slopes = _slopes(weights, inputs[batch], survive[batch], taught.chances[batch])
            for index, slope in enumerate(slopes):
                first[index] = STEADY * first[index] + (1 - STEADY) * slope
                second[index] = STEADIER * second[index] + (1 - STEADIER) * slope**2
                change = first[index] / (1 - STEADY**step) / (np.sqrt(second[index] / (1 - STEADIER**step)) + 1e-8)
                decay = DECAY * weights[index] if index in (0, 2) else 0.0
                weights[index] = weights[index] - rate * (change + decay)
    net = np.zeros((UNITS + 1, FEATURES + 2))
    net[:UNITS, :FEATURES] = (weights[0] / spread[:, None]).T
    net[:UNITS, FEATURES] = weights[1] - (mean / spread) @ weights[0]
    net[:UNITS, FEATURES + 1] = weights[2]
    net[UNITS, 0] = weights[3][0]
    return net


def _slopes(weights: list[Floats], inputs: Floats, survive: Floats, chances: Floats) -> list[Floats]:
    """The gradient of the mean negative log likelihood."""
    inside = inputs @ weights[0] + weights[1]
    bend = 1 + np.abs(inside)
    outside = inside / bend
    rest = 1 / (1 + np.exp(-(outside @ weights[2] + weights[3])))
    fitted = np.clip(survive * rest, 1e-5, 1 - 1e-5)
    slope = (fitted - chances) / (fitted * (1 - fitted)) * survive * rest * (1 - rest)
    slope = np.clip(slope, -10, 10) / len(inputs)
    back = slope[:, None] * weights[2] / bend**2
    return [inputs.T @ back, back.sum(axis=0), outside.T @ slope, slope.sum(keepdims=True)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=16_000, help="of each round")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    net = np.zeros((1, FEATURES + 2))
    options = Options(Strength.FAR)  # it needs no network
    for round_ in range(given.rounds):
        taught = gathered(play(options, net, given.games, FIRST_SEED + round_ * given.games * 2))
        net = fit(taught, np.random.default_rng(round_))
        options = replace(options, strength=Strength.FULL)
        sys.stdout.write(f"round {round_ + 1}: {len(taught.chances)} positions\n")
    np.savetxt(given.out, net, delimiter=",", fmt="%.6g")
    return 0


if __name__ == "__main__":
    sys.exit(main())
