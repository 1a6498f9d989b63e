"""PostgreSQL uses an index for every statement of a history and for every filter of the record history."""

from __future__ import annotations

import datetime
import random
import re
from typing import Any

import pytest
from django.db import connection

from players.leaderboards.boards import BoardKey
from players.leaderboards.history.selectors import board_progression, history_page, player_progression
from players.leaderboards.records.selectors import records_page
from players.models import PersonalBest, Player, RecordEvent, SecondCount
from replays.models import Replay
from tests.factories import EPOCH, replay_of
from tests.players.leaderboards.test_plans import plans, sorts

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tables_swept")]

PLAYERS = 2_500
GAMES = 3
KEY = BoardKey("expert", "time", "all")


@pytest.fixture
def crowded(db: None) -> list[Player]:
    """Players who began one after the other, and whose times scatter around what the best of that day could do."""
    source = random.Random(6)
    players = Player.objects.bulk_create(Player(name=f"player {number:05}") for number in range(PLAYERS))
    replays: list[Any] = Replay.objects.bulk_create(
        replay_of(
            player, time_ms=40_000 + source.randint(0, 60_000),
            achieved_at=EPOCH + datetime.timedelta(hours=number + 24 * source.randint(0, 90)),
        )
        for number, player in enumerate(players)
        for _game in range(GAMES)
    )  # fmt: skip
    by_player = [replays[start : start + GAMES] for start in range(0, len(replays), GAMES)]
    best = [min(games, key=lambda game: game.time_ms) for games in by_player]
    PersonalBest.objects.bulk_create(
        PersonalBest(
            player_id=game.player_id, statistic=name, level="expert", style=style, value=game.statistic("time"),
            rank_key=game.statistic("time"), replay=game, achieved_at=game.achieved_at,
        )
        for game in best
        for name in ("time", "path", "ioe", "bvs")
        for style in ("all", "FL")
    )  # fmt: skip
    SecondCount.objects.bulk_create(
        SecondCount(
            player_id=games[0].player_id, level=level, style=style, second=60, games=GAMES,
            first_at=min(game.achieved_at for game in games), first_replay=games[0],
        )
        for games in by_player
        for level in ("expert", "beginner")
        for style in ("all", "FL")
    )  # fmt: skip
    RecordEvent.objects.bulk_create(
        RecordEvent(
            kind="personal", player_id=game.player_id, statistic=name, level=level, style="all", new_value=60.0,
            replay=game, rank_after=1, happened_at=EPOCH,
        )
        for game in best
        for level in ("expert", "beginner")
        for name in ("time", "path", "ioe", "bvs")
    )  # fmt: skip
    with connection.cursor() as cursor:
        for table in (Player, PersonalBest, SecondCount, RecordEvent, Replay):
            cursor.execute(f"ANALYZE {table._meta.db_table}")
    return players


@pytest.mark.long(beside="tests/pages/test_queries.py::test_lists_take_a_fixed_number_of_statements")
def test_every_part_is_served_by_an_index(crowded: list[Player]) -> None:
    """One test, since filling the tables takes longer than all plans."""
    check_progress(crowded[7])
    check_the_page()
    check_the_log()


def assert_enters_an_index(plan: str, column: str = "") -> None:
    """Assert that no table is read as a whole; ``column``: by which a row is found, else it is found in its order.

    Which of several indexes the planner takes depends on how full its pages are.
    """
    assert re.search(rf"Index Cond: \(.*{column}", plan), plan
    assert "Seq Scan" not in plan, plan
    assert column or not sorts(plan), plan


def check_progress(player: Player) -> None:
    (plan,) = plans(lambda: player_progression(player, KEY))
    assert_enters_an_index(plan, "player_id")


def check_the_page() -> None:
    steps = board_progression(KEY)
    (plan,) = plans(lambda: history_page(steps))
    assert_enters_an_index(plan, "id")


def check_the_log() -> None:
    for chosen in ({"level": "expert", "statistic": "ioe"}, {"level": "beginner"}, {"statistic": "bvs"}):
        assert_enters_an_index(plans(lambda chosen=chosen: records_page("personal", "all", **chosen))[0])
