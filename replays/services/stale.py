"""Replays that wait too long: their message or their worker is lost."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from replays.models import Replay
from replays.queue import queue_analysis

#: Rows taken up by one sweep, so that a long backlog is not sent again as a whole every time.
MAX_PER_SWEEP = 2_000

logger = logging.getLogger(__name__)


def requeue_stale() -> list[int]:
    """Queue again what has been queued or running for longer than ``STALE_AFTER_SECONDS``; returns the ids.

    ``claimed_at`` becomes now, so the next sweep leaves these rows alone until they are stale again.
    """
    now = timezone.now()
    with transaction.atomic():
        ids = list(
            Replay.objects.select_for_update(skip_locked=True)
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


def replays_requeue(ids: Sequence[int]) -> int:
    """Have rejected replays analysed again, with all attempts; returns how many."""
    with transaction.atomic():
        rows = Replay.objects.select_for_update().filter(pk__in=ids, status=Replay.Status.REJECTED)
        found = sorted(rows.values_list("pk", flat=True))
        Replay.objects.filter(pk__in=found).update(
            status=Replay.Status.QUEUED, claimed_at=timezone.now(), attempts=0, reject_code="", reject_params={},
            duplicate_of=None,
        )  # fmt: skip
        queue_analysis(found)
    return len(found)
