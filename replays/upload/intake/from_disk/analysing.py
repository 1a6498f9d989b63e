from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from celery import current_app
from kombu.exceptions import OperationalError

from players.db.chunks import chunked
from replays.models import Replay
from replays.upload.processing.queue import CHUNK, broker_connection, sent_at_the_end
from replays.upload.processing.services import analyse_replays

_PING_SECONDS = 2.0
_POLL_SECONDS = 0.2
_IDS_A_QUERY = 1_000
_OPEN = (Replay.Status.QUEUED, Replay.Status.RUNNING)

Progress = Callable[[int], object]


def worker_answers() -> bool:
    """Return whether any worker replies to a ping within two seconds."""
    try:
        with broker_connection() as connection:
            # With a limit of one reply it does not wait for others until the timeout.
            return bool(current_app.control.ping(timeout=_PING_SECONDS, limit=1, connection=connection))
    except (OperationalError, OSError):
        return False


def analyse_here(ids: Sequence[int], progress: Progress) -> None:
    """Analyse in this process, except rows that workers have claimed."""
    with sent_at_the_end():
        for chunk in chunked(ids, CHUNK):
            analyse_replays(chunk)
            progress(len(chunk))


def wait_for_workers(ids: Sequence[int], progress: Progress, *, timeout_seconds: float) -> list[int]:
    """Wait until all rows are settled; if none was settled for ``timeout_seconds``, return those that are not."""
    waiting = list(ids)
    progressed_at = time.monotonic()
    while waiting:
        left = [pk for chunk in chunked(waiting, _IDS_A_QUERY) for pk in _unsettled(chunk)]
        if len(left) < len(waiting):
            progress(len(waiting) - len(left))
            progressed_at = time.monotonic()
        waiting = left
        if waiting and time.monotonic() - progressed_at > timeout_seconds:
            return waiting
        if waiting:
            time.sleep(_POLL_SECONDS)
    return []


def _unsettled(ids: Sequence[int]) -> Iterator[int]:
    yield from Replay.objects.filter(pk__in=ids, status__in=_OPEN).values_list("pk", flat=True)
