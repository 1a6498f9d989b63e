"""One name a number: the data page's is the one of rows, filters, sort orders, boards, searches, files and definitions."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from django.db.models import F
from django.test import Client
from django.utils import translation

from analysis.recording import Level
from analysis.statistics import BY_ANY_NAME, STORED
from analysis.zini import rzini
from players.models import Player, User
from replays.browse.help.selectors import glossary
from replays.browse.search.words import boards_named, statistics_named
from replays.models import Replay
from tests.cases import check_each_on_site
from tests.factories import rank_replays, replay_of
from tests.pages.conftest import board_of
from tests.replays.conftest import Ingest, ingest, store  # noqa: F401 - fixtures
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db
URL: Final = "/api/v1/replays/"
_FOUND: Final = 6


class Name(NamedTuple):
    """A name of the data page, the column with its number, and whether there are boards of it."""

    name: str
    column: str
    board: bool = False


_SAME: Final = ("bv", "op", "lcl", "rcl", "dcl", "cl", "lce", "rce", "dce", "ce", "bvdone", "opdone", "isdone", "flags")
_SAME_RANKED: Final = (
    "time", "path", "bvs", "rqp", "qg", "ios", "rv", "ces", "cls", "corr", "thrp", "ioe", "cpo", "coo", "sao", "stnb",
)  # fmt: skip
_RATES: Final = ("zinis", "znt", "zne")
#: Written out, so that a change of the registry shows.
NAMES: Final = (
    *(Name(name, name) for name in (*_SAME, *(f"cell{number}" for number in range(9)), "completion", "estime", "mov")),
    *(Name(name, name, True) for name in _SAME_RANKED),
    Name("is", "isl"), Name("zini", "gzini"), Name("gzini", "gzini"), Name("hzini", "hzini"),
    *(Name(rate, f"g{rate}", True) for rate in _RATES),
    *(Name(f"{prefix}{rate}", f"{prefix}{rate}", True) for rate in _RATES for prefix in "gh"), Name("iome", "iome"),
)  # fmt: skip
ON_REQUEST: Final = tuple(Name(name, name) for name in ("rzini", "rzinis", "rznt", "rzne"))
BOARDS: Final = [one for one in NAMES if one.board]


@pytest.fixture
def games() -> list[Replay]:
    player = Player.objects.create(name="player")
    made = [replay_of(player, Level.EXPERT, time_ms=ms, bv=ms // 400) for ms in (50_000, 60_000, 70_000)]
    for number, game in enumerate(made):
        setattr(game, "isl", 3 + number)  # noqa: B010 - the registry adds the attribute
    return Replay.objects.bulk_create(made)


def listed(**query: str) -> list[dict[str, Any]]:
    response = Client().get(URL, query)
    assert response.status_code == 200, response.content
    rows: list[dict[str, Any]] = response.json()["rows"]
    return rows


def test_rows_have_every_name_in_one_place(games: list[Replay]) -> None:
    row = listed(sort="-time", level="expert")[0]
    assert {one.name: row["statistics"][one.name] for one in NAMES} == {
        one.name: games[2].statistic(one.column) for one in NAMES
    }
    assert row["statistics"].keys() == {name for one in STORED for name in (one.public, *one.aliases)}
    assert not row.keys() & row["statistics"].keys()
    detail = Client().get(f"{URL}{games[2].pk}/").json()
    assert {name: detail["statistics"][name] for name in row["statistics"]} == row["statistics"]


@pytest.mark.long(beside="tests/replays/browse/test_statistic_names.py::test_names_are_values_of_parameters")
def test_every_name_is_a_filter(games: list[Replay]) -> None:
    for one in NAMES:
        found = {game.pk for game in games if (value := game.statistic(one.column)) is not None and value >= 1}
        assert {row["id"] for row in listed(**{f"{one.name}__gte": "1"})} == found, one.name
        assert listed(**{f"{one.name}__gte": "1e7"}) == [], one.name
        page = Client().get("/replays/", {f"{one.name}__gte": "1e7"}, follow=True)
        assert (page.status_code, page.context["page"].rows) == (200, []), one.name
        assert f"{BY_ANY_NAME[one.name].public}__gte" in page.request["QUERY_STRING"]


def test_basic_numbers_and_style_sort_both_ways(games: list[Replay]) -> None:
    def sorts(name: str) -> None:
        column = BY_ANY_NAME[name].name
        ordered = [game.pk for game in sorted(games, key=lambda game: (game.statistic(column), game.pk))]
        assert [row["id"] for row in listed(sort=name, level="expert")] == ordered
        assert [row["id"] for row in listed(sort=f"-{name}", level="expert")] == ordered[::-1]
        page = Client().get("/replays/", {"level": "expert", "sort": f"-{name}"}).content.decode()
        assert f'<a href="?level=expert&amp;sort=-{name}" aria-current="true">' in page
        assert f'<a href="?level=expert&amp;sort={name}">' in page
        assert Client().get(f"/api/v1/leaderboards/expert/{name}/").status_code == 404

    check_each_on_site(sorts, ("bv", "op", "cl", "ce", "zini", "mov", "iome"))


def test_random_zini_is_computed_by_the_api(store: Path, ingest: Ingest) -> None:  # noqa: F811
    game = ingest(game_file())
    links = Client().get(f"{URL}{game.pk}/").json()["links"]
    clicks = rzini(game.board_object())
    assert Client().get(links["rzini"]).json() == {
        "rzini": clicks,
        "rzinis": clicks / float(game.statistic("time") or 0),
        "rznt": clicks / float(game.statistic("ce") or 0),
        "rzne": clicks / float(game.statistic("cl") or 0),
    }
    rejected = ingest(b"no replay")
    assert Client().get(f"{URL}{rejected.pk}/rzini/").status_code == 404


def test_random_zini_of_a_large_board_is_null(games: list[Replay], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.browse.lists.random_zini.MAX_CELLS", 479)
    Replay.objects.filter(pk=games[0].pk).update(board=board_of(Level.EXPERT))
    assert set(Client().get(f"{URL}{games[0].pk}/rzini/").json().values()) == {None}


@pytest.mark.long(beside="tests/replays/browse/test_statistic_names.py::test_names_are_values_of_parameters")
def test_names_with_boards_sort_and_are_addresses_and_files(games: list[Replay]) -> None:
    rank_replays(games)

    def sorts_and_is_an_address_and_a_file(name: str, column: str) -> None:
        ordered = list(Replay.objects.order_by(F(column), "id").exclude(**{column: None}).values_list("pk", flat=True))
        assert [row["id"] for row in listed(sort=name, level="expert")] == ordered
        assert [row["id"] for row in listed(sort=f"-{name}".upper(), level="expert")] == ordered[::-1]
        public = BY_ANY_NAME[name].public
        client = Client()
        body = client.get(f"/api/v1/leaderboards/expert/{name}/").json()
        assert (body["statistic"], len(body["rows"])) == (public, 1)
        file = client.get(f"/api/v1/leaderboards/combined/{name}/rows.csv")
        assert f"combined-{public}.csv" in file["Content-Disposition"]
        for address in (
            "leaderboards/expert/{}/", "leaderboards/combined/{}/", "leaderboards/countries/expert/{}/",
            "leaderboards/expert/{}/history/", f"players/{games[0].player_id}/by-3bv/expert/{{}}/",
            f"players/{games[0].player_id}/progress/expert/{{}}/",
        ):  # fmt: skip
            answer = client.get(f"/{address.format(name)}?style=NF")
            if public == name:
                assert answer.status_code == 200, address
            else:
                assert (answer.status_code, answer["Location"]) == (301, f"/{address.format(public)}?style=NF")

    check_each_on_site(sorts_and_is_an_address_and_a_file, [(one.name, one.column) for one in BOARDS])


def test_names_are_values_of_parameters(games: list[Replay]) -> None:
    rank_replays(games)
    charts = f"/players/{games[0].player_id}/charts/progress/"
    for one in BOARDS:
        for address in (f"/api/v1/records/?statistic={one.name}", f"{charts}?statistic={one.name}&level=expert"):
            answer = Client().get(address)
            assert answer.status_code == 200, answer.content
    events = Client().get("/api/v1/records/?kind=personal&statistic=zne").json()["rows"]
    assert {event["statistic"] for event in events} <= {"zne"}


def test_search_statistics_and_glossary_know_every_name() -> None:
    client = Client()
    registry = {found["name"]: found for found in client.get("/api/v1/statistics/").json()["rows"]}
    page = client.get("/statistics/").content.decode()
    explained = {entry.name for entry in glossary()}
    for one in (*NAMES, *ON_REQUEST):
        row = BY_ANY_NAME[one.name]
        for language in ("en", "zh-hans"):
            with translation.override(language):
                assert statistics_named(one.name, _FOUND)[0] is row, one.name
                titles = [found.statistic for found in boards_named(f"expert {one.name}", _FOUND)]
                assert (one.column in titles) is (one.board or one.name == "estime"), one.name  # of lost games
        assert one.name in (row.public, *registry[row.public]["aliases"])
        assert f'id="{one.name}"' in page
        assert row.public in explained


def test_no_answer_calls_a_board_by_a_column(owner: User, games: list[Replay]) -> None:
    rank_replays(games)
    for address in (
        "leaderboards/", f"players/{games[0].player_id}/", "records/?kind=personal", "search/?q=zne",
    ):  # fmt: skip
        answer = Client().get(f"/api/v1/{address}")
        assert answer.status_code == 200, address
        assert '"statistic":"gz' not in answer.content.decode(), address
