"""Sending tasks to the workers.

Tasks are sent by name, with ids, after the rows are committed.  A task that cannot be sent is not an error: the rows have
the status, and the sweep (``stale``) queues rows again that have waited too long.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial

from celery import current_app
from django.db import transaction
from kombu.connection import Connection
from kombu.exceptions import OperationalError

from players.db.chunks import chunked
from replays.models import Replay

ANALYSE_TASK = "replays.analyse"
LUCK_TASK = "replays.luck"
#: Replays of one analysis task: enough to share transactions and vectorised passes, few enough to spread over workers
#: and to stay far below the time limit.
CHUNK = 200
#: Replays of one luck task; fewer, since an upload may have to wait for its end.
LUCK_CHUNK = 50
#: Rows that :func:`waiting_since` reads.  The sweep queues all again in turn, so that none stays behind them for long.
_LOOKED_AT = 200

logger = logging.getLogger(__name__)


def queue_analysis(ids: Sequence[int]) -> None:
    """Queue the analysis of ``ids`` after the current transaction commits (at once outside of one)."""
    if ids:
        transaction.on_commit(partial(_publish, list(ids)))


def queue_luck(ids: Sequence[int]) -> None:
    """Queue the luck of ``ids`` after the current transaction commits; workers prefer the queue of uploads."""
    if ids:
        transaction.on_commit(partial(_publish_luck, list(ids)))


def broker_connection() -> Connection:
    """A new connection without retries, to be closed; pooled ones retry for seconds while the broker is down."""
    connection: Connection = current_app.connection_for_write(transport_options={"max_retries": 0})
    return connection


def send_tasks(task: str, arguments: Iterable[object]) -> None:
    """Send ``task`` once with each of ``arguments``.

    Raises ``OperationalError`` at the first that cannot be sent, to wait for an unreachable broker only once.
    """
    with broker_connection() as connection:
        for argument in arguments:
            message = current_app.signature(task, args=(argument,))
            message.apply_async(connection=connection, retry=False, ignore_result=True)


def waiting_since() -> datetime | None:
    """When the oldest upload came that waits for its analysis, of those that were queued first; None if none waits."""
    waiting = Replay.objects.filter(status=Replay.Status.QUEUED).order_by("claimed_at")
    return min(waiting.values_list("uploaded_at", flat=True)[:_LOOKED_AT], default=None)


def _publish(ids: list[int]) -> None:
    try:
        _send(ANALYSE_TASK, ids, CHUNK)
    except OperationalError as error:
        logger.warning("The broker cannot be reached (%s); %d replays wait for the sweep.", error, len(ids))


def _publish_luck(ids: list[int]) -> None:
    try:
        _send(LUCK_TASK, ids, LUCK_CHUNK)
    except OperationalError as error:
        logger.info("The broker cannot be reached (%s); the luck of %d replays waits for the sweep.", error, len(ids))


def _send(task: str, ids: list[int], size: int) -> None:
    send_tasks(task, map(list, chunked(ids, size)))
