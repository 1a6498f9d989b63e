"""Rate limits by fixed windows, counted in Redis beside the queue, whom they count, and how answers tell of them."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from limits import RateLimitItem, parse
from limits.errors import StorageError
from limits.storage import storage_from_string
from limits.strategies import FixedWindowRateLimiter
from rest_framework.request import Request

from players.web import redis_clients
from players.web.addresses import address_behind_proxies
from players.web.problems import Refused

logger = logging.getLogger(__name__)

#: Units of what is counted: of the draft of the headers, and one of ours.
REQUESTS: Final = "request"
BYTES: Final = "content-bytes"
MILLISECONDS: Final = "milliseconds"


def client_address(request: HttpRequest | Request) -> str:
    meta = request.META
    return address_behind_proxies(str(meta.get("REMOTE_ADDR", "")), str(meta.get("HTTP_X_FORWARDED_FOR", "")))


def visitor_of(request: HttpRequest | Request) -> str:
    """Return the visitor that limits count: the account, or without one the address."""
    return f"account-{request.user.pk}" if request.user.is_authenticated else client_address(request)


class RateLimit:
    """A limit for each visitor: ``name`` says what is counted, ``rate`` how much, as "3000/hour".

    ``rate`` is a function where it is a setting.  ``unit``: what is counted, in the words of the header.
    ``is_shared``: all visitors use it up together, so no answer tells what is left.

    Without a connection to Redis everything is allowed: uploads matter more than the limit.  Count before a transaction
    begins, never in it: a server that hangs would hold the locks of the rows.
    """

    def __init__(
        self, name: str, rate: str | Callable[[], str], *, unit: str = REQUESTS, is_shared: bool = False
    ) -> None:
        self.name, self.unit, self.is_shared = name, unit, is_shared
        self._rate = rate

    @property
    def rate(self) -> str:
        return self._rate if isinstance(self._rate, str) else self._rate()

    @property
    def amount(self) -> int:
        return int(_item(self.rate).amount)

    @property
    def window_seconds(self) -> int:
        return int(_item(self.rate).get_expiry())

    def allows(self, visitor: str) -> bool:
        """Return whether ``visitor`` is below the limit; counts nothing."""
        _note(self, visitor)
        try:
            return _limiter().test(_item(self.rate), self.name, visitor)
        except StorageError as error:
            _note_failure(self, error)
            return True

    def count(self, visitor: str, number: int = 1) -> bool:
        """Count ``number`` for ``visitor``; returns whether the limit allows them."""
        _note(self, visitor)
        try:
            return _limiter().hit(_item(self.rate), self.name, visitor, cost=number)
        except StorageError as error:
            _note_failure(self, error)
            return True

    def remaining(self, visitor: str) -> int:
        _note(self, visitor)
        return self.left(visitor)[0]

    def wait_seconds(self, visitor: str) -> float:
        return max(1.0, self.left(visitor)[1])

    def left(self, visitor: str) -> tuple[int, float]:
        """Return how many are left, and the seconds until the next window begins."""
        try:
            stats = _limiter().get_window_stats(_item(self.rate), self.name, visitor)
        except StorageError as error:
            _note_failure(self, error)
            return self.amount, float(self.window_seconds)
        return max(0, stats.remaining), max(0.0, stats.reset_time - time.time())


def count_or_refuse(limit: RateLimit, visitor: str, message: str = "", number: int = 1) -> None:
    """Count ``number`` for ``visitor``.  Raises ``Refused`` (429) with the seconds to wait if the limit forbids them.

    ``message``: what there was too much of; an API answers the advice of the code without one.
    """
    if not limit.count(visitor, number):
        raise Refused("too_many_requests", message, math.ceil(limit.wait_seconds(visitor)))


# --- what answers tell ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Used:
    """The limits that one request came to, with the visitor that was counted.

    ``has_failed``: the server did not answer, and is not asked again for the headers.
    """

    counted: list[tuple[RateLimit, str]] = field(default_factory=list)
    has_failed: bool = False

    def headers(self) -> dict[str, str]:
        """The fields ``RateLimit-Policy`` and ``RateLimit`` (draft-ietf-httpapi-ratelimit-headers), or none."""
        policies, states = [], []
        for limit, visitor in self.counted:
            if limit.is_shared or self.has_failed:
                continue
            unit = "" if limit.unit == REQUESTS else f';qu="{limit.unit}"'
            policies.append(f'"{limit.name}";q={limit.amount}{unit};w={limit.window_seconds}')
            number, seconds = limit.left(visitor)
            states.append(f'"{limit.name}";r={number};t={math.ceil(seconds)}')
        return {"RateLimit-Policy": ", ".join(policies), "RateLimit": ", ".join(states)} if policies else {}


_used: ContextVar[Used | None] = ContextVar("used", default=None)


@contextmanager
def limits_used() -> Iterator[Used]:
    """Collect the limits that are asked inside."""
    used = Used()
    token = _used.set(used)
    try:
        yield used
    finally:
        _used.reset(token)


def _note(limit: RateLimit, visitor: str) -> None:
    used = _used.get()
    if used is not None and (limit, visitor) not in used.counted:
        used.counted.append((limit, visitor))


def _note_failure(limit: RateLimit, error: StorageError) -> None:
    logger.warning("%s is not counted: %s", limit.name, error)
    used = _used.get()
    if used is not None:
        used.has_failed = True


@cache
def _item(rate: str) -> RateLimitItem:
    return parse(rate)


@cache
def _limiter() -> FixedWindowRateLimiter:
    return FixedWindowRateLimiter(
        storage_from_string(settings.RATE_LIMITS_URL, wrap_exceptions=True, **redis_clients.options())
    )


def reset() -> None:
    _limiter().storage.reset()
