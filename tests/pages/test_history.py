"""Pages and API of histories and of the record history, and its feed."""

from __future__ import annotations

import datetime
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from analysis.recording import Level
from players.leaderboards.history.selectors import history_key, history_page, player_progression
from players.models import Player, RecordEvent, User
from replays.models import Replay
from tests.caches import clear_caches
from tests.factories import EPOCH, rank_replays, stored_replay, unrank_replays
from tests.pages.conftest import MakePlayers, board_of
from tests.pages.html import Document
from tests.pages.test_every_page import assert_is_a_page_of_the_site, check_pages, document

pytestmark = pytest.mark.django_db

DAY = datetime.timedelta(days=1)
ATOM = "{http://www.w3.org/2005/Atom}"
HISTORY = "/leaderboards/expert/time/history/"


def added(player: Player, time_ms: int, day: int, **options: Any) -> Replay:
    replay = stored_replay(
        player, time_ms=time_ms, achieved_at=EPOCH + DAY * day, board=board_of(Level.EXPERT), **options
    )
    rank_replays([replay])
    return replay


@pytest.fixture
def ada() -> Player:
    return Player.objects.create(name="Ada")


@pytest.fixture
def rivalry(ada: Player) -> list[Replay]:
    """Three records by two players; the oldest game was uploaded last."""
    bob = Player.objects.create(name="Bob")
    late, middle = added(ada, 50_000, 60), added(bob, 55_500, 30)
    return [added(ada, 60_250, 0), middle, late]


def cells(page: Document) -> str:
    return page.text.split("Improvement Watch")[1]


def chart_of(page: Document) -> dict[str, str]:
    (chart,) = (svg for svg in page.all("svg") if svg.get("class") == "chart fluid")
    return chart


def test_the_history_of_a_board(rivalry: list[Replay], client: Client) -> None:
    page = document(client, HISTORY)
    assert_is_a_page_of_the_site(page)
    assert cells(page).startswith(
        " 2024-03-01 Ada 50.00 −5.50 2024-01-31 Bob 55.50 −4.75 2024-01-01 Ada 60.25 first"
    )  # fmt: skip
    for replay in rivalry:
        assert replay.get_absolute_url() in page.links()
    assert "/leaderboards/expert/time/" in page.links()
    assert len(page.all("circle")) == 3
    chart = chart_of(page)
    assert "from 60.25 to 50.00" in chart["aria-label"]


def test_a_deleted_record_is_not_shown(rivalry: list[Replay], client: Client) -> None:
    gone = rivalry[-1]
    unrank_replays([gone])
    gone.delete()
    page = document(client, HISTORY)
    assert cells(page).startswith(" 2024-01-31 Bob 55.50 −4.75")
    assert len(page.all("circle")) == 2
    assert "50.00" not in client.get("/records.atom").content.decode()


def test_higher_values_gain_with_a_plus(ada: Player, client: Client) -> None:
    added(ada, 60_000, 0, values={"bvs": 2.5})
    added(ada, 60_000, 1, values={"bvs": 3.125})
    assert "3.125 +0.625" in document(client, "/leaderboards/expert/bvs/history/").text


def test_the_progress_of_a_player(rivalry: list[Replay], ada: Player, client: Client) -> None:
    address = reverse("player-progress", args=[ada.pk, "expert", "time"])
    page = document(client, address)
    assert_is_a_page_of_the_site(page)
    assert cells(page).startswith(" 2024-03-01 50.00 −10.25 2024-01-01 60.25 first")
    assert "Bob" not in page.text
    records = f"{ada.get_absolute_url()}records/"
    assert address in document(client, records).links()
    assert f"{address}?style=FL" in document(client, f"{records}?style=FL").links()


def test_boards_and_histories_link_each_other(rivalry: list[Replay], client: Client) -> None:
    assert f"{HISTORY}?style=FL" in document(client, "/leaderboards/expert/time/?style=FL").links()
    page = document(client, f"{HISTORY}?style=FL")
    assert "/leaderboards/expert/time/?style=FL" in page.links()
    assert "/leaderboards/beginner/time/history/?style=FL" in page.links()
    assert "/records/?level=expert&statistic=time&style=FL" in page.links()


def test_times_follow_the_clock_of_the_reader(rivalry: list[Replay], owner: User, owner_client: Client) -> None:
    owner.clock = User.Clock.ONE
    owner.save(update_fields=["clock"])
    page = document(owner_client, HISTORY)
    assert "Ada 51.00 −5.50" in cells(page)  # a difference is the same on both clocks
    assert "from 61.25 to 51.00" in chart_of(page)["aria-label"]


@pytest.mark.parametrize("players", [0, 2])
def test_pages_of_the_site(make_players: MakePlayers, client: Client, players: int) -> None:
    make_players(players)
    addresses = (
        HISTORY, "/leaderboards/beginner-9x9/bvs/history/?style=NF", "/records/", "/records/?kind=personal&level=expert",
        "/records/?level=expert&statistic=time&style=NF",
    )  # fmt: skip
    check_pages(client, addresses)


def test_what_does_not_exist_is_404(client: Client) -> None:
    addresses = (
        "/leaderboards/combined/time/history/", "/leaderboards/expert/cl/history/", "/leaderboards/nope/time/history/",
        "/players/999/progress/expert/time/", "/players/99999999999999999999/progress/expert/time/",
        "/records/?player=999", "/records/?level=beginner-9x9&statistic=stnb", "/records.atom?player=999",
    )  # fmt: skip
    assert {address: client.get(address).status_code for address in addresses} == dict.fromkeys(addresses, 404)


def test_bad_parameters_are_400(client: Client) -> None:
    addresses = (
        f"{HISTORY}?style=x", "/records/?level=x", "/records/?statistic=cl", "/records/?kind=x", "/records/?player=x",
        "/records.atom?level=x", "/records.atom?kind=x", f"{HISTORY}?cursor=x", "/records/?cursor=x",
    )  # fmt: skip
    assert {address: client.get(address).status_code for address in addresses} == dict.fromkeys(addresses, 400)


def test_other_methods_than_get_are_405(client: Client) -> None:
    for address in (HISTORY, "/records/", "/records.atom"):
        assert client.post(address).status_code == 405, address


def test_pages_of_a_long_history(ada: Player, client: Client) -> None:
    games = [stored_replay(ada, time_ms=90_000 - day * 10, achieved_at=EPOCH + DAY * day) for day in range(60)]
    rank_replays(games)
    first = document(client, HISTORY)
    assert len(first.all("circle")) == 60  # the chart is whole on every page
    assert len(first.all("time")) == 50
    (following,) = (link["href"] for link in first.all("a") if link.get("rel") == "next")
    assert len(document(client, HISTORY + following).all("time")) == 10


# --- the record history ---


def test_records_can_be_filtered(rivalry: list[Replay], ada: Player, client: Client) -> None:
    assert "50.00" in document(client, "/records/?level=expert&statistic=time").text
    assert "50.00" not in document(client, "/records/?level=beginner").text
    own = document(client, f"/records/?kind=personal&player={ada.pk}&statistic=time")
    assert "50.00" in own.text
    assert "Bob" not in own.text
    assert "/records/" in document(client, "/news/").links()
    assert f"/records/?kind=personal&player={ada.pk}" in document(client, f"{ada.get_absolute_url()}records/").links()


# --- the feed ---


def feed(client: Client, **query: str) -> ElementTree.Element:
    response = client.get("/records.atom", query)
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("application/atom+xml")
    return ElementTree.fromstring(response.content)  # noqa: S314 - our own response


def texts(entry: ElementTree.Element, name: str) -> list[str]:
    return [element.text or "" for element in entry.iter(f"{ATOM}{name}")]


def test_the_feed_of_site_records(rivalry: list[Replay], client: Client) -> None:
    root = feed(client, statistic="time")
    (entry,) = root.findall(f"{ATOM}entry")  # the games that were uploaded later are older and slower
    assert texts(entry, "title") == ["Expert · Time 50.00 s · Ada"]
    assert texts(entry, "summary") == ["The first result on this leaderboard. New at rank 1."]
    assert texts(entry, "name") == ["Ada"]
    assert texts(entry, "published") == [(EPOCH + DAY * 60).isoformat()]
    (link,) = entry.findall(f"{ATOM}link")
    assert link.get("href") == f"http://testserver{rivalry[-1].get_absolute_url()}"


def test_entries_have_ids_of_their_own(make_players: MakePlayers, client: Client) -> None:
    make_players(2)
    entries = feed(client).findall(f"{ATOM}entry")
    assert len(entries) == 50
    assert len({texts(entry, "id")[0] for entry in entries}) == 50


def test_the_feed_takes_the_filters_of_the_page(rivalry: list[Replay], ada: Player, client: Client) -> None:
    root = feed(client, kind="personal", player=str(ada.pk), level="expert", statistic="time", style="FL")
    assert texts(root, "title")[0] == "Sweepbook · personal best · Expert · Time · with flags · Ada"
    assert len(root.findall(f"{ATOM}entry")) == 1
    assert root.findall(f"{ATOM}entry/{ATOM}summary")[0].text == "The first result on this leaderboard. New at rank 1."


def test_the_feed_says_what_was_beaten(ada: Player, client: Client) -> None:
    added(ada, 60_000, 0), added(ada, 50_000, 1)
    assert texts(feed(client, statistic="time"), "summary")[0] == "Previously 60.00 s. Still at rank 1."


def test_names_that_xml_cannot_hold(client: Client) -> None:
    added(Player.objects.create(name="a\x08<b>\ufffe&amp;"), 60_000, 0)
    (entry,) = feed(client, statistic="time").findall(f"{ATOM}entry")
    assert texts(entry, "name") == ["a⟨U+0008⟩<b>⟨U+FFFE⟩&amp;"]


def test_pages_name_the_feed(client: Client) -> None:
    for address, href in (("/", "/records.atom"), ("/records/?level=expert", "/records.atom?level=expert")):
        feeds = [link["href"] for link in document(client, address).all("link") if link.get("rel") == "alternate"]
        assert feeds == [href]


# --- the API ---


def test_the_history_by_api(rivalry: list[Replay], ada: Player, client: Client) -> None:
    body = client.get(f"/api/v1{HISTORY}").json()
    assert (body["level"], body["statistic"], body["style"]) == ("expert", "time", "all")
    assert [(row["player"]["name"], row["text"], row["old_value"], row["gain"], row["replay"]["id"]) for row in body["rows"]] == [
        ("Ada", "50.00", 55.5, 5.5, rivalry[2].pk),
        ("Bob", "55.50", 60.25, 4.75, rivalry[1].pk),
        ("Ada", "60.25", None, None, rivalry[0].pk),
    ]  # fmt: skip
    first = client.get(f"/api/v1{HISTORY}", {"size": 2}).json()
    second = client.get(f"/api/v1{HISTORY}", {"size": 2, "cursor": first["next_cursor"]}).json()
    assert first["rows"] + second["rows"] == body["rows"]
    own = history_page(player_progression(ada, history_key("expert", "time", "all")), cursor=None, size=10)
    assert [(row.step.value, row.step.gain) for row in own.rows] == [(50.0, 10.25), (60.25, None)]


def test_errors_of_the_api(client: Client) -> None:
    for path, status in (
        ("leaderboards/combined/time/history/", 404), ("leaderboards/expert/cl/history/", 404),
        ("leaderboards/expert/time/history/?style=x", 400), ("leaderboards/expert/time/history/?cursor=x", 400),
        ("leaderboards/expert/time/history/?size=x", 400), ("players/999/ranks/expert/time/", 404),
        ("players/99999999999999999999/ranks/expert/time/", 404), ("records/?level=x", 400),
    ):  # fmt: skip
        response = client.get(f"/api/v1/{path}")
        assert response.status_code == status, path
        assert {"code", "detail"} <= set(response.json()), path


def test_records_of_a_level_by_api(rivalry: list[Replay], client: Client) -> None:
    assert client.get("/api/v1/records/", {"level": "expert"}).json()["rows"]
    assert client.get("/api/v1/records/", {"level": "beginner"}).json()["rows"] == []


# --- statements ---

#: At first, and again when others have played.
STATEMENTS = {
    HISTORY: [4, 5],  # the log position (then: the changed players), the records, their games, the page
    "/records/": [1, 1],
    "/records/?level=expert&statistic=time": [1, 1],
    "/records.atom": [1, 1],
    f"/api/v1{HISTORY}": [4, 5],
}


@pytest.mark.long(beside="tests/pages/test_history.py::test_progress_takes_a_fixed_number_of_statements")
def test_lists_take_a_fixed_number_of_statements(make_players: MakePlayers, client: Client) -> None:
    found: dict[str, list[int]] = {}
    for number, address in enumerate(STATEMENTS):
        clear_caches()
        for name in ("Few", "More"):
            make_players(3, name=f"{name} {number}")
            cache.clear()
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address).status_code == 200
            found.setdefault(address, []).append(len(queries))
    assert found == STATEMENTS


def test_progress_takes_a_fixed_number_of_statements(rivalry: list[Replay], ada: Player, client: Client, django_assert_num_queries: Any) -> None:  # fmt: skip
    with django_assert_num_queries(5):  # the player, their games, the page; for ranks the change log, the steps
        assert client.get(f"/players/{ada.pk}/progress/expert/time/").status_code == 200


def test_the_record_history_is_in_the_order_of_uploads(rivalry: list[Replay]) -> None:
    """The history by dates has three records; the record history, by uploads, has one."""
    assert RecordEvent.objects.filter(kind="site", statistic="time", style="all").count() == 1
