"""Datetimes as integers, for arrays."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def microseconds(when: datetime) -> int:
    """Microseconds from 1970 (UTC) to ``when``."""
    return (when - _EPOCH) // _MICROSECOND


def datetime_of(microseconds_: int) -> datetime:
    return _EPOCH + timedelta(microseconds=microseconds_)
