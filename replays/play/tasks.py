"""Celery tasks of live play.  All of them are idempotent and may run concurrently."""

from __future__ import annotations

import logging

from celery import shared_task

from replays.play.solo.services import delete_unkept, give_up_lost, store_missing

logger = logging.getLogger(__name__)


@shared_task(name="play.sweep", ignore_result=True)
def sweep() -> None:
    """Finish what a process could not: games that it held when it died, and games without their replay."""
    lost, stored = give_up_lost(), store_missing()
    if lost or stored:
        logger.info("%d live games were given up, and %d got their replays late.", lost, stored)


@shared_task(name="play.delete_unkept", ignore_result=True)
def delete_games() -> None:
    """Delete old games of guests, and old games that were given up."""
    delete_unkept()
