"""Drawn charts in the cache.

The key holds the numbers that change with the player's games (``games.fingerprint``), so a new game shows at once.
What they do not tell, such as a corrected formula or a record of somebody else, shows when the entry has expired.  Any
entry may be dropped at any time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final, TypeAlias

from django.core.cache import cache
from django.utils.translation import get_language

from players.profile.charts import games as player_games
from players.profile.charts.request import ChartQuery
from players.web.clock import counts_from_one

#: Raised when drawings change.
_VERSION: Final = 5
_SECONDS: Final = 300


#: What ``games.fingerprint`` says of each player of a chart.
Fingerprints: TypeAlias = tuple[tuple[int, ...], ...]


def fingerprints_of(query: ChartQuery) -> Fingerprints:
    players = (query.player,) if query.rival is None else (query.player, query.rival)
    return tuple(player_games.fingerprint(player.pk) for player in players)


def cached(name: str, query: ChartQuery, fingerprints: Fingerprints, make: Callable[[], str]) -> str:
    key = _key(name, query, fingerprints)
    found = cache.get(key)
    if isinstance(found, str):
        return found
    made = make()
    cache.set(key, made, _SECONDS)
    return made


def _key(name: str, query: ChartQuery, fingerprints: Fingerprints) -> str:
    rival = None if query.rival is None else query.rival.pk
    parts = (
        _VERSION, name, query.player.pk, rival, fingerprints, query.zone.key, query.level, query.style, query.statistic,
        query.x, query.y, query.year, counts_from_one(), get_language(),
    )  # fmt: skip
    return f"chart:{hashlib.sha256(repr(parts).encode()).hexdigest()}"
