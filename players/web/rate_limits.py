"""Rate limits by fixed windows, counted in Redis beside the cache."""

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

logger = logging.getLogger(__name__)

#: Somebody with IPv6 has at least a network of this size, and may send from any address of it.
_NETWORK_BITS = 64


def client_address(request: HttpRequest) -> str:
    """The address of the sender, as limits count it: of IPv6 its network; "" for a connection without addresses.

    It is the peer's, or what the outermost of ``NUM_PROXIES`` proxies wrote into ``X-Forwarded-For``: each adds its
    peer at the end, so what stands before that was written by the sender.
    """
    peer: str = request.META.get("REMOTE_ADDR", "")
    forwarded = request.headers.get("X-Forwarded-For", "")
    if settings.NUM_PROXIES and forwarded:
        hops = forwarded.split(",")
        peer = hops[-min(settings.NUM_PROXIES, len(hops))].strip()
    try:
        address = ipaddress.ip_address(peer)
    except ValueError:
        return peer
    if address.version == 6 and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, _NETWORK_BITS), strict=False).network_address)
    return str(getattr(address, "ipv4_mapped", None) or address)


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
