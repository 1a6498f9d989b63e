"""Deleting replays."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.utils import timezone

from players.db.retry import retry_on_conflict
from players.leaderboards.services import remove_games
from players.models import User
from replays import file_store
from replays.judging.audit import log_deletion
from replays.judging.permissions import may_delete
from replays.models import DeletedGame, Replay
from replays.processing.queue import queue_analysis
from replays.ranked_games import game_of

#: Columns of a decision of staff.
_DECISION = ("judgement", "judgement_reason", "judgement_code", "judgement_params", "judged_by", "judged_at")


@retry_on_conflict
def replay_delete(replay: Replay, by: User) -> bool:
    """Delete the row, remove its game from the boards, and delete its file; returns whether that was done.

    Nothing is, if the row does not exist or ``by``, its uploader, may no longer delete it: staff may have decided meanwhile.

    If ``by`` is not its uploader, the uploader is told on their start page.

    Files of the same game that were rejected as duplicates of it are analysed again.  A decision of staff is copied to
    them, so that a frozen game cannot return as its own copy.
    """
    with transaction.atomic():
        row = Replay.objects.select_for_update(no_key=True).filter(pk=replay.pk).first()
        if row is None or (row.uploader_id == by.pk and not may_delete(row, by)):
            return False
        if row.ranked:
            row.ranked = False
            row.save(update_fields=["ranked"])
            remove_games([game_of(row)])
        _requeue_duplicates(row)
        log_deletion(row, by)
        if row.uploader_id is not None and row.uploader_id != by.pk:
            DeletedGame.objects.create(
                user_id=row.uploader_id,
                replay_number=row.pk,
                original_name=row.original_name,
                deleted_at=timezone.now(),
            )
        row.delete()
        transaction.on_commit(partial(_delete_file, row.sha256))
    return True


def _requeue_duplicates(row: Replay) -> None:
    duplicates = Replay.objects.select_for_update(no_key=True).filter(duplicate_of=row, status=Replay.Status.REJECTED)
    ids = sorted(duplicates.values_list("pk", flat=True))
    decided = {name: getattr(row, name) for name in _DECISION} if row.judgement_code == Replay.DECIDED else {}
    Replay.objects.filter(pk__in=ids).update(
        status=Replay.Status.QUEUED, claimed_at=timezone.now(), attempts=0, duplicate_of=None, reject_code="",
        reject_params={}, **decided,
    )  # fmt: skip
    queue_analysis(ids)


def _delete_file(sha256: str) -> None:
    """Delete the file, unless the same bytes were uploaded again.

    An upload between this query and the deletion loses its file; it is rejected as ``file_missing``, until the file is
    uploaded again.
    """
    if not Replay.objects.filter(sha256=sha256).exists():
        file_store.delete(sha256)


def delete_orphans(hashes: Sequence[str]) -> None:
    """Delete the files of ``hashes`` that have no row, after their rows could not be inserted."""
    known = set(Replay.objects.filter(sha256__in=hashes).values_list("sha256", flat=True))
    for sha256 in hashes:
        if sha256 not in known:
            file_store.delete(sha256)
