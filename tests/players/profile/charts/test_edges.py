"""Marks of charts where numbers meet edges: cells, links, losses, records, time zones."""

from __future__ import annotations

import zoneinfo

import numpy as np
import pytest
from django.test import Client

from analysis.analyse import analyse
from analysis.recording import Board, Kind, Recording, events_from
from players.models import Player
from players.profile.charts import games as player_games
from players.profile.charts.request import zone_of
from replays.models import Replay
from tests.factories import unrank_replays
from tests.players.profile.charts.games import at, played, save
from tests.players.profile.charts.test_rows import asked, built

pytestmark = pytest.mark.django_db


@pytest.fixture
def player() -> Player:
    return Player.objects.create(name="Ada")


@pytest.mark.long(
    beside="tests/players/profile/charts/test_edges.py::test_a_lost_game_that_solved_everything_is_in_the_table"
)
def test_every_zone_that_is_taken_is_known_to_the_database(player: Player) -> None:
    moments = ("2024-02-03 12:00", "1990-07-03 12:00")
    save(*(played(player, at(moment)) for moment in moments))
    for name in sorted(zoneinfo.available_timezones()):
        zone = zone_of(name)
        local = sorted((when.isoweekday(), when.hour) for when in (at(moment).astimezone(zone) for moment in moments))
        assert [count.place for count in player_games.by_hour(player.pk, zone, None)] == sorted(set(local)), name


def test_a_lost_game_that_solved_everything_is_in_the_table(player: Player, client: Client) -> None:
    """On a board of one mine and one opening: a flag keeps a cell of the opening closed, then the mine is opened."""
    clicks = [
        (0, 24, 8, Kind.RIGHT_PRESS), (10, 24, 8, Kind.RIGHT_RELEASE), (100, 40, 8, Kind.LEFT_PRESS),
        (150, 40, 8, Kind.LEFT_RELEASE), (300, 8, 8, Kind.LEFT_PRESS), (350, 8, 8, Kind.LEFT_RELEASE),
    ]  # fmt: skip
    board = Board(np.array([[1, 0, 0]], np.uint8))
    found = analyse(Recording(format="rawvf", format_variant="", board=board, events=events_from(clicks)))
    assert found.game.result == "lost"
    values = {name: found.values[name] for name in ("bv", "bvdone", "completion")}
    assert values == {"bv": 1, "bvdone": 1, "completion": 1.0}
    save(played(player, at("2024-02-03"), won=False, values=values))
    answer = asked(player, "losses")
    assert [row["games"] for row in answer.rows] == [0] * 9 + [1]


def test_no_record_of_the_site_is_worse_than_the_best_of_that_day(player: Player, client: Client) -> None:
    """Old games that are uploaded late, with a date that counts."""
    other = Player.objects.create(name="Other")
    save(played(other, at("2019-01-01"), time_ms=60_000))
    save(played(other, at("2022-01-01"), time_ms=45_000))
    save(played(player, at("2020-01-01"), time_ms=50_000))
    rows = asked(player, "progress").rows
    assert [(row["value"], row["site_record"]) for row in rows] == [(50.0, 50.0)]


def test_the_record_of_the_site_does_not_outlive_its_game(player: Player) -> None:
    other = Player.objects.create(name="Other")
    save(played(other, at("2019-01-01"), time_ms=60_000))
    cheat = played(other, at("2019-02-01"), time_ms=30_000)
    save(cheat)
    save(played(player, at("2019-03-01"), time_ms=50_000))
    Replay.objects.filter(pk=cheat.pk).update(ranked=False)
    unrank_replays([cheat])
    assert [(row["value"], row["site_record"]) for row in built(player, "progress").rows] == [(50.0, 50.0)]


def test_a_card_follows_games_that_change_hands_at_once(player: Player, client: Client) -> None:
    """The card changes although the number of games and the newest one are the same as before."""
    first, second, newest = (played(player, at(f"2024-05-0{day}"), ranked=False) for day in (1, 2, 3))
    second.ownership = "waiting"
    save(first, second, newest)
    address = f"/players/{player.pk}/charts/calendar/?year=2024"
    assert "2024-05-01" in client.get(address).content.decode()
    Replay.objects.filter(pk=first.pk).update(ownership="disowned")
    Replay.objects.filter(pk=second.pk).update(ownership="confirmed")
    text = client.get(address).content.decode()
    assert "2024-05-02" in text
    assert "2024-05-01" not in text
