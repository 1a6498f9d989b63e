"""Pages of players."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from analysis.statistics import BY_NAME, RANKED
from players.leaderboards.boards import LOGGED_STATISTICS
from players.models import Player, User
from players.profile.charts.kinds.catalogue import KINDS
from players.profile.page import views
from replays.models import Replay
from tests.factories import stored_replay
from tests.pages.conftest import MakePlayers, rank
from tests.pages.html import Document
from tests.pages.test_every_page import assert_is_a_page_of_the_site


def page(client: Client, address: str) -> Document:
    response = client.get(address)
    assert response.status_code == 200
    return Document(response.content.decode())


def test_bests_link_replay_and_board_with_rank(make_players: MakePlayers, client: Client) -> None:
    _first, second = make_players(2)
    overview, records = page(client, second.get_absolute_url()), page(client, f"/players/{second.pk}/records/")
    best = Replay.objects.get(player=second, level="expert")
    for found in (overview, records):
        assert best.get_absolute_url() in found.links()
        assert "/leaderboards/combined/time/" in found.links()
    assert "/leaderboards/expert/stnb/" in records.links()
    assert "41.11 #2" in records.text
    assert "Expert 2 41.11" in overview.text
    assert "sub-42 (under 41 s) 0.12 s to go" in overview.text


def test_style_tabs(make_players: MakePlayers, client: Client) -> None:
    (player,) = make_players(1, style="NF")
    for address in (player.get_absolute_url(), f"/players/{player.pk}/records/"):
        assert "/leaderboards/expert/time/?style=NF" in page(client, f"{address}?style=NF").links()
        assert "No ranked games in this style yet." in page(client, f"{address}?style=FL").text
    assert f"/players/{player.pk}/records/?style=NF" in page(client, f"{player.get_absolute_url()}?style=NF").links()


@pytest.mark.parametrize("name", ["", "records/", "charts/", "games/"])
def test_each_page_of_a_player_leads_to_the_others(make_players: MakePlayers, client: Client, name: str) -> None:
    (player,) = make_players(1)
    found = page(client, f"/players/{player.pk}/{name}")
    assert_is_a_page_of_the_site(found)
    assert {f"/players/{player.pk}/{other}" for other in ("", "records/", "charts/", "games/", "versus/")} <= set(
        found.links()
    )
    assert client.get(f"/players/999999/{name}").status_code == 404


def test_the_games_of_a_player_page_by_page(db: None, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "_GAMES_A_PAGE", 2)
    player = Player.objects.create(name="Ada")
    games = [stored_replay(player, time_ms=time_ms) for time_ms in (60_000, 50_000, 40_000)]
    first = page(client, f"/players/{player.pk}/games/")
    newest, middle, oldest = (f"/replays/{game.pk}/" for game in reversed(games))
    assert [link for link in (newest, middle, oldest) if link in first.links()] == [newest, middle]
    (older,) = (link for link in first.links() if link.startswith("?before="))
    second = page(client, f"/players/{player.pk}/games/{older}")
    assert [link for link in (newest, middle, oldest) if link in second.links()] == [oldest]
    assert not any(link.startswith("?before=") for link in second.links())
    assert client.get(f"/players/{player.pk}/games/?before=x").status_code == 400
    (slot,) = (part for part in page(client, player.get_absolute_url()).all("div") if "hx-get" in part)
    part = Document(client.get(slot["hx-get"], headers={"HX-Request": "true"}).content.decode())
    assert not part.all("html")
    assert [link for link in (newest, middle, oldest) if link in part.links()] == [newest, middle, oldest]


def test_charts_that_are_not_in_the_first_view_are_links_until_they_come_near(
    make_players: MakePlayers, client: Client
) -> None:
    (player,) = make_players(1)
    overview, charts = (page(client, f"/players/{player.pk}/{name}") for name in ("", "charts/"))
    for found, held, later in ((overview, 1, ["time-by-3bv", "distribution"]), (charts, 0, list(KINDS))):
        assert sum(drawing.get("class") == "chart fluid" for drawing in found.all("svg")) == held
        slots = [slot for slot in found.all("section") if slot.get("id", "").startswith("chart-") and "hx-get" in slot]
        assert [slot["hx-get"].split("/")[4] for slot in slots] == later
        assert {slot["hx-get"] for slot in slots} <= set(found.links()), "without a script one can follow them"
        for slot in slots:
            assert client.get(slot["hx-get"], headers={"HX-Request": "true"}).status_code == 200


def test_an_account_is_offered_as_the_other_side(make_players: MakePlayers, owner_client: Client, owner: User) -> None:
    (first,) = make_players(1)
    second = Player.objects.get(user=owner)
    assert f"/players/{first.pk}/versus/{second.pk}/" in page(owner_client, f"/players/{first.pk}/versus/").links()
    assert not any(
        f"/versus/{second.pk}/" in link for link in page(owner_client, f"/players/{second.pk}/versus/").links()
    )


def defined(found: Document) -> set[str]:
    """The statistics that the page names, by the links to their definitions."""
    return {link.partition("#")[2] for link in found.links() if link.startswith("/statistics/#")} - {"conventions"}


def test_the_main_statistics_at_first_and_every_one_on_request(make_players: MakePlayers, client: Client) -> None:
    (player,) = make_players(1, style="NF")
    every = {best["statistic"] for best in client.get(f"/api/v1/players/{player.pk}/").json()["bests"]}
    address = f"/players/{player.pk}/records/"
    first = page(client, f"{address}?style=NF")
    assert defined(first) == {BY_NAME[name].public for name in LOGGED_STATISTICS} < every
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
    found = page(client, f"/players/{player.pk}/records/")
    for step, games_below in (("sub-40", "1 game"), ("sub-41", "2 games"), ("sub-47", "3 games")):
        assert f"{step} 2024-01-01 {games_below}" in found.text
    assert "sub-39 2024" not in found.text


def test_unclaimed_name_invites_its_owner(make_players: MakePlayers, client: Client) -> None:
    (player,) = make_players(1)
    assert "/account/#names" in page(client, player.get_absolute_url()).links()


def test_bots_have_a_badge(db: None, client: Client) -> None:
    bot = Player.objects.create(name="Tin Man", is_bot=True, country="DE")
    found = page(client, bot.get_absolute_url())
    assert "Tin Man bot Germany" in found.text
    assert "/account/#names" not in found.links()


def test_player_without_games(db: None, client: Client) -> None:
    player = Player.objects.create(name="New")
    assert "No replays yet." in page(client, player.get_absolute_url()).text


def test_players_are_listed_by_their_sum_or_by_name(make_players: MakePlayers, client: Client) -> None:
    """Without a sum they are in the list by name alone, which a site without sums shows at once."""
    new = Player.objects.create(name="Abel")
    assert new.get_absolute_url() in page(client, "/players/").links()
    fast, slow = make_players(2, name="Zoe")
    Player.objects.filter(pk=slow.pk).update(name="Ann")
    by_time, by_name = (page(client, address).links() for address in ("/players/", "/players/?order=name"))
    assert [one for one in by_time if one in (player.get_absolute_url() for player in (new, fast, slow))] == [
        fast.get_absolute_url(), slow.get_absolute_url(),
    ]  # fmt: skip
    assert [one for one in by_name if one in (player.get_absolute_url() for player in (new, fast, slow))] == [
        player.get_absolute_url() for player in (new, slow, fast)
    ]
    assert re.search(r"1 Zoe 000 .* 2 Ann ", page(client, "/players/").text)
    assert client.get("/players/?order=age").status_code == 400


@pytest.mark.long(beside="tests/pages/test_players.py::test_an_account_is_offered_as_the_other_side")
def test_pages_of_ranked_players_follow_each_other(make_players: MakePlayers, client: Client) -> None:
    make_players(51)
    (more,) = (link for link in page(client, "/players/").links() if "cursor=" in link)
    cursor = more.partition("cursor=")[2]
    assert "51 Player 050" in page(client, f"/players/?cursor={cursor}").text
    assert client.get(f"/players/?order=name&cursor={cursor}").status_code == 400


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
