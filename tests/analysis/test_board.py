"""3BV, openings, islands and cell counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from analysis.board import MINE, board_facts
from analysis.recording import Board
from tests.naive_board import Cell, naive_board
from tests.strategies import boards

SYMMETRIES = tuple((turns, mirrored) for turns in range(4) for mirrored in (False, True))


def board_of(*rows: str) -> Board:
    """A board drawn with ``*`` for mines."""
    return Board(np.array([[cell == "*" for cell in row] for row in rows], np.uint8))


def moved(board: Board, turns: int, mirrored: bool) -> Board:
    """``board`` turned by quarters, then mirrored."""
    mines = np.rot90(board.mines, turns)
    return Board((mines[:, ::-1] if mirrored else mines).copy())


def groups_in(ids: NDArray[np.int32]) -> list[frozenset[Cell]]:
    """The cells of each id from 1 on."""
    return [
        frozenset((int(row), int(column)) for row, column in np.argwhere(ids == group))
        for group in range(1, int(ids.max()) + 1)
    ]


def test_a_small_board_by_hand() -> None:
    facts = board_facts(board_of("*....", ".....", "...*.", ".....", "....."))
    assert facts.numbers.tolist() == [
        [MINE, 1, 0, 0, 0],
        [1, 1, 1, 1, 1],
        [0, 0, 1, MINE, 1],
        [0, 0, 1, 1, 1],
        [0, 0, 0, 0, 0],
    ]
    assert (facts.op, facts.isl, facts.bv) == (2, 1, 3)  # (2, 4) is the only cell that no zero touches
    assert facts.cells == (12, 11, 0, 0, 0, 0, 0, 0, 0)
    assert facts.opening_id[0, 2] == 1
    assert facts.opening_id[2, 0] == facts.opening_id[4, 4] == 2
    assert facts.island_id[2, 4] == 1
    assert np.count_nonzero(facts.island_id) == 1


def test_openings_and_islands_join_over_corners() -> None:
    diagonal = board_facts(board_of("...*", "....", "....", "*..."))
    assert diagonal.numbers[1, 1] == diagonal.numbers[2, 2] == 0
    assert diagonal.numbers[1, 2] == diagonal.numbers[2, 1] == 1
    assert diagonal.op == 1
    corner = board_of("*.*", ".*.", "*.*")
    assert (board_facts(corner).isl, board_facts(corner).bv) == (1, 4)


@given(boards())
@example(Board(np.zeros((1, 1), np.uint8)))
@example(Board(np.zeros((1, 12), np.uint8)))
@example(Board(np.eye(12, 1, dtype=np.uint8)))
def test_the_kernel_equals_its_slow_twin(board: Board) -> None:
    facts, twin = board_facts(board), naive_board(board)
    assert (facts.bv, facts.op, facts.isl) == (twin.bv, len(twin.openings), len(twin.islands))
    shown = [[twin.shown.get((row, column), MINE) for column in range(board.columns)] for row in range(board.rows)]
    assert facts.numbers.tolist() == shown
    assert groups_in(facts.opening_id) == twin.openings
    assert groups_in(facts.island_id) == twin.islands
    assert facts.cells == tuple(list(twin.shown.values()).count(number) for number in range(9))


@given(boards(), st.sampled_from(SYMMETRIES))
def test_turning_and_mirroring_change_no_count(board: Board, symmetry: tuple[int, bool]) -> None:
    facts, other = board_facts(board), board_facts(moved(board, *symmetry))
    assert (facts.bv, facts.op, facts.isl, facts.cells) == (other.bv, other.op, other.isl, other.cells)


@given(boards())
def test_what_must_hold_on_every_board(board: Board) -> None:
    facts = board_facts(board)
    assert sum(facts.cells) == board.rows * board.columns - board.mine_count
    assert facts.bv == facts.op + np.count_nonzero(facts.island_id)
    assert facts.bv >= 1
    assert facts.isl <= facts.bv - facts.op
    assert (facts.op == 0) == (facts.cells[0] == 0)
    assert np.count_nonzero(facts.opening_id) == facts.cells[0]
    assert not np.any((facts.opening_id > 0) & (facts.island_id > 0))


@pytest.mark.parametrize(("rows", "columns"), [(255, 255), (1, 255), (255, 1)])
def test_the_largest_board_is_one_opening_without_mines(rows: int, columns: int) -> None:
    facts = board_facts(Board(np.zeros((rows, columns), np.uint8)))
    assert (facts.bv, facts.op, facts.isl, facts.cells[0]) == (1, 1, 0, rows * columns)


def test_the_most_openings_that_touch_one_cell() -> None:
    facts = board_facts(board_of("...*", "....", "*...", "...."))
    assert facts.op == 2
    assert facts.opening_id[0, 0] == 1  # (1, 1) borders both, from opposite corners
    assert facts.opening_id[2, 2] == 2


def test_many_openings_on_the_largest_board() -> None:
    mines = np.zeros((255, 255), np.uint8)
    mines[3::4] = mines[:, 3::4] = 1  # a lattice of mines: 64 x 64 rooms of 3 x 3, each with one zero; more at the rim
    facts = board_facts(Board(mines))
    assert facts.op == 64 * 64
    assert int(facts.opening_id.max()) == facts.op
    assert facts.bv == facts.op


def test_the_arrays_are_read_only() -> None:
    facts = board_facts(board_of("*.."))
    for array in (facts.numbers, facts.opening_id, facts.island_id):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1


def test_any_memory_layout_gives_the_same() -> None:
    mines = np.zeros((6, 5), np.uint8)
    mines[1, 2] = mines[4, 0] = 1
    assert board_facts(Board(np.asfortranarray(mines))).numbers.tolist() == board_facts(Board(mines)).numbers.tolist()


def test_mines_of_any_type_give_the_same() -> None:
    mines = np.eye(4, dtype=np.bool_)
    found = Board(mines)  # type: ignore[arg-type]  # of bool
    assert found.mines.dtype == np.uint8
    assert board_facts(found).numbers.tolist() == board_facts(Board(mines.astype(np.uint8))).numbers.tolist()
