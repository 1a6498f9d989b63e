"""Addresses of players are for ever: those of merged players redirect (finding U2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from players.accounts.claims.merging import player_merge
from players.accounts.claims.services import release_name
from players.models import Identity, Player, User
from players.people.selectors import players_named, players_page
from replays.browse.home.selectors import refresh_site_counts, site_counts
from tests.cases import check_each_on_site
from tests.factories import give_name, stored_replay
from tests.pages.conftest import MakePlayers, rank

pytestmark = pytest.mark.django_db

ADDRESSES = (
    "/players/{}/",
    "/players/{}/?style=NF",
    "/players/{}/by-3bv/expert/time/",
    "/players/{}/progress/expert/time/?style=FL",
    "/replays/?player={}",
    "/replays/?level=expert&player={}",
    "/records/?kind=personal&player={}",
    "/leaderboards/expert/time/?player={}",
    "/leaderboards/combined/time/?player={}",
    "/leaderboards/sub/expert/60/?player={}",
    "/api/v1/players/{}/",
    "/api/v1/players/{}/ranks/expert/time/",
    "/api/v1/replays/?player={}",
    "/api/v1/records/?kind=personal&player={}",
    "/api/v1/leaderboards/expert/time/?player={}",
)


@pytest.fixture
def merged(make_players: MakePlayers, staff: User) -> tuple[int, int, int]:
    """Three numbers: the first was merged into the second, and that into the third."""
    first, second, third = make_players(3)
    for player in (first, second, third):
        Identity.objects.create(name=player.name, player=player, first_player=player)
    player_merge(first, second, staff, "the same")
    player_merge(second, third, staff, "the same")
    return first.pk, second.pk, third.pk


@pytest.mark.long(beside="tests/pages/test_merged_players.py::test_merged_players_are_in_no_list")
def test_addresses_of_merged_players_redirect_at_once(merged: tuple[int, int, int], client: Client) -> None:
    def redirects(address: str) -> None:
        survivor = client.get(address.format(merged[2]))
        assert survivor.status_code == 200
        for number in merged[:2]:
            response = client.get(address.format(number))
            assert response.status_code == 301, response.content
            there = client.get(response["Location"])
            assert there.status_code == 200
            assert there.wsgi_request.get_full_path() == survivor.wsgi_request.get_full_path()
            assert response["Cache-Control"] == "max-age=600"  # the number may come back

    check_each_on_site(redirects, ADDRESSES)


@pytest.mark.long(
    beside="tests/pages/test_merged_players.py::test_a_claimed_number_redirects_until_the_name_is_released"
)
def test_a_parameter_of_the_page_is_not_taken_for_the_player(merged: tuple[int, int, int], client: Client) -> None:
    """Else the redirect would lead to itself."""
    response = client.get(f"/players/{merged[0]}/?player={merged[1]}")
    assert response["Location"] == f"/players/{merged[2]}/?player={merged[1]}"
    assert client.get(response["Location"]).status_code == 200


def test_merged_players_are_in_no_list(merged: tuple[int, int, int], client: Client) -> None:
    survivor = Player.objects.get(pk=merged[2])
    assert [row.player for row in players_page().rows] == [survivor]
    assert players_named("Player 000", 10) == [survivor]  # by the name inside replays
    refresh_site_counts()
    assert site_counts().players == 1
    gone = {reverse("player", args=[number]) for number in merged[:2]}
    for address in ("/players/", "/leaderboards/expert/time/", "/leaderboards/combined/time/", "/records/", "/replays/",
                    "/leaderboards/expert/time/?period=2024", "/leaderboards/sub/expert/60/", "/records/holders/", "/"):  # fmt: skip
        page = client.get(address).content.decode()
        assert not any(f'"{number}"' in page for number in gone), address


def test_a_claimed_number_redirects_until_the_name_is_released(
    client: Client, owner: User, ranked_under: Callable[..., Any]
) -> None:
    """The old number redirects; in finding U2 it was 404 after names were claimed, and giving up made a new one."""
    number = ranked_under("Ada", owner).player_id
    identity = give_name(owner, "Ada")
    assert client.get(f"/players/{number}/")["Location"] == f"/players/{owner.player.pk}/"
    release_name(identity)
    assert "Ada" in client.get(f"/players/{number}/").content.decode()
    assert client.get(f"/players/{owner.player.pk}/").status_code == 200


@pytest.fixture
def ranked_under() -> Callable[..., Any]:
    from players.people.services import players_for_names

    def make(name: str, uploader: User) -> Any:
        replay = stored_replay(players_for_names([name])[name], identifier=name, uploader=uploader)
        rank(replay)
        return replay

    return make
