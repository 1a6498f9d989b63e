from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest, HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import quote_etag
from django.utils.translation import get_language
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.statistics import LUCK_VERSION, VERSION
from players.web.rate_limits import MILLISECONDS, RateLimit, visitor_of
from replays.odds.calculator.calculator_client import Busy, TooHard, calculate
from replays.odds.positions.refusal import Refusal

POSITION_LIMIT: Final = RateLimit("positions", "240/minute")
#: Of processor time.
TIME_LIMIT: Final = RateLimit("position-cpu", "20000/minute", unit=MILLISECONDS)
POSITION_LIMITS: Final = (POSITION_LIMIT, TIME_LIMIT)
#: When somebody should try again who finds the process that computes busy.
BUSY_SECONDS: Final = 2


def calculate_for(visitor: str, function: Callable[..., Any], *arguments: object, kernels: tuple[str, ...]) -> Any:
    """``function(*arguments)`` in the process that computes (``replays.odds.calculator``), at the cost of ``visitor``.

    Raises
    ------
    Refusal
        if the visitor has used up its time, if the question takes too long, or if too many wait.
    """
    if not TIME_LIMIT.allows(visitor):
        raise _too_many(TIME_LIMIT, visitor)
    try:
        done = calculate(function, *arguments, kernels=kernels)
    except TooHard as error:
        TIME_LIMIT.count(visitor, _milliseconds(error.cpu_seconds))
        raise Refusal("too_hard") from error
    except Busy as error:
        raise Refusal("busy", retry_seconds=BUSY_SECONDS) from error
    TIME_LIMIT.count(visitor, _milliseconds(done.cpu_seconds))
    return done.value


def count_position(request: HttpRequest | Request) -> None:
    """Count pages and API together, by account, or by address without one; raise :class:`Refusal` if there were too many."""
    visitor = visitor_of(request)
    if not POSITION_LIMIT.count(visitor):
        raise _too_many(POSITION_LIMIT, visitor)


def count_time(visitor: str, seconds: float) -> None:
    """Count processor time that was used outside of the process that computes, such as for a drawing."""
    TIME_LIMIT.count(visitor, _milliseconds(seconds))


def conditional(request: Request, tag: str, make: Callable[[], Response]) -> HttpResponseBase:
    """Return 304, which costs nothing, or the response of ``make``, which is counted like a position.

    What ``tag`` names depends on nothing but our code, whose changes raise a version, and the language.
    """
    etag = quote_etag(f"{tag}-{VERSION}-{LUCK_VERSION}-{get_language()}")
    response: HttpResponseBase | None = get_conditional_response(request._request, etag=etag)
    if response is None:
        count_position(request)
        response = make()
    if response.status_code in (200, 304):
        response["ETag"] = etag
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


def query_tag(request: Request, kind: str) -> str:
    query = str(request.META.get("QUERY_STRING", ""))
    return f"{kind}-{hashlib.sha256(query.encode()).hexdigest()[:32]}"


def _too_many(limit: RateLimit, visitor: str) -> Refusal:
    return Refusal("too_many_requests", retry_seconds=math.ceil(limit.wait_seconds(visitor)))


def _milliseconds(seconds: float) -> int:
    return max(1, round(1000 * seconds))
