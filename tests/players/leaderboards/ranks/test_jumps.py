"""Jumps to a player or a value: page, rank and percentile equal those of a plain count."""

from __future__ import annotations

import datetime
import itertools
import math
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.recording import Level
from analysis.statistics import BY_NAME
from analysis.time_convention import value_text
from players.db import keyset
from players.db.keyset import cursor_after
from players.leaderboards.board import Board
from players.leaderboards.boards import (
    COMBINED,
    COMBINED_BETTER,
    COMBINED_ORDER,
    ORDER,
    BoardKey,
    all_boards,
    board_key,
)
from players.leaderboards.pages.jumps import parse_value
from players.leaderboards.ranks import Jump, board_size, checkpoints, page_at, percentile, stored
from players.leaderboards.ranks.checkpoints import count_boards
from players.leaderboards.ranks.count import place_of_player, rank_of_value
from players.models import CombinedBest, Player, RankCheckpoint
from replays.models import Replay
from tests.effort import rest_long, seeds
from tests.factories import EPOCH, random_ranked_replay, rank_replays, replay_of, unrank_replays
from tests.players.made_games import rows_of

pytestmark = pytest.mark.django_db

KEYS = [
    board_key(Level.EXPERT, "time"), board_key(Level.BEGINNER, "corr", "NF"), board_key(COMBINED, "time"),
    board_key(COMBINED, "bvs"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _close_checkpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "ROWS_A_CHECKPOINT", 4)


def fill(seed: int) -> list[Player]:
    """Players with random games, of which some are added and some removed after the boards were counted."""
    source = random.Random(seed)
    players = Player.objects.bulk_create(Player(name=f"p{number:02}") for number in range(25))

    def play(games: int) -> list[Replay]:
        made = Replay.objects.bulk_create(
            random_ranked_replay(source, source.choice(players[:-1])) for _ in range(games)
        )
        rank_replays(made)
        return made

    first = play(source.randint(60, 160))
    if seed:
        count_boards()
    added = play(source.randint(10, 40))
    removed = source.sample(first + added, 12)
    unrank_replays(removed)
    Replay.objects.filter(pk__in=[replay.pk for replay in removed]).delete()
    return players


def whole(key: BoardKey) -> list[Any]:
    """The rows of the board as Python sorts them."""
    order = COMBINED_ORDER if key.level == COMBINED else ORDER
    return sorted(
        rows_of(key).select_related("player"),
        key=lambda row: tuple(getattr(row, name) for name in order),
    )


def rank_in(rows: list[Any], row: Any) -> int:
    better = COMBINED_BETTER if isinstance(row, CombinedBest) else ("rank_key",)
    own = tuple(getattr(row, name) for name in better)
    return 1 + sum(tuple(getattr(other, name) for name in better) < own for other in rows)


@pytest.mark.parametrize("seed", seeds(0, 1))
def test_jumps_to_every_player(seed: int) -> None:
    players = fill(seed)
    for key in KEYS:
        rows = whole(key)
        size = random.Random(seed).randint(1, 7)
        for number, row in enumerate(rows):
            page = page_at(Board(*key), player=row.player, size=size)
            start = number - number % size
            assert [place.player.pk for place in page.rows] == [other.player_id for other in rows[start : start + size]]
            assert page.board_size == len(rows)
            assert page.jump == Jump(row.player, None, rank_in(rows, row))
            assert [place.rank for place in page.rows] == [rank_in(rows, other) for other in rows[start : start + size]]
            assert (page.previous_cursor is None) is (start == 0)
        missing = page_at(Board(*key), player=players[-1], size=size)
        assert missing.jump == Jump(players[-1], None, None)
        assert replace(missing, jump=None) == page_at(Board(*key), size=size)


@pytest.mark.parametrize("key", rest_long(*KEYS), ids=str)
@pytest.mark.parametrize("size", [1, 4])
def test_rows_that_are_deleted_while_their_page_is_read(
    key: BoardKey, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(1)
    last = whole(key)[-1]
    size = size if size == 1 else len(whole(key)) - 1  # their row is the first of a page

    def found_and_gone(board: BoardKey, player: int) -> Any:
        place = place_of_player(board, player)
        rows_of(board).filter(player=player).delete()
        return place

    monkeypatch.setattr(stored, "place_of_player", found_and_gone)
    page = page_at(Board(*key), player=last.player, size=size)
    assert page.rows == []
    monkeypatch.undo()
    back = page_at(Board(*key), cursor=page.previous_cursor, size=size)
    assert [row.player.pk for row in back.rows] == [row.player_id for row in whole(key)[-size:]]


@pytest.mark.parametrize("key", rest_long(*KEYS), ids=str)
def test_a_row_that_gets_worse_while_its_page_is_read_is_there_once(
    key: BoardKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(1)
    rows = whole(key)
    fallen = rows[3]
    halves, window = [], keyset._window

    def window_and_move(*arguments: Any) -> Any:
        result = list(window(*arguments))
        halves.append(arguments)
        if len(halves) == 1:  # between both halves of the page
            rows_of(key).filter(pk=fallen.pk).update(rank_key=rows[5].rank_key, achieved_at=rows[5].achieved_at)
        return result

    monkeypatch.setattr(keyset, "_window", window_and_move)
    page = page_at(Board(*key), player=rows[4].player, size=len(rows))
    assert len(halves) == 2
    shown = [row.player.pk for row in page.rows]
    assert sorted(shown) == sorted(row.player_id for row in rows)
    assert [row.rank for row in page.rows][-1] == rank_in(rows, rows[-1])


@pytest.mark.long(beside="tests/players/leaderboards/ranks/test_jumps.py::test_jumps_to_every_player")
@pytest.mark.parametrize("seed", seeds(0, 1))
def test_jumps_to_any_value(seed: int) -> None:
    fill(seed)
    for key in KEYS:
        rows = whole(key)
        values = sorted({row.value for row in rows})
        between = [(low + high) / 2 for low, high in itertools.pairwise(values)]
        for value in [*values, *between, -1.0, 0.0, 1e9]:
            page = page_at(Board(*key), value=value, size=5)
            better = sum(row.value > value if key.row.better.value == "high" else row.value < value for row in rows)
            assert page.jump == Jump(None, value, 1 + better)
            assert page.board_size == len(rows)
            shown = rows[better : better + 5]
            assert [place.player.pk for place in page.rows] == [row.player_id for row in shown]
            assert [place.rank for place in page.rows] == [rank_in(rows, row) for row in shown]
            if better:
                back = page_at(Board(*key), cursor=page.previous_cursor, size=5)
                assert [place.player.pk for place in back.rows] == [
                    row.player_id for row in rows[max(0, better - 5) : better]
                ]
            else:
                assert page.previous_cursor is None


@pytest.mark.long(beside="tests/players/leaderboards/ranks/test_jumps.py::test_jumps_to_every_player")
@pytest.mark.parametrize("seed", seeds(0, 1))
def test_counts_of_every_board(seed: int) -> None:
    fill(seed)
    assert RankCheckpoint.objects.exists() is bool(seed)
    for key in all_boards():
        keys = [row.rank_key for row in rows_of(key)]
        assert board_size(key) == len(keys)
        for value in {*keys[:2], 2.2, -math.inf}:
            assert rank_of_value(key, value) == 1 + sum(other < value for other in keys)


def test_a_cursor_decides_the_page_and_the_jump_is_returned_as_well() -> None:
    fill(1)
    key = KEYS[0]
    rows = whole(key)
    first = page_at(Board(*key), size=3)
    page = page_at(Board(*key), player=rows[0].player, cursor=first.next_cursor, size=3)
    assert [place.player.pk for place in page.rows] == [row.player_id for row in rows[3:6]]
    assert page.jump == Jump(rows[0].player, None, 1)
    with pytest.raises(ValueError, match="not at both"):
        page_at(Board(*key), player=rows[0].player, value=1.0)


def test_an_empty_board() -> None:
    page = page_at(Board(*KEYS[0]), value=3.0)
    assert (page.board_size, page.rows, page.jump) == (0, [], Jump(None, 3.0, 1))
    assert (page.next_cursor, page.previous_cursor) == (None, None)


def test_jumps_take_a_fixed_number_of_statements(django_assert_num_queries: Any) -> None:
    players = Player.objects.bulk_create(Player(name=f"p{number:02}") for number in range(30))
    made = Replay.objects.bulk_create(
        replay_of(player, level, time_ms=1_000 * number, achieved_at=EPOCH + datetime.timedelta(days=number))
        for number, player in enumerate(players, 3)
        for level in (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT)
    )
    rank_replays(made)
    single, combined = board_key(Level.EXPERT, "time"), board_key(COMBINED, "time")
    for key, page in ((single, 1), (combined, 3)):
        with django_assert_num_queries(page + 3):  # the place of its first row, the first of the board, the size
            page_at(Board(*key), cursor=cursor_in(key), size=5)
        with django_assert_num_queries(page + 3):  # their place with the size, both halves of the page, the first
            page_at(Board(*key), player=players[20], size=5)
        with django_assert_num_queries(page + 3):  # the rank of the value, the first of the board, the size
            page_at(Board(*key), value=20.0, size=5)


def cursor_in(key: BoardKey) -> str:
    """A cursor of the board that belongs to no row, made without reading."""
    rest = (EPOCH, 0)
    if key.level == COMBINED:
        return cursor_after((10.0, 1.0, 1.0, *rest), COMBINED_ORDER)
    return cursor_after((10.0, *rest), ORDER)


# --- percentiles and typed values -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rank", "players", "share"), [(1, 1, 100.0), (1, 200, 0.5), (5, 50, 10.0), (50, 50, 100.0), (51, 50, 100.0), (1, 0, 100.0)]
)  # fmt: skip
def test_percentiles(rank: int, players: int, share: float) -> None:
    assert percentile(rank, players) == share


@given(st.integers(0, 10**9))
def test_times_are_parsed_as_they_are_shown(time_ms: int) -> None:
    assert float(parse_value(value_text(BY_NAME["time"], time_ms / 1000))) == time_ms / 1000


@pytest.mark.parametrize(
    "text", ["", " ", "41,20", "1e", "nan", "inf", "+1", "1.", ".5", "²", "1" * 13, "1\n", "--1", "\x00"]
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_value(text)
