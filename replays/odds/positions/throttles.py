from __future__ import annotations

import math

from django.conf import settings
from django.http import HttpRequest
from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from players.web.rate_limits import RateLimit, visitor_of
from replays.odds.positions.refusal import Refusal


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
    throttle = PositionThrottle()
    if not throttle.allow_request(Request(request, authenticators=[SessionAuthentication()]), APIView()):
        raise Refusal("too_many_requests", {"seconds": math.ceil(throttle.wait())}, http_status=429)
