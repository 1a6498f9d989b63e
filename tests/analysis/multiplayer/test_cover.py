"""Covers: every row of the rule, the slow twin, and boards that a recursion would not survive."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from analysis.multiplayer.laying import Laying, lay
from analysis.multiplayer.server_game import Answer, ServerGame
from tests.analysis.multiplayer.golden import DEFAULT, GOLDEN, cell_of, mines_of, numbers_on
from tests.effort import examples
from tests.naive_rooms import NaiveBoard

COVERS = GOLDEN["covers"]
EXAMPLES = [name for name, value in COVERS.items() if isinstance(value, dict)]


def cover(mines: NDArray[np.uint8], cell: int) -> NDArray[np.int32]:
    return ServerGame(mines).open(cell, 1).cells


@st.composite
def mine_maps(draw: st.DrawFn, side: int = 9) -> NDArray[np.uint8]:
    """Mines on a board of up to ``side`` cells a side, often few."""
    rows, columns = draw(st.integers(1, side)), draw(st.integers(1, side))
    places = draw(st.sets(st.integers(0, rows * columns - 1), max_size=draw(st.sampled_from((2, 8, rows * columns)))))
    mines = np.zeros(rows * columns, np.uint8)
    mines[list(places)] = 1
    return mines.reshape(rows, columns)


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_row_of_the_rule(name: str) -> None:
    golden = COVERS[name]
    cell = cell_of(DEFAULT, golden["click"])
    cells = cover(mines_of(DEFAULT), cell)
    assert numbers_on(DEFAULT).flat[cell] == golden["value"]
    assert cells.size == golden["opens"]
    assert cells[0] == cell
    assert cells.dtype == np.int32
    assert set(cells.tolist()) == NaiveBoard(mines_of(DEFAULT)).cover(cell)


def test_the_cells_of_a_lone_zero() -> None:
    cells = cover(mines_of(DEFAULT), cell_of(DEFAULT, COVERS["lone_zero_at_the_edge"]["click"]))
    assert sorted(divmod(cell, 75) for cell in cells.tolist()) == [(r, c) for r, c in COVERS["cells_of_lone_zero"]]


def test_what_the_letter_of_the_paper_would_open() -> None:
    board = NaiveBoard(mines_of(DEFAULT))
    lone = cell_of(DEFAULT, COVERS["lone_zero_at_the_edge"]["click"])
    assert len(board.literal_cover_of_zero(lone)) == COVERS["literal_rule_8_on_lone_zero_would_open"]
    zeros = [cell for cell in board.cells if board.number[cell] == 0]
    less = sum(board.literal_cover_of_zero(zero) != board.cover(zero) for zero in zeros)
    assert [less, len(zeros)] == COVERS["zeros_where_literal_rule_8_opens_less"]


def test_all_covers_of_the_default_board() -> None:
    board = NaiveBoard(mines_of(DEFAULT))
    sizes = [cover(mines_of(DEFAULT), cell).size for cell in board.cells]
    plain = [cell for cell in board.cells if 0 < board.number[cell] < 9]
    opening = [cell for cell in plain if sizes[cell] > 1]
    assert [len(opening), len(plain)] == COVERS["numbers_whose_click_opens_an_opening"]
    largest = max(sizes[cell] for cell in board.cells if board.number[cell] == 0)
    assert largest == GOLDEN["default_board"]["largest_opening_with_border"]
    beside_two = [cell for cell in opening if len({min(board.opening(zero)) for zero in board.zeros_around(cell)}) > 1]
    assert len(beside_two) == GOLDEN["divergence"]["numbers_like_it_on_the_board"]


@given(mine_maps())
@settings(max_examples=examples(500), deadline=None)
def test_any_cover_is_that_of_the_slow_twin(mines: NDArray[np.uint8]) -> None:
    board = NaiveBoard(mines)
    for cell in board.cells if len(board.mines) < mines.size else ():
        cells = cover(mines, cell).tolist()
        assert len(cells) == len(set(cells))
        assert set(cells) == board.cover(cell)


def test_cells_outside_are_refused() -> None:
    for cell in (-1, 75 * 75):
        assert ServerGame(mines_of(DEFAULT)).open(cell, 1).result is Answer.OUTSIDE


# --- the reference floods by recursion and stops half way ------------------------------------------------------------


def test_an_opening_of_a_quarter_million_cells() -> None:
    mines = np.zeros((500, 500), np.uint8)
    mines[250, 250] = 1
    limit = sys.getrecursionlimit()
    cells = cover(mines, 0)
    assert cells.size == np.unique(cells).size == 500 * 500 - 1
    assert limit < cells.size


def test_a_long_way_through_an_opening() -> None:
    """Above and below a wall of mines, joined at its end: 20,000 zeros lie between the first cell and the last."""
    mines = np.zeros((9, 10_001), np.uint8)
    mines[4, :-5] = 1
    assert cover(mines, 0).size == 9 * 10_001 - (10_001 - 5)


def test_the_click_on_which_the_reference_ends_in_a_recursion_error() -> None:
    """20 mines an area, (0, 38): there 177 open zeros keep closed neighbours; here no zero does."""
    laying = Laying(area_mines=20)
    mines = lay(laying)
    board = NaiveBoard(mines)
    cells = set(cover(mines, 38).tolist())
    assert cells == board.cover(38)
    zeros = [cell for cell in cells if board.number[cell] == 0]
    assert len(zeros) > 1000
    assert all(board.around(zero) <= cells for zero in zeros)
