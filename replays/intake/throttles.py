"""The limit on uploaded files of an account.

Django REST framework's throttles count requests, but one request may have a thousand files.  Here a request is allowed
while its account is below the limit, and its files are counted once their number is known.
"""

from __future__ import annotations

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from players.web.rate_limits import RateLimit


class UploadThrottle(BaseThrottle):
    """Allows a request while its account is below the limit."""

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
