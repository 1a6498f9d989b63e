"""Filters that reproduce what boards count, several values, and what sorted lists begin with."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from analysis.recording import Level
from players.models import Player, User
from players.web.parameters import BadParameter, api_values
from replays.browse.lists.filters import (
    LIST_PARAMETERS,
    MOST_HASHES,
    MOST_IDS,
    MOST_PLAYERS,
    OF_ONE_RESULT,
    replay_filters,
    replay_list,
)
from replays.models import Replay
from tests.cases import check_each, check_each_on_site
from tests.factories import EPOCH, replay_of
from tests.replays.browse.lists.test_lists import all_pages, listed

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def players() -> list[Player]:
    return [
        Player.objects.create(name=f"player {number}", country=country)
        for number, country in enumerate(("DE", "PL", ""))
    ]


@pytest.fixture
def replays(players: list[Player]) -> list[Replay]:
    """Won games, games lost by their first click, corpses and doubted games, uploaded in another order than played."""
    source = random.Random(1)
    rows = []
    for number in range(48):
        lost = number % 4 == 0
        more: dict[str, Any] = {"bvdone": 1 + 10 * (number % 12)} if lost else {}
        rows.append(
            replay_of(
                players[number % 3], [Level.BEGINNER, Level.EXPERT, Level.INTERMEDIATE][number % 5 % 3], source=source,
                time_ms=300 if lost else source.randint(10, 40) * 1000 + source.choice([0, 990]), style=["NF", "FL"][number % 2],
                format=["avf", "evf", "rmv"][number % 7 % 3], achieved_at=EPOCH + number * 7 % 20 * DAY, **more,
            )
        )  # fmt: skip
        rows[-1].ranked = not lost and number % 5 != 0
        rows[-1].corpse = lost and number % 12 > 4
    return Replay.objects.bulk_create(rows)


def test_filters(replays: list[Replay]) -> None:
    def are_those_that_match(filters: dict[str, str], matches: Callable[[Any], bool]) -> None:
        expected = {row.pk for row in replays if matches(row)}
        assert bool(expected) == (filters != {"played__lt": "2024-01-05"})
        assert {row.pk for row in all_pages(filters)} == expected

    cases: list[tuple[dict[str, str], Callable[[Any], bool]]] = [
        ({"ranked": "true"}, lambda row: row.ranked),
        ({"ranked": "FALSE"}, lambda row: not row.ranked),
        ({"corpse": "true"}, lambda row: row.corpse),
        ({"ranked": "false", "corpse": "false"}, lambda row: not row.ranked and not row.corpse),
        ({"country": "de"}, lambda row: row.player.country == "DE"),
        ({"level": "expert,beginner"}, lambda row: row.level in ("expert", "beginner")),
        ({"level": " Expert , expert"}, lambda row: row.level == "expert"),
        ({"style": "NF,FL"}, lambda row: True),
        ({"style": "nf,all"}, lambda row: True),
        ({"format": "evf,rmv"}, lambda row: row.format in ("evf", "rmv")),
        ({"result": "won,lost"}, lambda row: True),
        ({"result": "won,unfinished"}, lambda row: row.result == "won"),
        ({"achieved__gte": "2024-01-05"}, lambda row: row.achieved_at >= EPOCH + 4 * DAY),
        ({"achieved__lt": "2024-01-05"}, lambda row: row.achieved_at < EPOCH + 4 * DAY),
        ({"achieved__lte": "2024-01-05"}, lambda row: row.achieved_at < EPOCH + 5 * DAY),
        ({"achieved__lt": "2024-01-05", "achieved__lte": "2024-01-12"}, lambda row: row.achieved_at < EPOCH + 4 * DAY),
        ({"uploaded__lt": "2024-01-05T00:00:00Z"}, lambda row: row.uploaded_at < EPOCH + 4 * DAY),
        ({"played__lt": "2024-01-05"}, lambda row: False),
        ({"sub": "21", "level": "expert"}, lambda row: row.level == "expert" and row.win and row.time_ms < 20_000),
        ({"sub": "25", "level": "expert,beginner", "ranked": "true"},
         lambda row: row.level != "intermediate" and row.ranked and row.time_ms < 24_000),
        ({"defined": "cpo"}, lambda row: row.statistic("cpo") is not None),
        ({"defined": "zinis", "level": "expert"}, lambda row: row.level == "expert" and row.statistic("gzinis") is not None),
    ]  # fmt: skip
    check_each(are_those_that_match, cases)


def test_replays_players_and_hashes_by_list(replays: list[Replay], players: list[Player], owner: User) -> None:
    some = [replays[number] for number in (3, 7, 20)]
    for name, texts in (("ids", [str(row.pk) for row in some]), ("sha256", [row.sha256.upper() for row in some])):
        assert [row.pk for row in all_pages({name: ",".join([*texts, texts[0]])}, size=2)] == [
            some[2].pk,
            some[1].pk,
            some[0].pk,
        ]
        assert [row.pk for row in all_pages({name: texts[1]})] == [some[1].pk]
    two = all_pages({"player": f"{players[0].pk},{players[2].pk}"})
    assert {row.pk for row in two} == {row.pk for row in replays if row.player in (players[0], players[2])}
    Replay.objects.filter(pk=some[0].pk).update(ownership="disowned")
    assert some[0].pk not in {row.pk for row in all_pages({"player": str(some[0].player_id)})}


def test_what_is_not_done_is_found_by_nobody_else(replays: list[Replay], owner: User, other_player: User) -> None:
    """Neither the hash nor the number of an upload tells a stranger anything."""
    hidden = replays[5]
    Replay.objects.filter(pk=hidden.pk).update(status="rejected", uploader=owner, game_hash=None, ranked=False)
    for filters in ({"ids": str(hidden.pk)}, {"sha256": hidden.sha256}):
        assert all_pages(filters, viewer=owner) == []
        assert [row.pk for row in all_pages({**filters, "status": "any"}, viewer=owner)] == [hidden.pk]
        assert all_pages({**filters, "status": "any"}, viewer=other_player) == []
        for more in ({"sort": "achieved"}, {"ranked": "false"}, {"country": "PL"}):
            assert all_pages({**filters, **more}, viewer=other_player) == []


def test_bad_values_are_errors_on_page_and_in_the_api(client: Client) -> None:
    def is_an_error(filters: dict[str, str], name: str) -> None:
        with pytest.raises(BadParameter) as caught:
            listed(filters)
        assert list(caught.value.errors) == [name]
        assert client.get("/api/v1/replays/", filters).status_code == 400
        assert client.get("/replays/", filters).status_code == 400

    cases = [
        ({"ranked": "1"}, "ranked"), ({"corpse": "yes"}, "corpse"), ({"country": "XX"}, "country"),
        ({"level": "expert,easy"}, "level"), ({"level": ","}, "level"), ({"level": "expert,"}, "level"),
        ({"level": ",".join(["expert"] * 6)}, "level"), ({"ids": "1,x"}, "ids"), ({"ids": "0"}, "ids"),
        ({"ids": ",".join(["1"] * (MOST_IDS + 1))}, "ids"), ({"player": ",".join(["1"] * (MOST_PLAYERS + 1))}, "player"),
        ({"sha256": "abc"}, "sha256"), ({"sha256": "g" * 64}, "sha256"), ({"sha256": "٣" * 64}, "sha256"),
        ({"sha256": ",".join(["0" * 64] * (MOST_HASHES + 1))}, "sha256"), ({"achieved__gte": "soon"}, "achieved__gte"),
        ({"sub": "1", "level": "expert"}, "sub"), ({"sub": "40"}, "sub"),
        ({"sub": "40", "level": "expert", "result": "lost"}, "sub"), ({"defined": "password"}, "defined"),
        ({"sort": "time", "level": "expert,beginner"}, "sort"),
        ({"sort": "time", "level": "expert", "result": "won,lost"}, "sort"), ({"sort": "-oldest"}, "sort"),
    ]  # fmt: skip
    check_each_on_site(is_an_error, cases)


# --- orders -----------------------------------------------------------------------------------------------------------


def test_plain_orders(replays: list[Replay]) -> None:
    oldest = [row.pk for row in all_pages({"sort": "oldest"})]
    assert oldest == sorted(row.pk for row in replays)
    assert [row.pk for row in all_pages({"sort": "newest"})] == oldest[::-1]
    by_date = sorted(replays, key=lambda row: (row.achieved_at, row.pk))
    assert [row.pk for row in all_pages({"sort": "achieved"})] == [row.pk for row in by_date]
    assert [row.pk for row in all_pages({"sort": "-achieved"})] == [row.pk for row in reversed(by_date)]


@pytest.mark.long(
    beside="tests/replays/browse/lists/test_list_filters.py::test_what_is_not_done_is_found_by_nobody_else"
)
def test_a_list_sorted_by_what_ranks_has_games_of_one_result(replays: list[Replay]) -> None:
    wanted: tuple[tuple[dict[str, str], dict[str, object]], ...] = (
        ({}, {"result": "won"}), ({"result": "lost"}, {"result": "lost"}), ({"ranked": "true"}, {"ranked": True}),
        ({"corpse": "true"}, {"corpse": True}),
    )  # fmt: skip

    def has_one_result(name: str, more: dict[str, str], columns: dict[str, object]) -> None:
        on_level = [row for row in replays if row.level == "expert" and row.statistic(name) is not None]
        rows = [row for row in on_level if all(getattr(row, column) == value for column, value in columns.items())]
        expected = sorted(rows, key=lambda row: (row.statistic(name), row.pk))
        found = all_pages({"level": "expert", "sort": name, **more})
        assert [row.pk for row in found] == [row.pk for row in expected]

    check_each(has_one_result, [(row.name, *one) for row in OF_ONE_RESULT for one in wanted])


def test_the_page_says_that_it_lists_won_games(client: Client, replays: list[Replay]) -> None:
    said = "the list shows only won games"
    for query, is_said in (
        ("sort=time", True), ("sort=bv", False), ("sort=-stnb", False), ("sort=time&result=lost", False),
        ("sort=oldest", False),
    ):  # fmt: skip
        page = client.get(f"/replays/?level=expert&{query}").content.decode()
        assert (said in page) is is_said, query


def test_the_page_shows_each_filter_as_a_chip(client: Client, replays: list[Replay]) -> None:
    query = {
        "ranked": "true", "country": "pl", "level": "expert,beginner", "style": "NF,FL", "result": "won,lost",
        "sub": "40", "achieved__lt": "2025-01-01", "defined": "cpo", "ids": ",".join(str(row.pk) for row in replays[:5]),
        "sha256": ",".join(row.sha256 for row in replays[:2]),
    }  # fmt: skip
    query["result"] = "won"
    page = client.get("/replays/", query).content.decode()
    for text in (
        "Ranked yes", "Country Poland", "Level Expert, Beginner", "Sub-N 40", "Date &lt; 2025-01-01", "SHA-256 0000",
        " …",
    ):  # fmt: skip
        assert f"<bdi>{text}" in page or text in page, text
    assert "Result won" not in page  # a single value is shown by its menu


def test_filters_do_not_undo_each_other(replays: list[Replay]) -> None:
    assert all_pages({"level": "beginner", "sub": "40", "corpse": "true", "sort": "time"}) == []
    Replay.objects.filter(pk=replays[1].pk).update(software="Small Sweeper")
    assert [row.pk for row in all_pages({"software": "Small Sweeper"})] == [replays[1].pk]
    assert all_pages({"ids": str(replays[1].pk), "sha256": replays[2].sha256}) == []


def test_a_page_of_every_order_is_one_statement(replays: list[Replay], django_assert_num_queries: Any) -> None:
    for filters in (
        {"sort": "oldest"}, {"sort": "-achieved"}, {"country": "DE"}, {"ranked": "true", "level": "expert", "sort": "time"},
        {"ids": str(replays[0].pk)}, {"sub": "40", "level": "expert"},
    ):  # fmt: skip
        for lines in (True, False):
            values = api_values(LIST_PARAMETERS, filters)
            with django_assert_num_queries(1):
                page = replay_list(replay_filters(values, None), size=5, lines=lines)
                assert [str(row.player) for row in page.rows]
