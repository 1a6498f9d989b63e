"""How ``worth.csv`` was made: games are played, and the chance to win after a guess is fitted to how they went on.

    python -m analysis.solver.fit --games 16000 --rounds 2 --out worth.csv

The chance to win a position is the chance that its safest cell is safe (1 if one is certain) times a small network of
the numbers that ``solver_guess.describe`` gives.  In the first round each position right after a guess is taught how its
game ended; later what the next guess of its game was expected to be worth, by the network of the round before, which is
far less noisy.  Where perfect play begins, its exact chance stands for the outcome.  The boards have seeds of their own; no board of a bench is among them.

The file that is kept was fitted in this way to 128,000 positions of several rounds with settings that changed between
them, so that this command makes an equal of it, not the same numbers.
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

from analysis.kernels import solver as kernels
from analysis.kernels.solver_guess import BY_ENDGAME, FEATURES
from analysis.recording import Level
from analysis.solver.boards import Rules, generate, start_of
from analysis.solver.strength import Options, Strength

Floats = NDArray[np.float64]

#: Which games, and which part of all; the smaller boards are there so that nothing has to be extrapolated to them.
MIX: tuple[tuple[Level, Rules, float], ...] = (
    (Level.EXPERT, Rules.XP, 0.45),
    (Level.EXPERT, Rules.WIN7, 0.25),
    (Level.INTERMEDIATE, Rules.XP, 0.08),
    (Level.INTERMEDIATE, Rules.WIN7, 0.07),
    (Level.BEGINNER_9X9, Rules.XP, 0.08),
    (Level.BEGINNER_9X9, Rules.WIN7, 0.07),
)
FIRST_SEED = 500_000_000
MOST_GUESSES = 40
UNITS, PASSES, BATCH = 12, 40, 1024
RATE, DECAY = 3e-3, 1e-3
STEADY, STEADIER = 0.9, 0.999  # of Adam's two means


class Lessons(NamedTuple):
    """``positions``: float64, shape (any, FEATURES), right after a guess; ``chances``: float64, what is to be learnt."""

    positions: Floats
    chances: Floats


def lessons_of(log: Floats, won: bool, trusted: bool) -> Lessons:
    """What one game teaches; ``log``: the guesses as ``solver.play`` wrote them down; ``trusted``: so is their network."""
    endgame = np.flatnonzero(log[:, kernels.WHY] == BY_ENDGAME)
    final = float(won)
    if endgame.size:  # from there on the chance is known exactly
        final = float(log[endgame[0], kernels.WORTH])
        log = log[: endgame[0]]
    chances = np.full(len(log), final)
    if trusted:
        chances[:-1] = log[1:, kernels.EXPECTED]
    survived = log[:, kernels.SURVIVED] > 0
    return Lessons(log[survived, :FEATURES], chances[survived])


def play(options: Options, net: Floats, games: int, first_seed: int) -> Iterator[Lessons]:
    """Lessons of ``games`` games; without a network, of their outcomes."""
    trusted = len(net) > 1
    style, seed = options.style(), first_seed
    for level, rules, part in MIX:
        row, column = start_of(level, rules)
        for _ in range(round(games * part)):
            mines = generate(level, rules, seed).mines.copy()
            log = np.zeros((MOST_GUESSES, kernels.LOGGED))
            game, _ = kernels.play(mines, row * mines.shape[1] + column, 0, style, net, log)
            yield lessons_of(log[: game.guesses], bool(game.won), trusted)
            seed += 1


def gathered(lessons: Iterator[Lessons]) -> Lessons:
    every = list(lessons)
    return Lessons(
        np.concatenate([lesson.positions for lesson in every]), np.concatenate([lesson.chances for lesson in every])
    )


def fit(lessons: Lessons, rng: np.random.Generator) -> Floats:
    """A network by Adam on the likelihood of the chances; float64, shape (UNITS + 1, FEATURES + 2)."""
    mean, spread = lessons.positions.mean(axis=0), lessons.positions.std(axis=0) + 1e-9
    inputs = (lessons.positions - mean) / spread
    survive = np.where(lessons.positions[:, 0] > 0, 1.0, lessons.positions[:, 2])
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
            slopes = _slopes(weights, inputs[batch], survive[batch], lessons.chances[batch])
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
