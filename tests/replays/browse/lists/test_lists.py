from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable, Mapping
from datetime import timedelta
from html import unescape
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.db.models.base import ModelState
from django.http import QueryDict
from django.test import Client

from analysis.recording import Level
from analysis.statistics import SORTABLE, STORED
from players.db.keyset import BadCursor, Page
from players.models import Player, User
from players.web.parameters import BadParameter, api_values
from replays.browse.lists.filters import LIST_PARAMETERS, replay_filters, replay_list
from replays.models import Replay
from replays.trust.judging.permissions import replay_detail
from replays.trust.reasons import SENTENCES, reject_text, sentence
from replays.upload.intake.selectors import upload_statuses
from tests.cases import check_each
from tests.factories import EPOCH, replay_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tables_swept")]


@pytest.fixture
def players() -> list[Player]:
    return [Player.objects.create(name=f"player {number}") for number in range(3)]


@pytest.fixture
def replays(players: list[Player]) -> list[Replay]:
    source = random.Random(1)
    rows = [
        replay_of(
            players[number % 3],
            [Level.BEGINNER, Level.EXPERT][number % 2],
            time_ms=source.randint(10, 40) * 1000,
            style=["NF", "FL"][number % 3 == 0],
            source=source,
            played_at=EPOCH + timedelta(days=number),
        )
        for number in range(30)
    ]
    return Replay.objects.bulk_create(rows)


def listed(
    query: Mapping[str, str], viewer: User | None = None, *, cursor: str | None = None, size: int = 50
) -> Page[Replay]:
    """A page of the list for the query parameters ``query``."""
    values = api_values(LIST_PARAMETERS, query)
    return replay_list(replay_filters(values, viewer), cursor=cursor, size=size)


def all_pages(filters: dict[str, str], size: int = 7, viewer: User | None = None) -> list[Replay]:
    rows: list[Replay] = []
    cursor = None
    while True:
        page = listed(filters, viewer, cursor=cursor, size=size)
        rows += page.rows
        cursor = page.next_cursor
        if cursor is None:
            return rows


def test_the_newest_come_first_and_every_row_once(replays: list[Replay]) -> None:
    assert [row.pk for row in all_pages({})] == sorted((row.pk for row in replays), reverse=True)


@pytest.mark.long(beside="tests/replays/browse/lists/test_lists.py::test_every_stored_statistic_is_a_filter")
def test_every_sortable_statistic_sorts_both_ways(replays: list[Replay]) -> None:
    def sorts(sign: str, name: str) -> None:
        found = all_pages({"level": "expert", "sort": sign + name})
        listed = [row for row in replays if row.level == "expert" and row.statistic(name) is not None]
        expected = sorted(listed, key=lambda row: (row.statistic(name), row.pk), reverse=sign == "-")
        assert [row.pk for row in found] == [row.pk for row in expected]

    check_each(sorts, product(["", "-"], [row.name for row in SORTABLE]))


# --- lost games ---


@pytest.fixture
def corpses(players: list[Player], replays: list[Replay]) -> list[Replay]:
    """Lost games of 150 3BV of which 1 to 149 were solved, the first of them in no time; and one that was given up."""
    rows = [
        replay_of(
            players[solved % 3], Level.EXPERT, time_ms=300 * solved, bvdone=solved, source=random.Random(solved),
            judgement="unverified" if solved % 7 == 0 else "accepted",
        )
        for solved in (1, 2, 37, 38, 74, *range(75, 150, 6), 149)
    ]  # fmt: skip
    Replay.objects.bulk_create([replay_of(players[0], bvdone=100, result=Replay.Result.UNFINISHED)])
    return Replay.objects.bulk_create(rows)


@pytest.mark.long(
    beside="tests/replays/browse/lists/test_lists.py::test_won_games_do_not_sort_by_what_compares_lost_ones"
)
@pytest.mark.parametrize(("percent", "solved"), [(50, 75), (25, 38)])
def test_lost_games_sort_from_the_minimum_completion_on(
    percent: int, solved: int, corpses: list[Replay], settings: Any
) -> None:
    settings.MINIMUM_COMPLETION = percent
    counted = [row for row in corpses if int(row.statistic("bvdone") or 0) >= solved]
    assert len(counted) > 10

    def sorts(sign: str, name: str) -> None:
        expected = sorted(counted, key=lambda row: (row.statistic(name), row.pk), reverse=sign == "-")
        found = all_pages({"level": "expert", "sort": sign + name, "result": "lost"})
        assert [row.pk for row in found] == [row.pk for row in expected]
        if name != "stnb":  # the others are of lost games whatever is asked
            assert [row.pk for row in all_pages({"level": "expert", "sort": sign + name})] == [
                row.pk for row in expected
            ]

    check_each(sorts, product(["", "-"], ["stnb", "estime", "completion"]))


@pytest.mark.parametrize("name", ["stnb", "stnb2023"])
def test_games_of_a_click_are_not_among_the_first(name: str, corpses: list[Replay], replays: list[Replay]) -> None:
    found = all_pages({"level": "expert", "sort": f"-{name}"})
    won = [row.pk for row in replays if row.level == "expert"]
    assert {row.pk for row in found} >= set(won)
    assert all((row.completion or 0) >= 0.5 for row in found)  # type: ignore[attr-defined]
    assert len(found) < len(won) + len(corpses)


@pytest.mark.parametrize("sort", ["estime", "-completion"])
def test_won_games_do_not_sort_by_what_compares_lost_ones(sort: str) -> None:
    with pytest.raises(BadParameter, match="lost"):
        listed({"level": "expert", "sort": sort, "result": "won"})


def test_the_page_says_what_is_left_out(client: Client, corpses: list[Replay]) -> None:
    left_out, only = "Games with less than 50% of", "Only lost games with at least 50% of"
    for sort, said in (
        ("-stnb", left_out),
        ("stnb2023", left_out),
        ("estime", only),
        ("-completion", only),
        ("time", ""),
    ):
        page = client.get(f"/replays/?level=expert&sort={sort}").content.decode()
        assert [text for text in (left_out, only) if text in page] == ([said] if said else [])


@pytest.mark.long(beside="tests/replays/browse/lists/test_lists.py::test_filters_by_person")
def test_every_link_of_the_filters_leads_to_a_list(client: Client, corpses: list[Replay]) -> None:
    """Also where one filter does not go with another: lists of won games are not sorted by what compares lost ones."""
    for query in ("", "?level=expert&sort=estime", "?level=expert&result=won&sort=time", "?result=lost&style=NF"):
        page = client.get(f"/replays/{query}").content.decode()
        links = {unescape(link) for link in re.findall(r'<a href="(\?[^"]*)"', page)}
        assert len(links) > 10
        assert {link for link in links if client.get(f"/replays/{link}").status_code != 200} == set()


def test_filters(replays: list[Replay]) -> None:
    def are_those_that_match(filters: dict[str, str], matches: Callable[[Any], bool]) -> None:
        assert {row.pk for row in all_pages(filters)} == {row.pk for row in replays if matches(row)}

    cases: list[tuple[dict[str, str], Callable[[Any], bool]]] = [
        ({"level": "expert"}, lambda row: row.level == "expert"),
        ({"style": "NF"}, lambda row: row.style == "NF"),
        ({"time__lte": "20"}, lambda row: row.time <= 20),
        ({"time__gte": "20.5", "time__lte": "30"}, lambda row: 20.5 <= row.time <= 30),
        ({"bv__gte": "149.5"}, lambda row: row.bv >= 150),
        ({"played__gte": "2024-01-10"}, lambda row: row.played_at >= EPOCH + timedelta(days=9)),
        ({"played__lte": "2024-01-10"}, lambda row: row.played_at < EPOCH + timedelta(days=10)),
        ({"played__lte": "2024-01-10T00:00:00+00:00"}, lambda row: row.played_at <= EPOCH + timedelta(days=9)),
        ({"result": "lost"}, lambda row: False),
        ({"level": "", "style": "  "}, lambda row: True),
    ]
    check_each(are_those_that_match, cases)


def test_filters_by_person(replays: list[Replay], players: list[Player], owner: User, staff: User) -> None:
    mine = replays[3]
    Replay.objects.filter(pk=mine.pk).update(uploader=owner)
    assert {row.player for row in all_pages({"player": str(players[1].pk)})} == {players[1]}
    assert [row.pk for row in all_pages({"uploader": "me"}, viewer=owner)] == [mine.pk]
    for viewer in (owner, staff):
        assert [row.pk for row in all_pages({"uploader": str(owner.pk)}, viewer=viewer)] == [mine.pk]


def test_nobody_finds_the_uploader_of_a_game_by_trying_accounts(
    replays: list[Replay], owner: User, owner_client: Client, other_player: User, client: Client
) -> None:
    Replay.objects.filter(pk=replays[3].pk).update(uploader=other_player)
    for number in (other_player.pk, other_player.pk + 1_000):  # the same answer, whether there is such an account
        query = {"uploader": str(number)}
        as_guest, as_other = (one.get("/api/v1/replays/", query) for one in (client, owner_client))
        assert (as_guest.status_code, as_guest.json()["code"]) == (401, "not_authenticated")
        assert (as_other.status_code, as_other.json()["code"]) == (400, "bad_parameter")
        assert list(as_other.json()["errors"]) == ["uploader"]
        for one in (client, owner_client):
            page = one.get("/replays/", query)
            assert f"/replays/{replays[3].pk}/" not in page.content.decode()


def test_bad_parameters_are_errors() -> None:
    def is_an_error(filters: dict[str, str], name: str) -> None:
        with pytest.raises(BadParameter) as caught:
            listed(filters)
        assert list(caught.value.errors) == [name]
        assert caught.value.errors[name]

    cases = [
        ({"nonsense": "1"}, "nonsense"),
        ({"player__user__password__startswith": "a"}, "player__user__password__startswith"),
        ({"rzini__gte": "1"}, "rzini__gte"),
        ({"time__gt": "1"}, "time__gt"),
        ({"time__lte": "fast"}, "time__lte"),
        ({"time__lte": "nan"}, "time__lte"),
        ({"time__lte": "inf"}, "time__lte"),
        ({"level": "easy"}, "level"),
        ({"level": "expert", "sort": "password"}, "sort"),
        ({"level": "expert", "sort": "--time"}, "sort"),
        ({"level": "expert", "sort": "hzini"}, "sort"),
        ({"sort": "time"}, "sort"),
        ({"player": "x"}, "player"),
        ({"player": "9" * 30}, "player"),
        ({"player": "²"}, "player"),
        ({"uploader": "me"}, "uploader"),
        ({"uploader": "1"}, "uploader"),
        ({"status": "queued"}, "status"),
        ({"status": "any"}, "status"),
        ({"played__gte": "yesterday"}, "played__gte"),
        ({"played__gte": "2024-13-45"}, "played__gte"),
        ({"software": "a" * 256}, "software"),
    ]
    check_each(is_an_error, cases)


def test_all_errors_are_raised_together() -> None:
    with pytest.raises(BadParameter) as caught:
        listed({"level": "x", "time__gte": "y", "z": "1"})
    assert set(caught.value.errors) == {"level", "time__gte", "z"}


def test_dates_at_the_ends_of_the_calendar_are_taken(client: Client) -> None:
    for name, last in (
        ("played__lte", "9999-12-31"), ("played__gte", "0001-01-01T00:00:00+14:00"),
        ("uploaded__lte", "9999-12-31T23:59:59-14:00"),
    ):  # fmt: skip
        assert client.get("/api/v1/replays/", {name: last}).status_code == 200, (name, last)


def test_the_page_refuses_a_choice_that_there_is_not(client: Client) -> None:
    names = ("evidence", "format", "judgement", "level", "mode", "ownership", "result", "status", "style")
    found = {name: client.get("/replays/", {name: "nonsense"}).status_code for name in names}
    assert found == dict.fromkeys(names, 400)


def test_numbers_beyond_a_column_are_no_error(replays: list[Replay]) -> None:
    for text in ("1e30", "-1e30", "99999999999999999999"):
        assert len(all_pages({"bv__lte": text})) in {0, 30}, text
        assert len(all_pages({"time__lte": text})) in {0, 30}, text


def test_every_stored_statistic_is_a_filter(replays: list[Replay]) -> None:
    for row in STORED:
        assert {f"{row.public}__gte", f"{row.public}__lte"} <= {one.name for one in LIST_PARAMETERS}
    listed({f"{row.public}__gte": "-1000" for row in STORED})


def test_a_query_dict_is_accepted(replays: list[Replay]) -> None:
    assert len(listed(QueryDict("level=expert&style="), size=100).rows) == 15


@pytest.mark.parametrize("cursor", ["x", "", "a:b", "0" * 5000])
def test_a_foreign_cursor(cursor: str, replays: list[Replay]) -> None:
    if cursor == "":
        assert listed({}, cursor=cursor).rows
        return
    with pytest.raises(BadCursor):
        listed({}, cursor=cursor)


def test_a_cursor_belongs_to_its_order(replays: list[Replay]) -> None:
    cursor = listed({}, size=5).next_cursor
    with pytest.raises(BadCursor):
        listed({"level": "expert", "sort": "time"}, cursor=cursor)


# --- who sees what ----------------------------------------------------------------------------------------------------


def test_only_the_uploader_and_staff_see_what_is_not_done(
    replays: list[Replay], owner: User, other_player: User, staff: User
) -> None:
    hidden = replays[0]
    Replay.objects.filter(pk=hidden.pk).update(
        status="rejected", reject_code="unknown_format", uploader=owner, game_hash=None
    )
    for viewer in (None, other_player, owner, staff):
        assert hidden.pk not in {row.pk for row in all_pages({}, viewer=viewer)}
    for viewer in (owner, staff):
        assert [row.pk for row in all_pages({"status": "rejected"}, viewer=viewer)] == [hidden.pk]
        assert replay_detail(hidden.pk, viewer) == hidden
        assert [row.pk for row in upload_statuses([hidden.pk], viewer)] == [hidden.pk]
    assert all_pages({"status": "rejected"}, viewer=other_player) == []
    for viewer in (None, other_player):
        with pytest.raises(Replay.DoesNotExist):
            replay_detail(hidden.pk, viewer)
        assert upload_statuses([hidden.pk], viewer) == []
    assert len(all_pages({"status": "any"}, viewer=staff)) == 30
    assert len(all_pages({"status": "any"}, viewer=owner)) == 1


def test_a_sorted_list_never_shows_what_is_not_done(replays: list[Replay], owner: User) -> None:
    Replay.objects.filter(pk=replays[1].pk).update(status="queued", uploader=owner)
    found = all_pages({"level": "expert", "sort": "time", "status": "any"}, viewer=owner)
    assert replays[1].pk not in {row.pk for row in found}


# --- cost -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [2, 20])
def test_a_page_is_one_query(size: int, replays: list[Replay], django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        page = listed({"level": "expert", "sort": "-bvs"}, size=size)
        assert [str(row.player) for row in page.rows]
    with django_assert_num_queries(1):
        assert [str(row.player) for row in listed({}, size=size).rows]
    with django_assert_num_queries(1):
        assert [str(row.player) for row in upload_statuses([row.pk for row in replays], None)]
    with django_assert_num_queries(1):
        assert str(replay_detail(replays[0].pk, None).player)


def crowd(players: list[Player]) -> None:
    """Thousands of replays, copies of some, few of them of one level."""
    source = random.Random(2)
    models = {
        level: [
            replay_of(source.choice(players), level, time_ms=source.randint(1000, 99_000), source=source)
            for _ in range(40)
        ]
        for level in (Level.EXPERT, Level.BEGINNER)
    }
    models[Level.BEGINNER] += [
        replay_of(source.choice(players), Level.BEGINNER, time_ms=1_000 * bvdone, bvdone=bvdone, source=source)
        for bvdone in range(10, 145)
    ]
    rows = []
    for number in range(8000):
        row = copy.copy(source.choice(models[Level.EXPERT if number % 50 == 0 else Level.BEGINNER]))
        row._state = ModelState()
        row.sha256 = row.game_hash = f"{number:064d}"
        row.achieved_at = EPOCH + timedelta(minutes=number)
        rows.append(row)
    Replay.objects.bulk_create(rows)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


@pytest.mark.long(beside="tests/pages/test_queries.py::test_lists_take_a_fixed_number_of_statements")
def test_pages_are_served_by_an_index(django_assert_num_queries: Any) -> None:
    players = Player.objects.bulk_create(Player(name=str(number)) for number in range(200))
    crowd(players)
    for filters, index in (
        ({}, "replay_newest|replays_replay_pkey"),
        ({"level": "expert"}, "replay_newest_level"),
        ({"level": "expert", "sort": "time"}, "replay_result_by_time"),
        ({"level": "expert", "sort": "-bvs"}, "replay_result_by_bvs"),
        ({"level": "beginner", "sort": "time", "result": "lost"}, "replay_result_by_time"),
        ({"sort": "oldest"}, "replay_newest|replays_replay_pkey"),
        ({"sort": "oldest", "level": "expert"}, "replay_newest_level"),
        ({"sort": "-achieved"}, "replay_by_date"),
        ({"sort": "achieved", "achieved__gte": "2023-05-01", "achieved__lt": "2025-01-01"}, "replay_by_date"),
        ({"level": "beginner", "sort": "stnb", "stnb__gte": "1"}, "replay_far_by_stnb"),
        ({"level": "beginner", "sort": "-stnb", "result": "lost"}, "replay_lost_by_stnb"),
        ({"level": "beginner", "sort": "estime"}, "replay_lost_by_estime"),
        ({"level": "beginner", "sort": "-completion"}, "replay_lost_by_completion"),
        ({"player": str(players[0].pk)}, "replay_of_player"),
    ):
        for position in (None, listed(filters, size=5).next_cursor):
            with django_assert_num_queries(1) as captured:
                listed(filters, cursor=position, size=5)
            with connection.cursor() as cursor:
                cursor.execute("EXPLAIN " + captured.captured_queries[0]["sql"])
                plan = "\n".join(line for (line,) in cursor.fetchall())
            assert re.search(index, plan), plan
            assert "Sort" not in plan
            assert "Seq Scan on replays_replay" not in plan
    few, wrong = players[0], list[object]()
    Player.objects.filter(pk=few.pk).update(country="IS")
    hashes = ",".join(Replay.objects.values_list("sha256", flat=True)[:30])
    mine = {"player": str(few.pk), "ranked": "true"}
    for filters, index in (  # few rows, which are sorted
        ({"ids": "1,2,3,4,5"}, "replays_replay_pkey|replay_newest"),
        ({"sha256": hashes}, "sha256"),
        ({"country": "IS"}, "replay_of_player|replay_newest|replays_replay_pkey"),
        ({"player": f"{few.pk},{players[1].pk}"}, "replay_of_player|replay_newest|replays_replay_pkey"),
        ({"achieved__gte": "2030-01-01"}, "replay_by_date"),
        ({"level": "expert", "sub": "3"}, "replay_result_by_time|replay_newest_level"),
        ({"level": "expert", "sort": "time", "sub": "40", "ranked": "true"}, "replay_result_by_time"),
        (
            {**mine, "level": "beginner", "sort": "-bvs"},
            "replay_ranked|replay_of_player|replay_result_by_bvs|replay_best_times",
        ),
        (
            {**mine, "level": "beginner,intermediate,expert", "defined": "path"},
            "replay_ranked|replay_of_player|replay_best_times",
        ),
        ({**mine, "level": "beginner", "sub": "60"}, "replay_ranked|replay_of_player|replay_best_times"),
        ({"corpse": "true", "level": "custom"}, "replay_newest_level|replay_corpses_by"),
        ({"ranked": "true", "level": "custom"}, "replay_newest_level|replay_ranked|replay_best_times"),
        ({"level": "custom,beginner-9x9"}, "replay_newest_level"),
    ):
        with django_assert_num_queries(1) as captured:
            listed(filters, size=5)
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN " + captured.captured_queries[0]["sql"])
            plan = "\n".join(line for (line,) in cursor.fetchall())
        if not re.search(index, plan) or "Seq Scan on replays_replay" in plan:
            wrong.append((filters, [line for line in plan.splitlines() if "Scan" in line]))
    assert not wrong, "\n".join(map(str, wrong))


# --- sentences --------------------------------------------------------------------------------------------------------


def test_every_sentence_takes_its_parameters() -> None:
    names = (
        "what", "wanted", "offset", "name", "value", "limit", "replay", "attempts", "reason", "files", "megabytes",
        "address_megabytes", "site_megabytes", "count", "names",
    )  # fmt: skip
    texts = {code: sentence(code, dict.fromkeys(names, 7)) for code in SENTENCES}
    assert {code: text for code, text in texts.items() if "%(" in text or text == code} == {}


def test_what_has_no_sentence_says_its_message() -> None:
    assert sentence("inconsistent", {"message": "Eleven mines."}) == "Eleven mines."
    assert reject_text(Replay()) == ""
