"""Mine probabilities: small positions against all layouts, large ones against reference results."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from analysis.errors import LimitExceeded
from analysis.kernels import probability as kernels
from analysis.kernels.probability_front import MINE, SAFE, SETTLED
from analysis.probability import Position, exact, exact_fractions, probabilities
from tests.analysis.probability import oracles
from tests.analysis.probability.oracles import needs_oracles
from tests.effort import examples
from tests.naive_probability import naive_answer, random_position

seeds = st.integers(0, 2**32 - 1)


def assert_equals_exact(position: Position, *, trust_flags: bool = False) -> None:
    """The result in floating point equals that in integers, certain cells included."""
    answer, counted = probabilities(position, trust_flags=trust_flags), exact(position, trust_flags=trust_flags)
    mine = np.array([[float(chance) for chance in row] for row in counted.mine])
    np.testing.assert_allclose(answer.mine, mine, rtol=0, atol=1e-12)
    zero = np.array([[chance == 0 for chance in row] for row in counted.mine])
    one = np.array([[chance == 1 for chance in row] for row in counted.mine])
    assert np.array_equal(answer.certain_safe, zero & position.closed)
    assert np.array_equal(answer.certain_mine, one)
    assert answer.frontier_distribution == pytest.approx({m: float(c) for m, c in counted.frontier.items()}, abs=1e-12)
    assert (answer.elsewhere is None) == (counted.elsewhere is None)
    assert answer.elsewhere is None or answer.elsewhere == pytest.approx(float(counted.elsewhere or 0), abs=1e-12)
    assert answer.log2_layouts == pytest.approx(math.log2(counted.layouts), abs=1e-9)


# --- every layout tried -----------------------------------------------------------------------------------------------


@settings(max_examples=examples(300))
@given(seeds, st.booleans())
def test_small_positions_equal_every_layout_tried(seed: int, trust_flags: bool) -> None:
    position = random_position(np.random.default_rng(seed), 13, ["right" if trust_flags else "wrong"])
    naive = naive_answer(position, trust_flags=trust_flags)
    assert naive is not None  # the board that it was made of
    counted = exact(position, trust_flags=trust_flags)
    assert counted.layouts == probabilities(position, trust_flags=trust_flags).layouts() == naive.layouts
    assert counted.frontier == naive.frontier
    assert {cell: counted.mine[cell[0]][cell[1]] for cell in naive.mine} == naive.mine
    assert_equals_exact(position, trust_flags=trust_flags)


@settings(max_examples=examples(60))
@given(seeds)
@example(0)
def test_positions_in_play_equal_their_exact_counts(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = (int(rng.integers(4, 17)), int(rng.integers(4, 31)))
    mines = int(shape[0] * shape[1] * rng.uniform(0.1, 0.3))
    assert_equals_exact(next(oracles.board_halves(rng, shape, mines)))


# --- reference answers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", oracles.WORKED)
def test_worked_examples(name: str) -> None:
    rows, mines, chances = oracles.WORKED[name]
    position = Position.of_rows(rows.split(), mines)
    assert [list(row) for row in exact_fractions(position)] == oracles.fractions(chances)
    assert_equals_exact(position)


def test_two_numbers_in_the_open() -> None:
    for mines in range(10, 241):
        position = oracles.two_numbers_in_the_open(mines)
        row = exact_fractions(position)[8]
        assert (row[5], row[7], row[9]) == oracles.two_numbers_answer(mines)
        np.testing.assert_allclose(probabilities(position).mine[8], [float(chance) for chance in row], atol=1e-12)


@pytest.mark.parametrize("known", oracles.small_positions(), ids=lambda known: str(known["name"]))
def test_small_reference_positions(known: dict[str, object]) -> None:
    position = Position.of_rows(known["board"], int(str(known["mines"])))  # type: ignore[arg-type]
    counted = exact(position)
    assert counted.layouts == known["configs"]
    chances: dict[str, str] = known["prob"]  # type: ignore[assignment]
    cells = [oracles.cell_of(cell) for cell in chances]
    assert [str(counted.mine[row][column]) for row, column in cells] == list(chances.values())
    assert_equals_exact(position)


@needs_oracles
def test_300_positions_of_games() -> None:
    for position, answer in oracles.reference_positions():
        mine = probabilities(position).mine
        np.testing.assert_allclose(mine[position.closed], answer[position.closed], rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", oracles.hard_names())
def test_hard_positions(name: str) -> None:
    position, answer = oracles.hard_position(name)
    mine = probabilities(position).mine
    np.testing.assert_allclose(mine[position.closed], answer[position.closed], rtol=0, atol=1e-12)


# --- what must hold ---------------------------------------------------------------------------------------------------


@settings(max_examples=examples(30))
@given(seeds, st.sampled_from([1000, 1500, 2000]))
def test_the_chances_of_a_large_board_add_up(seed: int, mines: int) -> None:
    position = next(oracles.board_halves(np.random.default_rng(seed), (100, 100), mines))
    try:
        answer = probabilities(position)
    except LimitExceeded:
        return  # open cells strewn over a large board may leave a front of any width
    assert answer.mine.sum() == pytest.approx(mines, abs=1e-6)
    assert answer.frontier.sum() == pytest.approx(1)
    assert ((answer.mine > 0) & (answer.mine < 1) | answer.certain_safe | answer.certain_mine)[position.closed].all()


@settings(max_examples=examples(60))
@given(seeds)
def test_turned_positions_have_turned_answers(seed: int) -> None:
    position = next(oracles.board_halves(np.random.default_rng(seed), (16, 30), 99))
    turned = Position(position.numbers.T.copy(), position.mines)
    np.testing.assert_allclose(probabilities(position).mine, probabilities(turned).mine.T, rtol=0, atol=1e-12)


def test_certain_cells_do_not_depend_on_how_rare_the_others_are() -> None:
    """The 1 has its mine in a corner of the board with chance 1e-270 or so: not certain, whatever a float says."""
    rows = 100
    strips = ["1" + "." * 98 + "1"] + ["." * 100] * (rows - 1)
    position = Position.of_rows(strips, 9000)
    answer = probabilities(position)
    assert not answer.certain_mine.any()
    assert_equals_exact(position)


def test_counts_that_floats_cannot_weigh_are_counted_by_integers() -> None:
    """400 times ``.1.1.`` with 800 mines: each has both at its ends.  Among all counts that is 1 in 10**70 or so."""
    rows = [".1.1.?" * 20, "?" * 120] * 20
    odds = kernels.odds_of(Position.of_rows(rows, 800).grid(), 800, False, kernels.MAX_WEIGHTS)
    assert odds.verdict == kernels.IMPRECISE
    assert odds.status[0, :6].tolist() == [MINE, SETTLED, SAFE, SETTLED, MINE, SETTLED]
    answer = probabilities(Position.of_rows(rows, 799))  # one of them has a single mine, in its middle
    assert 2**answer.log2_layouts == pytest.approx(400)
    assert answer.mine[0, :3].tolist() == pytest.approx([399 / 400, 0, 1 / 400], abs=1e-15)
    assert not (answer.certain_mine | answer.certain_safe).any()
    assert answer.frontier_distribution == {799: 1}


def test_a_layer_that_floats_cannot_weigh_is_told() -> None:
    """632 times ``.1.1.`` with both mines at the ends, and twice as many mines beside them: the sum at the end is just
    above ``FAINT``, that of a layer before it just below.
    """
    rows, mines = [*[".1.1.?" * 8, "?" * 48] * 79, *["." * 48] * 26], 2 * 632 + 48 * 26
    odds = kernels.odds_of(Position.of_rows(rows, mines).grid(), mines, False, kernels.MAX_WEIGHTS)
    assert odds.verdict == kernels.IMPRECISE
    assert odds.status[0, :6].tolist() == [MINE, SETTLED, SAFE, SETTLED, MINE, SETTLED]


def test_flags_are_trusted_or_not() -> None:
    position = Position.of_rows(["1F", ".."], 1)
    np.testing.assert_allclose(probabilities(position).mine, [[0, 1 / 3], [1 / 3, 1 / 3]])
    trusting = probabilities(position, trust_flags=True)
    assert trusting.mine.tolist() == [[0, 1], [0, 0]]
    assert trusting.certain_mine.tolist() == [[False, True], [False, False]]
    assert trusting.certain_safe.tolist() == [[False, False], [True, True]]
    assert trusting.frontier_distribution == {1: 1}


def test_a_flag_that_no_number_sees_is_not_of_the_frontier() -> None:
    position = Position.of_rows(["1..F"], 2)
    answer = probabilities(position, trust_flags=True)
    assert answer.frontier_distribution == {1: 1}
    assert answer.elsewhere == 0


def test_fronts_that_are_too_wide_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "MAX_WEIGHTS", 20)
    with pytest.raises(LimitExceeded):
        probabilities(Position.of_rows([".......", ".2.3.2.", "......."], 8))
