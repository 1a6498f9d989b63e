"""Looking ahead gives the same as counting the whole position again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.kernels.probability import ANSWERED, MAX_WEIGHTS, Odds, odds_of
from analysis.kernels.probability_front import CLOSED, SAFE, UNDECIDED
from analysis.kernels.solver import open_certain, true_numbers
from analysis.kernels.solver_after import BEST_CHANCE, FEATURES, SAFE_CELLS, SECOND_CHANCE, numbers_after
from analysis.kernels.solver_ahead import look_ahead
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


@given(SEEDS, st.sampled_from(SHAPES[2:]))
@settings(max_examples=examples(60))
def test_what_becomes_certain_and_what_is_safest_is_found(seed: int, shape: tuple[int, int, int]) -> None:
    """On the patch itself exactly; elsewhere nearly, as only the count of mines that are left changes there."""
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
            status, closed = after.status.ravel(), table.seen == CLOSED
            closed[cell] = False
            assert rows[number, SAFE_CELLS] == (closed & (status == SAFE)).sum()
            chances_left = np.sort(1 - after.mine.ravel()[closed & (status == UNDECIDED)])[::-1]
            assert rows[number, BEST_CHANCE] == pytest.approx(chances_left[0], abs=0.05)
            assert rows[number, SECOND_CHANCE] == pytest.approx(chances_left[1], abs=0.05)
