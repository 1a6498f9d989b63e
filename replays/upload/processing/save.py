"""Writing results: one transaction for a chunk, or one for each replay if that fails."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from operator import attrgetter

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from players.db import bulk
from players.db.bulk import commit_without_waiting
from players.db.retry import retry_on_conflict
from replays.models import OUTDATED, Replay
from replays.upload.processing.columns import json_params
from replays.upload.processing.compute import Analysed, Rejection
from replays.upload.processing.settling.settle import settle

_STATUS = ("status", "analysed_at", "reject_code", "reject_params")
_WRITTEN_REJECTION = attrgetter("id", *_STATUS)

logger = logging.getLogger(__name__)

Settled = tuple[Replay, Analysed | Rejection]


def save_all(settled: Sequence[Settled]) -> list[Replay]:
    """Write the results of replays that are still claimed by us; returns those that failed (logged)."""
    if not settled:
        return []
    try:
        _save_in_transaction(settled)
    except Exception:  # it must not prevent the other replays of the chunk from being saved
        if len(settled) > 1:
            return [failed for single in settled for failed in save_all([single])]
        replay = settled[0][0]
        if _connection_lost():
            raise
        logger.exception("Saving replay %d (%s) failed.", replay.pk, replay.sha256)
        return [replay]
    return []


def _connection_lost() -> bool:
    """Return whether the database is unreachable; then the error is not the replay's, and the sweep queues it again."""
    connection = transaction.get_connection()
    if connection.in_atomic_block:
        return False
    return not connection.is_usable()


@retry_on_conflict
def _save_in_transaction(settled: Sequence[Settled]) -> None:
    """Write ``settled``; repeated after a conflict with another transaction, such as one about the same play."""
    with transaction.atomic():
        commit_without_waiting()  # if it is lost, the row is still RUNNING, and the sweep queues it again
        _save(settled)


def _save(settled: Sequence[Settled]) -> None:
    held = _still_held(settled)
    results = [(held[replay.pk], result) for replay, result in settled if replay.pk in held]
    first = [replay.pk for replay, _ in results if replay.status == Replay.Status.RUNNING]
    rejected = [(replay, result) for replay, result in results if isinstance(result, Rejection)]
    _save_rejected([(replay, result) for replay, result in rejected if replay.pk in first])
    for replay, rejection in rejected:
        if replay.pk not in first:
            logger.error("Replay %d cannot be analysed again and stays as it is: %s", replay.pk, rejection.code)
    settle([(replay, result) for replay, result in results if isinstance(result, Analysed)])


def _still_held(settled: Sequence[Settled]) -> dict[int, Replay]:
    """Lock and return the rows that are still ours: not deleted, not claimed by another worker or analysed since."""
    claimed = {replay.pk: (replay, result) for replay, result in settled}
    locked = Replay.objects.select_for_update(of=("self",), no_key=True).select_related("player").defer("board")
    rows = locked.filter(Q(status=Replay.Status.RUNNING) | OUTDATED, pk__in=claimed).order_by("pk")
    return {row.pk: row for row in rows if _is_held(row, *claimed[row.pk])}


def _is_held(row: Replay, claimed: Replay, result: Analysed | Rejection) -> bool:
    """Return whether ``row`` was not claimed again since, nor its name read in another encoding that people chose."""
    if row.attempts != claimed.attempts:
        return False
    return not (
        row.encoding_chosen
        and isinstance(result, Analysed)
        and row.name_encoding != result.analysis.recording.player_encoding
    )


def _save_rejected(rejected: Sequence[tuple[Replay, Rejection]]) -> None:
    now = timezone.now()
    for replay, rejection in rejected:
        replay.status, replay.analysed_at = Replay.Status.REJECTED, now
        replay.reject_code = rejection.code
        replay.reject_params = json_params(rejection.params, rejection.message)
    bulk.update(Replay, _STATUS, [_WRITTEN_REJECTION(replay) for replay, _ in rejected])


def reject_exhausted(rejected: Sequence[tuple[Replay, Rejection]]) -> None:
    """Reject rows without attempts left, if no other worker has claimed them since."""
    for replay, rejection in rejected:
        Replay.objects.filter(pk=replay.pk, attempts=replay.attempts).exclude(status=Replay.Status.DONE).update(
            status=Replay.Status.REJECTED,
            analysed_at=timezone.now(),
            reject_code=rejection.code,
            reject_params=json_params(rejection.params, rejection.message),
        )


def release(replays: Sequence[Replay], *, give_back: bool = False) -> None:
    """Let claimed rows wait again; the sweep sends them.  ``give_back``: the attempt does not count."""
    for replay in replays:
        claimed = Replay.objects.filter(pk=replay.pk, attempts=replay.attempts)
        attempts = replay.attempts - int(give_back)
        waiting = claimed.filter(status=Replay.Status.RUNNING).update(
            status=Replay.Status.QUEUED, claimed_at=timezone.now(), attempts=attempts
        )
        if not waiting and give_back:
            claimed.filter(OUTDATED).update(attempts=attempts, claimed_at=None)
