"""Rate limits by fixed windows, counted in Redis beside the cache."""

from __future__ import annotations

import logging
import time
from functools import cache

from django.conf import settings
from limits import RateLimitItem, parse
from limits.errors import StorageError
from limits.storage import storage_from_string
from limits.strategies import FixedWindowRateLimiter

logger = logging.getLogger(__name__)


class RateLimit:
    """A limit for each visitor: ``name`` says what is counted, ``rate`` how much, as "3000/hour".

    Without a connection to Redis everything is allowed: uploads matter more than the limit.
    """

    def __init__(self, name: str, rate: str) -> None:
        self._name = name
        self._rate: RateLimitItem = parse(rate)

    def allows(self, visitor: str) -> bool:
        """Whether ``visitor`` is below the limit; counts nothing."""
        try:
            return _limiter().test(self._rate, self._name, visitor)
        except StorageError as error:
            logger.warning("%s is not counted: %s", self._name, error)
            return True

    def count(self, visitor: str, number: int = 1) -> bool:
        """Count ``number`` for ``visitor``; returns whether the limit allows them."""
        try:
            return _limiter().hit(self._rate, self._name, visitor, cost=number)
        except StorageError as error:
            logger.warning("%s is not counted: %s", self._name, error)
            return True

    def wait_seconds(self, visitor: str) -> float:
        """The seconds until the next window of ``visitor``."""
        try:
            return max(1.0, _limiter().get_window_stats(self._rate, self._name, visitor).reset_time - time.time())
        except StorageError:
            return float(self._rate.get_expiry())


@cache
def _limiter() -> FixedWindowRateLimiter:
    return FixedWindowRateLimiter(storage_from_string(settings.RATE_LIMITS_URL, wrap_exceptions=True))


def reset() -> None:
    """Delete all counts."""
    _limiter().storage.reset()
