"""Signs of life of the parts of the site, measured at most once a second by each web process."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass, field
from typing import Final

import redis
from django.db import DatabaseError, connection
from django.utils import timezone

from config import signs_of_life
from players.db.own_connection import own_connection
from players.web.disk import has_room
from replays.models import store_mark
from replays.upload.processing.queue import waiting_since

_KEEP_SECONDS: Final = 1.0
_DATABASE_SECONDS: Final = 2

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Vitals:
    """Ages are in seconds."""

    database: bool = False
    broker: bool = False
    disk: bool = False
    files: bool = False
    oldest_queued: float | None = None  # of the uploads that wait for their analysis; None: none waits
    ages: dict[str, float | None] = field(default_factory=dict)


class _Latest:
    def __init__(self) -> None:
        self._measuring = threading.Lock()
        self._vitals: Vitals | None = None
        self._at = 0.0

    def get(self) -> Vitals:
        """The latest; measured by one thread at a time, while others get what it found before, if it ever did."""
        if self._vitals is None:
            return self._measure()
        if time.monotonic() - self._at >= _KEEP_SECONDS and self._measuring.acquire(blocking=False):
            try:
                return self._measure()
            finally:
                self._measuring.release()
        return self._vitals

    def _measure(self) -> Vitals:
        self._vitals = found = _measured()
        self._at = time.monotonic()
        return found

    def forget(self) -> None:
        """Measure anew at the next question, for tests."""
        self._vitals = None


_latest = _Latest()
vitals = _latest.get
forget = _latest.forget


def _measured() -> Vitals:
    database, files, oldest_queued = _ask_database()
    broker, ages = _ask_broker()
    return Vitals(database, broker, has_room(), files, oldest_queued, ages)


def _ask_database() -> tuple[bool, bool, float | None]:
    """Return whether it answers, whether the files are visible, and how long the oldest upload has waited."""
    try:
        with own_connection(_DATABASE_SECONDS):
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
            since = waiting_since()
            waited = None if since is None else (timezone.now() - since).total_seconds()
            return True, store_mark.is_visible(), waited
    except DatabaseError as error:
        logger.error("The database does not answer: %s", error)
        return False, False, None


def _ask_broker() -> tuple[bool, dict[str, float | None]]:
    server = signs_of_life.client()
    try:
        return True, signs_of_life.ages(server)
    except redis.RedisError as error:
        logger.warning("The broker does not answer: %s", error)
        return False, {}
    finally:
        server.close()
