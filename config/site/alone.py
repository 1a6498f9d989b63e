from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import connection

#: The number of the advisory lock; the same in every version.
_LOCK_NUMBER: Final = int.from_bytes(b"sweepboo", "big", signed=True)
_LOOK_EVERY_SECONDS: Final = 0.2


@contextmanager
def only_one_prepares() -> Iterator[None]:
    """Wait until no other process of the site, on this machine or another, is in here.

    PostgreSQL's advisory lock is asked for again and again: a statement that waits for it would be waited for by
    ``CREATE INDEX CONCURRENTLY``.
    """
    while not _ask("SELECT pg_try_advisory_lock(%s)"):
        time.sleep(_LOOK_EVERY_SECONDS)
    yield
    # In no `finally`: after Ctrl-C the connection is in the middle of a statement, and the lock ends with the process.
    _ask("SELECT pg_advisory_unlock(%s)")


def _ask(statement: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(statement, [_LOCK_NUMBER])
        return bool(cursor.fetchone()[0])
