"""Celery tasks.  All of them are idempotent and may run concurrently."""

from __future__ import annotations

import logging
import sys
import time

from celery import Task, shared_task
from celery.signals import worker_init
from django.db import DatabaseError
from django.http import Http404

from analysis import warmup
from players.db.own_connection import close_database
from replays.browse.data.nightly import start_dump
from replays.browse.home.selectors import refresh_site_counts
from replays.models import file_store, store_mark
from replays.models.store_mark import StoreNotOurs
from replays.own.account_deletion.erasing import erase
from replays.own.account_deletion.selectors import deletions_left_alone
from replays.own.account_deletion.services import DELETE
from replays.trust.provisional.services import finalise_due
from replays.trust.versions.services import judge_accepted
from replays.upload.batches.services import delete_old_batches
from replays.upload.kernels import compile_beside
from replays.upload.processing.compare_similar import compare_waiting
from replays.upload.processing.luck import luck_measure
from replays.upload.processing.queue import AGAIN, ANALYSE, LUCK, queue
from replays.upload.processing.rejected import delete_rejected_files
from replays.upload.processing.services import analyse_again, analyse_in_turn
from replays.upload.processing.stale import requeue_luck, requeue_outdated, requeue_stale
from replays.upload.processing.stored_files import check_part, part_of_now
from replays.watch.clips import services as clips
from replays.watch.clips import store as clip_store
from replays.watch.standing.services import make_quantiles

logger = logging.getLogger(__name__)

#: How long luck waits before it looks again whether its kernels have been compiled.
_RETRY_SECONDS = 5
#: A deletion of an account works for seconds, but giving up a name with 50,000 games is one transaction.
_DELETION_SECONDS = 280
#: A clip takes less than a second.
_CLIP_SECONDS = 30
#: A task that has too little time is told so this long before it is killed.  A task with a time limit of its own needs
#: this as well: the site's soft limit may be longer, and Celery refuses to send such a task.
_LAST_SECONDS = 10


@shared_task(name=ANALYSE.name, acks_late=True, ignore_result=True, bind=True)
def analyse(self: Task, ids: list[int]) -> None:
    """Analyse as many replays as these, those first whose turn it is; what there is no time for is queued again.

    A worker that no longer sees the files ends: others should take the work, and its next start tells why.
    """
    try:
        queue(ANALYSE, analyse_in_turn(ids))
    except StoreNotOurs:
        if self.request.hostname:
            self.app.control.shutdown(destination=[self.request.hostname])
        raise


@shared_task(name=AGAIN.name, acks_late=True, ignore_result=True)
def renew(ids: list[int]) -> None:
    """Analyse those of these replays again whose numbers are of an older version, or that were marked."""
    analyse_again(ids)


@shared_task(name=LUCK.name, acks_late=True, ignore_result=True, bind=True, max_retries=None)
def luck(self: Task, ids: list[int]) -> None:
    """Measure the luck of those of these replays of which it is missing or old, once its kernels are compiled."""
    if not warmup.is_ready("luck"):
        compile_beside()
        raise self.retry(countdown=_RETRY_SECONDS)
    luck_measure(ids)


@shared_task(name="replays.sweep", ignore_result=True)
def sweep() -> None:
    """Queue again what has waited too long, go on with deletions of accounts, and delete temporary files that crashes left
    in the file store.
    """
    requeue_stale()
    requeue_outdated()
    requeue_luck()
    queue(DELETE, deletions_left_alone())
    file_store.clear_leftovers()


@shared_task(name="replays.delete_rejected_files", ignore_result=True)
def delete_files() -> None:
    """Delete the files of replays that were rejected some days ago, and old batches of uploads."""
    delete_rejected_files()
    delete_old_batches()


@shared_task(
    name=DELETE.name,
    acks_late=True,
    ignore_result=True,
    soft_time_limit=_DELETION_SECONDS - _LAST_SECONDS,
    time_limit=_DELETION_SECONDS,
)
def delete_account(user_id: int) -> None:
    """Erase a part of what belongs to a closed account, and queue the rest."""
    if erase(user_id):
        queue(DELETE, [user_id])


@shared_task(name="replays.compare_similar", ignore_result=True)
def compare_similar() -> None:
    """Compare games with all others by their sketches that were not yet, for some seconds."""
    compare_waiting()


@shared_task(name="replays.count_site", ignore_result=True)
def count_site() -> None:
    refresh_site_counts()


@shared_task(name="replays.quantiles", ignore_result=True)
def quantiles() -> None:
    make_quantiles()


@shared_task(
    name=clips.TASK, ignore_result=True, soft_time_limit=_CLIP_SECONDS - _LAST_SECONDS, time_limit=_CLIP_SECONDS
)
def clip(pk: int, from_ms: int, to_ms: int) -> None:
    try:
        clips.make(pk, from_ms, to_ms)
    except Http404 as error:  # deleted, rejected or hidden since
        logger.info("No clip of replay %d: %s", pk, error)


@shared_task(name="replays.delete_clips", ignore_result=True)
def delete_clips() -> None:
    clip_store.make_room()


@shared_task(name="replays.dump", ignore_result=True)
def dump() -> None:
    start_dump()


@shared_task(name="replays.check_files", ignore_result=True)
def check_files() -> None:
    """Compare a part of the stored files with their hashes, behind all other work."""
    check_part(part_of_now())


@shared_task(name="replays.finalise", ignore_result=True)
def finalise() -> None:
    finalise_due()
    judge_accepted()


@worker_init.connect
def require_files(**_: object) -> None:
    """End the worker unless it sees the files of the site."""
    try:
        visible = store_mark.is_visible()
    except DatabaseError as error:  # it is asked again when a file is missing
        logger.warning("Whether the files are visible is not known, since the database does not answer: %s", error)
        return
    finally:
        close_database()  # the processes of the worker are forked from this one
    if not visible:
        sys.exit(store_mark.NOT_VISIBLE)


@worker_init.connect
def prepare(**_: object) -> None:
    """Compile the kernels of the analysis before the worker forks: its child processes inherit them.  The others are
    compiled in a process of low priority.
    """
    started = time.perf_counter()
    warmup.compile_group("analysis")
    logger.info("The analysis is ready after %.1f s.", time.perf_counter() - started)
    compile_beside()
