"""Clearing the caches of the site."""

from __future__ import annotations

import shutil

from django.conf import settings
from django.core.cache import caches

from config.http import vitals
from players.leaderboards.filtered import clear_memory
from players.templatetags import marks
from players.web import rate_limits


def clear_caches() -> None:
    """Clear the cache, counts of rate limits, filtered boards, what /readyz knows, drawings and what is kept of replays."""
    for cache in caches.all(initialized_only=True):
        cache.clear()
    rate_limits.reset()
    clear_memory()
    vitals.forget()
    for drawing in (marks.icon, marks.icon_of_level, marks.flag_in):
        drawing.cache_clear()  # they name static files, hashed in some tests
    shutil.rmtree(settings.KEPT_DIR, ignore_errors=True)
