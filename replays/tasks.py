"""What the workers do.  All tasks may run any number of times, at any time, side by side."""

from __future__ import annotations

import logging
import time
from typing import Any

from celery import Task, shared_task
from celery.signals import worker_init

from analysis import warmup
from replays import file_store
from replays.browse.tally import renew_tally
from replays.kernels import compile_beside
from replays.processing.luck import luck_measure
from replays.processing.queue import ANALYSE_TASK, LUCK_TASK
from replays.processing.services import analyse_replays, waiting_beside
from replays.processing.stale import requeue_luck, requeue_stale

logger = logging.getLogger(__name__)

#: How long luck waits before it looks again whether its kernels have been compiled.
_RETRY_SECONDS = 5


@shared_task(name=ANALYSE_TASK, acks_late=True, ignore_result=True)
def analyse(ids: list[int]) -> None:
    """Analyse the replays of these ids that wait for it, and others that wait beside them."""
    analyse_replays(waiting_beside(ids))


@shared_task(name=LUCK_TASK, acks_late=True, ignore_result=True, bind=True, max_retries=None)
def luck(self: Task, ids: list[int]) -> None:
    """Measure the luck of those of these replays that want it; not while uploads would wait for its kernels."""
    if not warmup.is_ready("luck"):
        compile_beside()
        raise self.retry(countdown=_RETRY_SECONDS)
    luck_measure(ids)


@shared_task(name="replays.sweep", ignore_result=True)
def sweep() -> None:
    """Queue again what waits too long, and clear what crashes left in the file store."""
    requeue_stale()
    requeue_luck()
    file_store.clear_leftovers()


@shared_task(name="replays.tally", ignore_result=True)
def tally() -> None:
    """Count what the site holds, for the start page."""
    renew_tally()


@worker_init.connect
def prepare(**_: Any) -> None:
    """Compile the kernels of the analysis once, before the worker forks: its children inherit them.  All others follow
    in a process of low priority.
    """
    started = time.perf_counter()
    warmup.compile_group("analysis")
    logger.info("The analysis is ready after %.1f s.", time.perf_counter() - started)
    compile_beside()
