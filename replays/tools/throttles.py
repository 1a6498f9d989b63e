"""How many positions a visitor may ask for in a while."""

from __future__ import annotations

import logging
import math

from django.http import HttpRequest
from redis.exceptions import RedisError
from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from replays.tools.refusal import Refusal

logger = logging.getLogger(__name__)


class PositionThrottle(SimpleRateThrottle):
    """Counts the page and the API together, by account, or by address for visitors.

    A cache that does not answer lets everyone in, as with uploads.
    """

    scope = "position"

    def allow_request(self, request: Request, view: APIView) -> bool:
        try:
            return bool(super().allow_request(request, view))
        except RedisError as error:
            logger.warning("Positions are not counted: %s", error)
            return True

    def get_cache_key(self, request: Request, view: APIView) -> str:
        ident = request.user.pk if request.user.is_authenticated else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": ident}


def count_position(request: HttpRequest) -> None:
    """Count one position that a page is asked for.

    Raises
    ------
    Refusal
        if there were too many.
    """
    throttle = PositionThrottle()
    if not throttle.allow_request(Request(request, authenticators=[SessionAuthentication()]), APIView()):
        raise Refusal("too_many_requests", {"seconds": math.ceil(throttle.wait() or 1)}, http_status=429)
