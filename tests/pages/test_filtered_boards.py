"""Boards filtered by period, day, country, minimum 3BV or best games, as pages and as JSON; record holders."""

from __future__ import annotations

import datetime
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from analysis.recording import Level
from players.models import LevelChange, Player, User
from players.people.services import set_country
from tests.cases import check_each_on_site
from tests.factories import EPOCH, rank_replays, stored_replay
from tests.pages.conftest import MakePlayers
from tests.pages.html import Document

pytestmark = pytest.mark.django_db

BOARD = "/leaderboards/expert/time/"


@pytest.fixture
def people(make_players: MakePlayers) -> list[Player]:
    """Four players on days 1 to 4 of 2024, the earlier the faster; the first and third from Germany."""
    players = make_players(4)
    for player in players[::2]:
        set_country(player, "DE")
    return players


def names(client: Client, address: str) -> list[str]:
    page = client.get(address)
    assert page.status_code == 200, page.content
    body = page.content.decode().partition("<tbody>")[2].partition("</tbody>")[0]
    return re.findall(r"<bdi>(.*?)</bdi>", body)


def api(client: Client, address: str, status: int = 200) -> Any:
    response = client.get(f"/api/v1{address}")
    assert response.status_code == status, response.content
    return response.json()


def test_pages_and_api_agree(client: Client, people: list[Player]) -> None:
    def agree(query: str, numbers: list[int]) -> None:
        expected = [people[number].name for number in numbers]
        assert names(client, BOARD + query) == expected
        body = api(client, BOARD + query)
        assert [row["player"]["name"] for row in body["rows"]] == expected
        assert [row["rank"] for row in body["rows"]] == list(range(1, len(expected) + 1))
        assert body["players"] == len(expected)

    cases = [
        ("", [0, 1, 2, 3]), ("?period=2024", [0, 1, 2, 3]), ("?period=2023", []), ("?as_of=2024-01-02", [0, 1]),
        ("?country=DE", [0, 2]), ("?country=fr", []), ("?min_3bv=102", [2, 3]), ("?best_of=2", []),
        ("?period=2024-01&country=DE&as_of=2024-01-02", [0]), ("?style=NF&period=2024", []),
    ]  # fmt: skip
    check_each_on_site(agree, cases)


def test_the_api_returns_the_filters(client: Client, people: list[Player]) -> None:
    body = api(client, BOARD + "?period=2024&country=de&min_3bv=3&best_of=2")["frame"]
    assert body == {
        "period": "2024", "as_of": None, "country": "DE", "min_3bv": 3, "best_of": 2,
        "result": "won", "min_completion": None, "since": "2024-01-01T00:00:00Z", "until": "2025-01-01T00:00:00Z",
    }  # fmt: skip
    page = client.get(BOARD + "?period=2024&country=de&min_3bv=3&best_of=2").content.decode()
    for text in ("2024", "Germany", "At least 3 3BV", "Average of the best 2 games"):
        assert re.search(rf'<span class="chip">{text} <a\s', page)


def test_each_filter_can_be_removed_alone(client: Client, people: list[Player]) -> None:
    page = client.get(BOARD + "?period=2024&country=DE").content.decode()
    (without_country,) = re.findall(r'Germany <a\s+href="(.*?)"', page)
    assert names(client, BOARD + without_country) == [player.name for player in people]
    assert without_country == "?period=2024"


def test_links_to_levels_statistics_and_jumps_have_the_filters(client: Client, people: list[Player]) -> None:
    page = client.get(BOARD + "?period=2024&min_3bv=3").content.decode()
    assert 'href="/leaderboards/intermediate/time/?period=2024&amp;min_3bv=3"' in page
    assert 'href="/leaderboards/combined/time/?period=2024"' in page  # a sum has no 3BV
    response = client.get("/leaderboards/?level=expert&statistic=bvs&style=all&period=2024&min_3bv=3")
    assert response.headers["Location"] == "/leaderboards/expert/bvs/?period=2024&min_3bv=3"
    response = client.get(BOARD + "?period=2024&name=Player+002")
    assert response.headers["Location"] == f"{BOARD}?period=2024&player={people[2].pk}#place"
    page = client.get(f"{BOARD}?period=2024&player={people[2].pk}").content.decode()
    assert 'id="place" aria-current="true" class="sought"' in page
    assert "rank 3 of 4" in page


def test_a_value_on_a_filtered_board(client: Client, people: list[Player]) -> None:
    body = api(client, BOARD + "?country=DE&value=41.0")
    assert body["jump"] == {"player": None, "value": 41.0, "rank": 2, "percentile": 100.0}


def test_sums_of_a_period(client: Client, people: list[Player]) -> None:
    whole, filtered = (
        [
            {name: value for name, value in row.items() if not name.startswith("games_")}
            for row in api(client, f"/leaderboards/combined/time/{query}")["rows"]
        ]
        for query in ("", "?period=2024")
    )
    assert filtered == whole
    assert names(client, "/leaderboards/combined/time/?as_of=2024-01-02&country=DE") == [people[0].name]


def test_sub_boards(client: Client, people: list[Player]) -> None:
    assert names(client, "/leaderboards/sub/expert/42/") == [player.name for player in people[:1]]
    assert names(client, "/leaderboards/sub/expert/100/?country=DE&period=2024") == [people[0].name, people[2].name]
    body = api(client, f"/leaderboards/sub/expert/100/?player={people[1].pk}")
    assert body["jump"]["rank"] == 1
    assert api(client, "/leaderboards/sub/expert/100/?value=1")["jump"]["rank"] == 1
    page = client.get("/leaderboards/sub/expert/100/?period=2024").content.decode()
    assert 'href="/leaderboards/sub/expert/99/?period=2024"' in page
    assert client.get("/leaderboards/sub/expert/100/?n=50&period=2024").headers["Location"].endswith("50/?period=2024")


def test_what_cannot_be_is_a_clear_400(client: Client) -> None:
    def is_clear(address: str) -> None:
        page = client.get(address)
        assert page.status_code == 400
        body = api(client, address, 400)
        assert body["code"] == "bad_parameter"
        if "value=x" not in address:
            assert body["detail"] in unescape(page.content.decode())

    addresses = (
        f"{BOARD}?period=soon", f"{BOARD}?as_of=2024-13-01", f"{BOARD}?country=Germany", f"{BOARD}?min_3bv=-1",
        f"{BOARD}?best_of=0", "/leaderboards/combined/time/?min_3bv=5", "/leaderboards/sub/expert/40/?period=x",
        "/leaderboards/sub/expert/40/?value=x",
    )  # fmt: skip
    check_each_on_site(is_clear, addresses)


def test_the_message_stands_beside_the_field(client: Client, people: list[Player]) -> None:
    def is_beside_it(address: str, field: str, written: str, problem: str) -> None:
        response = client.get(address)
        assert response.status_code == 400
        page = Document(response.content.decode())
        assert page.all("table") == []  # no rows that are not those of the filters
        assert field == "find" or any("open" in details for details in page.all("details"))
        control = next(one for one in [*page.all("input"), *page.all("select")] if one.get("name") == field)
        assert (control["aria-invalid"], control["aria-describedby"]) == ("true", problem)
        assert control.get("value", "") == written
        assert problem in [one.get("id") for one in page.all("p")]
        assert page.text.count("Leaderboard") >= 1
        if "country=DE" in address:  # the other filters stay as they were written
            germany = next(one for one in page.all("option") if one.get("value") == "DE")
            assert "selected" in germany

    cases = [
        (f"{BOARD}?period=abc&country=DE", "period", "abc", "filter-period-error"),
        (f"{BOARD}?as_of=tomorrow&country=DE", "as_of", "tomorrow", "filter-as-of-error"),
        (f"{BOARD}?country=Germany", "country", "", "filter-country-error"),
        (f"{BOARD}?min_3bv=-1&country=DE", "min_3bv", "-1", "filter-min-bv-error"),
        (f"{BOARD}?best_of=0&country=DE", "best_of", "0", "filter-best-of-error"),
        (f"{BOARD}?value=fast&country=DE", "find", "fast", "find-error"),
        (f"{BOARD}?name=a&value=3&country=DE", "find", "a", "find-error"),
        ("/leaderboards/combined/bvs/?period=abc&country=DE", "period", "abc", "filter-period-error"),
        ("/leaderboards/sub/expert/40/?period=abc&country=DE", "period", "abc", "filter-period-error"),
        ("/leaderboards/sub/expert/40/?n=many&country=DE", "n", "many", "n-error"),
        ("/leaderboards/sub/expert/40/?value=x", "find", "x", "find-error"),
    ]
    check_each_on_site(is_beside_it, cases)


def test_no_filter_leads_away_from_the_board(client: Client, people: list[Player]) -> None:
    assert client.get(f"{BOARD}?cursor=")["Location"] == BOARD
    for query in ("?style=fast", "?player=abc", "?period=" + "9" * 500, "?period=<b>", "?min_3bv=%00"):
        response = client.get(BOARD + query)
        assert response.status_code == 400, query
        page = response.content.decode()
        assert any(one.get("name") == "period" for one in Document(page).all("input")), query
        assert "<b>" not in page  # what was written is escaped


def test_counts_have_no_best_games(client: Client) -> None:
    assert api(client, "/leaderboards/sub/expert/40/?best_of=3", 400)["code"] == "bad_parameter"


def test_means_of_best_games(client: Client, make_players: MakePlayers) -> None:
    (player,) = make_players(1)
    rank_replays(
        [
            stored_replay(player, Level.EXPERT, time_ms=time_ms, achieved_at=EPOCH + datetime.timedelta(days=day))
            for day, time_ms in enumerate((44_000, 42_000, 50_000), 10)
        ]
    )
    (row,) = api(client, BOARD + "?best_of=3")["rows"]
    assert row["value"] == pytest.approx((40 + 42 + 44) / 3)
    assert row["achieved_at"].startswith("2024-01-12")


def test_an_account_has_a_country(client: Client, owner_client: Client, owner: User) -> None:
    fields = {"language": "", "time_zone": "UTC", "clock": "zero", "email": "", "country": "PL"}
    assert owner_client.post("/account/", fields).status_code == 302
    owner.player.refresh_from_db()
    assert owner.player.country == "PL"
    assert LevelChange.objects.filter(player_number=owner.player.pk).exists()
    assert owner_client.post("/account/", {**fields, "country": "Poland"}).status_code == 422


def test_staff_correct_a_country(staff_client: Client, people: list[Player]) -> None:
    player = people[0]
    address = f"/admin/players/player/{player.pk}/change/"
    names_of_player = {"identities-TOTAL_FORMS": "0", "identities-INITIAL_FORMS": "0"}
    LevelChange.objects.all().delete()
    response = staff_client.post(address, {"country": "AT", **names_of_player})
    assert response.status_code == 302
    player.refresh_from_db()
    assert player.country == "AT"
    assert LevelChange.objects.filter(player_number=player.pk).exists()
    assert staff_client.post(address, {"name": "x", "country": "??", **names_of_player}).status_code == 200


def test_holders(client: Client, people: list[Player]) -> None:
    rows = api(client, "/records/holders/")["rows"]
    time = {row["level"]: row for row in rows if row["statistic"] == "time"}
    assert {row["player"]["id"] for row in time.values()} == {people[0].pk}
    assert time["expert"]["value"] == 40.0
    assert time["combined"]["replay"] is None
    page = client.get("/records/holders/").content.decode()
    assert f'href="/replays/{time["expert"]["replay"]["id"]}/"' in page
    assert api(client, "/records/holders/?style=NF")["rows"] == []
    assert client.get("/records/holders/?style=NF").status_code == 200
    assert client.get("/records/holders/?style=XX").status_code == 400


def test_ranks_over_time(client: Client, people: list[Player]) -> None:
    rows = api(client, f"/players/{people[3].pk}/ranks/expert/time/")["rows"]
    assert {row["rank"] for row in rows} == {4}
    assert api(client, f"/players/{people[3].pk}/ranks/expert/time/?style=NF")["rows"] == []
    assert api(client, f"/players/{people[3].pk}/ranks/hard/time/", 404)["code"] == "unknown_board"
    assert "Rank over time" in client.get(f"/players/{people[3].pk}/progress/expert/time/").content.decode()


# --- boundaries, with the boards of all games beside them -------------------------------------------------------------


def test_39_seconds_are_not_sub_40_on_any_board(client: Client) -> None:
    """Sub-40 is below 39.000 s, as seconds are counted from 1: 38.999 s is the last time that counts."""
    for name, times in (("Ada", (38_999, 38_990)), ("Bob", (39_000, 38_999)), ("Cid", (39_000, 39_001, 39_990))):
        player = Player.objects.create(name=name)
        rank_replays([stored_replay(player, time_ms=time_ms) for time_ms in times])
        set_country(player, "DE")
    for query in ("", "?period=2024", "?country=DE", "?as_of=2024-02-01&min_3bv=100"):
        rows = api(client, f"/leaderboards/sub/expert/40/{query}")["rows"]
        found = [(row["rank"], row["player"]["name"], row["value"]) for row in rows]
        assert found == [(1, "Ada", 2), (2, "Bob", 1)], query


def test_of_equal_sums_the_better_expert_time_comes_first(client: Client) -> None:
    """Ranks differ as soon as a harder level does, and are shared only if all three times are equal."""
    times = {"Ada": (2_000, 12_000, 50_000), "Bob": (3_000, 12_000, 49_000), "Cid": (3_000, 12_000, 49_000),
             "Dan": (2_000, 13_000, 49_000)}  # fmt: skip
    for name, (beginner, intermediate, expert) in times.items():
        player = Player.objects.create(name=name)
        set_country(player, "DE")
        rank_replays(
            [
                stored_replay(player, Level.BEGINNER, time_ms=beginner),
                stored_replay(player, Level.INTERMEDIATE, time_ms=intermediate),
                stored_replay(player, Level.EXPERT, time_ms=expert),
            ]
        )
    for query in ("", "?period=2024", "?country=DE", "?as_of=2024-02-01"):
        rows = api(client, f"/leaderboards/combined/time/{query}")["rows"]
        found = [(row["rank"], row["player"]["name"]) for row in rows]
        assert found == [(1, "Bob"), (1, "Cid"), (3, "Dan"), (4, "Ada")], query
        assert {row["value"] for row in rows} == {64.0}, query
