"""The files of rejected replays: deleted after ``KEEP_DAYS``, unless somebody asks to keep them.

The row stays, with its reason.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from replays.models import REJECTED_FILES, Replay, file_store, store_mark

#: Files that one run deletes, in transactions of ``_CHUNK``.
MOST_FILES: Final = 20_000
_CHUNK: Final = 200

#: Days after which the file of a rejected replay is deleted.
KEEP_DAYS: Final = 7
logger = logging.getLogger(__name__)


def deletion_time(replay: Replay) -> datetime | None:
    """When the file of ``replay`` will be deleted; None if it will not, or has been."""
    if replay.status != Replay.Status.REJECTED or replay.keep_file or replay.file_deleted_at is not None:
        return None
    if replay.analysed_at is None:
        return None
    return replay.analysed_at + timedelta(days=KEEP_DAYS)


def keep_file(replay: Replay, *, keep: bool) -> None:
    replay.keep_file = keep
    Replay.objects.filter(pk=replay.pk).update(keep_file=keep)


def files_are_back(ids: Sequence[int]) -> None:
    """Note that the files of these rows were uploaded again; those that stay rejected are deleted after as long."""
    if ids:
        Replay.objects.filter(pk__in=ids).update(file_deleted_at=None, analysed_at=timezone.now())


def delete_rejected_files() -> int:
    """Delete the files whose time has come; returns how many.  None where another store is seen than that of the site."""
    if not store_mark.is_visible():
        logger.error(store_mark.NOT_VISIBLE)
        return 0
    oldest = timezone.now() - timedelta(days=KEEP_DAYS)
    deleted = 0
    while deleted < MOST_FILES and (count := _delete_some(oldest)):
        deleted += count
    if deleted:
        logger.info("The files of %d rejected replays were deleted.", deleted)
    return deleted


def _delete_some(oldest: datetime) -> int:
    """Rows are locked while their files are deleted, so that no other process takes them up meanwhile."""
    with transaction.atomic():
        rows = (
            Replay.objects.select_for_update(skip_locked=True, no_key=True)
            .filter(REJECTED_FILES, analysed_at__lt=oldest)
            .order_by("analysed_at")
            .only("sha256")[:_CHUNK]
        )
        found = list(rows)
        for row in found:
            file_store.delete(row.sha256)
        Replay.objects.filter(pk__in=[row.pk for row in found]).update(file_deleted_at=timezone.now())
    return len(found)
