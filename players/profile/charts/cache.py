"""Drawn charts in the cache.

The key holds the numbers that change with the player's games (``games.fingerprint``), so a new game shows at once.
What they do not tell, such as a corrected formula or a record of somebody else, shows when the entry has expired.  Any
entry may be dropped at any time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final

from django.core.cache import cache
from django.utils.translation import get_language

from players.profile.charts.games import Fingerprint
from players.profile.charts.request import ChartQuery
from players.web.clock import counts_from_one

#: Raised when drawings change.
_VERSION: Final = 6
_SECONDS: Final = 300


def cached(name: str, query: ChartQuery, fingerprint: Fingerprint, make: Callable[[], str]) -> str:
    key = _key(name, query, fingerprint)
    found = cache.get(key)
    if isinstance(found, str):
        return found
    made = make()
    cache.set(key, made, _SECONDS)
    return made


def _key(name: str, query: ChartQuery, fingerprint: Fingerprint) -> str:
    parts = (
        _VERSION, name, query.player.pk, fingerprint, query.zone.key, query.level, query.style, query.statistic,
        query.year, counts_from_one(), get_language(),
    )  # fmt: skip
    return f"chart:{hashlib.sha256(repr(parts).encode()).hexdigest()}"
