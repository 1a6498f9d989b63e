"""The change log: which player's ranked games changed on which level (``LevelChange``).

Every service that changes ranked games appends to it in the same transaction; why not a trigger:
docs/decisions/003-changes.md.  Filtered boards (``leaderboards.filtered``) read the entries that are newer than the position
up to which they have read.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Final

from django.db.models.functions import Now

from analysis.statistics import RANKED_LEVELS
from players.db import bulk
from players.models import LevelChange

#: How long entries are stored.  A filtered board whose last read is half as old is read again from the tables.
RETENTION: Final = timedelta(days=2)


def log_level_changes(changes: Collection[tuple[int, str]]) -> None:
    """Log that the ranked games of these players on these levels (player id, level) changed."""
    bulk.insert(LevelChange, ("player_number", "level"), sorted(changes))


def log_player_changes(player_ids: Collection[int]) -> None:
    """Log that the ranked games of these players may have changed on every level."""
    log_level_changes({(player_id, level.value) for player_id in player_ids for level in RANKED_LEVELS})


def delete_old_level_changes() -> int:
    deleted, _by_model = LevelChange.objects.filter(noted_at__lt=Now() - RETENTION).delete()
    return deleted
