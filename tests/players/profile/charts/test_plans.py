"""The questions about a player's days are answered from the index ``replay_days_with_zone`` alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from players.models import Player
from players.profile.charts import games as player_games
from replays.models import Replay
from tests.players.profile.charts.games import random_games

pytestmark = pytest.mark.django_db(transaction=True)
ZONE = ZoneInfo("Europe/Berlin")

QUESTIONS: dict[str, Callable[[int], object]] = {
    "totals": lambda player: player_games.totals_of(player),
    "by_day": lambda player: player_games.by_day(player, ZONE),
    "by_day_of_a_year": lambda player: player_games.by_day(player, ZONE, 2024),
    "by_hour": lambda player: player_games.by_hour(player, ZONE, "expert"),
    "by_month": lambda player: player_games.by_month(player, ZONE, None),
}


@pytest.mark.long(beside="tests/pages/test_queries.py::test_lists_take_a_fixed_number_of_statements")
def test_no_row_of_the_table_is_read() -> None:
    players = [Player.objects.create(name=f"player {number}") for number in range(20)]
    games = [game for number, player in enumerate(players) for game in random_games(player, 200, number)]
    random.Random(1).shuffle(games)  # as they are uploaded, so that a player's rows lie in many pages
    with transaction.atomic(), connection.cursor() as cursor:
        # Rows of a commit that is not on the disk yet are not marked as visible to all, and a plan avoids the index.
        cursor.execute("SET LOCAL synchronous_commit = on")
        Replay.objects.bulk_create(games)
    with connection.cursor() as cursor:
        cursor.execute(f"VACUUM (ANALYZE) {Replay._meta.db_table}")
    for name, question in QUESTIONS.items():
        with CaptureQueriesContext(connection) as queries:
            question(players[1].pk)
        (query,) = queries.captured_queries
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, COSTS OFF) {query['sql']}")
            plan = "\n".join(line for (line,) in cursor.fetchall())
        assert "Index Only Scan using replay_days_with_zone" in plan, (name, plan)
        assert "Heap Scan" not in plan, (name, plan)
