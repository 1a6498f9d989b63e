"""The parts of the addresses of rankings."""

from __future__ import annotations

from players.leaderboards.boards import COMBINED, checked_level


def checked_improvement_level(level: str) -> str:
    """``level`` if it has a list of improvements: a ranked level or "combined"; raises ``UnknownBoard``."""
    return level if level == COMBINED else checked_level(level)
