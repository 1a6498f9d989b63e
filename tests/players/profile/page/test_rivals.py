"""Rivals, percentiles and trends, records of the site, two players side by side."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from players.leaderboards.boards import LOGGED_STATISTICS, board_key
from players.models import PersonalBest, Player
from players.profile.page.comparison import compare
from players.profile.page.records.ranks_of_bests import ranks_then
from players.profile.page.records.site_records import site_records_of
from players.profile.page.rivals import Rivals, rivals_of
from tests.caches import clear_caches
from tests.pages.conftest import MakePlayers, make_players  # noqa: F401 - a fixture
from tests.pages.html import Document
from tests.pages.test_every_page import assert_is_a_page_of_the_site
from tests.players.profile.charts.games import at, played, save

pytestmark = pytest.mark.django_db


def rivals(player: Player, level: str = "expert") -> Rivals | None:
    return rivals_of(player.pk, board_key(level, "time"))


def names(found: Rivals | None) -> tuple[str | None, str | None]:
    assert found is not None
    first, second = (None if one is None else one.row.player.name for one in (found.above, found.below))
    return first, second


def test_rivals_are_the_neighbours_on_the_board(make_players: MakePlayers, client: Client) -> None:  # noqa: F811
    players = make_players(4)
    expected = [(None, "Player 001"), ("Player 000", "Player 002"), ("Player 001", "Player 003"), ("Player 002", None)]
    for player, neighbours in zip(players, expected, strict=True):
        expert = rivals(player)
        assert names(rivals(player, "combined")) == names(expert) == neighbours
        assert expert is not None
        assert expert.own.rank == players.index(player) + 1
    page = Document(client.get(f"/players/{players[1].pk}/versus/").content.decode())
    assert_is_a_page_of_the_site(page)
    assert page.text.count("1.110 ahead") == 1
    assert f"/players/{players[1].pk}/versus/{players[0].pk}/" in page.links()
    overview = Document(client.get(players[1].get_absolute_url()).content.decode())
    assert f"/players/{players[1].pk}/versus/" in overview.links()
    (slot,) = (section for section in overview.all("section") if section.get("id") == "rivals")
    part = client.get(slot["hx-get"], headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert "Combined · Time" in Document(part).text
    assert names_in_order(part) == ["Player 000", "Player 001", "Player 002"]


def names_in_order(part: str) -> list[str]:
    return re.findall(r"<bdi[^>]*>([^<]+)</bdi>", part)


def test_tied_rivals_are_equal(client: Client) -> None:
    one, two = (Player.objects.create(name=name) for name in ("One", "Two"))
    save(played(one, at("2024-01-01")), played(two, at("2024-01-02")))
    found = rivals(two)
    assert found is not None
    assert found.above is not None
    assert (found.above.difference, found.above.row.rank) == (0, 1)
    assert "equal" in Document(client.get(f"/players/{two.pk}/versus/").content.decode()).text


def test_a_player_without_games_has_no_rivals(client: Client) -> None:
    player = Player.objects.create(name="Idle")
    assert rivals(player) is None
    assert "Rivals" not in Document(client.get(player.get_absolute_url()).content.decode()).text


def test_percentile_and_trend(client: Client) -> None:
    clear_caches()
    slow, fast = (Player.objects.create(name=name) for name in ("Slow", "Fast"))
    save(played(slow, at("2024-01-01"), time_ms=60_000))
    save(played(fast, at("2024-01-02"), time_ms=50_000))
    bests = client.get(f"/api/v1/players/{slow.pk}/").json()["bests"]
    (time,) = (best for best in bests if (best["level"], best["statistic"], best["style"]) == ("expert", "time", "all"))
    assert (time["rank"], time["rank_then"], time["percentile"]) == (2, 1, 100.0)
    text = Document(client.get(f"/players/{slow.pk}/records/").content.decode()).text
    assert "top 100%" in text
    assert "Down 1 rank" in text


def test_the_rank_of_a_best_is_that_of_its_own_record(client: Client) -> None:
    """Third with the first game, first with the second one: what counts is the record that is the best now."""
    for number, time_ms in enumerate((50_000, 55_000)):
        save(played(Player.objects.create(name=f"Other {number}"), at("2023-01-01"), time_ms=time_ms))
    ada = Player.objects.create(name="Ada")
    save(played(ada, at("2024-01-01"), time_ms=60_000))
    assert ranks_then(ada.pk)["expert", "time", "all"] == 3
    save(played(ada, at("2024-01-02"), time_ms=40_000))
    assert ranks_then(ada.pk)["expert", "time", "all"] == 1
    assert ("expert", "bvs", "all") not in ranks_then(ada.pk, "all", ["time"])


def test_rivals_and_bests_lead_to_a_comparison_of_their_games(make_players: MakePlayers, client: Client) -> None:  # noqa: F811
    first, second = make_players(2)
    best = {
        player: PersonalBest.objects.get(player=player, statistic="time", level="expert", style="all").replay_id
        for player in (first, second)
    }
    for page in (f"/players/{second.pk}/versus/", f"/players/{second.pk}/versus/{first.pk}/"):
        links = Document(client.get(page).content.decode()).links()
        found = [link for link in links if link.startswith("/compare/")]
        assert f"/compare/?a={best[second]}&b={best[first]}" in found, page
        assert all("None" not in link for link in found), "sums have no game to compare"


def test_the_ladders_name_the_debt_and_the_next_rung(client: Client) -> None:
    player = Player.objects.create(name="Climber")
    save(*(played(player, at("2024-05-01"), time_ms=time_ms) for time_ms in (41_250, 44_000)))
    text = Document(client.get(f"/players/{player.pk}/records/").content.decode()).text
    for shown in ("41.25 s", "sub-42", "0.26 s", "43, 44"):
        assert shown in text


def test_games_and_wins_stand_side_by_side(client: Client) -> None:
    one, two = (Player.objects.create(name=name) for name in ("One", "Two"))
    save(played(one, at("2024-01-01")), played(one, at("2024-01-02"), won=False), played(two, at("2024-01-03")))
    page = client.get(f"/players/{one.pk}/versus/{two.pk}/").content.decode()
    for name, numbers in (("Games", ["2", "1"]), ("Won", ["1", "1"])):
        (row,) = re.findall(rf">{name}</th>(.*?)</tr>", page, re.DOTALL)
        assert re.findall(r"<td[^>]*>(\d+)</td>", row) == numbers, name


def test_totals(client: Client) -> None:
    player = Player.objects.create(name="Ada", country="GB")
    save(played(player, at("2024-01-01")), played(player, at("2023-06-01"), won=False))
    totals = client.get(f"/api/v1/players/{player.pk}/").json()["totals"]
    assert (totals["games"], totals["won"], totals["first_at"][:10]) == (2, 1, "2023-06-01")
    text = Document(client.get(player.get_absolute_url()).content.decode()).text
    for shown in ("United Kingdom", "2 games", "1 won", "2023-06-01", "2024-01-01"):
        assert shown in text


def test_records_held_and_lost_and_to_whom(client: Client) -> None:
    first, second, third = (Player.objects.create(name=name) for name in ("First", "Second", "Third"))
    save(played(first, at("2024-01-01"), time_ms=60_000, bv=100))
    save(played(second, at("2024-01-02"), time_ms=50_000, bv=60))
    save(played(third, at("2024-01-03"), time_ms=40_000, bv=30))
    rows = site_records_of(first.pk, "all")
    by_statistic = {row.key.statistic: row for row in rows if row.key.level == "expert"}
    lost, held = by_statistic["time"], by_statistic["bvs"]
    assert lost.beaten_by is not None
    assert lost.beaten_with is not None
    assert (lost.is_held, lost.beaten_by.name, lost.beaten_with.value) == (False, "Second", 50.0)
    assert (held.is_held, held.beaten_by) == (True, None)
    assert [row.is_held for row in rows] == sorted((row.is_held for row in rows), reverse=True), "held ones first"


def test_two_players_side_by_side(make_players: MakePlayers, client: Client) -> None:  # noqa: F811
    first, second, _third = make_players(3)
    address = f"/players/{first.pk}/versus/{second.pk}/"
    page = Document(client.get(address).content.decode())
    assert_is_a_page_of_the_site(page)
    rows = compare((first.pk, second.pk), "all", LOGGED_STATISTICS)
    time = next(row for row in rows if (row.level, row.row.name) == ("expert", "time"))
    assert [best and best.value for best in time.bests] == [40.0, 41.11]
    assert (time.difference, time.leader) == (1.11, 0)
    assert f"Leaderboards led: {sum(row.leader == 0 for row in rows)} by {first.name}" in page.text
    assert client.get(f"/players/{first.pk}/versus/999999/").status_code == 404


def test_a_merged_player_is_compared_as_the_one_who_has_the_games(make_players: MakePlayers, client: Client) -> None:  # noqa: F811
    first, second = make_players(2)
    gone = Player.objects.create(name="Gone", merged_into=second)
    page = client.get(f"/players/{first.pk}/versus/{gone.pk}/").content.decode()
    assert second.get_absolute_url() in page
    assert gone.get_absolute_url() not in page
