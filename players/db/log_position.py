"""Log positions: how far a reader of the change log has read, such that it never misses an entry.

A sequence is not enough: a transaction may take a number and commit after a reader has passed that number.  On PostgreSQL
the position of an entry is the id of the transaction that wrote it (``players.models.LogPosition``), and the position of
a reader is the lowest transaction id that was still running when it read: whatever commits later has that id or a higher
one.  Some entries are therefore read twice, so applying an entry twice must do no harm.  On SQLite only one transaction
writes at a time, and row ids serve as positions.
"""

from __future__ import annotations

from django.db import connection
from django.db.models import Max, QuerySet

from players.db.pipeline import Deferred, send_sql
from players.models import LevelChange


def send_log_position(changes: QuerySet[LevelChange]) -> Deferred[int]:
    """Read the position from which :func:`changes_since` returns everything that later statements cannot see yet.

    Send it before the statements that read the data; statements of one connection are executed in order.
    """
    if connection.vendor != "postgresql":
        last = int(changes.aggregate(last=Max("id"))["last"] or 0)
        return lambda: last + 1
    rows = send_sql("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint", [])
    return lambda: int(rows()[0][0])


def changes_since(changes: QuerySet[LevelChange], log_position: int) -> QuerySet[LevelChange]:
    """The rows of ``changes`` at or after ``log_position``."""
    if connection.vendor != "postgresql":
        return changes.filter(id__gte=log_position)
    return changes.filter(log_position__gte=log_position)
