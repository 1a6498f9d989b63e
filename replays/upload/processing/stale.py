"""Queueing replays again that have waited too long, since their task or worker was lost."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from players.db.retry import retry_on_conflict
from replays.models import LUCK_IS_WANTED, OUTDATED, Replay
from replays.upload.processing.queue import AGAIN, ANALYSE, LUCK, Task, queue
from replays.upload.processing.services import MAX_ATTEMPTS
from replays.upload.processing.turns import Lane

#: Most rows of one sweep, so that not the whole of a long backlog is sent again each time.
MAX_PER_SWEEP = 2_000
#: What waits behind all uploads is stale after this multiple of ``STALE_AFTER_SECONDS``.
_BEHIND_STALE_FACTOR = 4

logger = logging.getLogger(__name__)


def requeue_stale() -> list[int]:
    """Queue rows again that have been queued or running for longer than ``STALE_AFTER_SECONDS``; returns their ids.

    ``claimed_at`` is set to now, so that the next sweep skips them until they are stale again.
    """
    now = timezone.now()
    with transaction.atomic():
        ids = list(
            Replay.objects.select_for_update(skip_locked=True, no_key=True)
            .filter(
                status__in=[Replay.Status.QUEUED, Replay.Status.RUNNING],
                claimed_at__lt=now - timedelta(seconds=settings.STALE_AFTER_SECONDS),
            )
            .order_by("claimed_at")
            .values_list("pk", flat=True)[:MAX_PER_SWEEP]
        )
        if ids:
            Replay.objects.filter(pk__in=ids).update(status=Replay.Status.QUEUED, claimed_at=now)
            queue(ANALYSE, ids)
            logger.warning("%d replays waited too long and were queued again.", len(ids))
    return ids


def requeue_luck() -> list[int]:
    """Queue the luck of rows again of which it has been missing or old for too long; returns their ids."""
    stale = _stale_behind()
    waited = Q(luck_claimed_at__lt=stale) | Q(luck_claimed_at=None, analysed_at__lt=stale)
    return _requeue_behind(LUCK, LUCK_IS_WANTED & waited, "luck_claimed_at")


def requeue_outdated() -> list[int]:
    """Queue rows whose numbers are outdated to be analysed again; returns their ids."""
    waited = Q(claimed_at__lt=_stale_behind()) | Q(claimed_at=None)
    return _requeue_behind(AGAIN, OUTDATED & Q(attempts__lt=MAX_ATTEMPTS) & waited, "claimed_at")


def replays_mark(*, luck: bool) -> int:
    """Mark all analysed rows, so that they are analysed again, or their luck is measured again; returns how many."""
    values: dict[str, int | None] = (
        {"luck_version": None, "luck_attempts": 0, "luck_claimed_at": None}
        if luck
        else {"statistics_version": 0, "attempts": 0, "claimed_at": None}
    )
    last = marked = 0
    rows = Replay.objects.filter(status=Replay.Status.DONE).order_by("pk").values_list("pk", flat=True)
    while ids := list(rows.filter(pk__gt=last)[:MAX_PER_SWEEP]):
        marked += _mark(ids, values)
        last = ids[-1]
    return marked


@retry_on_conflict
def _mark(ids: Sequence[int], values: Mapping[str, int | None]) -> int:
    with transaction.atomic():
        rows = (
            Replay.objects.select_for_update(no_key=True).filter(pk__in=ids, status=Replay.Status.DONE).order_by("pk")
        )
        return Replay.objects.filter(pk__in=list(rows.values_list("pk", flat=True))).update(**values)


def _stale_behind() -> datetime:
    return timezone.now() - timedelta(seconds=_BEHIND_STALE_FACTOR * settings.STALE_AFTER_SECONDS)


def _requeue_behind(task: Task, waiting: Q, claimed_at: str) -> list[int]:
    """Queue some rows; ``claimed_at`` is set to now, as in :func:`requeue_stale`."""
    with transaction.atomic():
        rows = Replay.objects.select_for_update(skip_locked=True, no_key=True).filter(waiting).order_by("id")
        ids = list(rows.values_list("pk", flat=True)[:MAX_PER_SWEEP])
        if ids:
            Replay.objects.filter(pk__in=ids).update(**{claimed_at: timezone.now()})
            queue(task, ids)
            logger.info("%d %s were queued again.", len(ids), task.what)
    return ids


@retry_on_conflict
def replays_requeue(ids: Sequence[int]) -> int:
    """Queue rejected replays again, with all attempts; returns how many."""
    with transaction.atomic():
        rows = Replay.objects.select_for_update(no_key=True).filter(pk__in=ids, status=Replay.Status.REJECTED)
        found = list(rows.order_by("pk").values_list("pk", flat=True))
        Replay.objects.filter(pk__in=found).update(
            status=Replay.Status.QUEUED, claimed_at=timezone.now(), attempts=0, reject_code="", reject_params={},
            turn=Lane.BEHIND.first_turn,
        )  # fmt: skip
        queue(ANALYSE, found)
    return len(found)
