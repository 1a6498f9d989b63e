"""PostgreSQL enters an index for every page: no sort, no scan of a table."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.leaderboards.board import Board
from players.leaderboards.boards import COMBINED_LEVELS, board_key
from players.leaderboards.ranks import BoardPage, page_at
from players.leaderboards.records.selectors import records_of_player, records_page
from players.models import CombinedBest, PersonalBest, Player, RecordEvent, SecondCount
from players.people.selectors import player_of_id, players_page
from players.profile.page.selectors import player_bests
from replays.models import Replay
from tests.factories import EPOCH

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tables_swept")]

PLAYERS = 2_100


@pytest.fixture
def crowded(db: None) -> list[Player]:
    """Over 2,000 players on a few boards, written straight into the tables."""
    source = random.Random(5)
    _set_triggers("replica")
    players = Player.objects.bulk_create(Player(name=f"player {number:05}") for number in range(PLAYERS))
    # The planner reads a table of one row as a whole; these rows only have to be many.
    replays = Replay.objects.bulk_create(
        Replay(sha256=f"{number:064x}", size_bytes=1, uploaded_at=EPOCH) for number in range(PLAYERS)
    )
    bests = PersonalBest.objects.bulk_create(
        PersonalBest(
            player=player, statistic="time", level=level, style="all", value=value, rank_key=value,
            replay=source.choice(replays),
            achieved_at=EPOCH,
        )
        for player in players
        for level in COMBINED_LEVELS
        for value in [source.randint(1, 2_000) / 10]
    )  # fmt: skip
    parts = {(best.player_id, best.level): best for best in bests}
    CombinedBest.objects.bulk_create(
        CombinedBest(
            player=player, statistic="time", style="all", value=100.0, rank_key=source.randint(50, 500), expert_key=50.0,
            intermediate_key=20.0, achieved_at=EPOCH, **{level: parts[player.pk, level] for level in COMBINED_LEVELS},
        )
        for player in players
    )  # fmt: skip
    SecondCount.objects.bulk_create(
        SecondCount(
            player=player, level="expert", style="all", second=second, games=source.randint(1, 9), first_at=EPOCH,
            first_replay=source.choice(replays),
        )
        for player in players
        for second in range(60, 65)
    )  # fmt: skip
    RecordEvent.objects.bulk_create(
        RecordEvent(
            kind=kind, player=players[7] if number % 100 == 0 else source.choice(players), statistic="time", level="expert", style=style, new_value=60.0,
            replay=source.choice(replays), rank_after=1, happened_at=EPOCH,
        )
        for kind, count in (("personal", 6_000), ("site", 200))
        for style in ("all", "NF")
        for number in range(count)
    )  # fmt: skip
    _fill_other_boards()
    _set_triggers("origin")
    with connection.cursor() as cursor:
        for table in (Player, PersonalBest, CombinedBest, SecondCount, RecordEvent, Replay):
            cursor.execute(f"ANALYZE {table._meta.db_table}")
    return players


def _set_triggers(role: str) -> None:
    """``replica``: without checks of references and without notes of changes, which take longer than writing the rows."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('session_replication_role', %s, true)", [role])


def _fill_other_boards() -> None:
    """The same results under other names: of a table with one board, the planner would rather read all."""
    with connection.cursor() as cursor:
        for table in (PersonalBest, CombinedBest):
            names = [
                str(field.column) for field in table._meta.concrete_fields if field.name not in {"id", "statistic"}
            ]
            columns, name = ", ".join(names), table._meta.db_table
            cursor.execute(
                f"INSERT INTO {name} (statistic, {columns}) SELECT other, {columns} FROM {name}, "  # noqa: S608 - our own names
                "unnest(array['path', 'qg', 'rqp', 'rv', 'bvs', 'ioe', 'thrp', 'corr']) AS other"
            )


def plans(read: Any) -> list[str]:
    """The plan of each statement that ``read`` sends."""
    with CaptureQueriesContext(connection) as queries:
        read()
    found = []
    for query in queries.captured_queries:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN {query['sql']}")
            found.append("\n".join(line for (line,) in cursor.fetchall()))
    return found


def deep_cursor(read: Callable[[str | None], Any], pages: int = 40) -> str:
    cursor: str | None = None
    for _ in range(pages):
        cursor = read(cursor).next_cursor
        assert cursor is not None
    assert cursor is not None
    return cursor


def sorts(plan: str) -> bool:
    """Return whether a plan sorts more than rows that an index gives as equal; sorting just those is "incremental"."""
    return re.search(r"(?<!Incremental )Sort  ", plan) is not None


def assert_served_by_index(plan: str, index: str) -> None:
    assert index in plan, plan
    assert not sorts(plan), plan
    assert "Seq Scan" not in plan, plan
    assert "Memoize" not in plan, plan  # it makes room for every row of the table, for the fifty of a page


def assert_counted_by_index(plan: str, index: str) -> None:
    """Assert that ranks are counted by ``index``; the checkpoints, few or none here, may be read whole and sorted."""
    assert index in plan, plan
    assert "Seq Scan on players_personalbest" not in plan, plan
    assert "Seq Scan on players_combinedbest" not in plan, plan


def check_leaderboard_pages(crowded: list[Player]) -> None:
    key = board_key("expert", "time")

    def read(cursor: str | None = None) -> BoardPage:
        return page_at(Board(*key), cursor=cursor, size=50)

    first, size = plans(read)
    assert_counted_by_index(size, "board_order")
    assert_served_by_index(first, "board_order")
    cursor = deep_cursor(read)
    page, leader, count, _size = plans(lambda: read(cursor))
    assert_served_by_index(leader, "board_order")
    assert_served_by_index(page, "board_order")
    assert "ROW(players_personalbest.rank_key" in page or "ROW(rank_key" in page, page
    assert_counted_by_index(count, "board_order")
    assert "Index Cond" in count, count


def check_the_own_rank(crowded: list[Player]) -> None:
    key = board_key("expert", "time")
    last = (
        page_at(Board(*key), size=50, cursor=deep_cursor(lambda cursor: page_at(Board(*key), cursor=cursor, size=50)))
        .rows[-1]
        .player
    )
    viewer = player_of_id(last.pk)
    _page, own, rank, _size = plans(lambda: page_at(Board(*key), size=50, viewer=viewer))
    assert_served_by_index(own, "one_personal_best")
    assert_counted_by_index(rank, "board_order")


def check_combined_pages(crowded: list[Player]) -> None:
    def read(cursor: str | None = None) -> BoardPage:
        return page_at(Board(*board_key("combined", "time")), cursor=cursor, size=50)

    first, *_parts_and_size = plans(read)
    assert_served_by_index(first, "combined_order")
    cursor = deep_cursor(read)
    _size, page, count, *_players_and_parts = plans(lambda: read(cursor))
    assert_served_by_index(page, "combined_order")
    assert_counted_by_index(count, "combined_order")


def check_record_pages(crowded: list[Player]) -> None:
    (plan,) = plans(lambda: records_page("site", "all", size=20))
    assert_served_by_index(plan, "site_records_newest")
    (plan,) = plans(lambda: records_page("personal", "all", size=20))
    assert_served_by_index(plan, "players_recordevent_pkey")
    (plan,) = plans(lambda: records_of_player(crowded[7].pk, 20))
    assert_served_by_index(plan, "events_of_player")


def check_player_pages(crowded: list[Player]) -> None:
    cursor = deep_cursor(lambda cursor: players_page("", cursor, 50))
    players, _times = plans(lambda: players_page("", cursor, 50))
    assert_served_by_index(players, "player_by_name")


def check_a_players_own_ranks(crowded: list[Player]) -> None:
    (both,) = plans(lambda: player_bests(crowded[5].pk))
    assert "board_order" in both
    for table in ("personalbest", "combinedbest"):
        assert f"Seq Scan on players_{table}" not in both, both


@pytest.mark.slow(why="PostgreSQL plans for many rows only where there are many, and 130,000 are written")
def test_every_page_is_served_by_an_index(crowded: list[Player]) -> None:
    """One test, since filling the tables takes longer than all plans."""
    for check in (
        check_leaderboard_pages,
        check_the_own_rank,
        check_combined_pages,
        check_record_pages,
        check_player_pages,
        check_a_players_own_ranks,
    ):
        check(crowded)
