"""fair-1: golden boards, a naive twin, the promises of the rules, uniformity, boards without guesses."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import fair
from analysis.errors import LimitExceeded
from analysis.fair import Rules
from analysis.recording import LEVEL_SHAPES, Board, Level
from analysis.solver import NoSuchBoard
from analysis.solver.boards import needs_no_guess
from tests.effort import amount, examples
from tests.fair_goldens import COMMITMENT_OF_GAME_1, GOLDENS, NONCE, SECRET, Golden
from tests.naive_fair import naive_mines
from tests.naive_probability import numbers_of

BEGINNER = LEVEL_SHAPES[Level.BEGINNER]


def mines_of(board: Board) -> list[tuple[int, ...]]:
    return [tuple(cell) for cell in np.argwhere(board.mines).tolist()]


# --- golden values ----------------------------------------------------------------------------------------------------


def test_the_golden_commitment() -> None:
    assert fair.commitment("game-1", SECRET) == COMMITMENT_OF_GAME_1


@pytest.mark.parametrize("golden", GOLDENS, ids=str)
def test_golden_boards(golden: Golden) -> None:
    board = fair.board(SECRET, NONCE, golden.rows, golden.columns, golden.mines, Rules(golden.rules), golden.first_cell)
    assert board.mine_count == golden.mines
    assert tuple(mines_of(board)[: len(golden.first_mines)]) == golden.first_mines
    assert hashlib.sha256(board.packed()).hexdigest() == golden.sha256


# --- the commitment ---------------------------------------------------------------------------------------------------


def test_the_commitment_binds_the_game_and_every_bit_of_the_secret() -> None:
    seen = {fair.commitment("game-1", SECRET), fair.commitment("game-2", SECRET), fair.commitment("", SECRET)}
    for bit in range(8 * len(SECRET)):
        changed = (int.from_bytes(SECRET, "big") ^ 1 << bit).to_bytes(len(SECRET), "big")
        seen.add(fair.commitment("game-1", changed))
    assert len(seen) == 3 + 8 * len(SECRET)


def test_a_name_cannot_take_bytes_from_the_secret() -> None:
    """Else "game" + NUL + secret could be read as another game with another secret."""
    with pytest.raises(ValueError, match="NUL"):
        fair.commitment("game\0", SECRET)


# --- the sampler ------------------------------------------------------------------------------------------------------


@given(
    secret=st.binary(min_size=32, max_size=32),
    nonce=st.binary(min_size=16, max_size=16),
    sides=st.tuples(st.integers(1, 20), st.integers(1, 20)),
    rules=st.sampled_from(Rules),
    attempt=st.integers(0, 10**6),
    data=st.data(),
)
@settings(max_examples=examples(300))
def test_twins_agree_and_rules_hold(
    secret: bytes, nonce: bytes, sides: tuple[int, int], rules: Rules, attempt: int, data: st.DataObject
) -> None:
    rows, columns = sides
    row, column = data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, columns - 1))
    mines = data.draw(st.integers(0, rows * columns - 1))
    around = 1 if rules is Rules.XP else (min(row, 1) + min(rows - row - 1, 1) + 1) * (
        min(column, 1) + min(columns - column - 1, 1) + 1
    )  # fmt: skip
    arguments: Any = (secret, nonce, rows, columns, mines, rules, row * columns + column, attempt)
    if mines > rows * columns - around:
        with pytest.raises(NoSuchBoard, match="do not fit"):
            fair.board(*arguments)
        return
    board = fair.board(*arguments)
    assert set(mines_of(board)) == naive_mines(secret, nonce, (rows, columns, mines), rules, (row, column), attempt)
    assert board.mine_count == mines
    assert not board.mines[row, column]
    if rules is not Rules.XP:
        assert numbers_of(board.mines)[row][column] == 0


def test_every_argument_counts() -> None:
    other = bytes(32)
    boards = [
        fair.board(SECRET, NONCE, 9, 9, 10, Rules.WIN7, 40),
        fair.board(other, NONCE, 9, 9, 10, Rules.WIN7, 40),
        fair.board(SECRET, other[:16], 9, 9, 10, Rules.WIN7, 40),
        fair.board(SECRET, NONCE, 9, 9, 10, Rules.NO_GUESS, 40),
        fair.board(SECRET, NONCE, 9, 9, 10, Rules.WIN7, 41),
        fair.board(SECRET, NONCE, 9, 9, 10, Rules.NO_GUESS, 40, attempt=1),
        fair.board(SECRET, NONCE, 9, 9, 11, Rules.WIN7, 40),
    ]
    assert len({board.packed() for board in boards}) == len(boards)


def test_words_beyond_the_largest_multiple_are_passed_over() -> None:
    """Without that a remainder would be likelier than others; 2^32 is no multiple of 3 but by one."""
    words = iter([2**32 - 1, 5, 2**32 - 2])
    assert fair._below(3, words) == 2
    assert fair._below(3, words) == (2**32 - 2) % 3
    assert list(words) == []


@pytest.mark.parametrize("rules", [Rules.XP, Rules.WIN7])
def test_every_free_cell_holds_a_mine_equally_often(rules: Rules) -> None:
    """Chi-square over the cells; a draw without replacement makes it smaller by (free - mines) / (free - 1)."""
    rows, columns, mines = BEGINNER
    first = 0 if rules is Rules.XP else columns + 1
    boards = amount(long=100_000, usual=4_000)
    counts = np.zeros((rows, columns), np.int64)
    for number in range(boards):
        counts += fair.board(SECRET, number.to_bytes(16, "big"), rows, columns, mines, rules, first).mines
    free = np.ones((rows, columns), bool)
    free[(slice(1), slice(1)) if rules is Rules.XP else (slice(3), slice(3))] = False
    assert counts[~free].sum() == 0
    size = int(free.sum())
    expected = boards * mines / size
    chi_square = float(((counts[free] - expected) ** 2 / expected).sum()) * (size - 1) / (size - mines)
    degrees = size - 1
    assert abs(chi_square - degrees) < 4 * np.sqrt(2 * degrees)


def test_pairs_of_cells_hold_mines_equally_often() -> None:
    """Every set of mines is equally likely on a board that has few: 15 pairs of 6 cells."""
    boards = amount(long=60_000, usual=6_000)
    counts: dict[bytes, int] = {}
    for number in range(boards):
        packed = fair.board(SECRET, number.to_bytes(16, "big"), 1, 7, 2, Rules.XP, 3).packed()
        counts[packed] = counts.get(packed, 0) + 1
    expected = boards / 15
    assert len(counts) == 15
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    assert chi_square < 14 + 4 * np.sqrt(2 * 14)


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_secret_of_another_length_is_an_error(length: int) -> None:
    with pytest.raises(ValueError, match="secret has"):
        fair.commitment("game-1", bytes(length))
    with pytest.raises(ValueError, match="secret has"):
        fair.board(bytes(length), NONCE, *BEGINNER, Rules.XP, 0)


def test_a_nonce_of_another_length_is_an_error() -> None:
    with pytest.raises(ValueError, match="nonce has"):
        fair.board(SECRET, NONCE[1:], *BEGINNER, Rules.XP, 0)


@pytest.mark.parametrize("cell", [-1, 64, 2**40])
def test_a_first_cell_beside_the_board_is_refused(cell: int) -> None:
    with pytest.raises(NoSuchBoard, match="not on the board"):
        fair.board(SECRET, NONCE, *BEGINNER, Rules.XP, cell)


@pytest.mark.parametrize("shape", [(0, 8, 0), (8, 0, 0), (-1, -1, 0), (8, 8, -1), (3, 3, 1)], ids=str)
def test_shapes_without_a_board_are_refused(shape: tuple[int, int, int]) -> None:
    with pytest.raises(NoSuchBoard):
        fair.board(SECRET, NONCE, *shape, Rules.WIN7, 0 if shape != (3, 3, 1) else 4)


@pytest.mark.parametrize("shape", [(256, 8, 10), (8, 10**12, 10)], ids=str)
def test_sides_are_limited_before_memory_is_taken(shape: tuple[int, int, int]) -> None:
    with pytest.raises(LimitExceeded):
        fair.board(SECRET, NONCE, *shape, Rules.XP, 0)


# --- boards without guesses -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cell", [0, 9, 27])
def test_some_candidates_need_no_guess(cell: int) -> None:
    boards = (fair.board(SECRET, NONCE, *BEGINNER, Rules.NO_GUESS, cell, number) for number in range(200))
    assert {needs_no_guess(board.mines.copy(), divmod(cell, 8)) for board in boards} == {False, True}
