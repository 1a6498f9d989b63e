"""Leaderboard pages that open at a player or at a value."""

from __future__ import annotations

import pytest
from django.test import Client

from analysis.recording import Level
from players.models import Player, User
from players.people.services import players_for_names
from tests.factories import stored_replay
from tests.pages.conftest import MakePlayers, rank
from tests.pages.html import Document

pytestmark = pytest.mark.slow

EXPERT = "/leaderboards/expert/time/"
COMBINED = "/leaderboards/combined/time/"


def page(client: Client, address: str, status: int = 200) -> Document:
    response = client.get(address)
    assert response.status_code == status, address
    return Document(response.content.decode())


def sought(found: Document) -> list[dict[str, str]]:
    return [attributes for attributes in found.all("tr") if attributes.get("id") == "place"]


@pytest.mark.parametrize("address", [EXPERT, COMBINED])
def test_a_jump_opens_the_page_with_the_player(make_players: MakePlayers, client: Client, address: str) -> None:
    players = make_players(60)
    found = page(client, f"{address}?player={players[53].pk}")
    (row,) = sought(found)
    assert row["aria-current"] == "true"
    assert players[50].get_absolute_url() in found.links()
    assert players[49].get_absolute_url() not in found.links()
    assert "Player 053 : rank 54 of 60 (top 90.0%)" in found.text
    assert "60 players" in found.text
    (previous,) = [link["href"] for link in found.all("a") if link.get("rel") == "prev"]
    assert f"player={players[53].pk}" in previous
    assert not sought(page(client, address + previous))


def test_a_player_without_a_row_and_an_unknown_player(make_players: MakePlayers, client: Client) -> None:
    make_players(1)
    idle = Player.objects.create(name="Idle")
    found = page(client, f"{EXPERT}?player={idle.pk}")
    assert "Idle : no rank on this leaderboard." in found.text
    assert not sought(found)
    page(client, f"{EXPERT}?player={idle.pk + 1}", 404)


@pytest.mark.parametrize(
    ("name", "leads"), [("Player 003", True), ("player 003", True), ("Player", False), ("nobody", False)]
)
def test_a_name_redirects_to_its_row(make_players: MakePlayers, client: Client, name: str, leads: bool) -> None:
    players = make_players(5)
    response = client.get(EXPERT, {"name": name, "style": "FL"})
    if leads:
        assert response.headers["Location"] == f"{EXPERT}?style=FL&player={players[3].pk}#place"
        return
    found = Document(response.content.decode())
    if name == "Player":
        assert f"?style=FL&player={players[4].pk}#place" in found.links()
        assert "Several names contain “Player”" in found.text
    else:
        assert "No player's name contains “nobody”." in found.text


@pytest.mark.parametrize(
    ("written", "leads"),
    [("41.11", "?value=41.11"), (" 7 ", "?value=7"), ("Player", "?name=Player"), ("41,20", "?name=41%2C20"),
     ("1e400", "?name=1e400"), ("-", "?name=-")],
)  # fmt: skip
@pytest.mark.parametrize("address", [EXPERT, COMBINED, "/leaderboards/sub/expert/60/"])
def test_one_field_finds_a_name_or_a_value(
    make_players: MakePlayers, client: Client, address: str, written: str, leads: str
) -> None:
    make_players(2)
    response = client.get(address, {"find": written})
    assert response.headers["Location"] == address + leads
    kept = client.get(address, {"find": written, "style": "NF", "period": "2024"}).headers["Location"]
    assert kept == f"{address}?style=NF&period=2024&{leads[1:]}"


def test_a_whole_name_wins_over_longer_ones(db: None, client: Client) -> None:
    first, _second = players_for_names(["Ann", "Anna"]).values()
    assert client.get(EXPERT, {"name": "Ann"}).headers["Location"] == f"{EXPERT}?player={first.pk}#place"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("41.11", "41.11 would rank 2 of 4 (top 50.0%)."),
        ("41.12", "41.12 would rank 3 of 4 (top 75.0%)."),
        ("1", "1 would rank 1 of 4 (top 25.0%)."),
        ("999.99", "999.99 would rank 5, behind everyone on this leaderboard."),
    ],
)
def test_the_rank_of_a_value_is_shown(make_players: MakePlayers, client: Client, value: str, shown: str) -> None:
    players = make_players(4)
    found = page(client, f"{EXPERT}?value={value}")
    assert shown in found.text
    ahead = int(shown.split("rank ")[1].split()[0].strip(",")) - 1
    assert [player.get_absolute_url() in found.links() for player in players] == [
        number >= ahead for number in range(4)
    ]


def test_values_are_read_on_the_clock_of_the_reader(
    make_players: MakePlayers, owner: User, owner_client: Client
) -> None:
    make_players(3)
    owner.clock = User.Clock.ONE
    owner.save()
    assert "42.11 would rank 2 of 3" in page(owner_client, f"{EXPERT}?value=42.11").text
    assert "42.10 would rank 2 of 3" in page(owner_client, f"{EXPERT}?value=42.10").text
    assert "86.33 would rank 2 of 3" in page(owner_client, f"{COMBINED}?value=86.33").text  # 3 s more than 83.33
    assert "86.34 would rank 3 of 3" in page(owner_client, f"{COMBINED}?value=86.34").text


def test_an_empty_board(db: None, client: Client) -> None:
    found = page(client, f"{EXPERT}?value=41.2")
    assert "41.2 would be the first result on this leaderboard." in found.text
    assert "0 players" in found.text


def test_the_own_rank_and_percentile(make_players: MakePlayers, owner: User, owner_client: Client) -> None:
    make_players(3)
    rank(stored_replay(owner.player, Level.EXPERT, time_ms=40_500))
    found = page(owner_client, EXPERT)
    assert "You: rank 2 (top 50.0%)" in found.text
    assert f"?player={owner.player.pk}#place" in found.links()


@pytest.mark.parametrize(
    "query", ["value=x", "value=41,20", "value=nan", "value=%00", "player=x", "player=-1",
              f"player={'9' * 30}", "player=1&value=2", "name=a&value=2", f"name={'a' * 101}"]
)  # fmt: skip
@pytest.mark.parametrize("address", [EXPERT, COMBINED])
def test_jumps_to_bad_values_are_400(db: None, client: Client, address: str, query: str) -> None:
    found = page(client, f"{address}?{query}", 400)
    assert any(reason in found.text for reason in ("a number such as 41.20", "whole number", "not both", "at most"))


def test_a_name_of_any_characters_is_searched(db: None, client: Client) -> None:
    assert "contains “<i>" in page(client, f"{EXPERT}?name=%3Ci%3E%00").text  # as text, not as an element
