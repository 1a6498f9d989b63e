"""Every place where records are shown has their ranks, also those of combined boards."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client

from analysis.recording import Level
from players.leaderboards.boards import COMBINED
from players.models import Player, RecordEvent, User
from tests.factories import rank_replays, stored_replay
from tests.pages.conftest import board_of
from tests.pages.html import Document
from tests.pages.test_every_page import assert_is_a_page_of_the_site, document

pytestmark = pytest.mark.django_db

SUMMED = (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT)
PERSONAL_TIMES = "/records/?kind=personal&statistic=time"
ATOM = "{http://www.w3.org/2005/Atom}"


def added(player: Player, time_ms: int, level: Level = Level.EXPERT) -> None:
    rank_replays([stored_replay(player, level, time_ms=time_ms, board=board_of(level))])


@pytest.fixture
def ada(db: None) -> Player:
    """Ada was last of four, then passed two of them."""
    for number in range(3):
        added(Player.objects.create(name=f"p{number}"), 50_000 + 1_000 * number)
    ada = Player.objects.create(name="Ada")
    added(ada, 60_000)
    added(ada, 50_500)
    return ada


@pytest.fixture
def summed(db: None) -> Player:
    """One sum of 180 s, then one of 170 s."""
    player = Player.objects.create(name="Sum")
    for level in SUMMED:
        added(player, 60_000, level)
    added(player, 50_000, Level.EXPERT)
    return player


def shown(page: Document) -> str:
    """The text of the page, with that for screen readers."""
    return " ".join(page.text.split())


def test_the_log_shows_ranks(ada: Player, client: Client) -> None:
    page = document(client, f"{PERSONAL_TIMES}&player={ada.pk}")
    assert_is_a_page_of_the_site(page)
    assert "50.50 60.00 #4 → #2 From rank 4 to rank 2." in shown(page)
    assert "60.00 first new: #4 New at rank 4." in shown(page)


def test_a_rank_that_stays(ada: Player, client: Client) -> None:
    added(ada, 50_400)
    assert "50.40 50.50 #2 Still at rank 2." in shown(document(client, PERSONAL_TIMES))


def test_pages_of_players_and_the_start_page_show_ranks(ada: Player, client: Client) -> None:
    assert "#4 → #2" in shown(document(client, f"{ada.get_absolute_url()}records/"))
    added(ada, 40_000)
    page = document(client, "/news/")
    assert_is_a_page_of_the_site(page)
    assert "Ada set the Expert record 40.00 s" in shown(page)


def test_the_feed_has_ranks(ada: Player, client: Client) -> None:
    root = ElementTree.fromstring(  # noqa: S314 - our own response
        client.get(f"/records.atom?kind=personal&statistic=time&player={ada.pk}").content
    )
    assert [element.text for element in root.iter(f"{ATOM}summary")] == [
        "Previously 60.00 s. From rank 4 to rank 2.",
        "The first result on this leaderboard. New at rank 4.",
    ]


def test_the_api_has_ranks(ada: Player, client: Client) -> None:
    query: dict[str, Any] = {"kind": "personal", "statistic": "time", "player": ada.pk}
    rows = client.get("/api/v1/records/", query).json()["rows"]
    assert [(row["rank_before"], row["rank_after"]) for row in rows] == [(4, 2), (None, 4)]


@pytest.mark.long(beside="tests/pages/test_record_ranks.py::test_pages_of_players_and_the_start_page_show_ranks")
def test_filters_lead_to_boards_that_exist(ada: Player, client: Client) -> None:
    """Beginner 9×9 has no STNB: its menu does not offer it, and the way to it drops it."""
    links = document(client, f"/records/?kind=personal&player={ada.pk}&level=expert&statistic=stnb").links()
    assert f"?kind=personal&player={ada.pk}&level=beginner-9x9" in links
    assert f"?kind=personal&player={ada.pk}&statistic=stnb&level=intermediate" in links
    found = document(client, "/records/?level=beginner-9x9").links()
    assert "?level=beginner-9x9&statistic=time" in found
    assert "?level=beginner-9x9&statistic=stnb" not in found
    for address in links:
        if address.startswith("?"):
            assert client.get(f"/records/{address}").status_code == 200


# --- combined boards ---


def test_records_of_sums(summed: Player, client: Client) -> None:
    page = document(client, "/records/?level=combined&statistic=time")
    assert_is_a_page_of_the_site(page)
    assert "Combined Time 170.00 180.00 Sum" in shown(page)
    assert "rank 1" not in shown(page), "each record of the site is at rank 1"
    assert "/leaderboards/combined/time/" in page.links()
    assert "/leaderboards/combined/time/history/" not in page.links()
    personal = document(client, "/records/?level=combined&kind=personal&style=FL")
    assert "/leaderboards/combined/time/?style=FL" in personal.links()


def test_clocks_from_one_count_each_game(summed: Player, owner: User, owner_client: Client) -> None:
    owner.clock = User.Clock.ONE
    owner.save(update_fields=["clock"])
    assert "173.00 183.00" in shown(document(owner_client, "/records/?level=combined&statistic=time"))


def test_sums_in_the_feed_and_the_api(summed: Player, client: Client) -> None:
    query = {"level": COMBINED, "statistic": "time"}
    assert "Combined · Time 170.00 s · Sum" in client.get("/records.atom", query).content.decode()
    rows = client.get("/api/v1/records/", query).json()["rows"]
    assert [(row["level"], row["text"], row["old_value"]) for row in rows] == [
        ("combined", "170.00", 180.0), ("combined", "180.00", None),
    ]  # fmt: skip


def test_a_list_of_games_names_one_level(summed: Player, client: Client) -> None:
    """The last game is the best on Expert and completes a sum; only the sum of the third game is not shown by name."""
    text = shown(document(client, f"{summed.get_absolute_url()}records/")).partition("Recent personal bests")[2]
    assert "Time 50.00" in text
    assert "Time 170.00" not in text


def test_a_game_with_records_of_sums_alone(summed: Player, client: Client) -> None:
    other = Player.objects.create(name="Other")
    added(other, 10_000, Level.EXPERT)
    for level in (Level.BEGINNER, Level.INTERMEDIATE):
        added(other, 70_000, level)
    RecordEvent.objects.exclude(level=COMBINED).delete()
    text = shown(document(client, f"{other.get_absolute_url()}records/")).partition("Recent personal bests")[2]
    assert "Time 150.00" in text


@pytest.mark.parametrize("address", ["/records/?level=combined&statistic=nope", "/records.atom?level=combined&style=x"])
def test_bad_parameters_are_400(client: Client, address: str) -> None:
    assert client.get(address).status_code == 400


def test_the_list_says_that_it_has_the_main_statistics_alone(client: Client, db: None) -> None:
    texts = [
        client.get(f"/records/?kind={kind}&statistic={name}").content.decode()
        for kind, name in (("personal", "path"), ("personal", "time"), ("site", "path"))
    ]
    assert ["main statistics only" in text for text in texts] == [True, False, False]
