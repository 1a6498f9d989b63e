"""Countries by their players, and who improved most, beside the slow and obvious ways."""

from __future__ import annotations

import random
from collections import defaultdict
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from analysis.recording import Level
from analysis.statistics import CLASSIC_LEVELS
from players.leaderboards.board import Board
from players.leaderboards.boards import COMBINED, BoardKey, board_key
from players.leaderboards.ranks import page_at
from players.models import Player, RecordEvent
from players.profile.top_lists.country_ranking import COUNTED, CountryRanking, country_ranking
from players.profile.top_lists.improvements import MOST, improvements
from replays.models import Replay
from tests.effort import seeds
from tests.factories import rank_replays, replay_of, stored_replay

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
COUNTRIES = ("DE", "PL", "CN", "FR", "")


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cache.clear()


def crowd(source: random.Random, count: int = 24) -> list[Player]:
    """Players of few countries with few different results, so that ties are common."""
    players = Player.objects.bulk_create(
        Player(name=f"p{number}", country=source.choice(COUNTRIES)) for number in range(count)
    )
    replays = Replay.objects.bulk_create(
        replay_of(
            player, level, time_ms=source.randint(4, 7) * 1_000, bv=source.randint(20, 22), source=source,
            style=source.choice(["NF", "FL"]),
        )
        for player in players
        for level in CLASSIC_LEVELS
        for _ in range(2)
    )  # fmt: skip
    rank_replays(replays)
    return players


def naive(key: BoardKey) -> list[tuple[int | None, str, int, list[float]]]:
    """Rank, country, players and best values from the rows of the board."""
    values = defaultdict(list)
    for row in page_at(Board(*key), size=200).rows:
        if row.player.country:
            values[row.player.country].append(row.value)

    def order(country: str) -> tuple[bool, float, float]:
        best = values[country][:COUNTED]
        average = round(sum(best) / COUNTED, 9) if len(best) == COUNTED else None
        return average is None, key.row.rank_key(average or 0), key.row.rank_key(best[0])

    countries = sorted(values, key=lambda country: (order(country), country))
    return [
        (
            None if order(country)[0] else 1 + sum(order(other) < order(country) for other in values),
            country, len(values[country]), values[country][:COUNTED],
        )
        for country in countries
    ]  # fmt: skip


def plain(ranking: CountryRanking) -> list[tuple[int | None, str, int, list[float]]]:
    return [(row.rank, row.country, row.players, [best.value for best in row.bests]) for row in ranking.rows]


@pytest.mark.long(beside="tests/players/test_rankings.py::test_equal_countries_share_a_rank_and_small_ones_have_none")
@pytest.mark.parametrize("seed", seeds(1, 2))
def test_countries_by_their_three_best(seed: int, django_assert_num_queries: Any) -> None:
    crowd(random.Random(seed))
    ranked = 0
    for key in (
        board_key("expert", "time"), board_key("expert", "bvs", "NF"), board_key(COMBINED, "time"),
        board_key(COMBINED, "bvs", "FL"),
    ):  # fmt: skip
        with django_assert_num_queries(2 if key.level == COMBINED else 3):
            found = country_ranking(key)
        assert plain(found) == naive(key)
        assert found.players == sum(row.players for row in found.rows)
        with django_assert_num_queries(0):  # kept for five minutes
            assert plain(country_ranking(key)) == plain(found)
        ranked += sum(row.rank is not None for row in found.rows)
    assert ranked >= 8


def test_equal_countries_share_a_rank_and_small_ones_have_none(client: Client) -> None:
    for country, times in (
        ("DE", (40, 50, 60)),
        ("PL", (40, 50, 60)),
        ("FR", (30,)),
        ("CN", (39, 50, 61)),
        ("US", (41, 50, 60)),
    ):
        for time in times:
            rank_replays(
                [stored_replay(Player.objects.create(name=f"{country}{time}", country=country), time_ms=time * 1_000)]
            )
    rank_replays([stored_replay(Player.objects.create(name="nowhere"), time_ms=1_000)])
    rows = country_ranking(board_key("expert", "time")).rows
    assert [(row.rank, row.country, row.average) for row in rows] == [
        (1, "CN", 50.0), (2, "DE", 50.0), (2, "PL", 50.0), (4, "US", 50.333333333), (None, "FR", None),
    ]  # fmt: skip
    assert [best.value for best in rows[0].bests] == [39.0, 50.0, 61.0]
    page = client.get("/leaderboards/countries/expert/time/").content.decode()
    assert "?country=CN" in page


def test_addresses_of_country_rankings(client: Client) -> None:
    for address, status in (
        ("expert/time/", 200), ("combined/bvs/?style=NF", 200), ("expert/bvs/?style=NF", 200), ("hard/time/", 404),
        ("expert/nope/", 404), ("combined/cl/", 404), ("expert/time/?style=x", 400),
    ):  # fmt: skip
        assert client.get(f"/leaderboards/countries/{address}").status_code == status
    assert "Clicks/s" in client.get("/leaderboards/countries/expert/time/?statistic=cls").content.decode()


# --- improvements ---


def play(player: Player, days_ago: float, time_ms: int, level: Level = Level.EXPERT, style: str = "FL") -> None:
    when = timezone.now() - DAY * days_ago
    rank_replays([stored_replay(player, level, time_ms=time_ms, style=style, achieved_at=when)])


def test_who_improved_most(client: Client, django_assert_num_queries: Any) -> None:
    names = ("steady", "better", "best", "new", "late", "slower")
    players = {name: Player.objects.create(name=name, country="DE") for name in names}
    for name, games in {
        "steady": [(90, 50_000), (3, 51_000)],
        "better": [(90, 60_000), (20, 58_000), (10, 54_000)],  # 10%
        "best": [(400, 100_000), (29, 80_000), (2, 81_000)],  # 20%
        "new": [(5, 200_000), (4, 40_000)],  # had no result before
        "late": [(90, 70_000), (31, 50_000)],  # before the days
        "slower": [(40, 50_000), (1, 49_999)],
    }.items():
        for days_ago, time_ms in games:
            play(players[name], days_ago, time_ms)
    with django_assert_num_queries(4):
        rows = improvements("expert", "all")
    assert [(row.rank, row.player.name, row.old_value, row.new_value, row.steps) for row in rows] == [
        (1, "best", 100.0, 80.0, 1), (2, "better", 60.0, 54.0, 2), (3, "slower", 50.0, 49.999, 1),
    ]  # fmt: skip
    assert [round(row.share, 6) for row in rows] == [0.2, 0.1, 0.00002]
    assert improvements("expert", "NF") == []
    assert improvements("beginner", "all") == []
    page = client.get("/leaderboards/improvements/expert/").content.decode()
    assert "20.0%" in page
    assert "−20.00" in page


def test_the_list_is_kept_for_some_minutes(django_assert_num_queries: Any) -> None:
    player = Player.objects.create(name="Ada")
    for days_ago, time_ms in ((90, 60_000), (10, 54_000)):
        play(player, days_ago, time_ms)
    first = improvements("expert", "all")
    play(player, 1, 30_000)
    with django_assert_num_queries(1):
        kept = improvements("expert", "all")
    assert [(row.new_value, row.achieved_at) for row in kept] == [(row.new_value, row.achieved_at) for row in first]
    cache.clear()
    assert [row.new_value for row in improvements("expert", "all")] == [30.0]


@pytest.mark.long(beside="tests/players/test_rankings.py::test_who_improved_most")
def test_improvements_are_those_of_the_record_history() -> None:
    """The slow way: the personal bests of each player, step by step."""
    source = random.Random(7)
    players = [Player.objects.create(name=f"p{number}") for number in range(12)]
    for player in players:
        for days_ago in sorted((source.randint(1, 70) for _ in range(6)), reverse=True):
            play(player, days_ago, source.randint(30, 60) * 1_000)
    since = timezone.now() - DAY * 30
    expected = []
    for player in players:
        steps = RecordEvent.objects.filter(
            player=player, kind="personal", statistic="time", level="expert", style="all"
        ).order_by("id")  # fmt: skip
        before = [step.new_value for step in steps if step.happened_at < since]
        within = [step.new_value for step in steps if step.happened_at >= since]
        if before and within:
            expected.append((-(before[-1] - within[-1]) / before[-1], within[-1], player.pk))
    assert len(expected) > 3
    assert [row.player.pk for row in improvements("expert", "all")] == [pk for *_key, pk in sorted(expected)]


@pytest.mark.long(beside="tests/players/test_rankings.py::test_the_list_is_kept_for_some_minutes")
def test_the_list_is_short_and_its_address_checked(client: Client) -> None:
    for number in range(MOST + 3):
        player = Player.objects.create(name=f"p{number}")
        for days_ago, time_ms in ((40, 60_000), (3, 50_000)):
            play(player, days_ago, time_ms)
    rows = improvements("expert", "all")
    assert len(rows) == MOST
    assert {row.rank for row in rows} == {1}
    for address, status in (("expert/", 200), ("combined/", 200), ("custom/", 404), ("expert/?style=x", 400)):
        assert client.get(f"/leaderboards/improvements/{address}").status_code == status


def test_sums_improve_too() -> None:
    player = Player.objects.create(name="Ada")
    for level in CLASSIC_LEVELS:
        play(player, 60, 50_000, level)
    play(player, 3, 35_000)
    (row,) = improvements(COMBINED, "all")
    assert (row.old_value, row.new_value) == (150.0, 135.0)
