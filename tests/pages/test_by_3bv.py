"""The grid of a player's bests by 3BV."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from analysis.statistics import BY_NAME
from players.leaderboards.ranked_games import BvBest
from players.models import Player
from players.profile.page.by_3bv import SHADES, bands
from replays.models import Replay
from tests.factories import EPOCH, stored_replay
from tests.pages.conftest import rank
from tests.pages.html import Document
from tests.pages.test_every_page import assert_is_a_page_of_the_site


@pytest.fixture
def player(db: None) -> Player:
    found = Player.objects.create(name="Ada")
    rank(
        *(
            stored_replay(found, time_ms=time_ms, bv=bv, style=style)
            for time_ms, bv, style in [
                (50_000, 120, "NF"),
                (49_000, 120, "FL"),
                (60_000, 141, "FL"),
                (61_000, 99, "FL"),
            ]
        )
    )
    return found


def grid(client: Client, player: Player, level: str = "expert", statistic: str = "time", query: str = "") -> Document:
    response = client.get(reverse("player-by-3bv", args=[player.pk, level, statistic]) + query)
    assert response.status_code == 200
    return Document(response.content.decode())


def test_cells_link_the_best_replay_of_each_3bv(player: Player, client: Client) -> None:
    page = grid(client, player)
    assert_is_a_page_of_the_site(page)
    best, slower = (Replay.objects.get(time_ms=time_ms) for time_ms in (49_000, 50_000))
    assert best.get_absolute_url() in page.links()
    assert slower.get_absolute_url() not in page.links()
    assert "3BV 0 1 2 3 4 5 6 7 8 9 90 61.00 120 49.00 140 60.00" in page.text
    assert "3 different 3BV values from 4 ranked games" in page.text
    assert [link["class"] for link in page.all("a") if link.get("class", "").startswith("shade")] == [
        "shade-5", "shade-1", "shade-3",
    ]  # fmt: skip


def test_styles_levels_and_statistics(player: Player, client: Client) -> None:
    page = grid(client, player, query="?style=NF")
    assert "120 50.00" in page.text
    assert f"/players/{player.pk}/by-3bv/beginner/time/?style=NF" in page.links()
    assert not any("shade" in link.get("class", "") for link in grid(client, player, "beginner").all("a"))
    assert f"/players/{player.pk}/by-3bv/beginner-9x9/time/" in grid(client, player, statistic="stnb").links()
    sent_on = client.get(
        reverse("player-by-3bv", args=[player.pk, "expert", "time"]), {"statistic": "bvs", "style": "FL"}
    )
    assert sent_on.headers["Location"] == f"/players/{player.pk}/by-3bv/expert/bvs/?style=FL"


def test_the_page_of_the_player_leads_there(player: Player, client: Client) -> None:
    page = Document(client.get(f"/players/{player.pk}/records/").content.decode())
    assert f"/players/{player.pk}/by-3bv/expert/time/" in page.links()
    idle = Player.objects.create(name="Idle")
    assert "by-3bv" not in client.get(f"/players/{idle.pk}/records/").content.decode()


@pytest.mark.parametrize("path", ["expert/time/?style=x", "expert/time/?statistic=nope"])
def test_bad_parameters_are_400(player: Player, client: Client, path: str) -> None:
    assert client.get(f"/players/{player.pk}/by-3bv/{path}").status_code == 400


@pytest.mark.parametrize("path", ["expert/nope/", "combined/time/", "custom/time/"])
def test_what_does_not_exist_is_404(player: Player, client: Client, path: str) -> None:
    assert client.get(f"/players/{player.pk}/by-3bv/{path}").status_code == 404
    assert client.get(f"/players/{player.pk + 1}/by-3bv/{path}").status_code == 404


@pytest.mark.parametrize("statistic", ["time", "bvs"])
@pytest.mark.parametrize("count", [1, 5, 6, 60])
def test_shades_go_from_best_to_worst_in_equal_parts(statistic: str, count: int) -> None:
    row = BY_NAME[statistic]
    values = [float(number) for number in range(1, count + 1)]
    bests = [BvBest(bv, value, bv, EPOCH, 10, 1) for bv, value in enumerate(values, 100)]
    cells = [cell for band in bands(bests, row) for cell in band.cells if cell.best]
    shades = [cell.shade for cell in sorted(cells, key=lambda cell: row.rank_key(values[cell.bv - 100]))]
    assert shades == sorted(shades)
    assert shades[0] == 1
    assert shades[-1] == (1 if count == 1 else 5 if count == 5 else SHADES)
    if count >= SHADES:
        assert {shades.count(shade) for shade in range(1, SHADES + 1)} == {count // SHADES}


def test_equal_values_share_a_shade_and_empty_tens_are_left_out() -> None:
    bests = [BvBest(bv, 2.0, bv, EPOCH, 10, 1) for bv in (100, 109, 131)]
    found = bands(bests, BY_NAME["time"])
    assert [band.first for band in found] == [100, 130]
    assert [len(band.cells) for band in found] == [10, 10]
    assert {cell.shade for band in found for cell in band.cells if cell.best} == {1}
