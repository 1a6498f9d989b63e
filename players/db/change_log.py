"""The log of whose ranked games on which level changed, which caches of boards read on from (``leaderboards.live``).

Every service that changes what boards are made of appends here, in the same transaction.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Final

from django.utils import timezone

from analysis.statistics import RANKED_LEVELS
from players.db import bulk
from players.models import LevelChange

#: How long changes are stored.  A reader who has not read on for half as long reads everything anew.
RETENTION: Final = timedelta(days=2)


def log_level_changes(changes: Collection[tuple[int, str]]) -> None:
    """Append that the ranked games of these players on these levels (player id, level) changed."""
    bulk.insert(LevelChange, ("player_number", "level"), sorted(changes))


def log_player_changes(player_ids: Collection[int]) -> None:
    """Append that anything may have changed of these players, on every level."""
    log_level_changes({(player_id, level.value) for player_id in player_ids for level in RANKED_LEVELS})


def delete_old_level_changes() -> int:
    """Delete changes older than :data:`RETENTION`; returns how many."""
    deleted, _by_model = LevelChange.objects.filter(noted_at__lt=timezone.now() - RETENTION).delete()
    return deleted
