"""Handing replays to the workers.

A message carries ids and is sent by task name once the rows are committed, so nothing here needs the task's code.
The row in the database is the truth: a message that cannot be sent is not an error, because the sweep finds rows that
have waited too long.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from typing import Any

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from players.db.chunks import chunked

ANALYSE_TASK = "replays.analyse"
LUCK_TASK = "replays.luck"
#: One task analyses this many replays: enough to share a transaction and a vectorised pass, few enough to spread over
#: workers and to stay far below the time limit.
CHUNK = 200
#: Fewer: an upload may have to wait until the worker is done with one.
LUCK_CHUNK = 50

logger = logging.getLogger(__name__)


def queue_analysis(ids: Sequence[int]) -> None:
    """Send ``ids`` to the workers after the current transaction commits (at once outside of one)."""
    if ids:
        transaction.on_commit(partial(_publish, list(ids)))


def queue_luck(ids: Sequence[int]) -> None:
    """Have the luck of ``ids`` measured after the current transaction commits, when no upload waits for a worker."""
    if ids:
        transaction.on_commit(partial(_publish_luck, list(ids)))


def broker_connection() -> Any:
    """A connection of its own, to be closed; the pooled ones try again for seconds while the broker is down."""
    return current_app.connection_for_write(transport_options={"max_retries": 0})


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
    """Stops at the first failure: a broker that does not answer must not be waited for again and again."""
    with broker_connection() as connection:
        for chunk in chunked(ids, size):
            message = current_app.signature(task, args=(list(chunk),))
            message.apply_async(connection=connection, retry=False, ignore_result=True)
