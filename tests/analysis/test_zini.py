"""Greedy, human and random ZiNi."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from analysis.board import board_facts
from analysis.click_machine import Game, Result, play
from analysis.recording import Board, Kind, Level, Recording, events_from
from analysis.zini import (
    KINDS,
    ZiniCounts,
    route,
    rzini,
    zini_counts,
)
from tests.bench.check_zini_oracle import LEVELS, compare, level_boards, odd_boards, random_board
from tests.naive_zini import all_greedy_counts, column_first, naive_greedy, naive_reference_human, row_first
from tests.shared_files import SHARED
from tests.strategies import boards, ranked_boards

REFERENCE = SHARED / "zini_reference.json"
BOARDS_PER_LEVEL = 100  # the full figures: python -m tests.bench.check_zini_oracle --boards 1000


@st.composite
def crowded_boards(draw: st.DrawFn, max_side: int = 12) -> Board:
    """Boards of any density: lists of mines, as ``boards`` draws them, are rarely long."""
    rows, columns = draw(st.integers(1, max_side)), draw(st.integers(1, max_side))
    mine_count = draw(st.integers(0, rows * columns - 1))
    return random_board(np.random.default_rng(draw(st.integers(0, 2**32 - 1))), rows, columns, mine_count)


def transposed(board: Board) -> Board:
    return Board(board.mines.T.copy())


def naive_counts(board: Board) -> ZiniCounts:
    return ZiniCounts(
        naive_greedy(board, row_first, openings_first=False),
        naive_greedy(board, row_first, openings_first=True),
        naive_greedy(board, column_first, openings_first=False),
        naive_reference_human(board, column_first),
    )


# --- oracles ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_random_boards_equal_the_library(level: Level) -> None:
    answered, differences = compare(level_boards(level, BOARDS_PER_LEVEL))
    assert differences == []
    assert answered == BOARDS_PER_LEVEL


def test_odd_shapes_and_densities_equal_the_library() -> None:
    answered, differences = compare(odd_boards())
    assert differences == []
    assert answered == len(odd_boards())


def reference_rows() -> list[dict[str, Any]]:
    """Real boards with the numbers of the originators' program, and random ones with those of a third program."""
    return list(json.loads(REFERENCE.read_text())) if REFERENCE.is_file() else []


@pytest.mark.skipif(not REFERENCE.is_file(), reason="the reference values are not here")
@pytest.mark.parametrize("row", reference_rows(), ids=lambda row: f"{row['source'][:24]} {row['bbbv']}")
def test_the_reference_values_are_reproduced(row: dict[str, Any]) -> None:
    board = Board(np.array([[cell == "*" for cell in line] for line in row["rows"]], np.uint8))
    facts, counts = board_facts(board), zini_counts(board)
    assert (facts.bv, facts.op) == (row["bbbv"], row["ops"])
    assert facts.isl == row.get("isls", facts.isl)  # the random boards have no islands in the file
    assert counts.gzini_ref == row["zini_raw6" if "zini_raw6" in row else "zini_colmajor"]
    assert counts.hzini_ref == row["hzini_raw6" if "hzini_raw6" in row else "hzini_colmajor"]
    assert counts.gzini == row["zini_rowmajor"]
    assert (
        zini_counts(transposed(board)).hzini_ref == row["hzini_rowmajor"]
    )  # the reference's human variant in the other order
    eight_ways = [np.rot90(mines, turns) for mines in (board.mines, board.mines[::-1]) for turns in range(4)]
    assert min(zini_counts(Board(mines.copy())).gzini for mines in eight_ways) == row["zini_8way"]


# --- the slow twin ----------------------------------------------------------------------------------------------------


@given(boards() | crowded_boards())
@example(Board(np.zeros((1, 1), np.uint8)))
@example(Board(np.zeros((12, 1), np.uint8)))
@example(Board(np.array([[0, 0, 0, 1], [0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]], np.uint8)))
def test_the_kernels_equal_their_slow_twins(board: Board) -> None:
    assert zini_counts(board) == naive_counts(board)


@settings(max_examples=5)
@given(ranked_boards())
def test_the_kernels_equal_their_slow_twins_on_real_levels(board: Board) -> None:
    assert zini_counts(board) == naive_counts(board)


@given(crowded_boards(max_side=4))
def test_random_zini_is_the_count_of_some_greedy_solution(board: Board) -> None:
    possible = all_greedy_counts(board)
    assert rzini(board, quiet_runs=5) in possible
    assert {zini_counts(board).gzini, zini_counts(board).gzini_ref} <= possible


def test_random_zini_finds_what_a_fixed_order_misses() -> None:
    found = [(rzini(board), zini_counts(board).gzini) for board in level_boards(LEVELS[1], 20)]
    assert all(random <= fixed for random, fixed in found)
    assert any(random < fixed for random, fixed in found)


# --- what must hold ---------------------------------------------------------------------------------------------------


@given(boards() | crowded_boards())
def test_no_zini_takes_more_clicks_than_the_3bv(board: Board) -> None:
    counts, bv = zini_counts(board), board_facts(board).bv
    assert min(counts.gzini, counts.hzini, counts.gzini_ref, counts.hzini_ref) >= 1
    assert max(counts.gzini, counts.hzini, counts.gzini_ref, counts.hzini_ref) <= bv
    assert rzini(board, quiet_runs=1) <= bv


@given(boards() | crowded_boards())
def test_the_human_variants_click_every_opening(board: Board) -> None:
    op = board_facts(board).op
    assert zini_counts(board).hzini >= op
    assert zini_counts(board).hzini_ref >= op


@given(boards() | crowded_boards())
def test_the_two_scan_orders_are_each_other_on_the_transposed_board(board: Board) -> None:
    assert zini_counts(transposed(board)).gzini == zini_counts(board).gzini_ref


@given(boards() | crowded_boards())
def test_random_zini_repeats_and_more_runs_never_raise_it(board: Board) -> None:
    assert rzini(board, quiet_runs=3) == rzini(Board(board.mines.copy()), quiet_runs=3)
    assert rzini(board, quiet_runs=20) <= rzini(board, quiet_runs=3)


def test_random_zini_wants_a_run() -> None:
    with pytest.raises(ValueError, match="quiet_runs"):
        rzini(Board(np.zeros((2, 2), np.uint8)), quiet_runs=0)


def hostile_boards() -> dict[str, tuple[Board, int]]:
    """Patterns of the largest size, and their ZiNi."""
    side = np.arange(255)
    one_mine = np.zeros((255, 255), np.uint8)
    one_mine[254, 254] = 1
    full = np.ones((255, 255), np.uint8)
    full[100, 100] = 0
    checkers = ((side[:, None] + side) % 2).astype(np.uint8)
    rooms = np.zeros((255, 255), np.uint8)
    rooms[3::4] = rooms[:, 3::4] = 1
    return {
        "one mine": (Board(one_mine), 1),
        "one safe cell": (Board(full), 1),
        "checkers": (Board(checkers), 32_513),  # every chord would need as many flags as it opens cells, or more
        "rooms": (Board(rooms), 64 * 64),  # 4096 openings that nothing joins
    }


@pytest.mark.parametrize("name", list(hostile_boards()))
def test_hostile_patterns_of_the_largest_size(name: str) -> None:
    board, clicks = hostile_boards()[name]
    assert zini_counts(board) == ZiniCounts(clicks, clicks, clicks, clicks)


# --- routes ---


def played_route(board: Board, kind: str) -> Game:
    """The game in which somebody clicks a route: left, flags, then chords with the middle button."""
    clicks: list[tuple[int, Kind]] = []
    for step in route(board, kind):
        if step.opens:
            clicks += [(step.cell, Kind.LEFT_PRESS), (step.cell, Kind.LEFT_RELEASE)]
        for cell in step.flags:
            clicks += [(cell, Kind.RIGHT_PRESS), (cell, Kind.RIGHT_RELEASE)]
        if step.chords:
            clicks += [(step.cell, Kind.MIDDLE_PRESS), (step.cell, Kind.MIDDLE_RELEASE)]
    # A flag before the first opening is a click that the game has not begun with; it counts nevertheless.
    events = events_from(
        [
            (place, cell % board.columns * 16 + 8, cell // board.columns * 16 + 8, kind)
            for place, (cell, kind) in enumerate(clicks)
        ]
    )
    recording = Recording(format="rawvf", format_variant="", board=board, events=events)
    return play(recording, board_facts(board))


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None)
@given(board=boards() | crowded_boards())
def test_a_route_wins_with_as_many_clicks_as_its_zini(kind: str, board: Board) -> None:
    steps = route(board, kind)
    game = played_route(board, kind)
    assert game.result is Result.WON
    assert steps[-1].clicks == getattr(zini_counts(board), kind)
    assert game.lcl + game.rcl + game.dcl == game.lce + game.rce + game.dce == steps[-1].clicks


def test_no_other_routes() -> None:
    with pytest.raises(KeyError):
        route(random_board(np.random.default_rng(1), 8, 8, 10), "rzini")
