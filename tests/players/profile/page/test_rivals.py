"""Rivals, percentiles and trends, records of the site, two players side by side: pages and API."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from players.models import PersonalBest, Player
from players.profile.page.records.ranks_of_bests import ranks_then
from tests.caches import clear_caches
from tests.pages.conftest import MakePlayers, make_players  # noqa: F401 - a fixture
from tests.pages.html import Document
from tests.pages.test_every_page import assert_is_a_page_of_the_site
from tests.players.profile.charts.games import at, played, save

pytestmark = pytest.mark.django_db


def rivals(client: Client, player: Player, query: str = "") -> list[dict[str, object]]:
    rows: list[dict[str, object]] = client.get(f"/api/v1/players/{player.pk}/rivals/{query}").json()["rows"]
    return rows


def names(row: dict[str, object]) -> tuple[str | None, str | None]:
    found = [row[side] for side in ("above", "below")]
    first, second = (one["player"]["name"] if isinstance(one, dict) else None for one in found)
    return first, second


def test_rivals_are_the_neighbours_on_the_board(make_players: MakePlayers, client: Client) -> None:  # noqa: F811
    players = make_players(4)
    expected = [(None, "Player 001"), ("Player 000", "Player 002"), ("Player 001", "Player 003"), ("Player 002", None)]
    for player, neighbours in zip(players, expected, strict=True):
        combined, expert = rivals(client, player)
        assert (combined["level"], expert["level"]) == ("combined", "expert")
        assert names(combined) == names(expert) == neighbours
        own = expert["own"]
        assert isinstance(own, dict)
        assert own["rank"] == players.index(player) + 1
    above = rivals(client, players[1], "?level=expert&statistic=time")[1]["above"]
    assert isinstance(above, dict)
    assert above["difference"] == 1.11
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
    (row,) = (row for row in rivals(client, two) if row["level"] == "expert")
    above = row["above"]
    assert isinstance(above, dict)
    assert (above["difference"], above["rank"]) == (0, 1)
    assert "equal" in Document(client.get(f"/players/{two.pk}/versus/").content.decode()).text


def test_a_player_without_games_has_no_rivals(client: Client) -> None:
    player = Player.objects.create(name="Idle")
    assert all(row["own"] is None and names(row) == (None, None) for row in rivals(client, player))
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
    rows = client.get(f"/api/v1/players/{first.pk}/site-records/").json()["rows"]
    by_statistic = {row["statistic"]: row for row in rows if row["level"] == "expert"}
    lost, held = by_statistic["time"], by_statistic["bvs"]
    assert (lost["held"], lost["beaten_by"]["name"], lost["beaten_with"]["value"]) == (False, "Second", 50.0)
    assert (held["held"], held["beaten_by"]) == (True, None)
    assert [row["held"] for row in rows] == sorted((row["held"] for row in rows), reverse=True), "held ones first"


def test_two_players_side_by_side(make_players: MakePlayers, client: Client) -> None:  # noqa: F811
    first, second, _third = make_players(3)
    address = f"/players/{first.pk}/versus/{second.pk}/"
    page = Document(client.get(address).content.decode())
    assert_is_a_page_of_the_site(page)
    answer = client.get(f"/api/v1{address}").json()
    time = next(row for row in answer["rows"] if (row["level"], row["statistic"]) == ("expert", "time"))
    assert (time["first"]["value"], time["second"]["value"]) == (40.0, 41.11)
    assert (time["difference"], time["leader"]) == (1.11, 0)
    assert answer["leads"] == [sum(row["leader"] == number for row in answer["rows"]) for number in (0, 1)]
    assert f"Leaderboards led: {answer['leads'][0]} by {first.name}" in page.text
    assert client.get(f"/players/{first.pk}/versus/999999/").status_code == 404
    assert client.get(f"/api/v1/players/{first.pk}/versus/999999/").status_code == 404


def test_a_merged_player_is_compared_as_the_one_who_has_the_games(make_players: MakePlayers, client: Client) -> None:  # noqa: F811
    first, second = make_players(2)
    gone = Player.objects.create(name="Gone", merged_into=second)
    answer = client.get(f"/api/v1/players/{first.pk}/versus/{gone.pk}/").json()
    assert [player["id"] for player in answer["players"]] == [first.pk, second.pk]
