"""Sending tasks to the workers.

Tasks are sent by name, with ids, after the rows are committed.  A task that cannot be sent is not an error: the rows have
the status, and the sweep (``stale``) queues rows again that have waited too long.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from functools import partial
from typing import Final, NamedTuple

from celery import current_app
from django.db import transaction
from kombu.connection import Connection
from kombu.exceptions import OperationalError

from players.db.chunks import chunked
from replays.models import Replay

#: Replays of one analysis task: enough to share transactions and vectorised passes, few enough to spread over workers
#: and to stay far below the time limit.
CHUNK = 200
#: Rows that :func:`waiting_since` reads.  The sweep queues all again in turn, so that none stays behind them for long.
_LOOKED_AT = 200

logger = logging.getLogger(__name__)


class Task(NamedTuple):
    """A task by its name; ``what`` waits for the sweep if it cannot be sent.

    Its argument is a list of at most ``chunk`` ids, or one id if that is None.
    """

    name: str
    what: str
    chunk: int | None = CHUNK
    log_level: int = logging.WARNING


ANALYSE: Final = Task("replays.analyse", "replays")
#: Fewer than of a first analysis, since an upload may have to wait for the end of a task; workers prefer the queue of
#: uploads.
AGAIN: Final = Task("replays.analyse_again", "replays of an older version", chunk=50, log_level=logging.INFO)
LUCK: Final = Task("replays.luck", "replays without luck", chunk=50, log_level=logging.INFO)


_WAITING: Final[ContextVar[dict[Task, list[object]] | None]] = ContextVar("waiting", default=None)


def queue(task: Task, ids: Sequence[object]) -> None:
    """Send ``task`` for ``ids`` after the current transaction commits (at once outside of one)."""
    if not ids:
        return
    publish = partial(_publish, task, list(ids))
    if transaction.get_connection().in_atomic_block:
        transaction.on_commit(publish)
    else:
        publish()  # ``on_commit`` would connect to the database


@contextmanager
def sent_at_the_end() -> Iterator[None]:
    """Send what is queued inside in the end: a command that needs no broker then looks for it once, not again and again."""
    waiting: dict[Task, list[object]] = {}
    token = _WAITING.set(waiting)
    try:
        yield
    finally:
        _WAITING.reset(token)
        for task, ids in waiting.items():
            _publish(task, ids)


def broker_connection() -> Connection:
    """A new connection without retries, to be closed; pooled ones retry for seconds while the broker is down."""
    connection: Connection = current_app.connection_for_write(transport_options={"max_retries": 0})
    return connection


def waiting_since() -> datetime | None:
    """When the oldest upload came that waits for its analysis, of those that were queued first; None if none waits."""
    waiting = Replay.objects.filter(status=Replay.Status.QUEUED).order_by("claimed_at")
    return min(waiting.values_list("uploaded_at", flat=True)[:_LOOKED_AT], default=None)


def _publish(task: Task, ids: list[object]) -> None:
    """Stop at the first message that cannot be sent, to wait for an unreachable broker only once."""
    if (waiting := _WAITING.get()) is not None:
        waiting.setdefault(task, []).extend(ids)
        return
    try:
        with broker_connection() as connection:
            for argument in ids if task.chunk is None else map(list, chunked(ids, task.chunk)):
                message = current_app.signature(task.name, args=(argument,))
                message.apply_async(connection=connection, retry=False, ignore_result=True)
    except OperationalError as error:
        text = "The broker cannot be reached (%s); %d %s wait for the sweep."
        logger.log(task.log_level, text, error, len(ids), task.what)
