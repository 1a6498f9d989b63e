"""The log of whose ranked games on which level changed, for readers who keep something that follows from these games.

Every service that brings boards in step with replays notes it here, in the same transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.utils import timezone

from players import bulk
from players.boards import ON_LEVEL, Game
from players.models import LevelChange
from players.moments import KEPT


def note_levels(games: Iterable[Game]) -> None:
    """Note that ``games`` came, went, or have other numbers."""
    _note({(game.player_id, game.level) for game in games})


def note_players(player_ids: Collection[int]) -> None:
    """Note that anything may have changed of these players, on every level."""
    _note({(player_id, level) for player_id in player_ids for level in ON_LEVEL})


def _note(places: Collection[tuple[int, str]]) -> None:
    bulk.insert(LevelChange, ("player_number", "level"), sorted(places))


def forget_level_changes() -> int:
    """Forget what is older than :data:`players.moments.KEPT`; returns how many changes."""
    forgotten, _by_model = LevelChange.objects.filter(noted_at__lt=timezone.now() - KEPT).delete()
    return forgotten
