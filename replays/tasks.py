"""What the workers do.  All tasks may run any number of times, at any time, side by side."""

from __future__ import annotations

import logging
import time
from typing import Any

from celery import shared_task
from celery.signals import worker_init

from replays import file_store
from replays.browse.tally import renew_tally
from replays.processing.luck import luck_measure
from replays.processing.queue import ANALYSE_TASK, LUCK_TASK
from replays.processing.services import analyse_replays, waiting_beside
from replays.processing.stale import requeue_luck, requeue_stale
from replays.processing.warmup import compile_kernels

logger = logging.getLogger(__name__)


@shared_task(name=ANALYSE_TASK, acks_late=True, ignore_result=True)
def analyse(ids: list[int]) -> None:
    """Analyse the replays of these ids that wait for it, and others that wait beside them."""
    analyse_replays(waiting_beside(ids))


@shared_task(name=LUCK_TASK, acks_late=True, ignore_result=True)
def luck(ids: list[int]) -> None:
    """Measure the luck of those of these replays that want it."""
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
    """Compile the kernels once, before the worker forks: its children inherit them."""
    started = time.perf_counter()
    compile_kernels()
    logger.info("Kernels ready after %.1f s.", time.perf_counter() - started)
