"""Signs of life of beat and of the workers: keys in the broker whose age tells when each was written last.

Beat gives one with each task that it queues, every ten seconds at least; a worker every two seconds, however busy its
processes are.  An age is what a key has lost of its life, so that the clocks of machines need not agree.
"""

from __future__ import annotations

import logging
from functools import cache
from typing import Any, Final

import redis
from celery.signals import after_task_publish, beat_init, heartbeat_sent
from django.conf import settings

from config import redis_urls
from players.web import redis_clients
from replays.play.referee import bus
from replays.play.referee.lease import LIFE_MS

BEAT: Final = "beat"
WORKERS: Final = "workers"
REFEREE: Final = "referee"
_SIGN_MS: Final = 3_600_000
_KEYS: Final = {BEAT: "alive:beat", WORKERS: "alive:workers", REFEREE: bus.lease_key(0)}
_LIVES_MS: Final = {BEAT: _SIGN_MS, WORKERS: _SIGN_MS, REFEREE: LIFE_MS}

logger = logging.getLogger(__name__)


def client() -> redis.Redis:
    return redis_clients.client(redis_urls.client_url(settings.CELERY_BROKER_URL))


def ages(server: redis.Redis) -> dict[str, float | None]:
    """Seconds since the last sign of each; None if there was none for long.  Raises ``RedisError``."""
    pipeline = server.pipeline(transaction=False)
    for key in _KEYS.values():
        pipeline.pttl(key)
    left = dict(zip(_KEYS, pipeline.execute(), strict=True))
    return {name: (_LIVES_MS[name] - ms) / 1000 if ms >= 0 else None for name, ms in left.items()}


@cache
def _own_client() -> redis.Redis:
    return client()


def _give(name: str) -> None:
    try:
        _own_client().set(_KEYS[name], 1, px=_SIGN_MS)
    except redis.RedisError as error:
        logger.warning("No sign of life could be given (%s): %s", name, error)


@heartbeat_sent.connect
def _worker_lives(**_signal: Any) -> None:
    _give(WORKERS)


@beat_init.connect
def _note_beat(**_signal: Any) -> None:
    after_task_publish.connect(_beat_lives)


def _beat_lives(**_signal: Any) -> None:
    _give(BEAT)
