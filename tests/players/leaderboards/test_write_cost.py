"""Tests of how many statements a replay takes from the file to the boards: few, and not more in a larger chunk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from analysis.click_machine import Result
from analysis.recording import Level
from replays.models import Replay
from replays.upload.intake.services import receive_many
from replays.upload.processing.services import analyse_replays
from tests.players.made_games import MadeGame, Shelf, on_shelf, random_game
from tests.players.random_changes import World, digest_of_file

pytestmark = [
    pytest.mark.django_db,
]

#: In a test the transactions of the services are points in the transaction of the test.
_OF_THE_TEST = ("SAVEPOINT", "RELEASE SAVEPOINT")
#: The most statements for one replay: a personal best with everything that follows, one that is none, a lost game; three
#: of them compare it with other games.
BEST, NO_BEST, LOST = 28, 20, 12  # one looks for equal games by their hash, which real games with clicks do without


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A site on which Ada has a game on each level."""
    shelf = Shelf()
    with on_shelf(shelf):
        made = World(1, shelf, monkeypatch)
        made.hand_in([game(made, level, 60_000) for level in (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT)])
        yield made


def game(world: World, level: Level, time_ms: int, **other: Any) -> MadeGame:
    """One of Ada's that is the better the faster it is."""
    made = random_game(world.source, plain_win=True)
    made = replace(made, level=level, name="Ada", style="FL", **other)
    values: dict[str, float | int | None] = dict.fromkeys(made.values)
    return replace(made, values=values | {"bv": 25, "time_ms": time_ms, "time": time_ms / 1000, "qg": time_ms / 500})


def statements(world: World, games: list[MadeGame]) -> int:
    """Count the statements of the analysis and everything after it; the rows wait already."""
    files = [(f"{one.game_hash}.avf", one.game_hash.encode()) for one in games]
    for one, (_name, data) in zip(games, files, strict=True):
        world.shelf.games[digest_of_file(data)] = one
    receipts = receive_many(files, uploader=None, enqueue=False)
    ids = [receipt.replay_id for receipt in receipts if receipt.replay_id is not None]
    with CaptureQueriesContext(connection) as queries:
        analyse_replays(ids)
    assert Replay.objects.filter(pk__in=ids, status=Replay.Status.DONE).count() == len(games)
    return sum(not query["sql"].startswith(_OF_THE_TEST) for query in queries)


@pytest.mark.parametrize(
    ("time_ms", "result", "most"), [(50_000, Result.WON, BEST), (70_000, Result.WON, NO_BEST), (1, Result.LOST, LOST)]
)
def test_statements_of_one_replay_and_of_many(world: World, time_ms: int, result: Result, most: int) -> None:
    one = statements(world, [game(world, Level.EXPERT, time_ms, result=result)])
    assert one <= most
    many = [game(world, Level.EXPERT, time_ms - number, result=result) for number in range(1, 25)]
    assert statements(world, many) <= one
