"""Tests that reads of all ranked games come from indexes alone: the rows of replays are wide."""

from __future__ import annotations

import random
from itertools import product

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from analysis.recording import Level
from players.accounts.claims.selectors import names_to_claim
from players.leaderboards import ranked_games
from players.leaderboards.board import Board
from players.leaderboards.boards import board_key
from players.leaderboards.filters import X5, BoardFilter
from players.models import ALL_STYLES, Identity, Player, User
from replays.models import Replay
from tests.cases import check_each
from tests.factories import replay_of

pytestmark = pytest.mark.django_db(transaction=True)

_PLAYERS = 20


@pytest.fixture
def uploader(db: None) -> User:
    """An account that uploaded the games of many players."""
    source = random.Random(1)
    uploader = User.objects.create_user("uploader")
    players = Player.objects.bulk_create(Player(name=f"player {number}") for number in range(_PLAYERS))
    Identity.objects.bulk_create(Identity(name=player.name, player=player, first_player=player) for player in players)
    games = [
        replay_of(
            player, source.choice([Level.EXPERT, Level.BEGINNER]), time_ms=source.randint(30_000, 90_000), bv=120,
            source=source, style=source.choice(["NF", "FL"]), uploader=uploader, identifier=player.name,
        )
        for player in players
        for _ in range(200)
    ]  # fmt: skip
    games += [
        replay_of(
            player, source.choice([Level.EXPERT, Level.BEGINNER]), time_ms=source.randint(30_000, 90_000), bv=120,
            bvdone=source.randint(60, 119), source=source, style=source.choice(["NF", "FL"]), uploader=uploader,
            identifier=player.name,
        )
        for player in players
        for _ in range(100)
    ]  # fmt: skip
    source.shuffle(games)  # as they are uploaded, so that a player's rows lie in many pages
    with transaction.atomic(), connection.cursor() as cursor:
        # Rows of a commit that is not on the disk yet are not marked as visible to all, and a plan avoids the index.
        cursor.execute("SET LOCAL synchronous_commit = on")
        Replay.objects.bulk_create(games)
    with connection.cursor() as cursor:
        # Of all three: what the planner knew of the tables of tests before is none of this site.
        cursor.execute(f"VACUUM (ANALYZE) {', '.join(model._meta.db_table for model in (Replay, Player, Identity))}")
    return uploader


def _plan(queries: CaptureQueriesContext) -> str:
    (query,) = queries.captured_queries
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, COSTS OFF) {query['sql']}")
        return "\n".join(line for (line,) in cursor.fetchall())


@pytest.mark.long(beside="tests/pages/test_queries.py::test_lists_take_a_fixed_number_of_statements")
def test_boards_and_names_of_everybody_are_read_from_an_index(uploader: User) -> None:
    """All on one site, which takes most of the time."""
    check_each(five_best_times, [(ALL_STYLES,), ("NF",)])
    check_each(best_lost_game, product(["stnb", "estime"], [ALL_STYLES, "NF"]))
    with CaptureQueriesContext(connection) as queries:
        assert len(names_to_claim(uploader)) == _PLAYERS
    plan = _plan(queries)
    assert "Index Only Scan using replay_names_of_uploader" in plan, plan
    assert len(names_to_claim(uploader, 3)) == 3


def five_best_times(style: str) -> None:
    with CaptureQueriesContext(connection) as queries:
        best = list(ranked_games.best_values(Board(Level.EXPERT, "time", style, BoardFilter(best_of=X5)), None))
    assert len(best) == X5 * _PLAYERS
    # The statement is a server-side cursor; what it declares can be explained.
    plan = _plan(queries)
    assert "Index Only Scan using replay_best_times" in plan, plan
    assert "Sort" not in plan, plan
    assert "Heap Scan" not in plan, plan


def best_lost_game(statistic: str, style: str) -> None:
    key = board_key(Level.EXPERT, statistic, style, lost=True)
    with CaptureQueriesContext(connection) as queries:
        assert len(list(ranked_games.best_values(Board(*key, BoardFilter(lost=True)), None))) == _PLAYERS
    plan = _plan(queries)
    assert f"Index Only Scan using replay_corpses_by_{statistic}" in plan, plan
    assert "Sort" not in plan, plan
    assert "Heap Scan" not in plan, plan
