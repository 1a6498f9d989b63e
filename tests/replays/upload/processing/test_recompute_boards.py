"""Replays of one chunk that are removed from, updated on and added to a board are counted once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from analysis.click_machine import Result
from analysis.recording import Level
from players.models import RecordEvent, SecondCount
from replays.models import Replay
from tests.players.made_games import MadeGame, Shelf, on_shelf, random_game
from tests.players.naive_boards import expected_boards, stored_boards
from tests.players.random_changes import World
from tests.replays.again import analyse_all_again

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tables_swept")]


@pytest.fixture
def world(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    shelf = Shelf()
    settings.PROVISIONAL_LIMITS = []  # else lost games of so many seconds wait for staff, and do so when they are read as won
    with on_shelf(shelf):
        yield World(1, shelf, monkeypatch)


def won(time_ms: int, **other: Any) -> MadeGame:
    """A ranked game of Ada on Expert."""
    game = random_game(Random(time_ms), plain_win=True)
    values = game.values | {"time_ms": time_ms, "time": time_ms / 1000}
    return replace(game, name="Ada", level=Level.EXPERT, style="FL", values=values, **other)


def read_again(world: World, changes: dict[int, MadeGame]) -> None:
    """Analyse all files again in one chunk, of which ``changes`` are other games now."""
    for row in Replay.objects.filter(pk__in=changes):
        world.shelf.games[row.sha256] = changes[row.pk]
    analyse_all_again()
    assert stored_boards() == expected_boards()


def games_in(second: int) -> int:
    return SecondCount.objects.get(level="expert", style="all", second=second).games


def test_one_enters_the_second_that_another_leaves(world: World) -> None:
    leaves, enters, stays = world.hand_in([won(3_000), won(3_250, result=Result.LOST), won(3_500)])
    assert games_in(4) == 2
    read_again(world, {leaves: won(3_000, result=Result.LOST), enters: won(3_250)})
    assert games_in(4) == 2
    assert set(Replay.objects.filter(ranked=True).values_list("pk", flat=True)) == {enters, stays}


def test_one_enters_the_second_that_another_moves_out_of(world: World) -> None:
    moves, enters, _stays = world.hand_in([won(3_000), won(3_250, result=Result.LOST), won(3_500)])
    read_again(world, {moves: won(5_000), enters: won(3_250)})
    assert (games_in(4), games_in(6)) == (2, 1)


def test_one_moves_into_the_second_that_another_leaves(world: World) -> None:
    leaves, moves, _stays = world.hand_in([won(3_000), won(5_000), won(3_500)])
    read_again(world, {leaves: won(3_000, result=Result.LOST), moves: won(3_250)})
    assert games_in(4) == 2


def test_who_enters_in_place_of_a_best_that_leaves_makes_a_record(world: World) -> None:
    leaves, enters, _stays = world.hand_in([won(3_000), won(2_000, result=Result.LOST), won(4_000)])
    read_again(world, {leaves: won(3_000, result=Result.LOST), enters: won(2_000)})
    events = RecordEvent.objects.filter(kind="personal", statistic="time", level="expert", style="all")
    assert (enters, 4.0, 2.0) in events.values_list("replay_id", "old_value", "new_value")
