"""Boards of lost games and a player's best lost games, as pages, JSON and CSV."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from analysis.recording import Level
from players.models import Player
from players.people.services import set_country
from replays.browse.search.words import boards_named
from tests.caches import clear_caches
from tests.cases import check_each_on_site
from tests.factories import EPOCH, stored_corpse

pytestmark = pytest.mark.django_db

STNB = "/leaderboards/corpses/expert/stnb/"
ESTIME = "/leaderboards/corpses/expert/estime/"


@pytest.fixture
def players() -> list[Player]:
    """Three players on days 1 to 3 of 2024, the earlier the faster, each with a worse game too; the second is from Poland."""
    found = [Player.objects.create(name=f"player {number}") for number in range(3)]
    for number, player in enumerate(found):
        for time_ms in (50_000, 90_000):
            stored_corpse(
                player,
                time_ms=time_ms + 1_000 * number,
                achieved_at=EPOCH + timedelta(days=number),
                style="FL" if number else "NF",
                bv=150 + number,
            )
    set_country(found[1], "PL")
    return found


def api(client: Client, address: str, status: int = 200) -> Any:
    response = client.get(f"/api/v1{address}")
    assert response.status_code == status, response.content
    return response.json()


def names(client: Client, address: str) -> list[str]:
    page = client.get(address)
    assert page.status_code == 200, page.content
    body = page.content.decode().partition("<tbody>")[2].partition("</tbody>")[0]
    return re.findall(r"<bdi>(.*?)</bdi>", body)


def test_page_api_and_file_agree(client: Client, players: list[Player]) -> None:
    queries = {
        "": [0, 1, 2], "?style=NF": [0], "?style=FL": [1, 2], "?country=PL": [1], "?period=2023": [],
        "?as_of=2024-01-02": [0, 1], "?min_3bv=152": [2], "?best_of=2": [0, 1, 2], "?best_of=3": [],
    }  # fmt: skip

    def agree(address: str, numbers: list[int]) -> None:
        expected = [players[number].name for number in numbers]
        assert names(client, address) == expected
        body = api(client, address)
        assert [(row["rank"], row["player"]["name"]) for row in body["rows"]] == list(enumerate(expected, 1))
        assert (body["frame"]["result"], body["frame"]["min_completion"]) == ("lost", 0.5)
        page = client.get(address).content.decode()
        (file,) = re.findall(r'href="(/api/v1/leaderboards/corpses/[^"]*rows\.csv[^"]*)"', page)
        response: Any = client.get(file.replace("&amp;", "&"))
        lines = b"".join(response).decode("utf-8-sig").splitlines()
        assert [line.split(",")[2].strip('"') for line in lines[1:]] == expected
        assert "corpses-expert-" in response["Content-Disposition"]

    cases = [(STNB + query, numbers) for query, numbers in queries.items()] + [(ESTIME, [0, 1, 2])]
    check_each_on_site(agree, cases)


def test_the_page_says_which_games_count(client: Client, players: list[Player], settings: Any) -> None:
    page = client.get(STNB).content.decode()
    assert "at least 50%" in page
    assert "history" not in page  # the record history has won games only
    settings.MINIMUM_COMPLETION = 60
    assert "at least 60%" in client.get(STNB).content.decode()
    assert "at least 60%" in client.get("/leaderboards/").content.decode()


def test_a_row_has_the_completion_of_its_game(client: Client, players: list[Player]) -> None:
    page = client.get(STNB).content.decode()
    rows = api(client, STNB)["rows"]
    assert [row["completion"] for row in rows] == [pytest.approx(120 / (150 + number)) for number in range(3)]
    for row in rows:
        assert f'data-label="Completion">{100 * row["completion"]:.1f}%</td>' in page
    assert {row["completion"] for row in api(client, f"{STNB}?best_of=2")["rows"]} == {None}
    assert "Completion" not in client.get("/leaderboards/expert/stnb/?columns=completion").content.decode()
    assert "completion" not in api(client, "/leaderboards/expert/time/")["frame"]
    file: Any = client.get(f"/api/v1{STNB}rows.csv")
    assert "completion" in b"".join(file).decode("utf-8-sig").splitlines()[0]


def test_the_place_of_a_player_and_of_a_value(client: Client, players: list[Player]) -> None:
    body = api(client, f"{ESTIME}?player={players[1].pk}&size=1")
    assert (body["jump"]["rank"], body["rows"][0]["player"]["id"]) == (2, players[1].pk)
    assert api(client, f"{ESTIME}?value=1")["jump"]["rank"] == 1
    assert "rank 2 of 3" in client.get(f"{STNB}?player={players[1].pk}").content.decode()


def test_there_are_no_other_boards(client: Client) -> None:
    for address in (
        "corpses/expert/time/", "corpses/beginner-9x9/stnb/", "corpses/combined/stnb/", "corpses/custom/estime/",
        "corpses/nope/estime/", "expert/estime/",
    ):  # fmt: skip
        assert client.get(f"/leaderboards/{address}").status_code == 404, address
        assert client.get(f"/api/v1/leaderboards/{address}").status_code == 404, address


def test_the_index_and_the_search_have_every_board(client: Client) -> None:
    page = client.get("/leaderboards/").content.decode()
    rows = [row for row in api(client, "/leaderboards/")["rows"] if row["result"] == "lost"]
    assert len(rows) == 7
    for row in rows:
        assert f'href="{row["html_url"]}"' in page
        assert client.get(row["url"]).status_code == client.get(row["html_url"]).status_code == 200
    for query in ("corpses expert stnb", "lost games expert stnb", "expert corpse"):
        assert boards_named(query, 6)[0].html_url == STNB
    assert boards_named("expert stnb", 6)[0].html_url == "/leaderboards/expert/stnb/"


def test_an_empty_board_and_the_links_between_levels(client: Client) -> None:
    page = client.get("/leaderboards/corpses/beginner-9x9/estime/").content.decode()
    assert names(client, "/leaderboards/corpses/beginner-9x9/estime/") == []
    assert 'href="/leaderboards/corpses/beginner-9x9/stnb/' not in page
    assert 'href="/leaderboards/corpses/beginner-9x9/estime/"' in client.get(STNB).content.decode()


# --- the page of a player ---


def test_a_player_has_their_best_lost_games(client: Client, players: list[Player]) -> None:
    player = players[0]
    quick = stored_corpse(player, time_ms=32_000, bvdone=76, style="FL")  # a better rating, at a worse pace
    stored_corpse(player, Level.BEGINNER_9X9, bv=20, bvdone=12, time_ms=5_000)
    stored_corpse(player, Level.BEGINNER_9X9, bv=20, bvdone=12, time_ms=4_000, corpse=False)  # withheld
    rows = api(client, f"/players/{player.pk}/")["best_corpses"]
    assert [(row["level"], row["statistic"]) for row in rows] == [
        ("expert", "stnb"), ("expert", "estime"), ("beginner-9x9", "estime"),
    ]  # fmt: skip
    assert rows[0]["replay"]["id"] == quick.pk
    assert (rows[1]["time"], rows[1]["completion"], rows[1]["value"]) == (50.0, 0.8, 62.5)
    assert rows[2]["time"] == 5.0
    for row in rows[:2]:
        board = api(client, f"/leaderboards/corpses/expert/{row['statistic']}/")["rows"]
        (own,) = [one for one in board if one["player"]["id"] == player.pk]
        assert (own["replay"], own["value"]) == (row["replay"], row["value"])
    page = client.get(f"/players/{player.pk}/records/").content.decode()
    assert "at least 50%" in page
    for row in rows:
        assert f'href="/replays/{row["replay"]["id"]}/"' in page
        assert f"/leaderboards/corpses/{row['level']}/{row['statistic']}/?player={player.pk}#place" in page
    (only, *_rest) = api(client, f"/players/{player.pk}/?style=NF")["best_corpses"]
    assert only["time"] == 50.0


def test_a_player_without_lost_games_has_no_such_table(client: Client) -> None:
    player = Player.objects.create(name="new")
    assert api(client, f"/players/{player.pk}/")["best_corpses"] == []
    assert "/leaderboards/corpses/" not in client.get(f"/players/{player.pk}/records/").content.decode()


def test_lists_take_as_many_statements_for_one_row_as_for_many(client: Client, players: list[Player]) -> None:
    addresses = (STNB, ESTIME + "?style=FL", f"/api/v1{STNB}", f"/api/v1/players/{players[0].pk}/")

    def counts() -> list[int]:
        found = []
        for address in addresses:
            clear_caches()
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address).status_code == 200
            found.append(len(queries))
        return found

    few = counts()
    for number in range(30):
        stored_corpse(Player.objects.create(name=f"more {number}"), time_ms=40_000 + number)
        stored_corpse(players[0], time_ms=40_000 + number)
    assert counts() == few
