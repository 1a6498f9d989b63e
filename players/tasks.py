"""What the workers do for boards.  It may run any number of times, at any time."""

from __future__ import annotations

import logging

from celery import shared_task

from players.services import boards_to_measure, measure_boards

logger = logging.getLogger(__name__)


@shared_task(name="players.measure_boards", ignore_result=True)
def measure_busy_boards() -> None:
    """Measure the boards on which much has moved, so that their ranks stay cheap."""
    boards = boards_to_measure()
    if boards:
        done = measure_boards(boards)
        logger.info("%d of %d busy boards were measured.", done, len(boards))
