"""Numbers of sockets of an account and an address in all web processes together, counted in Redis.

For each of them a sorted set has one member a socket, with the time at which it is forgotten unless its process renews
it; so a process that dies takes its sockets along, and an emptied server fills again.  Without the server everything is
allowed here, and each process has its own limits (``limits.py``).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, TypeAlias

from django.conf import settings
from redis.exceptions import RedisError

from players.web import redis_clients
from replays.play.sockets import socket_limits

logger = logging.getLogger(__name__)

#: A socket is renewed so often, and forgotten after so long.
RENEW_SECONDS: Final = 30
FORGOTTEN_SECONDS: Final = 90
#: ``("account", "account-7")`` or ``("address", "192.0.2.1")``
Key: TypeAlias = tuple[str, str]


class SharedCounts:
    """The counts on one server; ``most``: the largest by the first part of a key.  Every method asks the server."""

    def __init__(self, url: str, most: dict[str, int], clock: Callable[[], float] = time.time) -> None:
        self._client = redis_clients.client(url)
        self._most, self._clock = most, clock

    def enter(self, keys: Sequence[Key], socket: str) -> bool:
        """Count ``socket``, a name that no other has, for all ``keys``; False, and not counted, if one has too many."""
        try:
            counts = self._count(keys, socket)
        except RedisError as error:
            logger.warning("Sockets are counted by each process alone: %s", error)
            return True
        if all(count <= self._most[key[0]] for key, count in zip(keys, counts, strict=True)):
            return True
        self.leave(keys, socket)
        return False

    def renew(self, keys: Sequence[Key], socket: str) -> None:
        try:
            self._count(keys, socket)
        except RedisError as error:
            logger.warning("A socket is not counted: %s", error)

    def leave(self, keys: Sequence[Key], socket: str) -> None:
        try:
            with self._client.pipeline() as pipeline:
                for key in keys:
                    pipeline.zrem(_name(key), socket)
                pipeline.execute()
        except RedisError as error:
            logger.warning("A socket is counted for a while longer: %s", error)

    def _count(self, keys: Sequence[Key], socket: str) -> list[int]:
        now = self._clock()
        with self._client.pipeline() as pipeline:
            for key in keys:
                pipeline.zremrangebyscore(_name(key), "-inf", now)
                pipeline.zadd(_name(key), {socket: now + FORGOTTEN_SECONDS})
                pipeline.expire(_name(key), FORGOTTEN_SECONDS)
                pipeline.zcard(_name(key))
            return [int(count) for count in pipeline.execute()[3::4]]


def _name(key: Key) -> str:
    return f"play-sockets-{key[0]}-{key[1]}"


@cache
def shared_counts() -> SharedCounts | None:
    """Return None without Redis."""
    most = {"account": socket_limits.SOCKETS_OF_ACCOUNT, "address": settings.PLAY_SOCKETS_OF_ADDRESS}
    return SharedCounts(settings.CACHE_URL, most) if settings.CACHE_URL else None
