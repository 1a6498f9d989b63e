"""Rate limits by fixed windows, counted in Redis beside the cache, and whom they count."""

from __future__ import annotations

import logging
import math
import time
from functools import cache

from django.conf import settings
from django.http import HttpRequest
from limits import RateLimitItem, parse
from limits.errors import StorageError
from limits.storage import storage_from_string
from limits.strategies import FixedWindowRateLimiter
from rest_framework.request import Request

from players.web import redis_clients
from players.web.addresses import address_behind_proxies
from players.web.errors import Problem

logger = logging.getLogger(__name__)


def client_address(request: HttpRequest | Request) -> str:
    meta = request.META
    return address_behind_proxies(str(meta.get("REMOTE_ADDR", "")), str(meta.get("HTTP_X_FORWARDED_FOR", "")))


def visitor_of(request: HttpRequest | Request) -> str:
    """Return the visitor that limits count: the account, or without one the address."""
    return f"account-{request.user.pk}" if request.user.is_authenticated else client_address(request)


class RateLimit:
    """A limit for each visitor: ``name`` says what is counted, ``rate`` how much, as "3000/hour".

    Without a connection to Redis everything is allowed: uploads matter more than the limit.  Count before a transaction
    begins, never in it: a server that hangs would hold the locks of the rows.
    """

    def __init__(self, name: str, rate: str) -> None:
        self._name = name
        self._rate: RateLimitItem = parse(rate)

    def allows(self, visitor: str) -> bool:
        """Return whether ``visitor`` is below the limit; counts nothing."""
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

    def remaining(self, visitor: str) -> int:
        try:
            return max(0, _limiter().get_window_stats(self._rate, self._name, visitor).remaining)
        except StorageError as error:
            logger.warning("%s is not counted: %s", self._name, error)
            return int(self._rate.amount)

    def wait_seconds(self, visitor: str) -> float:
        try:
            return max(1.0, _limiter().get_window_stats(self._rate, self._name, visitor).reset_time - time.time())
        except StorageError:
            return float(self._rate.get_expiry())


def count_or_refuse(limit: RateLimit, visitor: str, message: str = "", number: int = 1) -> None:
    """Count ``number`` for ``visitor``.  Raises ``Problem`` (429) with the seconds to wait if the limit forbids them.

    ``message``: what there was too much of; an API answers the advice of the code without one.
    """
    if not limit.count(visitor, number):
        raise Problem("too_many_requests", message, 429, math.ceil(limit.wait_seconds(visitor)))


@cache
def _limiter() -> FixedWindowRateLimiter:
    return FixedWindowRateLimiter(
        storage_from_string(settings.RATE_LIMITS_URL, wrap_exceptions=True, **redis_clients.options())
    )


def reset() -> None:
    _limiter().storage.reset()
