"""Positions in the stream of changes, such that who reads from one position on never misses a change.

Numbers from a sequence will not do: a transaction may take a number, and commit after a reader has passed it.  On
PostgreSQL a moment is the number of the writing transaction, and the position of a reader is the lowest number that was
still running; whatever commits later has that number or a higher one.  Some changes are then read twice, so acting on a
change must do no harm the second time.  On SQLite one transaction writes at a time, and the ids of rows are an order.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final, TypeAlias

from django.db import connection, models
from django.db.models import Func, Max, QuerySet

from players.questions import Later, asked

_Compiled: TypeAlias = Any

#: How long changes are kept.  Whoever has not read on for half as long begins anew.
KEPT: Final = timedelta(days=2)


class Moment(Func):
    """The moment at which a row is written, as the default of a column of whole numbers."""

    template = "0"
    arity = 0
    output_field = models.BigIntegerField()

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> _Compiled:
        return super().as_sql(compiler, connection, template="(pg_current_xact_id()::text::bigint)", **extra)


def position(changes: QuerySet[Any]) -> int:
    """From where a reader who looks at the database after this call has to read on ``changes``."""
    return ask_position(changes)()


def ask_position(changes: QuerySet[Any]) -> Later[int]:
    """:func:`position`, later; what is asked after this is looked at after it."""
    if connection.vendor != "postgresql":
        last = int(changes.aggregate(last=Max("id"))["last"] or 0)
        return lambda: last + 1
    rows = asked("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint", [])
    return lambda: int(rows()[0][0])


def since(changes: QuerySet[Any], reached: int) -> QuerySet[Any]:
    """The rows of ``changes`` from the position ``reached`` on."""
    if connection.vendor != "postgresql":
        return changes.filter(id__gte=reached)
    return changes.filter(moment__gte=reached)
