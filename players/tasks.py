"""Periodic tasks of boards; idempotent."""

from __future__ import annotations

import logging

from celery import shared_task

from players.db import changes
from players.db.change_log import delete_old_level_changes
from players.leaderboards.filtered import make_popular_boards
from players.leaderboards.ranks.checkpoints import boards_to_count, count_boards

logger = logging.getLogger(__name__)


@shared_task(name="players.count_boards", ignore_result=True)
def count_busy_boards() -> None:
    boards = boards_to_count()
    if boards:
        done = count_boards(boards)
        logger.info("%d of %d busy boards were counted.", done, len(boards))


@shared_task(name="players.delete_old_level_changes", ignore_result=True)
def delete_old_changes() -> None:
    logger.info("%d old changes of levels were deleted.", delete_old_level_changes())
    logger.info("%d old changes were deleted.", changes.delete_old_changes())


@shared_task(name="players.make_popular_boards", ignore_result=True)
def make_filtered_boards() -> None:
    """Make the popular filtered boards."""
    logger.info("%d popular boards are ready.", make_popular_boards())
