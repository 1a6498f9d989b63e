"""Queueing replays again that have waited too long, since their task or worker was lost."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from players.db.retry import retry_on_conflict
from replays.models import LUCK_IS_WANTED, Replay
from replays.upload.processing.queue import ANALYSE, LUCK, queue
from replays.upload.processing.turns import Lane

#: Most rows of one sweep, so that not the whole of a long backlog is sent again each time.
MAX_PER_SWEEP = 2_000
#: Luck waits behind all uploads, so it is stale after this multiple of ``STALE_AFTER_SECONDS``.
_LUCK_STALE_FACTOR = 4

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
    """Queue the luck of rows again of which it has been missing or old for too long; returns their ids.

    ``luck_claimed_at`` is set to now, as in :func:`requeue_stale`.
    """
    now = timezone.now()
    stale = now - timedelta(seconds=_LUCK_STALE_FACTOR * settings.STALE_AFTER_SECONDS)
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
            queue(LUCK, ids)
            logger.info("The luck of %d replays was queued again.", len(ids))
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
