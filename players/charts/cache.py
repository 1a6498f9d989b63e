"""Drawn charts in the cache.

The key holds the numbers that change with the player's games (``PlayerGames.fingerprint``), so a new game shows at once.
What they do not tell, such as a corrected formula or a record of somebody else, shows when the entry has expired.  Any
entry may be dropped at any time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final

from django.core.cache import cache
from django.utils.translation import get_language

from players.charts.games import player_games
from players.charts.request import Asked

#: Raised when drawings change.
_VERSION: Final = 1
_SECONDS: Final = 300


def cached(name: str, asked: Asked, make: Callable[[], str]) -> str:
    """What ``make`` draws of the chart ``name``, perhaps from the cache."""
    key = _key(name, asked)
    found = cache.get(key)
    if isinstance(found, str):
        return found
    made = make()
    cache.set(key, made, _SECONDS)
    return made


def _key(name: str, asked: Asked) -> str:
    players = [asked.player.pk, *([] if asked.rival is None else [asked.rival.pk])]
    games = [player_games().fingerprint(player_id) for player_id in players]
    parts = (
        _VERSION, name, players, games, asked.zone.key, asked.level, asked.style, asked.statistic, asked.x, asked.y,
        asked.year, asked.from_one, get_language(),
    )  # fmt: skip
    return f"chart:{hashlib.sha256(repr(parts).encode()).hexdigest()}"
