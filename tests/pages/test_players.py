"""Pages of players."""

from __future__ import annotations

from django.test import Client

from analysis.statistics import BY_NAME, RANKED
from players.models import Player
from players.profile.page.comparison import MAIN
from replays.models import Replay
from tests.factories import stored_replay
from tests.pages.conftest import MakePlayers, rank
from tests.pages.html import Document


def page(client: Client, address: str) -> Document:
    response = client.get(address)
    assert response.status_code == 200
    return Document(response.content.decode())


def test_bests_link_replay_and_board_with_rank(make_players: MakePlayers, client: Client) -> None:
    _first, second = make_players(2)
    found = page(client, second.get_absolute_url())
    best = Replay.objects.get(player=second, level="expert")
    assert best.get_absolute_url() in found.links()
    assert "/leaderboards/expert/stnb/" in found.links()
    assert "/leaderboards/combined/time/" in found.links()
    assert "41.11 #2" in found.text


def test_style_tabs(make_players: MakePlayers, client: Client) -> None:
    (player,) = make_players(1, style="NF")
    address = player.get_absolute_url()
    assert "/leaderboards/expert/time/?style=NF" in page(client, f"{address}?style=NF").links()
    assert "No ranked game in this style yet." in page(client, f"{address}?style=FL").text


def defined(found: Document) -> set[str]:
    """The statistics that the page names, by the links to their definitions."""
    return {link.partition("#")[2] for link in found.links() if link.startswith("/statistics/#")} - {"conventions"}


def test_the_main_statistics_at_first_and_every_one_on_request(make_players: MakePlayers, client: Client) -> None:
    (player,) = make_players(1, style="NF")
    address = player.get_absolute_url()
    every = {best["statistic"] for best in client.get(f"/api/v1{address}").json()["bests"]}
    first = page(client, f"{address}?style=NF")
    assert defined(first) == {BY_NAME[name].public for name in MAIN} < every
    (more,) = (link for link in first.links() if "statistics=all" in link)
    assert f"All {len(RANKED)} statistics" in first.text
    whole = page(client, f"{address}{more.partition('#')[0]}")
    assert defined(whole) == every
    assert "/leaderboards/expert/path/?style=NF" in whole.links(), "links have the style"
    assert "?style=NF#bests" in whole.links(), "and one can go back"


def test_sub_ladder(db: None, client: Client) -> None:
    player = Player.objects.create(name="Climber")
    games = [stored_replay(player, time_ms=time_ms) for time_ms in (38_990, 39_000, 45_500)]
    rank(*games)
    found = page(client, player.get_absolute_url())
    for step, games_below in (("sub-40", "1 game"), ("sub-41", "2 games"), ("sub-47", "3 games")):
        assert f"{step} 2024-01-01 {games_below}" in found.text
    assert "sub-39 2024" not in found.text


def test_unclaimed_name_invites_its_owner(make_players: MakePlayers, client: Client) -> None:
    (player,) = make_players(1)
    assert "Nobody has claimed this name." in page(client, player.get_absolute_url()).text


def test_bots_have_a_badge(db: None, client: Client) -> None:
    bot = Player.objects.create(name="Tin Man", is_bot=True, country="DE")
    text = page(client, bot.get_absolute_url()).text
    assert "Tin Man bot DE" in text
    assert "Is it yours?" not in text


def test_player_without_games(db: None, client: Client) -> None:
    player = Player.objects.create(name="New")
    assert "No replays yet." in page(client, player.get_absolute_url()).text


def test_search(make_players: MakePlayers, client: Client) -> None:
    ann, other = make_players(1, name="Ann")[0], make_players(1, name="Bob")[0]
    found = page(client, "/players/?q=ann")
    assert ann.get_absolute_url() in found.links()
    assert other.get_absolute_url() not in found.links()
    assert "contains “zzz”" in page(client, "/players/?q=zzz").text
    assert client.get("/players/", {"q": "x" * 101}).status_code == 400
    assert client.get("/players/", {"q": "a\x00b%_\\"}).status_code == 200


def test_search_while_typing_gets_only_the_list(make_players: MakePlayers, client: Client) -> None:
    make_players(1)
    part = client.get("/players/?q=pl", headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert "Player 000" in part
