"""The judge of puzzles beside its twin, which tries all layouts."""

from __future__ import annotations

import numpy as np
import pytest

from analysis import formats
from analysis.luck import luck_of, snapshot_at
from analysis.probability import Position, probabilities
from analysis.recording import Level
from replays.watch.training.verdict import verdict_on
from tests.naive_probability import MAX_CLOSED, naive_answer, random_position
from tests.replays.games import game_file


def right_cells(position: Position) -> tuple[bool, set[tuple[int, int]]]:
    """Return whether some cell is safe in all layouts, and which cells are right, in whole fractions."""
    answer = naive_answer(position)
    assert answer is not None
    least = min(answer.mine.values())
    return least == 0, {cell for cell, risk in answer.mine.items() if risk == least}


def assert_equal(position: Position) -> bool:
    provable, right = right_cells(position)
    found = probabilities(position)
    for row, column in np.argwhere(position.closed).tolist():
        verdict = verdict_on(found, (row, column))
        assert (verdict.provable, set(verdict.best), verdict.right) == (provable, right, (row, column) in right)
    return provable


def test_random_positions() -> None:
    rng = np.random.default_rng(28)
    kinds = {assert_equal(random_position(rng, 12)) for _ in range(60)}
    assert kinds == {True, False}


@pytest.mark.usefixtures("luck_compiled")
def test_slips_of_real_games() -> None:
    """Positions before the clicks of games that took a risk and are small enough for the twin."""
    seen = 0
    for seed in range(1, 40):
        if seen >= 5:
            break
        recording = formats.read(game_file(seed, Level.BEGINNER))
        for click in luck_of(recording).clicks[1:]:
            position = snapshot_at(recording, click.event).position
            if position is not None and click.risk > 0 and position.closed.sum() <= MAX_CLOSED:
                assert_equal(position)
                seen += 1
    assert seen >= 5
