"""Rate limits by fixed windows, counted in Redis beside the cache, and whom they count."""

from __future__ import annotations

import ipaddress
import logging
import time
from functools import cache

from django.conf import settings
from django.http import HttpRequest
from limits import RateLimitItem, parse
from limits.errors import StorageError
from limits.storage import storage_from_string
from limits.strategies import FixedWindowRateLimiter
from rest_framework.request import Request

logger = logging.getLogger(__name__)


def client_address(request: HttpRequest | Request) -> str:
    """The address that limits count: of the client, as the outermost of ``NUM_PROXIES`` proxies has seen it.

    What stands further left in ``X-Forwarded-For`` was written by the client.  An IPv6 address counts as its network of
    64 bits, all of which belongs to one subscriber.
    """
    address = str(request.META.get("REMOTE_ADDR", ""))
    forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
    if settings.NUM_PROXIES and forwarded:
        address = forwarded[-min(settings.NUM_PROXIES, len(forwarded))]
    try:
        found = ipaddress.ip_address(address)
    except ValueError:  # a proxy that adds a port, a socket without an address
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


def visitor_of(request: HttpRequest | Request) -> str:
    """Whom limits count: the account, or without one the address."""
    return f"account-{request.user.pk}" if request.user.is_authenticated else client_address(request)


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

    def remaining(self, visitor: str) -> int:
        """What the limit still allows ``visitor`` in this window."""
        try:
            return max(0, _limiter().get_window_stats(self._rate, self._name, visitor).remaining)
        except StorageError as error:
            logger.warning("%s is not counted: %s", self._name, error)
            return int(self._rate.amount)

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
