"""Analysing stored files, and writing their statistics, players and boards.

Any number of workers may run this at the same time on the same ids, and may die at any point:

- A row is *claimed* before it is analysed, with ``SKIP LOCKED``, and its ``attempts`` are incremented.  The number also
  guards the result: it is saved only if the row still has the same number of attempts.
- Replays at their first attempt are analysed as a chunk, others one by one, so that a file that kills its worker does
  not affect others, and is rejected after :data:`MAX_ATTEMPTS`.
- A chunk is analysed in groups.  Results are saved in one transaction, at the end or when the first of them has waited
  for ``SAVE_AFTER_SECONDS``, so that a slow file delays only its group.  If saving fails, each replay is saved alone.
- What is claimed next is decided by the rows (``replays.upload.processing.turns``), not by the order of the tasks: these say that
  there is work, and how much.
- A row that is analysed again, for a new version of a statistic or a changed rule, keeps its status and its numbers until
  the new ones are there; it is claimed in the same way, behind all uploads.
- Claims and results are committed asynchronously: they can be computed again from the stored file, and rows that a
  crash of the database has reset are found by the sweep.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import accumulate

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from players.db.bulk import commit_without_waiting
from players.db.chunks import chunked
from replays.models import OUTDATED, Replay, store_mark
from replays.models.store_mark import StoreNotOurs
from replays.upload.processing.compute import COMPUTED_FROM, Fault, Rejection, Result, Unreachable, compute_results
from replays.upload.processing.save import reject_exhausted, release, save_all

MAX_ATTEMPTS = 3
GROUP = 25  # replays of one vectorised pass
SAVE_AFTER_SECONDS = 0.5
#: A worker claims so many replays at a time, of so many bytes: who comes meanwhile waits for no more.
CLAIMED = 200
CLAIMED_BYTES = 2 * 1024 * 1024
#: After so long it gives back what it has claimed and not begun.
LONG_SECONDS = 2.0
#: After so long a task ends, and what is left of it is queued again; far below the time limit of a task.
ENOUGH_SECONDS = 10.0

_now = time.monotonic

logger = logging.getLogger(__name__)


def analyse_in_turn(ids: Sequence[int]) -> list[int]:
    """Analyse as many replays as ``ids``, but at least ``GROUP``, in order of turns, and those of ``ids`` tried before.

    Returns the ids for which there was no time: that much work is to be queued again.
    """
    since, left = _now(), max(len(ids), GROUP)
    tried_before = _tried_before(ids)  # read first, so that no row gets two attempts in this call
    while left > 0 and (claimed := _claim_next(left)):
        done, all_reached = _analyse(claimed)
        left -= done
        if not all_reached:
            break  # the file store cannot be reached; the sweep queues them again
        if _now() - since > ENOUGH_SECONDS:
            return [*tried_before, *ids[max(0, len(ids) - left) :]]
    for replay_id in tried_before:
        _analyse(_claim([replay_id], again=True))
    return []


def analyse_replays(ids: Sequence[int]) -> None:
    """Analyse those of ``ids`` that are queued, or whose worker died, in this process and now."""
    tried_before = _tried_before(ids)  # as above
    waiting = _claim(ids, again=False)
    while waiting:
        done, _ = _analyse(waiting)
        rest = [replay.pk for replay in waiting[done:]]
        waiting = _claim(rest, again=False) if rest else []
    for replay_id in tried_before:
        _analyse(_claim([replay_id], again=True))


def analyse_again(ids: Sequence[int]) -> None:
    """Analyse those of ``ids`` whose numbers are outdated; they stay on their pages and boards meanwhile.

    What cannot be analysed stays as it is after :data:`MAX_ATTEMPTS`; what there is no time for waits for the sweep.
    """
    since = _now()
    tried_before = list(_outdated(ids).filter(attempts__gt=0).order_by("pk").values_list("pk", flat=True))
    while claimed := _claim_outdated(_outdated(ids).filter(attempts=0)):
        _done, all_reached = _analyse(claimed)
        if not all_reached or _now() - since > ENOUGH_SECONDS:
            return
    for replay_id in tried_before:
        _analyse(_claim_outdated(_outdated([replay_id])))


def _analyse(claimed: Sequence[Replay]) -> tuple[int, bool]:
    """Analyse and save; after ``LONG_SECONDS`` the rest is given back, so that others have their turns.

    Returns of how many there is a result, and whether all their files could be reached.  Raises :class:`StoreNotOurs` after
    that if files were missing because this process sees another store.
    """
    ready: list[tuple[Replay, Result]] = []
    started = since = _now()
    done, all_reached, lost = 0, True, False
    for group in chunked(claimed, GROUP):
        results = compute_results(group)
        lost |= any(isinstance(result, Unreachable) and result.store_lost for _, result in results)
        all_reached &= not any(isinstance(result, Unreachable) for _, result in results)
        ready += results
        done += len(group)
        if _now() - since > SAVE_AFTER_SECONDS:
            _save_results(ready)
            ready, since = [], _now()
        if _now() - started > LONG_SECONDS:
            break
    _save_results(ready)
    release(claimed[done:], give_back=True)
    if lost:
        raise StoreNotOurs(store_mark.NOT_VISIBLE)
    return done, all_reached


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


def _claim_next(most: int) -> list[Replay]:
    """Claim the rows whose turn it is, at their first attempt: up to ``most``, and files of ``CLAIMED_BYTES`` or one file."""
    with transaction.atomic():
        commit_without_waiting()
        rows = list(
            Replay.objects.select_for_update(skip_locked=True, no_key=True)
            .filter(status=Replay.Status.QUEUED, attempts=0)
            .only(*COMPUTED_FROM, "attempts")
            .order_by("turn", "id")[: min(most, CLAIMED)]
        )
        return _claimed(_first_bytes(rows))


def _first_bytes(rows: list[Replay]) -> list[Replay]:
    """The first of ``rows``: files of ``CLAIMED_BYTES``, or one file."""
    ends = accumulate(row.size_bytes for row in rows)
    return [row for row, end in zip(rows, ends, strict=True) if end <= CLAIMED_BYTES] or rows[:1]


def _claim(ids: Sequence[int], *, again: bool) -> list[Replay]:
    """Claim the waiting rows of ``ids`` at their first attempt (``again``: at a later one); locked rows are skipped."""
    now = timezone.now()
    attempts = Q(attempts__gt=0) if again else Q(attempts=0)
    with transaction.atomic():
        commit_without_waiting()
        rows = list(
            Replay.objects.select_for_update(skip_locked=True, no_key=True)
            .filter(_waiting(now), attempts, pk__in=ids)
            .only(*COMPUTED_FROM, "attempts")
            .order_by("pk")
        )
        exhausted = [row for row in rows if row.attempts >= MAX_ATTEMPTS]
        claimed = _claimed([row for row in rows if row.attempts < MAX_ATTEMPTS])
        reject_exhausted([(row, Rejection("worker_lost", {"attempts": row.attempts})) for row in exhausted])
    for row in exhausted:
        logger.error("Replay %d was tried %d times and never came to an end.", row.pk, row.attempts)
    return claimed


def _outdated(ids: Sequence[int]) -> QuerySet[Replay]:
    return Replay.objects.filter(OUTDATED, pk__in=ids, attempts__lt=MAX_ATTEMPTS)


def _claim_outdated(waiting: QuerySet[Replay]) -> list[Replay]:
    """Claim rows that stay done while they are analysed again, as many as a first analysis; locked ones are skipped."""
    with transaction.atomic():
        commit_without_waiting()
        rows = waiting.select_for_update(skip_locked=True, no_key=True).only(*COMPUTED_FROM, "attempts").order_by("pk")
        return _claimed(_first_bytes(list(rows)), Replay.Status.DONE)


def _claimed(rows: list[Replay], status: str = Replay.Status.RUNNING) -> list[Replay]:
    """``rows``, which are locked, with one more attempt."""
    Replay.objects.filter(pk__in=[row.pk for row in rows]).update(
        status=status, claimed_at=timezone.now(), attempts=F("attempts") + 1
    )
    for row in rows:
        row.attempts += 1
    return rows
