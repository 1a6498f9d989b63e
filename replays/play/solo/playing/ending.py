"""The end of a game: its row, its replay, and the message that tells the player."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from django.db import DatabaseError

from players.models import User
from players.web.links import replay_address
from replays.play import wire
from replays.play.models import LiveGame as Row
from replays.play.solo import selectors, services
from replays.play.solo.playing import database
from replays.play.solo.playing.game import PlayedGame

T = TypeVar("T")

#: How often the database is tried again, and the pauses between.
_RETRY_SECONDS: Final = (0.5, 1, 2, 4, 8, 16, 30)
#: Between two looks whether the replay is analysed, at first and at most; and for how long it is waited for.
_POLL_SECONDS: Final = 0.1
_MAX_POLL_SECONDS: Final = 1.0
_PATIENCE_SECONDS: Final = 30.0
GUEST_NAME: Final = "Guest"

logger = logging.getLogger(__name__)


async def store_game(game: PlayedGame) -> None:
    """Write a game that has ended; a decided one of an account becomes a replay, and its player gets a message."""
    before_ms, replay_id = await _stored(game)
    if game.ranked is None:
        return
    if replay_id is None:
        _send(game, wire.Stored(game.id.bytes, 0, "", 0, False, 0))
        return
    outcome = await _analysed(replay_id)
    rank, best = (0, False) if outcome is None else (outcome.rank, outcome.best)
    _send(game, wire.Stored(game.id.bytes, replay_id, replay_address(replay_id), rank, best, before_ms or 0))


async def _stored(game: PlayedGame) -> tuple[int | None, int | None]:
    """The best time before, and the number of the replay; waits for a database that is away."""
    row, before_ms = await _when_there(game, lambda: database.write(_end, game))
    if row is None:
        return None, None
    return before_ms, await _when_there(game, lambda: database.hand_in(services.replay_store, row))


async def _when_there(game: PlayedGame, work: Callable[[], Awaitable[T]]) -> T:
    """``work()``, which may be repeated, as soon as the database lets it."""
    for seconds in _RETRY_SECONDS:
        try:
            return await work()
        except DatabaseError:
            logger.exception("The live game %s waits for the database.", game.id)
            await asyncio.sleep(seconds)
    return await work()


def _end(game: PlayedGame) -> tuple[Row | None, int | None]:
    """In the thread that writes: the row, if it becomes a replay, and the best time before.  May be repeated."""
    from replays.play.solo.playing.registry import HOLDER

    user = None if game.visitor.user_id is None else User.objects.filter(pk=game.visitor.user_id).first()
    row = game.row(HOLDER)
    row.user = user  # None if the account was deleted meanwhile
    name = GUEST_NAME if user is None else selectors.player_name(user)
    recording = None if game.ranked is None else game.recording(name)
    if not services.game_end(row, HOLDER, recording) and not _is_ours(row):
        logger.info("The live game %s was ended by another process.", game.id)
        return None, None
    if user is None or recording is None:
        return None, None
    return row, selectors.best_time_ms(user, game.shape.level)


def _is_ours(row: Row) -> bool:
    """Whether it was this end that is stored: the first try may have failed behind it."""
    return Row.objects.filter(pk=row.pk, file_sha256=row.file_sha256, ended_at=row.ended_at).exists()


async def _analysed(replay_id: int) -> selectors.ReplayOutcome | None:
    """What became of the replay; None if no worker takes it up for long."""
    begun, pause = time.monotonic(), _POLL_SECONDS
    while time.monotonic() - begun < _PATIENCE_SECONDS:
        await asyncio.sleep(pause)
        try:
            outcome = await database.read(selectors.replay_outcome, replay_id)
        except DatabaseError as error:
            logger.warning("Whether replay %s is analysed cannot be read: %s", replay_id, error)
            outcome = None
        if outcome is not None:
            return outcome
        pause = min(pause * 1.5, _MAX_POLL_SECONDS)
    return None


def _send(game: PlayedGame, message: wire.Stored) -> None:
    if game.connection is not None:
        game.connection.send_now(message)
