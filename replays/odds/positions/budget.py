from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from players.web.rate_limits import RateLimit, visitor_of
from replays.odds.calculator.calculator_client import Busy, TooHard, calculate
from replays.odds.positions.refusal import Refusal

#: When somebody should try again who finds the process that computes busy.
BUSY_SECONDS: Final = 2


def calculate_for(visitor: str, function: Callable[..., Any], *arguments: object, kernels: tuple[str, ...]) -> Any:
    """``function(*arguments)`` in the process that computes (``replays.odds.calculator``), at the cost of ``visitor``.

    Raises
    ------
    Refusal
        if the visitor has used up its time, if the question takes too long, or if too many wait.
    """
    limit = RateLimit("position-cpu", settings.POSITION_CPU_RATE)
    if not limit.allows(visitor):
        raise _too_many(limit, visitor)
    try:
        done = calculate(function, *arguments, kernels=kernels)
    except TooHard as error:
        limit.count(visitor, _milliseconds(error.cpu_seconds))
        raise Refusal("too_hard", http_status=422) from error
    except Busy as error:
        raise Refusal("busy", {"seconds": BUSY_SECONDS}, http_status=503) from error
    limit.count(visitor, _milliseconds(done.cpu_seconds))
    return done.value


class PositionThrottle(BaseThrottle):
    """Counts pages and API together, by account, or by address without an account."""

    def __init__(self) -> None:
        self._limit = RateLimit("positions", settings.POSITION_RATE)
        self._visitor = ""

    def allow_request(self, request: Request, view: APIView) -> bool:
        self._visitor = visitor_of(request)
        return self._limit.count(self._visitor)

    def wait(self) -> float:
        return self._limit.wait_seconds(self._visitor)


def count_position(request: HttpRequest) -> None:
    """Raise :class:`Refusal` if there were too many."""
    limit, visitor = RateLimit("positions", settings.POSITION_RATE), visitor_of(request)
    if not limit.count(visitor):
        raise _too_many(limit, visitor)


def count_time(visitor: str, seconds: float) -> None:
    """Count processor time that was used outside of the process that computes, such as for a drawing."""
    RateLimit("position-cpu", settings.POSITION_CPU_RATE).count(visitor, _milliseconds(seconds))


def _too_many(limit: RateLimit, visitor: str) -> Refusal:
    return Refusal("too_many_requests", {"seconds": math.ceil(limit.wait_seconds(visitor))}, http_status=429)


def _milliseconds(seconds: float) -> int:
    return max(1, round(1000 * seconds))
