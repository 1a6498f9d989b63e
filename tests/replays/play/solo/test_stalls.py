"""A stall of the site is not charged to the player, and nobody gains by bringing one about."""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import Final

import pytest

from analysis.live.ranked_time import MAX_JITTER_MS
from analysis.recording import Kind
from config.http.protocols import Arrival
from replays.play import wire
from replays.play.sockets.loop_lag import MOST_NS
from replays.play.solo.playing.registry import registry_of_loop
from tests.replays.play.solo.conftest import GUEST
from tests.replays.play.solo.player import SoloPlayer, run

pytestmark = pytest.mark.django_db(transaction=True)

FIRST: Final = 8 * 30 + 15
_STALL_S: Final = 0.09
_MS: Final = 1_000_000
#: What is charged yet: notes of the loop are ten milliseconds apart.
_REST_MS: Final = 30


async def opened(player: SoloPlayer) -> int:
    """Begin and open the first cell; returns a cell with a mine."""
    game = await player.begin()
    await player.click(FIRST)
    await player.wait_for(wire.Faces)
    await asyncio.sleep(0.1)
    board = registry_of_loop().games[uuid.UUID(bytes=game.game)].machine.board
    assert board is not None
    return int(board.mines.ravel().argmax())


async def decided(player: SoloPlayer, mine: int, *, stall_s: float, early_ms: int = 0) -> wire.Over:
    """The end of a game whose last click the site reads late by ``stall_s``."""
    await player.click(mine, at_ms=player.now_ms - early_ms)
    time.sleep(stall_s)
    return await player.wait_for(wire.Over)


def test_a_stall_at_the_last_click_is_not_charged() -> None:
    async def play() -> wire.Over:
        async with SoloPlayer(GUEST) as player:
            return await decided(player, await opened(player), stall_s=_STALL_S)

    over = run(play)
    assert over.reason == "guest"  # and not that the clocks disagree
    assert over.time_ms - over.client_ms <= _REST_MS


def test_a_stall_at_the_last_click_gains_no_more_than_the_most() -> None:
    """Whoever knows of a stall of a second, and says to have clicked at its beginning."""

    async def play() -> wire.Over:
        async with SoloPlayer(GUEST) as player:
            mine = await opened(player)
            time.sleep(1)
            return await decided(player, mine, stall_s=0, early_ms=1_000)

    over = run(play)
    assert over.time_ms >= over.client_ms + 1_000 - MOST_NS / _MS - MAX_JITTER_MS - 20


def test_a_flood_of_messages_of_ones_own_is_no_stall() -> None:
    """They are read one by one, and the loop comes round in between."""

    async def play() -> wire.Over:
        async with SoloPlayer(GUEST) as player:
            mine = await opened(player)
            await asyncio.sleep(0.6)
            held_ms = player.now_ms
            for number in range(150):
                at = held_ms - 400 + number
                await player.send([(at, 10 + (number + step) % 200, 10, Kind.MOVE) for step in range(12)])
            await asyncio.sleep(0)
            return await decided(player, mine, stall_s=0, early_ms=250)

    over = run(play)
    assert over.time_ms >= over.client_ms + 250 - MAX_JITTER_MS - _REST_MS


@pytest.mark.parametrize("late_ms", [0, 200])
def test_the_moment_that_the_kernel_tells_counts(late_ms: int) -> None:
    """However long the stall, and nothing beside it: what really came late is charged."""

    async def play() -> wire.Over:
        arrival = Arrival()
        async with SoloPlayer(GUEST, arrival=arrival) as player:
            mine = await opened(player)
            arrival.ns = time.monotonic_ns() + late_ms * _MS
            return await decided(player, mine, stall_s=0.4)

    over = run(play)
    assert late_ms - MAX_JITTER_MS <= over.time_ms - over.client_ms <= late_ms + _REST_MS
