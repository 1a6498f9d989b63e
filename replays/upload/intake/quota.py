"""Limits of uploads: files and bytes of an account (or an address without one) in a day, bytes from one address and
bytes of the whole site in an hour.

Pages and API count together.  Staff have no quota, nor has ``manage.py import_replays``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from django.conf import settings

from players.web.problems import Refused
from players.web.rate_limits import BYTES as OF_BYTES
from players.web.rate_limits import RateLimit
from replays.trust.reasons import sentence

FILES: Final = "quota_files"
BYTES: Final = "quota_bytes"
ADDRESS: Final = "quota_address"
SITE: Final = "quota_site"
CODES: Final = (FILES, BYTES, ADDRESS, SITE)
_MEGABYTE: Final = 1024 * 1024
#: Of new files, from one address and of all together in an hour; staff and imports are not counted.
ADDRESS_MB: Final = 512
SITE_MB: Final = 4096
FILES_LIMIT: Final = RateLimit("upload-files", lambda: f"{settings.UPLOAD_QUOTA_FILES}/day")
BYTES_LIMIT: Final = RateLimit("upload-bytes", lambda: f"{settings.UPLOAD_QUOTA_MB * _MEGABYTE}/day", unit=OF_BYTES)
ADDRESS_LIMIT: Final = RateLimit("upload-address", lambda: f"{ADDRESS_MB * _MEGABYTE}/hour", unit=OF_BYTES)
SITE_LIMIT: Final = RateLimit("upload-site", lambda: f"{SITE_MB * _MEGABYTE}/hour", unit=OF_BYTES, is_shared=True)
UPLOAD_LIMITS: Final = (FILES_LIMIT, BYTES_LIMIT, ADDRESS_LIMIT, SITE_LIMIT)


@dataclass(slots=True)
class _Left:
    """Rest of one limit; ``who``: it is counted for."""

    limit: RateLimit
    who: str
    number: int

    @classmethod
    def of(cls, limit: RateLimit, who: str) -> _Left:
        return cls(limit, who, limit.remaining(who))

    def settle(self, used: int, unused: int = 0) -> None:
        """Count ``used``, give back ``unused``, and see what others have used meanwhile."""
        if used:
            self.limit.count(self.who, used)
        self.number = min(self.number + unused, self.limit.remaining(self.who))


class Quota:
    """Rest of the limits of one visitor; a request takes from it file by file.

    Each file must fit into what is left; a duplicate gives back its bytes.  Requests that run at the same time may
    together take more, by what they store in one batch.
    """

    def __init__(self, visitor: str, address: str = "") -> None:
        self._files = _Left.of(FILES_LIMIT, visitor)
        self._bytes = {
            BYTES: _Left.of(BYTES_LIMIT, visitor),
            ADDRESS: _Left.of(ADDRESS_LIMIT, address or visitor),
            SITE: _Left.of(SITE_LIMIT, "site"),
        }
        self._refused_files = self._refused_bytes = 0

    def check(self) -> None:
        """Raise :class:`Refused` if nothing is left."""
        for code, left in ((FILES, self._files), *self._bytes.items()):
            if left.number < 1:
                raise self.exceeded(code)

    def exceeded(self, code: str) -> Refused:
        left = self._files if code == FILES else self._bytes[code]
        return Refused(code, sentence(code, quota_limits()), math.ceil(left.limit.wait_seconds(left.who)))

    def used_up(self) -> str:
        """Return the code of the visitor's own limit of which nothing is left, or ""."""
        if self._files.number < 1:
            return FILES
        return BYTES if self._bytes[BYTES].number < 1 else ""

    def take(self, size_bytes: int) -> str:
        """Take one file; "" or the code why it is refused."""
        if self._files.number < 1:
            return FILES
        for code, left in self._bytes.items():
            if left.number < size_bytes:
                return code
        self._files.number -= 1
        for left in self._bytes.values():
            left.number -= size_bytes
        return ""

    def refuse(self, size_bytes: int) -> None:
        """Count a file that is refused after ``size_bytes`` of it were unpacked: it takes work, and nobody else's room."""
        self._refused_files += 1
        self._refused_bytes += size_bytes
        self._files.number -= 1
        self._bytes[BYTES].number -= size_bytes

    def settle(self, files: int, stored_bytes: int, unused_bytes: int) -> None:
        """Count ``files`` that were received and ``stored_bytes``; give back what was taken for duplicates."""
        self._files.settle(files + self._refused_files)
        self._bytes[BYTES].settle(self._refused_bytes)
        for left in self._bytes.values():
            left.settle(stored_bytes, unused_bytes)
        self._refused_files = self._refused_bytes = 0


def quota_limits() -> dict[str, object]:
    return {
        "files": settings.UPLOAD_QUOTA_FILES, "megabytes": settings.UPLOAD_QUOTA_MB,
        "address_megabytes": ADDRESS_MB, "site_megabytes": SITE_MB,
    }  # fmt: skip
