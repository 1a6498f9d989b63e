"""Datetimes, in the ways in which programs write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_UNIX_SECONDS = re.compile(r"\d{9,11}")
_UNIX_MILLISECONDS = re.compile(r"\d{12,13}")
_UNIX_MICROSECONDS = re.compile(r"\d{15,17}")
# Arbiter's own way; the milliseconds have a sign too many in front.
_ARBITER_DATETIME = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})\.(\d\d):(\d\d):(\d\d)(?::\d(\d{2,3}))?")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def from_microseconds(microseconds: int) -> datetime | None:
    """The datetime so long after 1970 UTC; ``None`` if it lies beyond the year 9999."""
    try:
        return _EPOCH + timedelta(microseconds=microseconds)
    except OverflowError:
        return None


def parse_datetime(text: str) -> datetime | None:
    """``text`` as a datetime: ISO 8601, Unix seconds, milliseconds or microseconds, or Arbiter's way; else ``None``.

    The result is naive unless the text has a zone or is a Unix time.
    """
    try:
        if _UNIX_MICROSECONDS.fullmatch(text):
            return from_microseconds(int(text))
        if _UNIX_MILLISECONDS.fullmatch(text):
            return from_microseconds(int(text) * 1000)
        if _UNIX_SECONDS.fullmatch(text):
            return datetime.fromtimestamp(int(text), UTC)
        match = _ARBITER_DATETIME.match(text)
        if match is None:
            return datetime.fromisoformat(text)
        day, month, year, hour, minute, second, millisecond = (int(part) for part in match.groups("0"))
        return datetime(year, month, day, hour, minute, second, millisecond * 1000)  # noqa: DTZ001 - no zone in the file
    except ValueError:
        return None
