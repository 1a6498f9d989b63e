"""Messages that come over a second socket too: the earlier arrival counts, and nothing can be taken back."""

from __future__ import annotations

import asyncio
import time
import uuid

import pytest

from analysis.recording import Kind
from replays.play import wire
from replays.play.sockets.connection import BAD_MESSAGE
from replays.play.sockets.visitors import Visitor
from replays.play.solo.playing.played_game import MOST_COPIES, PlayedGame
from replays.play.solo.playing.registry import registry_of_loop
from replays.play.solo.second_socket import CopyConsumer
from replays.play.solo.shapes import shape_of
from tests.replays.play.solo.player import NONCE, SoloPlayer, SoloSocket, run

pytestmark = pytest.mark.django_db(transaction=True)

BEGINNER = {"level": "beginner", "rules": "xp"}
MS = 1_000_000
PRESS, RELEASE = wire.Event(10, int(Kind.LEFT_PRESS), 8, 8), wire.Event(10, int(Kind.LEFT_RELEASE), 0, 0)
NEXT = wire.Event(400, int(Kind.LEFT_PRESS), 16 * 7, 16 * 7), wire.Event(10, int(Kind.LEFT_RELEASE), 0, 0)


def begun(visitor: Visitor) -> tuple[PlayedGame, int]:
    """A game whose first message came at the returned time (ns)."""
    game = PlayedGame(visitor, shape_of(BEGINNER), 16, 0, "")
    game.start(NONCE)
    at = game.zero_ns + 500 * MS
    game.play(wire.Input(1, (PRESS, RELEASE)), at)
    game.lay(at)
    return game, at


def copy_of(message: wire.Input, game: PlayedGame) -> wire.Copy:
    return wire.Copy(game.id.bytes, message.seq, message.events)


def spans(visitor: Visitor, copied: wire.Input | None) -> tuple[PlayedGame, float]:
    """The game after a second message that is held up by 300 ms, and when that message arrived for the clock (ms)."""
    game, at = begun(visitor)
    message = wire.Input(2, NEXT)
    if copied is not None:
        game.note_copy(copy_of(copied, game), at + 420 * MS)
    game.decided_ns = None
    heard: list[int] = []
    game._note_end = lambda step, received_ns: heard.append(received_ns)  # type: ignore[method-assign]
    game.play(message, at + 720 * MS)
    return game, (heard[-1] - at) / MS


def test_the_earlier_arrival_counts(visitor: Visitor) -> None:
    assert spans(visitor, None)[1] == 720
    game, arrived = spans(visitor, wire.Input(2, NEXT))
    assert (arrived, game.reason) == (420, "")


def test_a_copy_that_differs_makes_the_game_unranked(visitor: Visitor) -> None:
    """Else a player could send a guess early and take it back."""
    game, arrived = spans(visitor, wire.Input(2, (NEXT[0],)))
    assert (arrived, game.reason) == (720, "copy_differs")


def test_a_late_copy_changes_nothing(visitor: Visitor) -> None:
    game, at = begun(visitor)
    game.play(wire.Input(2, NEXT), at + 420 * MS)
    game.note_copy(wire.Copy(game.id.bytes, 2, (PRESS,)), at + 500 * MS)
    assert (game._copies, game.reason) == ({}, "")


def test_copies_are_bounded(visitor: Visitor) -> None:
    game, at = begun(visitor)
    for seq in range(1, 10_000):
        game.note_copy(wire.Copy(game.id.bytes, seq, (PRESS,)), at)
    game.note_copy(wire.Copy(game.id.bytes, 5, (PRESS,) * 100_000), at)
    assert len(game._copies) == MOST_COPIES


class CopySocket(SoloSocket):
    """The second socket of a visitor."""

    consumer = CopyConsumer


async def noted(game: PlayedGame, seconds: float = 2.0) -> bool:
    """Return whether a copy reaches ``game`` within ``seconds``."""
    ends = time.monotonic() + seconds
    while not game._copies and time.monotonic() < ends:
        await asyncio.sleep(0.01)
    return bool(game._copies)


def test_only_the_visitor_of_a_game_copies_for_it(visitor: Visitor) -> None:
    async def play() -> tuple[bool, bool]:
        async with SoloPlayer(visitor, BEGINNER) as player:
            begun_game = await player.begin()
            game = registry_of_loop().games[uuid.UUID(bytes=begun_game.game)]
            message = wire.Copy(begun_game.game, 1, (PRESS, RELEASE))
            async with CopySocket(Visitor(None, "somebody else", "Guest"), BEGINNER) as stranger:
                await stranger.say(message)
                await stranger.say(wire.Copy(bytes(16), 1, (PRESS,)))
                by_stranger = await noted(game, 0.3)
            async with CopySocket(visitor, BEGINNER) as own:
                await own.say(message)
                by_owner = await noted(game)
            return by_stranger, by_owner

    assert run(play) == (False, True)


def test_the_second_socket_takes_nothing_else(visitor: Visitor) -> None:
    async def play() -> int:
        async with CopySocket(visitor, BEGINNER) as socket:
            await socket.say(wire.Input(1, (PRESS,)))
            return await socket.close_code()

    assert run(play) == BAD_MESSAGE
