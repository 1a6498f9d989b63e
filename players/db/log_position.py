"""Log positions: an order of changes in which a reader who reads on from a position never misses one.

Numbers from a sequence would not do: a transaction may take a number, and commit after a reader has passed it.  On
PostgreSQL the position of a change is the id of the writing transaction (``players.models.LogPosition``), and the
position of a reader is the lowest id that was still running; whatever commits later has that id or a higher one.  Some
changes are then read twice, so applying a change twice must do no harm.  On SQLite one transaction writes at a time,
and the ids of rows are an order.
"""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.db.models import Max, QuerySet

from players.db.pipeline import Deferred, send_sql


def send_log_position(changes: QuerySet[Any]) -> Deferred[int]:
    """Ask for the position from which a reader who looks at the database after this call has to read on ``changes``.

    Statements that are sent after this one are executed after it.
    """
    if connection.vendor != "postgresql":
        last = int(changes.aggregate(last=Max("id"))["last"] or 0)
        return lambda: last + 1
    rows = send_sql("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint", [])
    return lambda: int(rows()[0][0])


def changes_since(changes: QuerySet[Any], log_position: int) -> QuerySet[Any]:
    """The rows of ``changes`` from ``log_position`` on."""
    if connection.vendor != "postgresql":
        return changes.filter(id__gte=log_position)
    return changes.filter(log_position__gte=log_position)
