"""PostgreSQL finds any row of a board by an index, and reads as few rows at its end as at its top."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.leaderboards.board import Board
from players.leaderboards.boards import COMBINED, ORDER, BoardKey, board_key
from players.leaderboards.ranks import board_size, page_at
from players.leaderboards.ranks.checkpoints import ROWS_A_CHECKPOINT, count_boards
from players.leaderboards.ranks.count import rank_of_value
from players.models import Player, RankCheckpoint
from tests.players.leaderboards.test_plans import PLAYERS, crowded, plans, sorts  # noqa: F401 - fixtures
from tests.players.made_games import rows_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tables_swept")]

#: Most rows that one plan node may read of a board: a few times those between two checkpoints.
MOST_ROWS = 8 * ROWS_A_CHECKPOINT


@pytest.fixture
def counted(crowded: list[Player]) -> list[Player]:  # noqa: F811 - the fixture of that name
    """The crowded boards with checkpoints."""
    count_boards([board_key("expert", "time"), board_key(COMBINED, "time")])
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {RankCheckpoint._meta.db_table}")
    return crowded


def scans(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every node of a plan that reads a table or an index."""
    if "Relation Name" in node:
        yield node
    for part in node.get("Plans", []):
        yield from scans(part)


def rows_read(read: Callable[[], Any]) -> tuple[int, set[str]]:
    """The most rows that a plan node of the statements of ``read`` read, and the kinds of scans of boards."""
    with CaptureQueriesContext(connection) as queries:
        read()
    most, ways = 0, set()
    for query in queries.captured_queries:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {query['sql']}")
            plan = cursor.fetchone()[0]
        for node in scans((json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]):
            if node["Relation Name"] in {"players_personalbest", "players_combinedbest"}:
                ways.add(node["Node Type"])
                most = max(most, node["Actual Rows"] * node["Actual Loops"] + node.get("Rows Removed by Filter", 0))
    return int(most), ways


def assert_reads_little(key: BoardKey, players: list[Player]) -> None:
    keys = list(rows_of(key).order_by("rank_key").values_list("rank_key", flat=True))
    ranks = [partial(rank_of_value, key, rank_key) for rank_key in (keys[0], keys[1_500], keys[-1], 1e9)]
    jumps = [partial(page_at, Board(*key), player=player) for player in (players[0], players[-1])]
    reads: list[Callable[[], Any]] = [
        *ranks,
        *jumps,
        partial(board_size, key),
        partial(page_at, Board(*key), value=1e9),
    ]
    for read in reads:
        most, ways = rows_read(read)
        assert most <= MOST_ROWS
        assert "Seq Scan" not in ways


@pytest.mark.long(beside="tests/players/leaderboards/test_plans.py::test_every_page_is_served_by_an_index")
def test_places_cost_the_same_everywhere(counted: list[Player]) -> None:
    for key in (board_key("expert", "time"), board_key(COMBINED, "time")):
        assert board_size(key) == PLAYERS > MOST_ROWS
        assert_reads_little(key, counted)


@pytest.mark.long(beside="tests/players/leaderboards/test_plans.py::test_every_page_is_served_by_an_index")
def test_a_page_around_a_player_sorts_nothing(crowded: list[Player]) -> None:  # noqa: F811 - the fixture of that name
    key = board_key("expert", "time")
    player = deep(key)
    _place, *parts, _players = plans(lambda: page_at(Board(*key), player=player))
    assert len(parts) == 3  # before, after, and the first of the board
    for plan in parts:
        assert "board_order" in plan, plan
        assert not sorts(plan), plan


def deep(key: BoardKey) -> Player:
    """A player in the middle of the board, and not the first of a page."""
    found: Player = rows_of(key).order_by(*ORDER).select_related("player")[1_510].player
    return found
