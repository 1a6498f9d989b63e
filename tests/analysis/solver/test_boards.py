"""Generated boards satisfy their rules."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.probability import CLOSED, Position, probabilities
from analysis.recording import LEVEL_SHAPES, Level
from analysis.solver import NoSuchBoard, Options, Rules, Solver, Strength, generate, start_of
from tests.effort import examples
from tests.naive_probability import numbers_of
from tests.naive_solver import naive_open

SHAPES = st.tuples(st.integers(1, 12), st.integers(1, 12)).flatmap(
    lambda sides: st.tuples(st.just(sides[0]), st.just(sides[1]), st.integers(0, max(0, sides[0] * sides[1] - 9)))
)


@given(SHAPES, st.integers(0, 10**6), st.sampled_from([Rules.XP, Rules.WIN7]), st.data())
@settings(max_examples=examples(150))
def test_the_first_click_is_as_promised(
    shape: tuple[int, int, int], seed: int, rules: Rules, data: st.DataObject
) -> None:
    rows, columns, mines = shape
    start = data.draw(st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1)))
    if mines >= rows * columns:
        return
    board = generate(shape, rules, seed, start=start)
    row, column = start
    assert (board.rows, board.columns, board.mine_count) == shape
    assert board.mines[row, column] == 0
    if rules is Rules.WIN7:
        assert numbers_of(board.mines)[row][column] == 0
    assert np.array_equal(board.mines, generate(shape, rules, seed, start=start).mines)


@pytest.mark.parametrize("level", LEVEL_SHAPES)
@pytest.mark.parametrize("rules", [Rules.XP, Rules.WIN7])
def test_levels_have_their_shapes(level: Level, rules: Rules) -> None:
    board = generate(level, rules, seed=3)
    assert board.level is level
    assert not np.array_equal(board.mines, generate(level, rules, seed=4).mines)


@pytest.mark.parametrize(("level", "seeds"), [(Level.BEGINNER, 10), (Level.INTERMEDIATE, 5), (Level.EXPERT, 2)])
def test_no_guess_boards_are_won_by_certain_cells(level: Level, seeds: int) -> None:
    for seed in range(seeds):
        board = generate(level, Rules.NO_GUESS, seed)
        numbers = np.array(numbers_of(board.mines), np.uint8)
        seen = np.full(numbers.shape, CLOSED, np.uint8)
        opened = [start_of(level, Rules.NO_GUESS)]
        assert numbers[opened[0]] == 0
        while (seen == CLOSED).sum() > board.mine_count:
            assert opened
            for cell in opened:
                naive_open(numbers, seen, cell)
            certain = probabilities(Position(seen, board.mine_count)).certain_safe
            opened = [(int(row), int(column)) for row, column in np.argwhere(certain)]
        played = Solver(Options(Strength.EXACT)).play(board, rules=Rules.NO_GUESS)
        assert (played.won, played.guesses) == (True, 0)


def test_every_board_is_as_likely_as_any_other() -> None:
    drawn = Counter(generate((2, 3, 2), Rules.XP, seed).packed() for seed in range(4000))
    assert len(drawn) == 10  # two of the five cells that are not the corner
    assert min(drawn.values()) > 320  # 400 expected; 80 is more than four standard deviations
    assert max(drawn.values()) < 480


@pytest.mark.parametrize(("shape", "rules"), [((2, 2, 4), Rules.XP), ((3, 3, 1), Rules.WIN7), ((2, 2, -1), Rules.XP)])
def test_mines_must_fit(shape: tuple[int, int, int], rules: Rules) -> None:
    with pytest.raises(NoSuchBoard, match="do not fit"):
        generate(shape, rules, 1, start=(1, 1))


def test_the_start_must_lie_on_the_board() -> None:
    with pytest.raises(NoSuchBoard, match="not on the board"):
        generate((3, 3, 1), Rules.XP, 1, start=(3, 0))


def test_custom_has_no_shape() -> None:
    with pytest.raises(NoSuchBoard, match="custom"):
        generate(Level.CUSTOM, Rules.XP, 1)


def test_a_board_that_always_needs_a_guess_is_given_up() -> None:
    """In two rows nothing ever tells whether the one mine lies above or below."""
    with pytest.raises(NoSuchBoard, match="needed a guess"):
        generate((2, 4, 1), Rules.NO_GUESS, 1, start=(0, 0))
