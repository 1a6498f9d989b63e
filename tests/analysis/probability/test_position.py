"""Positions that are refused, and the cells that the error names."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from analysis.errors import BadField, Inconsistent, LimitExceeded
from analysis.probability import CLOSED, ImpossiblePosition, Position, exact, probabilities
from tests.effort import examples
from tests.naive_probability import naive_answer, random_position


def impossible(rows: str, mines: int, *, trust_flags: bool = False) -> ImpossiblePosition:
    position = Position.of_rows(rows.split(), mines)
    with pytest.raises(ImpossiblePosition) as counted:
        exact(position, trust_flags=trust_flags)
    with pytest.raises(ImpossiblePosition) as caught:
        probabilities(position, trust_flags=trust_flags)
    assert str(counted.value) == str(caught.value)
    return caught.value


def test_a_number_larger_than_its_closed_cells() -> None:
    error = impossible("0000 0001 003.", 1)
    assert error.numbers == ((2, 2),)
    assert str(error) == "No mine layout fits the 3 in row 3, column 3."


def test_two_numbers_that_contradict_each_other() -> None:
    error = impossible("12 ..", 2)
    assert error.numbers == ((0, 0), (0, 1))
    assert str(error) == "No mine layout fits the 1 in row 1, column 1, the 2 in row 1, column 2."


def test_too_few_mines_for_the_numbers() -> None:
    error = impossible("3.. ... ...", 1)
    assert error.numbers == ((0, 0),)
    assert str(error) == "No layout of 1 mines agrees with the 3 in row 1, column 1."
    assert set(impossible("3.... ..... ....3", 5).numbers) == {(0, 0), (2, 4)}


def test_too_many_mines_for_the_numbers() -> None:
    assert impossible("1. ..", 3).numbers == ((0, 0),)


def test_trusted_flags_that_are_too_many() -> None:
    assert impossible("1F F.", 2, trust_flags=True).numbers == ((0, 0),)
    assert impossible("FF ..", 1, trust_flags=True).numbers == ()


def agrees(position: Position, mines: int) -> bool:
    return naive_answer(Position(position.numbers, mines)) is not None


@settings(max_examples=examples(200))
@given(st.integers(0, 2**32 - 1))
def test_what_is_named_is_needed_and_enough(seed: int) -> None:
    """Positions with one number changed: those without a layout, and their fewest contradicting numbers."""
    rng = np.random.default_rng(seed)
    position = random_position(rng, 12)
    open_cells = np.argwhere(position.numbers <= 8)
    assume(len(open_cells) > 0)
    codes = position.numbers.copy()
    codes[tuple(rng.choice(open_cells))] = rng.integers(0, 9)
    position = Position(codes, int(rng.integers(0, position.closed.sum() + 1)))
    if naive_answer(position) is not None:
        assert exact(position).layouts > 0
        return
    with pytest.raises(ImpossiblePosition) as caught:
        probabilities(position)
    counts = range(position.closed.sum() + 1)
    if any(agrees(position, mines) for mines in counts):
        counts = range(position.mines, position.mines + 1)  # else the numbers contradict each other at any count
    named = set(caught.value.numbers)
    others = [(int(row), int(column)) for row, column in open_cells if (row, column) not in named]
    assert not any(agrees(position.without(others), mines) for mines in counts)
    for cell in named:
        assert any(agrees(position.without([*others, cell]), mines) for mines in counts)


@pytest.mark.parametrize("code", [9, 13, 255, -1])
def test_unknown_codes_are_named_by_cell(code: int) -> None:
    numbers = np.full((3, 4), CLOSED, np.int16)
    numbers[1, 2] = code
    with pytest.raises(BadField, match=r"row 2, column 3 at 6: " + str(code)):
        Position(numbers, 1)  # type: ignore[arg-type]


def test_text_is_checked() -> None:
    with pytest.raises(BadField, match="row 1, column 2"):
        Position.of_rows([".x"], 1)
    with pytest.raises(Inconsistent, match="Row 2 has 1 cells"):
        Position.of_rows(["..", "."], 1)
    with pytest.raises(Inconsistent, match="at least one cell"):
        Position.of_rows([], 0)


def test_sizes_and_counts_are_checked() -> None:
    with pytest.raises(LimitExceeded):
        Position(np.full((1, 256), CLOSED, np.uint8), 1)
    with pytest.raises(Inconsistent, match="5 mines cannot lie in 4 closed cells"):
        Position.of_rows(["..", ".."], 5)
    with pytest.raises(Inconsistent):
        Position.of_rows(["..", ".."], -1)
    with pytest.raises(TypeError):
        Position(np.zeros((2, 2), np.float64), 0)
    with pytest.raises(TypeError):
        Position(np.zeros(4, np.uint8), 0)


def test_a_position_cannot_be_changed_from_outside() -> None:
    codes = np.full((2, 2), CLOSED, np.uint8)
    position = Position(codes, 1)
    codes[0, 0] = 0
    assert position.numbers[0, 0] == CLOSED
    with pytest.raises(ValueError, match="read-only"):
        position.numbers[0, 0] = 0
