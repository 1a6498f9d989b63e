"""A small site: players with ranked games, and one game that was uploaded and analysed."""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable

import numpy as np
import pytest

from analysis.recording import LEVEL_SHAPES, Board, Level
from players.models import Player
from players.people.services import index_names
from replays.models import Replay
from tests.factories import EPOCH, rank_replays, replay_of
from tests.replays.conftest import ingest, store  # noqa: F401 - fixtures
from tests.replays.games import game_file

MakePlayers = Callable[..., list[Player]]


def board_of(level: Level) -> bytes:
    """A board of ``level`` with its mines in the first cells."""
    rows, columns, mines = LEVEL_SHAPES[level]
    cells = np.zeros(rows * columns, np.uint8)
    cells[:mines] = 1
    return Board(cells.reshape(rows, columns)).packed()


def rank(*replays: Replay) -> None:
    """Mark ``replays`` as ranked and add them to the boards."""
    rank_replays(replays)


@pytest.fixture
def make_players(db: None) -> MakePlayers:
    """Players with a game on every level; the first is the fastest everywhere."""

    def make(count: int, *, name: str = "Player", style: str = "FL") -> list[Player]:
        players = Player.objects.bulk_create(Player(name=f"{name} {number:03}") for number in range(count))
        sources = [random.Random(number) for number in range(count)]
        replays = [
            replay_of(
                player,
                level,
                time_ms=10_000 * (place + 1) + 1_110 * number,
                bv=100 + number,
                style=style,
                source=sources[number],
                board=board_of(level),
                achieved_at=EPOCH + datetime.timedelta(days=number),
            )
            for number, player in enumerate(players)
            for place, level in enumerate(Level)
            if level is not Level.CUSTOM
        ]
        rank(*Replay.objects.bulk_create(replays))
        index_names([player.pk for player in players])
        return players

    return make


@pytest.fixture
def game(ingest: Callable[..., Replay]) -> Replay:  # noqa: F811 - the fixture of that name
    """A won Beginner game of a bot, read from a file."""
    return ingest(game_file(), name="game.rawvf")
