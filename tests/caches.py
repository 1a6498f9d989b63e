"""Everything that processes of the site remember."""

from __future__ import annotations

from django.core.cache import caches

from players.leaderboards.live import clear_memory
from players.web import rate_limits


def clear_caches() -> None:
    """Forget what is cached, the counts of rate limits, and live boards."""
    for cache in caches.all(initialized_only=True):
        cache.clear()
    rate_limits.reset()
    clear_memory()
