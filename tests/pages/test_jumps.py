"""Leaderboard pages that open at a player or at a value."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from analysis.recording import Level
from players.models import Player, User
from players.people.services import players_for_names
from tests.cases import check_each_on_site
from tests.factories import stored_replay
from tests.pages.conftest import MakePlayers, rank
from tests.pages.html import Document

EXPERT = "/leaderboards/expert/time/"
COMBINED = "/leaderboards/combined/time/"


def page(client: Client, address: str, status: int = 200) -> Document:
    response = client.get(address)
    assert response.status_code == status, address
    return Document(response.content.decode())


def sought(found: Document) -> list[dict[str, str]]:
    return [attributes for attributes in found.all("tr") if attributes.get("id") == "place"]


@pytest.mark.long(beside="tests/pages/test_jumps.py::test_a_player_without_a_row_and_an_unknown_player")
def test_a_jump_opens_the_page_with_the_player(make_players: MakePlayers, client: Client) -> None:
    players = make_players(60)

    def opens_there(address: str) -> None:
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

    check_each_on_site(opens_there, (EXPERT, COMBINED))


def test_a_player_without_a_row_and_an_unknown_player(make_players: MakePlayers, client: Client) -> None:
    make_players(1)
    idle = Player.objects.create(name="Idle")
    found = page(client, f"{EXPERT}?player={idle.pk}")
    assert "Idle : no rank on this leaderboard." in found.text
    assert not sought(found)
    page(client, f"{EXPERT}?player={idle.pk + 1}", 404)


def test_a_name_redirects_to_its_row(make_players: MakePlayers, client: Client) -> None:
    players = make_players(5)

    def found(name: str) -> Any:
        return client.get(EXPERT, {"name": name, "style": "FL"})

    for name in ("Player 003", "player 003"):
        assert found(name).headers["Location"] == f"{EXPERT}?style=FL&player={players[3].pk}#place"
    several = Document(found("Player").content.decode())
    assert f"?style=FL&player={players[4].pk}#place" in several.links()
    assert "Several names contain “Player”" in several.text
    assert "No player's name contains “nobody”." in Document(found("nobody").content.decode()).text


def test_one_field_finds_a_name_or_a_value(make_players: MakePlayers, client: Client) -> None:
    make_players(2)
    written = {
        "41.11": "value=41.11", " 7 ": "value=7", "Player": "name=Player", "41,20": "name=41%2C20", "1e400": "name=1e400",
        "-": "name=-",
    }  # fmt: skip

    def leads(address: str, text: str, to: str) -> None:
        assert client.get(address, {"find": text})["Location"] == f"{address}?{to}"
        kept = client.get(address, {"find": text, "style": "NF", "period": "2024"})["Location"]
        assert kept == f"{address}?style=NF&period=2024&{to}"

    boards = (EXPERT, COMBINED, "/leaderboards/sub/expert/60/")
    check_each_on_site(leads, [(board, *one) for board in boards for one in written.items()])


def test_a_whole_name_wins_over_longer_ones(db: None, client: Client) -> None:
    first, _second = players_for_names(["Ann", "Anna"]).values()
    assert client.get(EXPERT, {"name": "Ann"}).headers["Location"] == f"{EXPERT}?player={first.pk}#place"


def test_the_rank_of_a_value_is_shown(make_players: MakePlayers, client: Client) -> None:
    players = make_players(4)
    for value, ahead, shown in (
        ("41.11", 1, "41.11 would rank 2 of 4 (top 50.0%)."),
        ("41.12", 2, "41.12 would rank 3 of 4 (top 75.0%)."),
        ("1", 0, "1 would rank 1 of 4 (top 25.0%)."),
        ("999.99", 4, "999.99 would rank 5, behind everyone on this leaderboard."),
    ):
        found = page(client, f"{EXPERT}?value={value}")
        assert shown in found.text
        linked = [player for player in players if player.get_absolute_url() in found.links()]
        assert linked == players[ahead:], value


def test_values_count_from_0_on_every_clock(make_players: MakePlayers, owner: User, owner_client: Client) -> None:
    make_players(3)
    owner.clock = User.Clock.ONE
    owner.save()
    assert "41.11 would rank 2 of 3" in page(owner_client, f"{EXPERT}?value=41.11").text
    assert "83.33 would rank 2 of 3" in page(owner_client, f"{COMBINED}?value=83.33").text
    assert "83.34 would rank 3 of 3" in page(owner_client, f"{COMBINED}?value=83.34").text


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


def test_jumps_to_bad_values_are_400(db: None, client: Client) -> None:
    queries = (
        "value=x", "value=41,20", "value=nan", "value=%00", "player=x", "player=-1", f"player={'9' * 30}", "player=1&value=2",
        "name=a&value=2", f"name={'a' * 101}",
    )  # fmt: skip

    def is_told(address: str) -> None:
        found = page(client, address, 400)
        assert any(reason in found.text for reason in ("a number such as 41.20", "whole number", "not both", "at most"))

    check_each_on_site(is_told, [f"{board}?{query}" for board in (EXPERT, COMBINED) for query in queries])


def test_a_name_of_any_characters_is_searched(db: None, client: Client) -> None:
    assert "contains “<i>" in page(client, f"{EXPERT}?name=%3Ci%3E%00").text  # as text, not as an element
