"""Shingles and sketches: what changes them and what does not, beside a slow twin; and which games are similar."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from analysis.analyse import analyse
from analysis.evidence import SKETCH, Played, evidence_of, similar_games
from analysis.evidence.sketch import ENOUGH, SHINGLE, shingles_of
from analysis.recording import Board, Level, Recording
from tests.analysis.evidence.honest import recording
from tests.analysis.evidence.test_fingerprint import images, opening_clicks_slowly, with_times
from tests.effort import examples
from tests.forgeries.judge import Stored
from tests.forgeries.similar import disguised

LONG = (Level.INTERMEDIATE, Level.EXPERT)
Click = tuple[int, int, int]  # chord, row, column

_SIDES = st.integers(3, 9)


@st.composite
def games_of_clicks(draw: st.DrawFn) -> tuple[Board, list[Click]]:
    """A board, and clicks anywhere on it."""
    rows, columns = draw(_SIDES), draw(_SIDES)
    click = st.tuples(st.integers(0, 1), st.integers(0, rows - 1), st.integers(0, columns - 1))
    return Board(np.zeros((rows, columns), np.uint8)), draw(st.lists(click, min_size=0, max_size=40))


def shingles(board: Board, clicks: list[Click]) -> tuple[int, ...]:
    table = [(0, row * board.columns + column, chord) for chord, row, column in clicks]
    return shingles_of(board, np.array(table, np.int64).reshape(-1, 3))


def shingles_slowly(board: Board, clicks: list[Click]) -> set[tuple[object, ...]]:
    """Ten clicks without their order, in the smallest of the eight images, with its size."""
    found = set()
    for start in range(len(clicks) - SHINGLE + 1):
        window = clicks[start : start + SHINGLE]
        found.add(min(image(board, window, *flips) for flips in product((False, True), repeat=3)))
    return found


def image(board: Board, clicks: list[Click], down: bool, right: bool, turned: bool) -> tuple[object, ...]:
    size = (board.columns, board.rows) if turned else (board.rows, board.columns)
    return (size, *sorted(places(board, clicks, down, right, turned)))


def places(board: Board, clicks: list[Click], down: bool, right: bool, turned: bool) -> list[Click]:
    found = []
    for chord, row, column in clicks:
        row, column = board.rows - 1 - row if down else row, board.columns - 1 - column if right else column
        found.append((chord, column, row) if turned else (chord, row, column))
    return found


@given(games_of_clicks(), st.data())
@settings(max_examples=examples(100))
def test_two_games_share_the_shingles_that_the_twin_says(game: tuple[Board, list[Click]], data: st.DataObject) -> None:
    board, clicks = game
    other = list(clicks)
    for _ in range(data.draw(st.integers(0, 3))):
        if len(other) > 1:
            place = data.draw(st.integers(0, len(other) - 2))
            other[place], other[place + 1] = other[place + 1], other[place]
    first, second = shingles(board, clicks), shingles(board, other)
    assert list(first) == sorted(set(first))
    assert len(first) == len(shingles_slowly(board, clicks))
    same = shingles_slowly(board, clicks) & shingles_slowly(board, other)
    assert len(set(first) & set(second)) == len(same)


@given(games_of_clicks())
@settings(max_examples=examples(60))
def test_the_eight_images_of_clicks_have_the_same_shingles(game: tuple[Board, list[Click]]) -> None:
    board, clicks = game
    first = shingles(board, clicks)
    for flips in product((False, True), repeat=3):
        sides = (board.columns, board.rows) if flips[2] else (board.rows, board.columns)
        mirrored = [places(board, [click], *flips)[0] for click in clicks]
        assert shingles(Board(np.zeros(sides, np.uint8)), mirrored) == first


@pytest.mark.parametrize("level", LONG)
def test_images_times_and_names_change_nothing(level: Level) -> None:
    game = recording("avf", level)
    first = evidence_of(analyse(game)).shingles
    assert len(first) == len(shingles_slowly(game.board, opening_clicks_slowly(game)))
    others = [
        *images(game),
        with_times(game, lambda times: times * 2 // 3),
        replace(game, player="Bob", player_bytes=b"Bob"),
    ]
    assert {evidence_of(analyse(other)).shingles for other in others} == {first}


def test_a_swap_of_neighbours_changes_two_shingles_at_most() -> None:
    board = Board(np.zeros((16, 16), np.uint8))
    clicks = [(0, *divmod(cell, 16)) for cell in np.random.default_rng(1).permutation(256)[:60].tolist()]
    first = shingles(board, clicks)
    for place in range(len(clicks) - 1):
        other = list(clicks)
        other[place], other[place + 1] = other[place + 1], other[place]
        assert len(set(first) - set(shingles(board, other))) <= 2


def test_fewer_clicks_than_a_shingle_has_are_none() -> None:
    board = Board(np.zeros((16, 16), np.uint8))
    clicks = [(0, 3, column) for column in range(10)]
    assert shingles(board, clicks[:-1]) == ()
    assert len(shingles(board, clicks)) == 1


# --- which games are similar ------------------------------------------------------------------------------------------


def long_game(shingles: Iterable[int], level: Level = Level.EXPERT) -> Played:
    return Played(level, tuple(shingles), b"")


def test_games_are_similar_from_five_shingles_of_a_sketch_of_16() -> None:
    assert (ENOUGH, SKETCH) == (5, 16)
    stored = {3: long_game(range(SKETCH))}
    assert similar_games({7: long_game((*range(ENOUGH), 100, 101))}, stored) == {(3, 7)}
    assert similar_games({7: long_game((*range(ENOUGH - 1), 100, 101))}, stored) == set()


def test_of_a_longer_list_the_sketch_alone_counts() -> None:
    """Shingles after the other game's sketch do not count; they would be counted in one order of arrival only."""
    stored = tuple(range(100))
    assert similar_games({7: long_game(stored[SKETCH:])}, {3: long_game(stored[:SKETCH])}) == set()
    new = long_game((*range(-50, 0), *stored[:SKETCH]))
    assert similar_games({3: new}, {7: long_game(stored[:SKETCH])}) == {(3, 7)}


def test_games_are_compared_with_one_another_and_not_with_themselves() -> None:
    first, second = long_game(range(40)), long_game(range(2, 42))
    assert similar_games({5: first, 4: second}, {5: first, 9: long_game(range(50, 66))}) == {(4, 5)}


BEGINNER = np.zeros((8, 8), np.uint8)
BEGINNER[[0, 0, 1, 2, 3, 4, 5, 6, 7, 7], [0, 5, 3, 7, 1, 2, 4, 6, 0, 3]] = 1


def moved(mines: NDArray[np.uint8], count: int) -> NDArray[np.uint8]:
    """So many mines elsewhere."""
    changed = mines.copy()
    for mine, free in list(zip(np.argwhere(mines == 1), np.argwhere(mines == 0), strict=False))[:count]:
        changed[tuple(mine)], changed[tuple(free)] = 0, 1
    return changed


def on_board(mines: NDArray[np.uint8], count: int) -> Played:
    """A game that shares ``count`` shingles with those of other counts."""
    shingles = (*range(count), *range(100 * count + 100, 100 * count + 110))
    return Played(Level.BEGINNER, shingles, Board(mines).packed())


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("flipped", [False, True])
def test_games_of_beginners_are_similar_on_boards_that_differ_by_a_mine(turns: int, flipped: bool) -> None:
    def other(mines: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return np.rot90(mines[:, ::-1] if flipped else mines, turns)

    stored = {1: on_board(BEGINNER, SKETCH)}
    for count in (0, 1):
        assert similar_games({2: on_board(other(moved(BEGINNER, count)), 3)}, stored) == {(1, 2)}
        assert similar_games({2: on_board(other(moved(BEGINNER, count)), 2)}, stored) == set()
    assert similar_games({2: on_board(other(moved(BEGINNER, 2)), 3)}, stored) == set()


# --- what a forger makes, and what honest players do ------------------------------------------------------------------


@pytest.mark.parametrize("level", LONG)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_disguised_game_is_similar_to_its_original(level: Level, seed: int) -> None:
    game = recording("avf", level, seed)
    original, forged = stored_game(game), stored_game(disguised(game, np.random.default_rng(seed)))
    one, two = original.evidence.fingerprint, forged.evidence.fingerprint
    assert one is not None
    assert two is not None
    assert one.clicks_start != two.clicks_start
    sketch = original.played._replace(shingles=original.played.shingles[:SKETCH])
    assert similar_games({2: forged.played}, {1: sketch}) == {(1, 2)}


def stored_game(game: Recording) -> Stored:
    analysis = analyse(game)
    return Stored("", b"", analysis, evidence_of(analysis))


def test_games_of_the_same_hand_are_not_similar() -> None:
    """Compare games of one bot: among 10 million such pairs none shared more than two prints."""
    played = [stored_game(recording("avf", Level.INTERMEDIATE, seed)).played for seed in range(1, 31)]
    assert similar_games(dict(enumerate(played)), {}) == set()
    shared = [len({*one.shingles[:SKETCH]} & {*two.shingles}) for one, two in permutations(played, 2)]
    assert max(shared) <= 2
