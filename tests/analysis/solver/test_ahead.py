"""Looking ahead gives the same as counting the whole position again."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from analysis.kernels.probability import ANSWERED, MAX_WEIGHTS, Odds, odds_of
from analysis.kernels.probability_front import CLOSED, SAFE, UNDECIDED
from analysis.kernels.solver import open_certain, true_numbers
from analysis.kernels.solver_after import (
    ANY_SAFE,
    BESIDE_SAFE,
    FAR_CHANCE,
    FEATURES,
    LOG2_LAYOUTS,
    SAFE_CELLS,
    UNDECIDED_DENSITY,
    numbers_after,
)
from analysis.kernels.solver_ahead import look_ahead
from analysis.kernels.solver_facts import one_of_two, pair_loss
from analysis.kernels.solver_guess import mines_left
from analysis.kernels.solver_table import OPENED, Table, neighbours, open_cell, table_of
from analysis.solver import Options, Rules, generate
from tests.effort import examples

SHAPES = [(6, 6, 8), (8, 8, 10), (16, 16, 40), (16, 30, 99)]
SEEDS = st.integers(0, 10**6)


def stuck_table(seed: int, shape: tuple[int, int, int]) -> tuple[Table, Odds] | None:
    """A position without certain cells: of a board played by certain cells and guesses that happen to be safe."""
    rng = np.random.default_rng(seed)
    mines = generate(shape, Rules.XP, seed).mines.copy()
    near = neighbours(*mines.shape)
    numbers = true_numbers(mines, near)
    table = table_of(np.full(mines.shape, CLOSED, np.uint8), near)
    open_cell(table, numbers, 0)
    for _ in range(rng.integers(1, 8)):
        odds, _, _ = open_certain(table, numbers, shape[2], Options().style())
        if table.counts[OPENED] == mines.size - shape[2]:
            return None
        open_cell(table, numbers, int(rng.choice(np.flatnonzero((table.seen == CLOSED) & (mines.ravel() == 0)))))
    odds, _, _ = open_certain(table, numbers, shape[2], Options().style())
    return None if table.counts[OPENED] == mines.size - shape[2] else (table, odds)


def counted_again(table: Table, cell: int, mines: int) -> list[Odds]:
    """The probabilities after each number, of the whole position."""
    odds = []
    for number in range(9):
        table.seen[cell] = number
        odds.append(odds_of(table.grid, mines, True, MAX_WEIGHTS))
    table.seen[cell] = CLOSED
    return odds


@given(SEEDS, st.sampled_from(SHAPES))
@settings(max_examples=examples(60))
def test_numbers_are_as_likely_as_their_layouts(seed: int, shape: tuple[int, int, int]) -> None:
    stuck = stuck_table(seed, shape)
    if stuck is None:
        return
    table, odds = stuck
    ahead = look_ahead(table, odds, mines_left(table, shape[2]))
    rows = np.zeros((9, FEATURES))
    for cell in np.flatnonzero(table.seen == CLOSED)[:12]:
        before = table.seen.copy()
        chances = numbers_after(table, ahead, int(cell), odds, rows)
        assert np.array_equal(table.seen, before)
        assert chances.sum() == pytest.approx(1 - odds.mine.flat[cell], abs=1e-11)
        for number, after in enumerate(counted_again(table, int(cell), shape[2])):
            expected = 2.0 ** (after.log2_layouts - odds.log2_layouts) if after.verdict == ANSWERED else 0.0
            assert chances[number] == pytest.approx(expected, abs=1e-11)
            if expected > 0:
                assert rows[number, LOG2_LAYOUTS] * 100 == pytest.approx(after.log2_layouts, abs=1e-6)
                if 0 < after.elsewhere < 1:
                    assert rows[number, FAR_CHANCE] == pytest.approx(1 - after.elsewhere, abs=1e-9)


@given(SEEDS, st.sampled_from(SHAPES[2:]))
@settings(max_examples=examples(60))
def test_what_becomes_certain_is_counted(seed: int, shape: tuple[int, int, int]) -> None:
    """On the patch itself exactly; elsewhere a cell may become certain by the count of mines alone, near the end."""
    stuck = stuck_table(seed, shape)
    if stuck is None or stuck[1].log2_layouts < 30:
        return
    table, odds = stuck
    ahead = look_ahead(table, odds, mines_left(table, shape[2]))
    rows = np.zeros((9, FEATURES))
    for cell in np.flatnonzero(table.seen == CLOSED)[:12]:
        chances = numbers_after(table, ahead, int(cell), odds, rows)
        for number, after in enumerate(counted_again(table, int(cell), shape[2])):
            if chances[number] == 0 or after.log2_layouts < 30 or not 0 < after.elsewhere < 1:
                continue
            safe, undecided, beside = certain(table, int(cell), after)
            assert rows[number, ANY_SAFE] == (safe > 0)
            assert rows[number, SAFE_CELLS] == pytest.approx(math.log(1 + safe))
            assert rows[number, BESIDE_SAFE] == pytest.approx(math.log(1 + beside))
            assert rows[number, UNDECIDED_DENSITY] * undecided == pytest.approx(
                float(after.mine[(table.grid == CLOSED) & (after.status == UNDECIDED)].sum())
            )


def certain(table: Table, cell: int, after: Odds) -> tuple[int, int, int]:
    """Certainly safe cells, undecided ones, and how often one is beside the other."""
    status: NDArray[np.int8] = np.where(table.seen == CLOSED, after.status.ravel(), 0)
    status[cell] = 0
    beside = 0
    for safe in np.flatnonzero(status == SAFE):
        beside += int((status[table.near[safe, : table.near[safe, 8]]] == UNDECIDED).sum())
    return int((status == SAFE).sum()), int((status == UNDECIDED).sum()), beside


@pytest.mark.parametrize(
    ("chances", "size", "expected"),
    [([0, 1, 0], 2, 1.0), ([0.25, 0.5, 0.25], 2, 0.5), ([0, 1, 0, 0], 3, 2 / 3), ([0, 0, 0, 1], 3, 0.0)],
)
def test_one_of_two_cells_of_a_box(chances: list[float], size: int, expected: float) -> None:
    padded = np.zeros(9)
    padded[: len(chances)] = chances
    assert one_of_two(padded, size) == pytest.approx(expected)


def test_a_pair_is_lost_in_half_of_the_games_if_nothing_can_tell() -> None:
    """Two cells in a corner, one of them a mine: only the cell beside the second may tell which."""
    near = neighbours(1, 4)
    table = table_of(np.full((1, 4), CLOSED, np.uint8), near)
    risks = np.array([0.5, 0.5, 0.2, 0.1])
    assert pair_loss(table, risks, 0, 1, 1.0) == pytest.approx(-math.log(1 - 0.5 * 0.2))
    risks[2] = 1.0
    assert pair_loss(table, risks, 0, 1, 1.0) == pytest.approx(math.log(2))
    risks[2] = 0.0
    assert pair_loss(table, risks, 0, 1, 1.0) == 0.0
