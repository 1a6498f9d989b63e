"""The fitted chance to win: its training data, and that the kernel reads the file of the fit."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from analysis.kernels.solver_after import ANY_SAFE, BEST_CHANCE, FEATURES, LOG2_LAYOUTS
from analysis.kernels.solver_guess import fitted_chance
from analysis.solver import Options, Strength
from analysis.solver.strength import fitted
from tests.bench.fit_solver import Lessons, fit, gathered, play

UNTAUGHT = np.zeros((1, FEATURES + 2))


@pytest.mark.long(beside="tests/analysis/solver/test_fit.py::test_the_kernel_computes_what_was_fitted")
def test_without_a_network_games_teach_how_they_ended() -> None:
    taught = gathered(islice(play(Options(Strength.FAR), UNTAUGHT, 200, first_seed=3), 20))
    assert len(taught.chances) > 20
    assert set(taught.chances) == {0, 1}


@pytest.mark.long(beside="tests/analysis/solver/test_fit.py::test_the_kernel_computes_what_was_fitted")
def test_a_position_with_one_layout_is_won() -> None:
    taught = gathered(islice(play(Options(Strength.FULL, most_layouts=0), fitted(), 200, first_seed=3), 60))
    only_one = taught.positions[:, LOG2_LAYOUTS] < 1e-6
    assert only_one.any()
    assert (taught.chances[only_one] == 1).all()


@pytest.mark.long(beside="tests/analysis/solver/test_fit.py::test_the_kernel_computes_what_was_fitted")
@pytest.mark.parametrize("strength", [Strength.FAR, Strength.FULL])
def test_the_same_games_teach_the_same(strength: Strength) -> None:
    net = fitted() if strength is Strength.FULL else UNTAUGHT
    one, two = (gathered(islice(play(Options(strength), net, 100, first_seed=9), 5)) for _ in range(2))
    assert np.array_equal(one.positions, two.positions)
    assert np.array_equal(one.chances, two.chances)


@pytest.mark.long(beside="tests/analysis/solver/test_fit.py::test_the_kernel_computes_what_was_fitted")
def test_games_teach_positions_that_can_be_fitted() -> None:
    taught = gathered(islice(play(Options(Strength.FAR), fitted(), 40, first_seed=3), 40))
    assert taught.positions.shape == (len(taught.chances), FEATURES)
    assert np.isfinite(taught.positions).all()
    assert ((taught.chances >= 0) & (taught.chances <= 1)).all()
    assert len(taught.chances) > 20
    stuck = taught.positions[:, ANY_SAFE] == 0
    assert (taught.chances[stuck] <= taught.positions[stuck, BEST_CHANCE] + 1e-9).all()


def test_the_kernel_computes_what_was_fitted() -> None:
    rng = np.random.default_rng(1)
    positions = rng.random((6000, FEATURES))
    positions[:, 0] = rng.random(6000) < 0.5
    survive = np.where(positions[:, 0] > 0, 1.0, positions[:, 2])
    chances = survive / (1 + np.exp(1.5 * positions[:, 4] - 2 * positions[:, 6]))
    net = fit(Lessons(positions, chances), rng)
    fitted = np.array([fitted_chance(position, net) for position in positions])
    assert np.abs(fitted - chances).mean() < 0.02
    assert np.corrcoef(fitted, chances)[0, 1] > 0.99
