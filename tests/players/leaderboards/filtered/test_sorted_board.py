"""Standings and steps against plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from players.leaderboards.filtered import combined_sorted_board
from players.leaderboards.filtered.bests_by_date import BestsByDate
from players.leaderboards.filtered.sorted_board import Rows, SortedBoard, rows_of

#: (key, achieved, player, replay); few values, so that ties are common.
ROW = st.tuples(st.integers(0, 4).map(float), st.integers(0, 3), st.integers(1, 30), st.integers(1, 99))
ROWS = st.lists(ROW, max_size=40, unique_by=lambda row: row[2])


def tuples(rows: Rows) -> list[tuple[Any, ...]]:
    return [
        (*rows.keys[:, index].tolist(), int(rows.achieved_us[index]), int(rows.player[index]), int(rows.replay[index]))
        for index in range(len(rows))
    ]


def ordered(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(rows, key=lambda row: row[:-1])


@given(ROWS)
def test_order_ranks_and_indexes(rows: list[tuple[Any, ...]]) -> None:
    board = SortedBoard.of(rows_of(1, rows))
    expected = ordered(rows)
    assert tuples(board.rows) == expected
    assert board.ranks.tolist() == [1 + sum(other[0] < row[0] for other in rows) for row in expected]
    for player in range(32):
        places = [index for index, row in enumerate(expected) if row[2] == player]
        assert board.index_of(player) == (places[0] if places else None)
    players = np.arange(32)
    assert board.indexes_of(players).tolist() == [
        -1 if (place := board.index_of(player)) is None else place for player in range(32)
    ]


KEYS = st.tuples(*[st.integers(0, 2).map(float)] * 3)


@given(st.lists(st.tuples(KEYS, ROW), max_size=40, unique_by=lambda pair: pair[1][2]))
def test_sums_are_ordered_by_all_their_keys(pairs: list[tuple[tuple[float, ...], tuple[Any, ...]]]) -> None:
    rows = [(*keys, *row[1:]) for keys, row in pairs]
    assert tuples(SortedBoard.of(rows_of(3, rows)).rows) == ordered(rows)


@given(ROWS, st.tuples(st.integers(-1, 5).map(float), st.integers(-1, 4), st.integers(0, 31)), st.booleans())
def test_first_from(rows: list[tuple[Any, ...]], sort_key: tuple[Any, ...], past: bool) -> None:
    board = SortedBoard.of(rows_of(1, rows))
    for start in (sort_key, sort_key[:1]):
        before = [row for row in rows if row[: len(start)] < start or (past and row[: len(start)] == start)]
        assert board.first_from(start, past=past) == len(before)


@given(ROWS, ROWS, st.sets(st.integers(1, 30)))
def test_some_players_are_replaced(
    rows: list[tuple[Any, ...]], others: list[tuple[Any, ...]], changed: set[int]
) -> None:
    fresh = [row for row in others if row[2] in changed]
    merged = SortedBoard.of(rows_of(1, rows)).with_players(
        np.array(sorted(changed), dtype=np.int64), rows_of(1, fresh)
    )  # fmt: skip
    assert tuples(merged.rows) == ordered([row for row in rows if row[2] not in changed] + fresh)
    assert merged.ranks.tolist() == SortedBoard.of(merged.rows).ranks.tolist()


def test_very_many_players_are_replaced() -> None:
    old = SortedBoard.of(rows_of(1, [(float(number % 7), 0, number, number) for number in range(1, 1000)]))
    fresh = [(float(number % 5), 1, number, number) for number in range(1, 500)]
    merged = old.with_players(np.arange(1, 500), rows_of(1, fresh))
    unchanged = [(float(number % 7), 0, number, number) for number in range(500, 1000)]
    assert tuples(merged.rows) == ordered(unchanged + fresh)


@given(ROWS, ROWS, ROWS)
def test_sums(easy: list[tuple[Any, ...]], middle: list[tuple[Any, ...]], hard: list[tuple[Any, ...]]) -> None:
    levels = (easy, middle, hard)
    parts = tuple(SortedBoard.of(rows_of(1, rows)) for rows in levels)
    by_player = [{row[2]: row for row in rows} for rows in levels]
    expected = []
    for player in set.intersection(*(set(rows) for rows in by_player)):
        beginner, intermediate, expert = (rows[player] for rows in by_player)
        achieved = max(beginner[1], intermediate[1], expert[1])
        expected.append(
            (beginner[0] + intermediate[0] + expert[0], expert[0], intermediate[0], achieved, player, 0)
        )  # fmt: skip
    assert tuples(combined_sorted_board(parts).rows) == ordered(expected)


GAMES = st.lists(
    st.tuples(st.integers(0, 9).map(float), st.integers(0, 20), st.integers(1, 8)), max_size=60
).map(lambda games: [(*game, number) for number, game in enumerate(games, 1)])  # fmt: skip


def improvements(games: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    best: dict[int, float] = {}
    bests = []
    for game in sorted(games, key=lambda game: (game[1], game[3])):
        if game[0] < best.get(game[2], np.inf):
            best[game[2]] = game[0]
            bests.append(game)
    return bests


@given(GAMES, st.lists(st.integers(-1, 22), max_size=6))
def test_boards_as_of_any_time(games: list[tuple[Any, ...]], times: list[int]) -> None:
    bests = BestsByDate.of(rows_of(1, improvements(games)))
    for time in times:
        expected: dict[int, tuple[Any, ...]] = {}
        for step in improvements([game for game in games if game[1] < time]):
            expected[step[2]] = step
        assert tuples(bests.board_before(time).rows) == ordered(list(expected.values()))
    for player in range(1, 10):
        ranks = []
        for time in sorted(times):
            sorted_board = bests.board_before(time)
            place = sorted_board.index_of(player)
            ranks.append(None if place is None else int(sorted_board.ranks[place]))
        assert bests.ranks_of(player, sorted(times)) == ranks
        own = [step[1] for step in improvements(games) if step[2] == player]
        assert bests.first_of(player) == (own[0] if own else None)


def test_empty() -> None:
    empty = SortedBoard.of(rows_of(1, []))
    assert len(empty) == 0
    assert empty.ranks.tolist() == []
    assert empty.index_of(1) is None
    assert empty.first_from((1.0,), past=True) == 0
    assert len(combined_sorted_board((empty, empty, empty))) == 0
    assert BestsByDate.of(rows_of(1, [])).ranks_of(1, [5]) == [None]
