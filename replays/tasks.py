"""Celery tasks.  All of them are idempotent and may run concurrently."""

from __future__ import annotations

import logging
import time

from celery import Task, shared_task
from celery.signals import worker_init

from analysis import warmup
from replays import file_store
from replays.account.erasing import erase
from replays.account.services import DELETE_TASK, queue_deletions, requeue_deletions
from replays.browse.site_counts import refresh_site_counts
from replays.kernels import compile_beside
from replays.processing.luck import luck_measure
from replays.processing.queue import ANALYSE_TASK, LUCK_TASK
from replays.processing.rejected import delete_rejected_files
from replays.processing.services import add_waiting, analyse_replays
from replays.processing.stale import requeue_luck, requeue_stale
from replays.provisional.services import finalise_due
from replays.standing.services import make_quantiles
from replays.uploads.services import delete_old_batches

logger = logging.getLogger(__name__)

#: How long luck waits before it looks again whether its kernels have been compiled.
_RETRY_SECONDS = 5
#: A deletion of an account works for seconds, but giving up a name with 50,000 games is one transaction.
_DELETION_SECONDS = 280


@shared_task(name=ANALYSE_TASK, acks_late=True, ignore_result=True)
def analyse(ids: list[int]) -> None:
    """Analyse those of these replays that are queued, and others that have waited longest."""
    analyse_replays(add_waiting(ids))


@shared_task(name=LUCK_TASK, acks_late=True, ignore_result=True, bind=True, max_retries=None)
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
    requeue_luck()
    requeue_deletions()
    file_store.clear_leftovers()


@shared_task(name="replays.delete_rejected_files", ignore_result=True)
def delete_files() -> None:
    """Delete the files of replays that were rejected some days ago, and old batches of uploads."""
    delete_rejected_files()
    delete_old_batches()


@shared_task(name=DELETE_TASK, acks_late=True, ignore_result=True, time_limit=_DELETION_SECONDS)
def delete_account(user_id: int) -> None:
    """Erase a part of what belongs to a closed account, and queue the rest."""
    if erase(user_id):
        queue_deletions([user_id])


@shared_task(name="replays.tally", ignore_result=True)  # the name in messages, which older processes may send
def count_site() -> None:
    """Refresh the counts on the start page."""
    refresh_site_counts()


@shared_task(name="replays.quantiles", ignore_result=True)
def quantiles() -> None:
    """Make the tables anew by which a page says what share of all games one is better than."""
    make_quantiles()


@shared_task(name="replays.finalise", ignore_result=True)
def finalise() -> None:
    """Make provisional games final whose time has passed."""
    finalise_due()


@worker_init.connect
def prepare(**_: object) -> None:
    """Compile the kernels of the analysis before the worker forks: its child processes inherit them.  The others are
    compiled in a process of low priority.
    """
    started = time.perf_counter()
    warmup.compile_group("analysis")
    logger.info("The analysis is ready after %.1f s.", time.perf_counter() - started)
    compile_beside()
