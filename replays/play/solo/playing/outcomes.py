"""Outcomes of decided games: the worker that settles one publishes it, and each web process listens once for all of its games.

A message may be lost.  So who has waited for ``_PATIENCE_SECONDS`` looks into the database, once.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
import weakref
from collections.abc import Collection, Iterable
from typing import Final

from django.conf import settings
from django.db import DatabaseError
from redis.exceptions import RedisError

from players.web import redis_clients
from players.web.links import replay_address
from replays.play import wire
from replays.play.models import LiveGame
from replays.play.solo import selectors
from replays.play.solo.playing import database

CHANNEL: Final = "play:stored"
_PATIENCE_SECONDS: Final = 30.0
_RETRY_SECONDS: Final = 1.0

logger = logging.getLogger(__name__)


def publish_of_replays(replays: Collection[int], **_signal: object) -> None:
    """Publish the outcomes of the live games among ``replays``, which were analysed or rejected just now."""
    publish(LiveGame.objects.filter(replay__in=replays).values_list("pk", flat=True))


def publish(games: Iterable[uuid.UUID]) -> None:
    """Publish the outcomes of those of ``games`` that are settled; without the database or Valkey nothing happens."""
    if not settings.PLAY_BUS_URL:
        return
    try:
        with redis_clients.client(settings.PLAY_BUS_URL) as client:  # which connects when the first is published
            for game_id in games:
                outcome = selectors.game_outcome(game_id)
                if outcome.settled:
                    client.publish(CHANNEL, _stored(game_id, outcome).encode())
    except (DatabaseError, RedisError) as error:
        logger.warning("What became of live games is not published: %s", error)


def _stored(game_id: uuid.UUID, outcome: selectors.GameOutcome) -> wire.Stored:
    url = replay_address(outcome.replay_id) if outcome.replay_id else ""
    return wire.Stored(game_id.bytes, outcome.replay_id, url, outcome.rank, outcome.best, 0)


class Outcomes:
    """The games of one event loop whose outcome is awaited."""

    def __init__(self) -> None:
        self._waiting: dict[bytes, asyncio.Future[wire.Stored]] = {}
        self._task: asyncio.Task[None] | None = None

    def listen(self) -> None:
        """Subscribe, unless that was done before; in time before a game ends."""
        if settings.PLAY_BUS_URL and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._listen())

    async def wait_for(self, game_id: uuid.UUID) -> wire.Stored:
        """Return the outcome, without the best time before; what is known of it after ``_PATIENCE_SECONDS``.

        Raises ``DatabaseError`` if nothing was published by then and the database is away.
        """
        published = self._waiting[game_id.bytes] = asyncio.get_running_loop().create_future()
        try:
            return await asyncio.wait_for(published, _PATIENCE_SECONDS)
        except TimeoutError:
            return _stored(game_id, await database.run(selectors.game_outcome, game_id))
        finally:
            del self._waiting[game_id.bytes]

    async def _listen(self) -> None:
        task = asyncio.current_task()
        async with redis_clients.async_client(settings.PLAY_BUS_URL) as client:
            # Before Python 3.12 a cancellation may be lost while redis-py sends (``asyncio.wait_for``).
            while task is not None and not task.cancelling():
                try:
                    async with client.pubsub(ignore_subscribe_messages=True) as subscription:
                        await subscription.subscribe(CHANNEL)
                        while not task.cancelling():
                            message = await subscription.get_message(timeout=60)
                            if message is not None:
                                self._on_message(message["data"])
                except (RedisError, OSError) as error:
                    logger.warning("What became of live games is not heard: %s", error)
                    await asyncio.sleep(_RETRY_SECONDS)

    def _on_message(self, data: bytes) -> None:
        try:
            stored = wire.decode_server(data)
        except wire.WireError as error:
            logger.warning("A message on %s is left out: %s", CHANNEL, error)
            return
        if isinstance(stored, wire.Stored):
            published = self._waiting.get(stored.game)
            if published is not None and not published.done():
                published.set_result(stored)


_of_loops: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Outcomes] = weakref.WeakKeyDictionary()


def outcomes_of_loop() -> Outcomes:
    return _of_loops.setdefault(asyncio.get_running_loop(), Outcomes())
