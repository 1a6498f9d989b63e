from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.cache import cache
from django.db.models import Sum

from players.models import ALL_STYLES, Player, SecondCount
from replays.models import Replay

#: Beat refreshes the counts every minute; without beat a visitor waits for them when they have expired.
_CACHE_SECONDS = 900
_CACHE_KEY = "site:counts"


@dataclass(frozen=True, slots=True)
class SiteCounts:
    replays: int
    ranked: int
    players: int


def site_counts() -> SiteCounts:
    """Return counts that are at most some minutes old."""
    counts: Sequence[int] = cache.get_or_set(_CACHE_KEY, _read_counts, _CACHE_SECONDS) or ()
    return SiteCounts(*counts)


def refresh_site_counts() -> None:
    """Count now, so that no visitor has to wait: with ten million replays it takes a second."""
    cache.set(_CACHE_KEY, _read_counts(), _CACHE_SECONDS)


def _read_counts() -> list[int]:
    # Ranked replays are summed from the second counts, a table twenty times smaller than that of replays.
    ranked = SecondCount.objects.filter(style=ALL_STYLES).aggregate(games=Sum("games"))["games"]
    return [
        Replay.objects.filter(status=Replay.Status.DONE).count(),
        ranked or 0,
        Player.objects.filter(merged_into=None).count(),
    ]
