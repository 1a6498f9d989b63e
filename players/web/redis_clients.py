"""Clients of Redis or Valkey, all with the same patience: a server that hangs must not hold what waits for it.

Celery has its own options (``CELERY_BROKER_TRANSPORT_OPTIONS``), since its workers wait for tasks by blocking.
"""

from __future__ import annotations

from typing import Any, Final

import redis
from redis import asyncio
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as ConnectionLost
from redis.retry import Retry

#: How long a client waits for a connection, and for an answer.
ANSWER_SECONDS: Final = 2


def options() -> dict[str, Any]:
    """Return what every client is made with.

    A connection that was closed is made once more; who did not answer in time is not asked again, though redis-py would
    do so several times by default.
    """
    return {**_TIMEOUTS, "retry": Retry(NoBackoff(), 1, (ConnectionLost,))}


def client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, **options())


def async_client(url: str, *, retries: int = 1) -> asyncio.Redis:
    """The same for an event loop.  Without ``retries`` it never connects again by itself."""
    return asyncio.Redis.from_url(url, **_TIMEOUTS, retry=AsyncRetry(NoBackoff(), retries, (ConnectionLost,)))


_TIMEOUTS: Final[dict[str, Any]] = {"socket_timeout": ANSWER_SECONDS, "socket_connect_timeout": ANSWER_SECONDS}
