"""The fitted chance to win: what games teach, and that the kernel reads what the fit wrote."""

from __future__ import annotations

from itertools import islice

import numpy as np

from analysis.kernels.solver import EXPECTED, LOGGED, SURVIVED, WHY, WORTH
from analysis.kernels.solver_guess import BY_ENDGAME, BY_LOOK_AHEAD, FEATURES, fitted_chance
from analysis.solver import Options, Strength
from analysis.solver.fit import Lessons, fit, gathered, lessons_of, play
from analysis.solver.strength import fitted


def a_log(*guesses: tuple[int, float, float, float]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    log = np.zeros((len(guesses), LOGGED))
    for row, (why, worth, survived, expected) in enumerate(guesses):
        log[row, :FEATURES] = row
        log[row, [WHY, WORTH, SURVIVED, EXPECTED]] = why, worth, survived, expected
    return log


def test_a_guess_teaches_what_the_next_is_worth() -> None:
    log = a_log((BY_LOOK_AHEAD, 0.5, 1, 0.5), (BY_LOOK_AHEAD, 0.6, 1, 0.55), (BY_LOOK_AHEAD, 0.7, 0, 0.65))
    lessons = lessons_of(log, won=False, trusted=True)
    assert lessons.chances.tolist() == [0.55, 0.65]  # the last guess was not survived: no position follows it
    assert lessons.positions[:, 0].tolist() == [0, 1]
    assert lessons_of(log, won=False, trusted=False).chances.tolist() == [0, 0]


def test_perfect_play_stands_for_the_outcome() -> None:
    log = a_log((BY_LOOK_AHEAD, 0.5, 1, 0.5), (BY_ENDGAME, 0.8, 1, 0.4), (BY_ENDGAME, 1.0, 1, 0.9))
    assert lessons_of(log, won=True, trusted=False).chances.tolist() == [0.8]


def test_a_game_without_guesses_teaches_nothing() -> None:
    assert lessons_of(a_log(), won=True, trusted=True).chances.size == 0


def test_games_teach_positions_that_can_be_fitted() -> None:
    taught = gathered(islice(play(Options(Strength.FAR), fitted(), 40, first_seed=3), 40))
    assert taught.positions.shape == (len(taught.chances), FEATURES)
    assert np.isfinite(taught.positions).all()
    assert ((taught.chances >= 0) & (taught.chances <= 1)).all()
    assert len(taught.chances) > 20


def test_the_kernel_computes_what_was_fitted() -> None:
    rng = np.random.default_rng(1)
    positions = rng.random((6000, FEATURES))
    positions[:, 0] = rng.random(6000) < 0.5
    survive = np.where(positions[:, 0] > 0, 1.0, positions[:, 2])
    chances = survive / (1 + np.exp(1.5 * positions[:, 4] - 2 * positions[:, 6]))
    net = fit(Lessons(positions, chances), rng)
    told = np.array([fitted_chance(position, net) for position in positions])
    assert np.abs(told - chances).mean() < 0.02
    assert np.corrcoef(told, chances)[0, 1] > 0.99
