"""Several statements sent to PostgreSQL at once, and their results read afterwards (libpq's pipeline mode).

Waiting for each statement costs two process switches, which a page that reads five lists pays five times.  The functions
``send_…`` of the selectors return a :data:`Deferred`: inside :func:`pipeline` the database works on the statement while
Python prepares the next one; outside of it the statement has been executed when the function returns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TypeAlias, TypeVar

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Model, QuerySet

T = TypeVar("T")
#: A row as the database returns it; its columns are those of the statement.
Row: TypeAlias = tuple[Any, ...]
SqlValue: TypeAlias = str | float | datetime | None
#: The result of a statement that was sent.  Call it once: it waits for the result and returns it.
Deferred: TypeAlias = Callable[[], T]


@contextmanager
def pipeline() -> Iterator[None]:
    """Send the statements of this block without waiting for their results; only for SELECT.

    Read every result before the block ends: the error of a statement is raised when its result is read.
    """
    connection.ensure_connection()
    with connection.wrap_database_errors, connection.connection.pipeline():
        yield


def send(rows: QuerySet[Model, Row]) -> Deferred[list[Row]]:
    compiler = rows.query.get_compiler(connection=connection)
    try:
        sql, parameters = compiler.as_sql()
    except EmptyResultSet:  # a condition such as ``id IN ()``: Django sends no query either
        return list
    found = send_sql(sql, parameters)
    return lambda: list(compiler.results_iter([found()], tuple_expected=True))


def send_sql(sql: str, parameters: Sequence[SqlValue]) -> Deferred[list[Row]]:
    cursor = connection.cursor()
    cursor.execute(sql, parameters)
    if connection.connection.pgconn.pipeline_status:
        # Without a flush request PostgreSQL buffers its results until the pipeline ends.
        connection.connection.pgconn.send_flush_request()
        connection.connection.pgconn.flush()

    def fetch() -> list[Row]:
        with cursor:
            return list(cursor.fetchall())

    return fetch


def send_sql_for_ids(sql: str, ids: Sequence[int], *parameters: SqlValue) -> Deferred[list[Row]]:
    """Send ``sql`` with ``ids`` in place of ``{ids}``, which comes after ``parameters``; no rows if there are no ids."""
    return send_sql(sql.format(ids=", ".join(["%s"] * len(ids))), [*parameters, *ids]) if ids else list
