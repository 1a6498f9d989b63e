"""Whether the boards are those that the replays make."""

from __future__ import annotations

from players.leaderboards.services import rebuild_boards
from players.models import PersonalBest


def boards_equal_a_rebuild() -> tuple[bool, int]:
    """Make every board again; whether all are as before, and how many bests there are."""
    before = _bests()
    rebuild_boards()
    return before == _bests(), len(before)


def _bests() -> list[tuple[object, ...]]:
    return sorted(PersonalBest.objects.values_list("player", "statistic", "level", "style", "value", "replay"))
