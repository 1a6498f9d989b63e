"""From a stored file to numbers, player and boards.

Any number of workers may run this at once, on the same ids, and any of them may die at any point:

- A row is *claimed* before it is worked on, under a lock that others skip, and its ``attempts`` are counted.  The
  count is also a fence: who saves must still hold the claim with the same count.
- Replays tried for the first time are taken as a chunk; those that were tried before are taken one by one, so that a
  file which kills its worker takes no other with it, and is rejected once its attempts are used up.
- A chunk is computed group by group.  What is ready is saved in one transaction, at the end or as soon as it has waited
  for a while, so that a slow file holds back only its group; if that fails, each replay is saved in one of its own.
- Claims and results are committed without waiting for the disk: all of it follows from the stored file, and a row that
  a crash of the database set back is found by the sweep.
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
from replays.processing.compute import Fault, Rejection, Result, Unreachable, computed
from replays.processing.save import reject_exhausted, release, save_all

MAX_ATTEMPTS = 3
GROUP = 25  # replays of one vectorised pass
SAVE_AFTER_SECONDS = 0.5

_now = time.monotonic

logger = logging.getLogger(__name__)


def analyse_replays(ids: Sequence[int]) -> None:
    """Analyse those of ``ids`` that wait for it; the others are left alone."""
    tried_before = _tried_before(ids)  # asked first: what fails now has its next attempt later
    _analyse(_claim(ids, again=False))
    for replay_id in tried_before:
        _analyse(_claim([replay_id], again=True))


def waiting_beside(ids: Sequence[int], limit: int = GROUP) -> list[int]:
    """``ids`` and, up to ``limit`` in all, those that have waited longest for their first analysis.

    While uploads come in faster than they are analysed one by one, each worker so takes a group at once, which costs a
    fraction of that; messages of replays that were taken along find nothing to do.
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
        ready += computed(group)
        if _now() - since > SAVE_AFTER_SECONDS:
            _settle(ready)
            ready, since = [], _now()
    _settle(ready)


def _settle(results: Sequence[tuple[Replay, Result]]) -> None:
    settled = [(replay, result) for replay, result in results if not isinstance(result, Fault | Unreachable)]
    faulty = [replay for replay, result in results if isinstance(result, Fault)]
    faulty += save_all(settled)
    release(_given_up(faulty))
    release([replay for replay, result in results if isinstance(result, Unreachable)], give_back=True)


def _given_up(faulty: Sequence[Replay]) -> list[Replay]:
    """Reject those of ``faulty`` that have no attempt left; returns the others."""
    exhausted = [replay for replay in faulty if replay.attempts >= MAX_ATTEMPTS]
    reject_exhausted([(replay, Rejection("internal_error", {"attempts": replay.attempts})) for replay in exhausted])
    return [replay for replay in faulty if replay.attempts < MAX_ATTEMPTS]


def _waiting(now: datetime) -> Q:
    """Queued, or left behind by a worker that is gone."""
    stale = now - timedelta(seconds=settings.STALE_AFTER_SECONDS)
    return Q(status=Replay.Status.QUEUED) | Q(status=Replay.Status.RUNNING, claimed_at__lt=stale)


def _tried_before(ids: Sequence[int]) -> list[int]:
    rows = Replay.objects.filter(_waiting(timezone.now()), pk__in=ids, attempts__gt=0)
    return list(rows.order_by("pk").values_list("pk", flat=True))


def _claim(ids: Sequence[int], *, again: bool) -> list[Replay]:
    """Take the waiting rows among ``ids``; what another worker holds in this moment is skipped."""
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
