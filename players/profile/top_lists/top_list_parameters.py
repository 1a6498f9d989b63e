from __future__ import annotations

from players.leaderboards.boards import COMBINED, checked_level


def checked_improvement_level(level: str) -> str:
    """Raise ``UnknownBoard`` unless ``level`` is ranked or "combined"."""
    return level if level == COMBINED else checked_level(level)
