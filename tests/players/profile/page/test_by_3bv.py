"""A player's best for each 3BV: equal to a plain count, one statement, one index."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from analysis.recording import Level
from analysis.statistics import RANKED, RANKED_LEVELS, Better
from players.leaderboards import ranked_games
from players.leaderboards.boards import ON_LEVEL, STYLES, BoardKey, board_key
from players.leaderboards.ranked_games import BvBest
from players.models import ALL_STYLES, Player
from replays.models import Replay
from tests.effort import seeds
from tests.factories import random_ranked_replay, replay_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tables_swept")]


def naive(replays: list[Replay], key: BoardKey) -> list[BvBest]:
    """The same by sorting all games of a player in Python."""
    sign = -1 if key.row.better is Better.HIGH else 1
    games: dict[int, list[Any]] = {}
    for replay in replays:
        counts = replay.ranked and replay.level == key.level and key.style in (ALL_STYLES, replay.style)
        bv = replay.statistic("bv")
        if counts and bv is not None and replay.statistic(key.statistic) is not None:
            games.setdefault(int(bv), []).append(replay)
    found = []
    for bv in sorted(games):
        best = min(games[bv], key=lambda game: (sign * game.statistic(key.statistic), game.achieved_at, game.pk))
        value = best.statistic(key.statistic)
        found.append(BvBest(bv, value, best.pk, best.achieved_at, best.time_precision_ms, len(games[bv])))
    return found


@pytest.mark.parametrize("seed", seeds(0, 1, 2))
def test_bests_are_those_of_a_plain_count(seed: int) -> None:
    source = random.Random(seed)
    players = [Player.objects.create(name=f"p{number}") for number in range(2)]
    replays = [random_ranked_replay(source, source.choice(players)) for _ in range(120)]
    for replay in replays[:15]:
        replay.ranked = False
    Replay.objects.bulk_create(replays)
    for player in players:
        own = list(Replay.objects.filter(player=player))
        for level, rows in ON_LEVEL.items():
            for row in rows:
                for style in STYLES:
                    key = board_key(level, row.name, style)
                    assert ranked_games.best_by_3bv(player.pk, key) == naive(own, key), key


@pytest.mark.long(beside="tests/players/profile/page/test_by_3bv.py::test_bests_are_those_of_a_plain_count")
def test_one_statement_enters_the_index_and_reads_no_boards() -> None:
    players = Player.objects.bulk_create(Player(name=f"p{number}") for number in range(40))
    # Most games are not on Expert, or do not rank: what the index leaves out.
    games = [
        # Luck comes by another way than all other numbers: nothing in the game of a test says what it is.
        replay_of(player, level, time_ms=40_000 + number, bv=100 + number, ranked=number < 10, values={"pluck": 1.0})
        for player in players
        for level in RANKED_LEVELS
        for number in range(25)
    ]
    random.Random(1).shuffle(games)  # players come and go: the games of one do not lie side by side
    Replay.objects.bulk_create(games)
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {Replay._meta.db_table}")
    for row in RANKED:
        with CaptureQueriesContext(connection) as queries:
            assert len(ranked_games.best_by_3bv(players[7].pk, board_key(Level.EXPERT, row.name))) == 10
        (query,) = queries.captured_queries
        assert '"board"' not in query["sql"]
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN {query['sql']}")
            plan = "\n".join(line for (line,) in cursor.fetchall())
        assert "replay_ranked" in plan or "replay_best_times" in plan, plan
        assert "Seq Scan" not in plan, plan


# --- the page ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def player() -> Player:
    found = Player.objects.create(name="Ada")
    Replay.objects.bulk_create(
        replay_of(found, time_ms=time_ms, bv=bv, style=style)
        for time_ms, bv, style in [(50_000, 120, "NF"), (49_000, 120, "FL"), (60_000, 140, "FL")]
    )
    return found


def test_a_style_has_its_own_bests(player: Player) -> None:
    def bests(level: str, statistic: str, style: str = ALL_STYLES) -> list[tuple[int, int, float]]:
        found = ranked_games.best_by_3bv(player.pk, board_key(level, statistic, style))
        return [(best.bv, best.games, best.value) for best in found]

    assert bests("expert", "time") == [(120, 2, 49.0), (140, 1, 60.0)]
    assert bests("expert", "time", "NF") == [(120, 1, 50.0)]
    assert bests("beginner", "bvs") == []


@pytest.mark.parametrize("path", ["expert/nope/", "combined/time/", "custom/time/", "expert/cl/"])
def test_what_does_not_exist_is_404(player: Player, path: str) -> None:
    for number in (player.pk, player.pk + 1):
        assert Client().get(f"/players/{number}/by-3bv/{path}").status_code == 404
