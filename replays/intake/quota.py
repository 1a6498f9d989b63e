"""What one account, or one address without an account, may upload in a day: files, and bytes that are stored.

Pages and API count together.  Staff have no quota, nor has ``manage.py import_replays``.
"""

from __future__ import annotations

import math
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request

from players.web.errors import Problem
from players.web.rate_limits import RateLimit, visitor_of
from replays.reasons import sentence

FILES: Final = "quota_files"
BYTES: Final = "quota_bytes"
_TOO_MANY_REQUESTS: Final = 429


class QuotaExceeded(Problem):
    """The quota is used up (429)."""

    def __init__(self, code: str, retry_seconds: float) -> None:
        super().__init__(code, sentence(code, quota_limits()), _TOO_MANY_REQUESTS, math.ceil(retry_seconds))


class Quota:
    """What is left of the quota of one visitor; a request takes from it file by file.

    Each file must fit into what is left; a duplicate gives back its bytes.  Requests that run at the same time may
    together take more, by what they store in one batch.
    """

    def __init__(self, visitor: str) -> None:
        self._visitor = visitor
        self._files = RateLimit("upload-files", f"{settings.UPLOAD_QUOTA_FILES}/day")
        self._bytes = RateLimit("upload-bytes", f"{settings.UPLOAD_QUOTA_MB * 1024 * 1024}/day")
        self._files_left = self._files.remaining(visitor)
        self._bytes_left = self._bytes.remaining(visitor)

    def check(self) -> None:
        """Raise :class:`QuotaExceeded` if nothing is left."""
        for code, left in ((FILES, self._files_left), (BYTES, self._bytes_left)):
            if not left:
                raise self.exceeded(code)

    def exceeded(self, code: str) -> QuotaExceeded:
        """The error for ``code``: ``FILES`` or ``BYTES``."""
        limit = self._files if code == FILES else self._bytes
        return QuotaExceeded(code, limit.wait_seconds(self._visitor))

    def take(self, size_bytes: int) -> str:
        """Take one file; "" or the code why it is refused."""
        if self._files_left < 1:
            return FILES
        if self._bytes_left < size_bytes:
            return BYTES
        self._files_left -= 1
        self._bytes_left -= size_bytes
        return ""

    def settle(self, files: int, stored_bytes: int, unused_bytes: int) -> None:
        """Count ``files`` that were received and ``stored_bytes``; give back what was taken for duplicates."""
        self._bytes_left += unused_bytes
        if files:
            self._files.count(self._visitor, files)
        if stored_bytes:
            self._bytes.count(self._visitor, stored_bytes)


def quota_of(request: HttpRequest | Request) -> Quota | None:
    """The quota of the visitor; None if there is none."""
    return None if getattr(request.user, "acts_as_staff", False) else Quota(visitor_of(request))


def quota_limits() -> dict[str, object]:
    """The values of the sentences of ``FILES`` and ``BYTES``."""
    return {"files": settings.UPLOAD_QUOTA_FILES, "megabytes": settings.UPLOAD_QUOTA_MB}
