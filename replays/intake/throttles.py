"""How many files an account may send in a while.

Throttles of Django REST framework count requests; one request may carry a thousand files.  A request is let in while
its account has files left, and counts with all its files once they are known.
"""

from __future__ import annotations

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from players.web.rate_limits import RateLimit


class UploadThrottle(BaseThrottle):
    """Lets a request in while its account has files left in this window."""

    def __init__(self) -> None:
        self._limit = RateLimit("upload-files", settings.UPLOAD_RATE)
        self._visitor = ""

    def allow_request(self, request: Request, view: APIView) -> bool:
        self._visitor = self._ident(request)
        return request.method != "POST" or self._limit.allows(self._visitor)

    def wait(self) -> float:
        return self._limit.wait_seconds(self._visitor)

    def charge(self, request: Request, files: int) -> None:
        """Count ``files`` for the account of ``request``."""
        self._limit.count(self._ident(request), files)

    def _ident(self, request: Request) -> str:
        return f"account-{request.user.pk}" if request.user.is_authenticated else self.get_ident(request)
