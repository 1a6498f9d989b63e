"""Filtered boards against plain loops over all replays, while everything changes."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from django.core.cache import cache

from analysis.recording import Level
from analysis.statistics import BY_NAME
from players.db.change_log import delete_old_level_changes
from players.leaderboards.board import Board
from players.leaderboards.boards import COMBINED, COMBINED_LEVELS, BoardKey
from players.leaderboards.filtered import clear_memory, make_popular_boards, sorted_board_of, store
from players.leaderboards.filtered.sorted_board import Rows
from players.leaderboards.filtered.sources import board_rows
from players.leaderboards.filters import UNFILTERED, BoardFilter
from players.leaderboards.history.selectors import rank_history
from players.leaderboards.ranked_games import game_of
from players.leaderboards.ranks import BoardPage, page_at
from players.leaderboards.services import add_games, add_late_values, rebuild_boards, remove_games, update_games
from players.models import LevelChange, Player
from players.people.services import set_country
from replays.models import Replay
from tests.effort import amount
from tests.factories import EPOCH, rank_replays, stored_replay, unrank_replays
from tests.players.made_games import Shelf, on_shelf
from tests.players.queries import filter_in
from tests.players.random_changes import World

pytestmark = pytest.mark.django_db

FILTERS = [
    {"period": "2024"}, {"period": "2024-01"}, {"as_of": "2024-01-03"}, {"as_of": "2024-01-20", "country": "PL"},
    {"country": "DE"}, {"min_3bv": "22"}, {"best_of": "2"}, {"best_of": "3", "period": "2024", "country": "DE"},
    {"period": "2024", "as_of": "2024-01-02", "min_3bv": "21"},
]  # fmt: skip
KEYS = [
    BoardKey("expert", "time", "all"), BoardKey("beginner", "bvs", "NF"), BoardKey("intermediate", "path", "all"),
    BoardKey("expert", "stnb", "FL"),
]  # fmt: skip
SUMS = [BoardKey(COMBINED, "time", "all"), BoardKey(COMBINED, "ioe", "FL")]
CORPSES = [
    BoardKey("expert", "stnb", "all"), BoardKey("beginner-9x9", "estime", "all"), BoardKey("intermediate", "estime", "FL"),
]  # fmt: skip
SUBS = [("expert", 5, "all"), ("beginner", 4, "NF"), ("intermediate", 100, "all")]

Row = tuple[int, int, float, datetime]  # rank, player, value, achieved


# --- the naive twin ---------------------------------------------------------------------------------------------------


def games_of(level: str, style: str, board_filter: BoardFilter) -> list[Replay]:
    counting = {"corpse": True} if board_filter.lost else {"ranked": True}
    rows = Replay.objects.filter(**counting).select_related("player").defer("board")
    return [
        row
        for row in rows
        if row.level == level
        and style in ("all", row.style)
        and row.achieved_at is not None
        and (board_filter.since is None or row.achieved_at >= board_filter.since)
        and (board_filter.since is None or row.played_at is None or row.played_at >= board_filter.since)
        and (board_filter.until is None or row.achieved_at < board_filter.until)
        and (not board_filter.country or (row.player is not None and row.player.country == board_filter.country))
        and int(row.statistic("bv") or 0) >= board_filter.min_bv
    ]


def naive_level(key: BoardKey, board_filter: BoardFilter) -> dict[int, tuple[float, datetime]]:
    """Value and date of each player's row."""
    by_player: dict[int, list[tuple[float, datetime, int]]] = defaultdict(list)
    sign = -1 if BY_NAME[key.statistic].better == "high" else 1
    for game in games_of(key.level, key.style, board_filter):
        value = game.statistic(key.statistic)
        if value is not None:
            by_player[game.player_id or 0].append((sign * value, game.achieved_at or EPOCH, game.pk))
    found = {}
    for player, games in by_player.items():
        best = sorted(games)[: board_filter.best_of]
        if len(best) == board_filter.best_of:
            mean = (
                best[0][0]
                if board_filter.best_of == 1
                else round(sum(game[0] for game in best) / board_filter.best_of, 9)
            )
            found[player] = (mean, max(game[1] for game in best))
    return found


def naive_rows(key: BoardKey, board_filter: BoardFilter) -> list[Row]:
    if key.level != COMBINED:
        places = [((value,), at, player) for player, (value, at) in naive_level(key, board_filter).items()]
    else:
        beginner, intermediate, expert = (
            naive_level(BoardKey(level, key.statistic, key.style), board_filter) for level in COMBINED_LEVELS
        )
        places = []
        for player in beginner.keys() & intermediate.keys() & expert.keys():
            parts = beginner[player], intermediate[player], expert[player]
            keys = (round(sum(part[0] for part in parts), 9), expert[player][0], intermediate[player][0])
            places.append((keys, max(part[1] for part in parts), player))  # type: ignore[arg-type]
    sign = -1 if BY_NAME[key.statistic].better == "high" else 1
    return [
        (1 + sum(other[0] < keys for other in places), player, sign * keys[0], at)
        for keys, at, player in sorted(places)
    ]


def naive_sub(level: str, n: int, style: str, board_filter: BoardFilter) -> list[Row]:
    counts: dict[int, list[datetime]] = defaultdict(list)
    for game in games_of(level, style, board_filter):
        if int(game.statistic("time_ms") or 0) // 1000 + 1 <= n - 1:
            counts[game.player_id or 0].append(game.achieved_at or EPOCH)
    places = sorted((-len(dates), min(dates), player) for player, dates in counts.items())
    return [(1 + sum(other[0] < fewer for other in places), player, float(-fewer), at) for fewer, at, player in places]


def shown(page: BoardPage) -> list[Row]:
    return [(row.rank, row.player.pk, row.value, row.achieved_at) for row in page.rows]


def close(rows: list[Row], expected: list[Row]) -> bool:
    """Equal, but for the last bits of means that were added up in another order."""
    return len(rows) == len(expected) and all(
        one[:2] == other[:2] and one[2] == pytest.approx(other[2], abs=1e-8) and one[3] == other[3]
        for one, other in zip(rows, expected, strict=True)
    )


def assert_all_right() -> None:
    for parameters in FILTERS:
        for key in [*KEYS, *SUMS]:
            if key.level == COMBINED and "min_3bv" in parameters:
                continue
            board_filter = filter_in(parameters)
            page = page_at(Board(*key, board_filter), size=200)
            expected = naive_rows(key, board_filter)
            assert close(shown(page), expected), (key, parameters)
            assert page.board_size == len(expected)
    for key in CORPSES:
        for parameters in ({}, *FILTERS):
            board_filter = replace(filter_in(parameters), lost=True)
            page = page_at(Board(*key, board_filter), size=200)
            assert close(shown(page), naive_rows(key, board_filter)), (key, parameters)
    for level, n, style in SUBS:
        for parameters in ({}, {"period": "2024"}, {"country": "PL"}, {"min_3bv": "22", "as_of": "2024-01-04"}):
            board_filter = filter_in(parameters)
            expected = naive_sub(level, n, style, board_filter)
            assert shown(page_at(Board(level, f"sub{n}", style, board_filter), size=200)) == expected, (
                level,
                n,
                parameters,
            )


@pytest.mark.long(
    beside="tests/players/leaderboards/filtered/test_filtered_boards.py::test_a_board_is_read_once_and_then_updated"
)
def test_live_boards_follow_every_kind_of_change(monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = Shelf()
    with on_shelf(shelf):
        world = World(3, shelf, monkeypatch, full=150)
        source = random.Random(7)
        for _ in range(amount(long=12, usual=2)):
            changes = 0
            while changes < 25:
                changes += world.change()
            for player in Player.objects.order_by("id"):
                if source.random() < 0.1:
                    set_country(player, source.choice(["", "PL", "DE"]))
            assert_all_right()
            source.choice([cache.clear, clear_memory, lambda: None, lambda: None])()  # type: ignore[no-untyped-call]
    assert Replay.objects.filter(ranked=True).count() > 20
    assert Replay.objects.filter(corpse=True).exists()


def test_every_kind_of_change_is_logged() -> None:
    """The other tests are one transaction each, in which an earlier entry of a player is read again and again."""
    player = Player.objects.create(name="one")
    row = game(player, 40_000)
    before = game_of(row)
    changes: list[Callable[[], object]] = [
        lambda: add_games([before]),
        lambda: add_late_values([before]),
        lambda: update_games({row.pk: before}, {row.pk: before._replace(time_ms=39_000)}),
        lambda: rebuild_boards([player.pk]),
        lambda: remove_games([before]),
    ]
    for number, change in enumerate(changes):
        LevelChange.objects.all().delete()
        change()
        logged = set(LevelChange.objects.values_list("player_number", "level"))
        assert (player.pk, "expert") in logged, number


def game(player: Player, time_ms: int, **options: Any) -> Replay:
    return stored_replay(player, Level.EXPERT, time_ms=time_ms, **options)


BOARD = Board("expert", "time", "all", filter_in({"period": "2024"}))


def test_pages_jumps_and_the_viewer() -> None:
    players = [Player.objects.create(name=f"player {number:02}") for number in range(25)]
    rank_replays([game(player, 30_000 + 1_000 * (number // 2)) for number, player in enumerate(players)])
    key, board_filter = KEYS[0], filter_in({"period": "2024"})
    whole = shown(page_at(Board(*key, board_filter), size=50))
    assert [row[0] for row in whole[:5]] == [1, 1, 3, 3, 5]

    seen, cursor, pages = [], None, []
    while True:
        page = page_at(Board(*key, board_filter), size=7, cursor=cursor, viewer=players[20])
        own = page.own_row
        assert own is not None
        assert (own.rank, own.player.pk) == (21, players[20].pk)
        seen += shown(page)
        pages.append(page)
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == whole
    back = page_at(Board(*key, board_filter), size=7, cursor=pages[-1].previous_cursor)
    assert shown(back) == shown(pages[-2])
    assert pages[0].previous_cursor is None

    there = page_at(Board(*key, board_filter), size=7, player=players[16])
    assert there.jump is not None
    assert there.jump.rank == 17
    assert shown(there) == whole[14:21]
    value = page_at(Board(*key, board_filter), size=7, value=33.5)
    assert value.jump is not None
    assert value.jump.rank == 9
    assert shown(value)[0] == whole[8]
    nobody = page_at(Board(*key, board_filter), size=7, player=Player.objects.create(name="nobody"))
    assert nobody.jump is not None
    assert nobody.jump.rank is None
    assert shown(nobody) == whole[:7]
    last = page_at(Board(*key, board_filter), size=7, value=1e9)
    assert last.jump is not None
    assert last.jump.rank == 26
    assert shown(last) == []
    assert last.previous_cursor is not None


def test_a_filter_without_a_country_takes_all_players() -> None:
    players = [Player.objects.create(name=country or "nowhere", country=country) for country in ("", "PL", "DE")]
    rank_replays([game(player, 30_000 + player.pk) for player in players])
    everybody = [player.pk for player in players]
    assert sorted_board_of(Board("expert", "time", "all", UNFILTERED)).rows.player.tolist() == everybody
    assert sorted(sorted_board_of(Board("expert", "sub100", "all", UNFILTERED)).rows.player.tolist()) == everybody


def test_statements_do_not_grow_with_the_board(django_assert_num_queries: Any) -> None:
    for count in (3, 30):
        for number in range(count):
            rank_replays([game(Player.objects.create(name=f"{count} {number}"), 40_000 + number)])
        sorted_board_of(BOARD)
        # Position and log, the changed players (the test is one transaction, whose changes are read again each time),
        # players, clocks.
        with django_assert_num_queries(5):
            page_at(Board(*KEYS[0], filter_in({"period": "2024"})), size=50)


def test_a_board_is_read_once_and_then_updated(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []

    def read_and_note(board: Board, players: Any) -> Rows:
        made.append(players)
        return board_rows(board, players)

    monkeypatch.setattr(store, "board_rows", read_and_note)
    player = Player.objects.create(name="one")
    rank_replays([game(player, 40_000)])
    assert len(sorted_board_of(BOARD)) == 1
    assert made == [None]
    other = Player.objects.create(name="two")
    rank_replays([game(other, 39_000)])
    assert sorted_board_of(BOARD).rows.player.tolist() == [other.pk, player.pk]
    assert None not in made[1:]
    clear_memory()  # another process
    assert sorted_board_of(BOARD).rows.player.tolist() == [other.pk, player.pk]
    assert None not in made[1:]
    clear_memory()
    cache.clear()
    assert sorted_board_of(BOARD).rows.player.tolist() == [other.pk, player.pk]
    assert made[-1] is None


def test_a_board_without_a_recent_update_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player.objects.create(name="one")
    rank_replays([game(player, 40_000)])
    sorted_board_of(BOARD)
    later = time.time() + store._MAX_AGE_SECONDS + 1
    monkeypatch.setattr(time, "time", lambda: later)
    LevelChange.objects.all().delete()
    replay = game(player, 30_000)
    rank_replays([replay])
    LevelChange.objects.all().delete()  # as if old entries had been deleted
    assert sorted_board_of(BOARD).rows.replay.tolist() == [replay.pk]


def test_boards_are_read_again_after_a_database_is_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player.objects.create(name="one")
    rank_replays([game(player, 40_000)])
    monkeypatch.setattr(store, "read_log_position", lambda: 2**60)
    sorted_board_of(BOARD)
    monkeypatch.undo()
    replay = game(player, 30_000)
    rank_replays([replay])
    assert sorted_board_of(BOARD).rows.replay.tolist() == [replay.pk]


def test_a_board_with_very_many_changes_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_MANY", 2)
    players = [Player.objects.create(name=f"{number}") for number in range(5)]
    sorted_board_of(BOARD)
    rank_replays([game(player, 40_000) for player in players])
    assert len(sorted_board_of(BOARD)) == 5


def test_memory_is_bounded(settings: Any) -> None:
    rank_replays([game(Player.objects.create(name="one"), 40_000)])
    settings.FILTERED_BOARDS_MB = 0
    for n in range(2, 30):
        assert len(page_at(Board("expert", f"sub{n + 40}")).rows) == (1 if n + 40 > 41 else 0)
    assert len(store._MEMORY._boards) == 1


def test_old_entries_of_the_change_log_are_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    rank_replays([game(Player.objects.create(name="one"), 40_000)])
    assert delete_old_level_changes() == 0
    LevelChange.objects.update(noted_at=EPOCH)
    assert delete_old_level_changes() >= 1
    assert not LevelChange.objects.exists()


def test_rank_over_time() -> None:
    early, late = Player.objects.create(name="early"), Player.objects.create(name="late")
    first = game(early, 50_000, achieved_at=EPOCH)
    rank_replays([first, game(late, 40_000, achieved_at=EPOCH.replace(year=2025))])
    ranks = rank_history(early, KEYS[0])
    assert ranks[0][1] == 1
    assert ranks[-1][1] == 2
    assert [rank for _when, rank in rank_history(late, KEYS[0])] == [1] * len(ranks)
    assert rank_history(Player.objects.create(name="none"), KEYS[0]) == []
    unrank_replays([first])
    first.delete()
    assert rank_history(early, KEYS[0]) == []


def test_popular_boards_are_made_for_other_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player.objects.create(name="one")
    rank_replays([game(player, 40_000)])
    assert make_popular_boards(seconds=0) == 0
    everything = make_popular_boards(seconds=600)
    assert everything > 28
    assert make_popular_boards(seconds=600) == everything
    assert not store._MEMORY._boards

    def made_again(board: Board, players: Any) -> Rows:
        assert players is not None, f"{board.name} was made again"
        return board_rows(board, players)

    monkeypatch.setattr(store, "board_rows", made_again)
    assert page_at(Board("expert", "sub60")).board_size == 1
    assert page_at(Board(*KEYS[0], filter_in({"period": "active"}))).board_size == 0
