"""Celery tasks of live play."""

from __future__ import annotations

from celery import shared_task

from replays.play.rooms.services import sweep_rooms


@shared_task(name="play.sweep_rooms", ignore_result=True)
def sweep() -> None:
    """Close rooms that nobody uses, and join the logs of boards that have ended."""
    sweep_rooms()
