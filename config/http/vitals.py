"""Signs of life of the parts of the site, measured at most once a second by each web process."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

import redis
from django.contrib.staticfiles.apps import StaticFilesConfig
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from config import signs_of_life
from players.db.own_connection import own_connection
from players.web.disk import has_room, is_full
from replays.models import store_mark
from replays.models.file_store import StoreUnreachableError
from replays.upload.processing.queue import waiting_since

_KEEP_SECONDS: Final = 1.0
_DATABASE_SECONDS: Final = 2
#: A set of rows larger than its memory: the server writes it to a file, which a full disk refuses.
_WRITE_A_FILE: Final = "SELECT set_config('work_mem', '64kB', FALSE), (SELECT count(*) FROM generate_series(1, 10000))"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Vitals:
    """``migrations``: all are applied; ``files``: the store is that of the site; ages are in seconds.

    Migrations, room, files and store are True where the database cannot be asked.
    """

    static_files: bool = True
    database: bool = False
    migrations: bool = True
    database_room: bool = True
    files: bool = True
    store: bool = True
    disk: bool = False
    broker: bool = False
    oldest_queued: float | None = None  # of the uploads that wait for their analysis; None: none waits
    ages: dict[str, float | None] = field(default_factory=dict)

    @property
    def parts(self) -> dict[str, bool]:
        return {name: getattr(self, name) for name in _PARTS}


_PARTS: Final = ("static_files", "database", "migrations", "database_room", "files", "store", "disk", "broker")


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
    broker, ages = _ask_broker()
    return replace(_ask_database(), static_files=_has_static_files(), broker=broker, disk=has_room(), ages=ages)


@cache
def _has_static_files() -> bool:
    """Return whether all static files of this version are prepared; a process reads their list once, when it starts."""
    prepared = getattr(staticfiles_storage, "hashed_files", None)
    if prepared is None:  # DEBUG: pages name them as they are in the source
        return True
    if all(name in prepared for name in static_names()):
        return True
    logger.error("Static files are not prepared: run `manage.py prepare`, then start this process again.")
    return False


def static_names() -> Iterator[str]:
    """Yield the name of each static file as pages have it, which for folders of packages begins with a prefix."""
    for finder in get_finders():
        for name, storage in finder.list(StaticFilesConfig.ignore_patterns):
            prefix = getattr(storage, "prefix", None)
            yield f"{prefix}/{name}" if prefix else name


def _ask_database() -> Vitals:
    """Return what the database tells: of itself, the files, and how long the oldest upload has waited."""
    try:
        with own_connection(_DATABASE_SECONDS):
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
            if not _last_migrations() <= MigrationRecorder(connection).applied_migrations().keys():
                logger.error("The database is not that of this version: run `manage.py prepare`.")
                return Vitals(database=True, migrations=False)
            since = waiting_since()
            waited = None if since is None else (timezone.now() - since).total_seconds()
            files, store = _ask_store()
            room = _can_write()
            return Vitals(database=True, database_room=room, files=files, store=store, oldest_queued=waited)
    except DatabaseError as error:
        logger.error("The database does not answer: %s", error)
        return Vitals()


@cache
def _last_migrations() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).graph.leaf_nodes())


def _can_write() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute(_WRITE_A_FILE)
    except DatabaseError as error:
        if not is_full(error):
            raise
        logger.error("The disk of the database is full: %s", error)
        return False
    return True


def _ask_store() -> tuple[bool, bool]:
    """Return whether the store is that of the site, as far as it answers, and whether it does."""
    try:
        return store_mark.is_ours(), True
    except StoreUnreachableError:
        return True, False


def _ask_broker() -> tuple[bool, dict[str, float | None]]:
    server = signs_of_life.client()
    try:
        return True, signs_of_life.ages(server)
    except redis.RedisError as error:
        logger.warning("The broker does not answer: %s", error)
        return False, {}
    finally:
        server.close()
