"""Celery tasks of live play.  All of them are idempotent and may run concurrently."""

from __future__ import annotations

import logging
import uuid

from celery import shared_task

from replays.play.rooms.services import sweep_rooms
from replays.play.solo.services import HAND_IN, delete_unkept, interrupt_forgotten, replay_store, store_missing

logger = logging.getLogger(__name__)


@shared_task(name=HAND_IN.name, ignore_result=True)
def hand_in(games: list[str]) -> None:
    for game_id in games:
        replay_store(uuid.UUID(game_id))


@shared_task(name="play.sweep", ignore_result=True)
def sweep() -> None:
    """Finish what a process could not: games that it played when it died, and games without their replay."""
    interrupted, stored = interrupt_forgotten(), store_missing()
    if interrupted or stored:
        logger.info("%d live games were interrupted, and %d got their replays late.", interrupted, stored)


@shared_task(name="play.delete_unkept", ignore_result=True)
def delete_games() -> None:
    """Delete old games of guests, and old games that were given up."""
    delete_unkept()


@shared_task(name="play.sweep_rooms", ignore_result=True)
def close_unused_rooms() -> None:
    """Close rooms that nobody uses, and join the logs of boards that have ended."""
    sweep_rooms()
