"""What the workers do for boards.  It may run any number of times, at any time."""

from __future__ import annotations

import logging

from celery import shared_task

from players.live import make_popular
from players.services import boards_to_measure, forget_level_changes, measure_boards

logger = logging.getLogger(__name__)


@shared_task(name="players.measure_boards", ignore_result=True)
def measure_busy_boards() -> None:
    """Measure the boards on which much has moved, so that their ranks stay cheap."""
    boards = boards_to_measure()
    if boards:
        done = measure_boards(boards)
        logger.info("%d of %d busy boards were measured.", done, len(boards))


@shared_task(name="players.forget_level_changes", ignore_result=True)
def forget_old_level_changes() -> None:
    """Cut the log of changes that live boards read."""
    logger.info("%d old changes were forgotten.", forget_level_changes())


@shared_task(name="players.make_popular_boards", ignore_result=True)
def make_popular_boards() -> None:
    """Make popular live boards before anybody waits for them."""
    logger.info("%d popular boards are ready.", make_popular())
