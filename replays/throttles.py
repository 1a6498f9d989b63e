"""How many files an account may send in a while.

Django REST framework's throttles count requests; one request may carry a thousand files.  Files are counted in fixed
windows: a request is let in while the window has room, and counts with all its files once they are known.
"""

from __future__ import annotations

import logging
import sys
import time

from django.core.cache import cache
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle, SimpleRateThrottle
from rest_framework.views import APIView

_SCOPE = "upload"
_UNLIMITED = f"{sys.maxsize}/day"

logger = logging.getLogger(__name__)


class UploadThrottle(BaseThrottle):
    """Lets a request in while its account has files left in this window.

    A cache that does not answer lets everyone in: losing the count for a while is better than losing uploads.
    """

    def __init__(self) -> None:
        self.limit, self.seconds = _parsed(SimpleRateThrottle.THROTTLE_RATES[_SCOPE] or _UNLIMITED)

    def allow_request(self, request: Request, view: APIView) -> bool:
        if request.method != "POST":
            return True
        try:
            return int(cache.get(self._key(request), 0)) < self.limit
        except RedisError as error:
            logger.warning("Uploads are not counted: %s", error)
            return True

    def wait(self) -> float:
        return self.seconds - time.time() % self.seconds

    def charge(self, request: Request, files: int) -> None:
        """Count ``files`` for the account of ``request``."""
        key = self._key(request)
        try:
            cache.add(key, 0, timeout=self.seconds)
            cache.incr(key, files)
        except (RedisError, ValueError) as error:  # ValueError: the key expired between the two
            logger.warning("Uploads are not counted: %s", error)

    def _key(self, request: Request) -> str:
        account = request.user.pk if request.user.is_authenticated else self.get_ident(request)
        return f"upload-files:{account}:{int(time.time() // self.seconds)}"


def _parsed(rate: str) -> tuple[int, int]:
    """``"3000/hour"`` as files and seconds."""
    number, _, period = rate.partition("/")
    return int(number), {"s": 1, "m": 60, "h": 3600, "d": 86400}[period[0]]
