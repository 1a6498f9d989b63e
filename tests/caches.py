"""Clearing the caches of the site."""

from __future__ import annotations

from django.core.cache import caches

from players.leaderboards.live import clear_memory
from players.web import rate_limits


def clear_caches() -> None:
    """Clear the cache, the counts of rate limits, and live boards."""
    for cache in caches.all(initialized_only=True):
        cache.clear()
    rate_limits.reset()
    clear_memory()
