"""Analysing stored files, and writing their statistics, players and boards.

Any number of workers may run this at the same time on the same ids, and may die at any point:

- A row is *claimed* before it is analysed, with ``SKIP LOCKED``, and its ``attempts`` are incremented.  The number also
  guards the result: it is saved only if the row still has the same number of attempts.
- Replays at their first attempt are analysed as a chunk, others one by one, so that a file that kills its worker does
  not affect others, and is rejected after :data:`MAX_ATTEMPTS`.
- A chunk is analysed in groups.  Results are saved in one transaction, at the end or when the first of them has waited
  for ``SAVE_AFTER_SECONDS``, so that a slow file delays only its group.  If saving fails, each replay is saved alone.
- Claims and results are committed asynchronously: they can be computed again from the stored file, and rows that a
  crash of the database has reset are found by the sweep.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from players.db.bulk import commit_without_waiting
from players.db.chunks import chunked
from replays.models import Replay
from replays.processing.compute import Fault, Rejection, Result, Unreachable, compute_results
from replays.processing.save import reject_exhausted, release, save_all

MAX_ATTEMPTS = 3
GROUP = 25  # replays of one vectorised pass
SAVE_AFTER_SECONDS = 0.5

_now = time.monotonic

logger = logging.getLogger(__name__)


def analyse_replays(ids: Sequence[int]) -> None:
    """Analyse those of ``ids`` that are queued, or whose worker died."""
    tried_before = _tried_before(ids)  # read first, so that no row gets two attempts in this call
    _analyse(_claim(ids, again=False))
    for replay_id in tried_before:
        _analyse(_claim([replay_id], again=True))


def add_waiting(ids: Sequence[int], limit: int = GROUP) -> list[int]:
    """``ids`` and, up to ``limit`` in all, the replays that have waited longest for their first attempt.

    Many uploads arrive as tasks of one replay each, and analysing a group takes a fraction of the time of analysing its
    replays one by one.  The tasks of replays that were added find nothing to do.
    """
    room = limit - len(ids)
    if room <= 0:
        return list(ids)
    others = Replay.objects.filter(status=Replay.Status.QUEUED, attempts=0).exclude(pk__in=ids)
    return [*ids, *others.order_by("claimed_at").values_list("pk", flat=True)[:room]]


def _analyse(claimed: Sequence[Replay]) -> None:
    ready: list[tuple[Replay, Result]] = []
    since = _now()
    for group in chunked(claimed, GROUP):
        ready += compute_results(group)
        if _now() - since > SAVE_AFTER_SECONDS:
            _save_results(ready)
            ready, since = [], _now()
    _save_results(ready)


def _save_results(results: Sequence[tuple[Replay, Result]]) -> None:
    settled = [(replay, result) for replay, result in results if not isinstance(result, Fault | Unreachable)]
    faulty = [replay for replay, result in results if isinstance(result, Fault)]
    faulty += save_all(settled)
    release(_reject_given_up(faulty))
    release([replay for replay, result in results if isinstance(result, Unreachable)], give_back=True)


def _reject_given_up(faulty: Sequence[Replay]) -> list[Replay]:
    """Reject those of ``faulty`` that have no attempts left; returns the others."""
    exhausted = [replay for replay in faulty if replay.attempts >= MAX_ATTEMPTS]
    reject_exhausted([(replay, Rejection("internal_error", {"attempts": replay.attempts})) for replay in exhausted])
    return [replay for replay in faulty if replay.attempts < MAX_ATTEMPTS]


def _waiting(now: datetime) -> Q:
    """The condition of rows that are queued, or were claimed so long ago that their worker must have died."""
    stale = now - timedelta(seconds=settings.STALE_AFTER_SECONDS)
    return Q(status=Replay.Status.QUEUED) | Q(status=Replay.Status.RUNNING, claimed_at__lt=stale)


def _tried_before(ids: Sequence[int]) -> list[int]:
    rows = Replay.objects.filter(_waiting(timezone.now()), pk__in=ids, attempts__gt=0)
    return list(rows.order_by("pk").values_list("pk", flat=True))


def _claim(ids: Sequence[int], *, again: bool) -> list[Replay]:
    """Claim the waiting rows of ``ids`` at their first attempt (``again``: at a later one); locked rows are skipped."""
    now = timezone.now()
    attempts = Q(attempts__gt=0) if again else Q(attempts=0)
    with transaction.atomic():
        commit_without_waiting()
        rows = list(
            Replay.objects.select_for_update(skip_locked=True, no_key=True)
            .filter(_waiting(now), attempts, pk__in=ids)
            .only("sha256", "attempts")
            .order_by("pk")
        )
        exhausted = [row for row in rows if row.attempts >= MAX_ATTEMPTS]
        claimed = [row for row in rows if row.attempts < MAX_ATTEMPTS]
        Replay.objects.filter(pk__in=[row.pk for row in claimed]).update(
            status=Replay.Status.RUNNING, claimed_at=now, attempts=F("attempts") + 1
        )
        for row in claimed:
            row.attempts += 1
        reject_exhausted([(row, Rejection("worker_lost", {"attempts": row.attempts})) for row in exhausted])
    for row in exhausted:
        logger.error("Replay %d was tried %d times and never came to an end.", row.pk, row.attempts)
    return claimed
