"""Replays that wait too long: their message or their worker is lost."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from replays.models import LUCK_IS_WANTED, Replay
from replays.processing.queue import queue_analysis, queue_luck

#: Rows taken up by one sweep, so that a long backlog is not sent again as a whole every time.
MAX_PER_SWEEP = 2_000
#: Luck waits behind all uploads, so its messages are missed later.
_LUCK_PATIENCE = 4

logger = logging.getLogger(__name__)


def requeue_stale() -> list[int]:
    """Queue again what has been queued or running for longer than ``STALE_AFTER_SECONDS``; returns the ids.

    ``claimed_at`` becomes now, so the next sweep leaves these rows alone until they are stale again.
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
            queue_analysis(ids)
            logger.warning("%d replays waited too long and were queued again.", len(ids))
    return ids


def requeue_luck() -> list[int]:
    """Queue again replays whose luck is missing, or of an older version, for too long; returns the ids.

    ``luck_claimed_at`` becomes now, as in :func:`requeue_stale`.
    """
    now = timezone.now()
    stale = now - timedelta(seconds=_LUCK_PATIENCE * settings.STALE_AFTER_SECONDS)
    waited = Q(luck_claimed_at__lt=stale) | Q(luck_claimed_at=None, analysed_at__lt=stale)
    with transaction.atomic():
        rows = (
            Replay.objects.select_for_update(skip_locked=True, no_key=True)
            .filter(LUCK_IS_WANTED, waited)
            .order_by("id")
        )
        ids = list(rows.values_list("pk", flat=True)[:MAX_PER_SWEEP])
        if ids:
            Replay.objects.filter(pk__in=ids).update(luck_claimed_at=now)
            queue_luck(ids)
            logger.info("The luck of %d replays was queued again.", len(ids))
    return ids


def replays_requeue(ids: Sequence[int]) -> int:
    """Have rejected replays analysed again, with all attempts; returns how many."""
    with transaction.atomic():
        rows = Replay.objects.select_for_update(no_key=True).filter(pk__in=ids, status=Replay.Status.REJECTED)
        found = sorted(rows.values_list("pk", flat=True))
        Replay.objects.filter(pk__in=found).update(
            status=Replay.Status.QUEUED, claimed_at=timezone.now(), attempts=0, reject_code="", reject_params={},
            duplicate_of=None,
        )  # fmt: skip
        queue_analysis(found)
    return len(found)
