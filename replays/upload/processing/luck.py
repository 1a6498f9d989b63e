"""Measuring the luck of replays: a second task after the analysis.

The row is DONE and may be ranked already.  Its luck is due (``LUCK_IS_WANTED``) while ``luck_version`` is missing or old;
the version is written with every result, also with a failure, so that no row is measured again and again.  As in the
analysis, attempts are counted before the work: a file that kills its worker is measured alone at the second attempt, and
given up after :data:`MAX_ATTEMPTS`.  Two workers that measure the same row write the same values.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from players.db.bulk import commit_without_waiting
from players.db.retry import retry_on_conflict
from replays.models import LUCK_IS_WANTED, Replay
from replays.upload.processing.compute import COMPUTED_FROM, Rejection, Unreachable
from replays.upload.processing.luck_measuring import Measured, measure, undefined_luck
from replays.upload.processing.queue import LUCK, queue
from replays.upload.processing.services import MAX_ATTEMPTS
from replays.upload.processing.settling.settle_luck import settle_luck


def luck_measure(ids: Sequence[int]) -> None:
    """Measure and store the luck of those of ``ids`` of which it is missing or old."""
    rows = Replay.objects.filter(LUCK_IS_WANTED, pk__in=ids, luck_attempts__gt=0)
    tried_before = list(rows.order_by("pk").values_list("pk", flat=True))
    _measure(_claim(ids, again=False))
    for replay_id in tried_before:
        _measure(_claim([replay_id], again=True))


def _uploads_wait() -> bool:
    return Replay.objects.filter(status=Replay.Status.QUEUED, attempts=0).exists()


def _claim(ids: Sequence[int], *, again: bool) -> list[Replay]:
    """Count an attempt for the rows of ``ids`` whose luck is due; rows without attempts left are given up."""
    attempts = {"luck_attempts__gt": 0} if again else {"luck_attempts": 0}
    with transaction.atomic():
        commit_without_waiting()
        rows = list(
            Replay.objects.select_for_update(skip_locked=True, no_key=True)
            .filter(LUCK_IS_WANTED, pk__in=ids, **attempts)
            .only(*COMPUTED_FROM, "game_hash", "luck_attempts")
            .order_by("pk")
        )
        claimed = [row for row in rows if row.luck_attempts < MAX_ATTEMPTS]
        Replay.objects.filter(pk__in=[row.pk for row in claimed]).update(
            luck_claimed_at=timezone.now(), luck_attempts=F("luck_attempts") + 1
        )
        settle_luck({row.pk: undefined_luck(row, "worker_lost") for row in rows if row.luck_attempts >= MAX_ATTEMPTS})
    return claimed


def _measure(claimed: Sequence[Replay]) -> None:
    results: dict[int, Measured] = {}
    unreachable: list[int] = []
    done = list(measure(claimed, ends_early=_uploads_wait))
    for replay, result in done:
        if isinstance(result, Measured):
            results[replay.pk] = result
        elif isinstance(result, Rejection):  # the file was readable when it was analysed
            results[replay.pk] = undefined_luck(replay, result.code)
        elif isinstance(result, Unreachable):
            unreachable.append(replay.pk)
    if results:
        _write(results)
    not_reached = [replay.pk for replay in claimed[len(done) :]]
    with transaction.atomic():
        _give_back(unreachable + not_reached)
        queue(LUCK, not_reached)


@retry_on_conflict
def _write(results: dict[int, Measured]) -> None:
    with transaction.atomic():
        commit_without_waiting()  # it can be measured again from the file
        settle_luck(results)


def _give_back(ids: Sequence[int]) -> None:
    if ids:
        rows = Replay.objects.filter(LUCK_IS_WANTED, pk__in=ids, luck_attempts__gt=0)
        rows.update(luck_attempts=F("luck_attempts") - 1)
