"""Many rows of one table in one statement, from plain tuples.

The ORM makes an object of each row and a text of each value; for the thousands of small rows that one chunk of replays
writes, that takes longer than the database does.  A call here is one statement that takes each column as one binary
array.

Values have the type of their column: an ``int`` in a column of floats is converted, a date without a zone is not.
Columns are named as in the table (``player_id``, not ``player``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, Final, TypeAlias

from django.db import connection, models
from django.db.backends.utils import CursorWrapper
from psycopg import Cursor
from psycopg.pq import Format

from players.db.select import Row

_Field: TypeAlias = "models.Field[object, object]"

#: Fields whose values the driver takes unchanged; Django prepares the others.
_PLAIN: Final = (models.IntegerField, models.ForeignKey, models.BooleanField, models.DateTimeField)


def insert(
    model: type[models.Model], columns: Sequence[str], rows: Sequence[Row], returning: Sequence[str] = ()
) -> list[Row]:
    """Insert ``rows`` of ``columns``; returns the columns ``returning`` of each new row, in the same order.

    Every column without a default in the database must be among ``columns``.  Raises what the ORM raises.
    """
    if not rows:
        return []
    return _execute(_insert_sql(model, tuple(columns)) + _returning_sql(model, returning), model, columns, rows)


def insert_new(
    model: type[models.Model],
    key: Sequence[str],
    columns: Sequence[str],
    rows: Sequence[Row],
    returning: Sequence[str] = (),
) -> list[Row]:
    """Insert those of ``rows`` (columns ``key`` and ``columns``) whose unique key is not in the table yet.

    Returns the columns ``returning`` of each new row, in no order.  Of two transactions that insert the same key the
    second waits for the first; two that insert several in different orders may deadlock (``players.db.retry``).
    """
    if not rows:
        return []
    names = (*key, *columns)
    key_columns = ", ".join(_quoted(model, name) for name in key)
    end = f" ON CONFLICT ({key_columns}) DO NOTHING{_returning_sql(model, returning)}"
    return _execute(_insert_sql(model, names) + end, model, names, rows)


def upsert(
    model: type[models.Model],
    key: Sequence[str],
    columns: Sequence[str],
    rows: Sequence[Row],
    returning: Sequence[str] = (),
) -> list[Row]:
    """Insert ``rows`` of the columns ``key`` and ``columns``, or update ``columns`` of the row with that unique key.

    Each key may occur only once in ``rows``.  Returns the columns ``returning`` of each row, in no order.
    """
    if not rows:
        return []
    changes = ", ".join(f"{_quoted(model, name)} = excluded.{_quoted(model, name)}" for name in columns)
    key_columns = ", ".join(_quoted(model, name) for name in key)
    sql = f"{_insert_sql(model, (*key, *columns))} ON CONFLICT ({key_columns}) DO UPDATE SET {changes}"
    return _execute(sql + _returning_sql(model, returning), model, (*key, *columns), rows)


def update(model: type[models.Model], columns: Sequence[str], rows: Sequence[Row]) -> None:
    """Update ``columns`` from tuples (id, value of each column); ids that are not in the table are ignored."""
    if not rows:
        return
    key = model._meta.pk.attname
    changes = ", ".join(f"{_quoted(model, name)} = new.{_quoted(model, name)}" for name in columns)
    names = ", ".join(_quoted(model, name) for name in (key, *columns))
    table, key_column = _table(model), _quoted(model, key)
    source = f"unnest({_arrays(model, (key, *columns))}) AS new ({names})"
    sql = f"UPDATE {table} SET {changes} FROM {source} WHERE {table}.{key_column} = new.{key_column}"  # noqa: S608 - our own names
    _execute(sql, model, (key, *columns), rows)


def select_from(
    rows: Sequence[Row], columns: Mapping[str, str], select: str, excluded_ids: Collection[int] = ()
) -> list[Row]:
    """Execute ``select``, which reads ``rows`` as the table ``requested``; returns the rows of its result.

    ``columns``: names and types of ``rows``.  ``select`` must hold ``{excluded}`` once, after a column:
    ``id {excluded}`` becomes the condition that the id is none of ``excluded_ids``.
    """
    if not rows:
        return []
    names = ", ".join(columns)
    arrays = ", ".join(f"%b::{kind}[]" for kind in columns.values())
    requested = f"WITH requested ({names}) AS (SELECT * FROM unnest({arrays}))"  # noqa: S608 - our own types
    with _binary_cursor() as cursor:
        cursor.execute(
            f"{requested} {select.format(excluded='<> ALL (%b::bigint[])')}",
            [*(list(column) for column in zip(*rows, strict=True)), list(excluded_ids)],
        )
        return list(cursor.fetchall())


def fetch(rows: models.QuerySet[models.Model, Row]) -> list[Row]:
    """Return the tuples of ``rows``, a ``values_list`` of plain columns.

    They come in binary: parsing datetimes from text would take longer than everything else.
    """
    sql, parameters = rows.query.sql_with_params()
    with _binary_cursor() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())


def commit_without_waiting() -> None:
    """Let the current transaction commit before its WAL is on disk (``synchronous_commit = off``).

    Only for data that can be computed again from what is safely stored: if the database server crashes, transactions
    of the last second may be lost, each as a whole.  A later synchronous commit also flushes the ones before it.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL synchronous_commit = off")


def _execute(sql: str, model: type[models.Model], columns: Sequence[str], rows: Sequence[Row]) -> list[Row]:
    fields = [_field(model, name) for name in columns]
    arrays = [_array(field, values) for field, values in zip(fields, zip(*rows, strict=True), strict=True)]
    with _binary_cursor() as cursor:
        cursor.execute(sql, arrays)
        return list(cursor.fetchall()) if cursor.description else []


@contextmanager
def _binary_cursor() -> Iterator[CursorWrapper]:
    """A cursor that binds parameters on the server and reads rows in binary; Django's own cursor uses text."""
    connection.ensure_connection()
    with Cursor(connection.connection) as cursor:
        cursor.format = Format.BINARY
        # Wrapped as Django wraps its own: errors are translated, and statements are logged and counted in tests.
        raw: Any = cursor
        yield connection.make_debug_cursor(raw) if connection.queries_logged else connection.make_cursor(raw)


def _array(field: _Field, values: Sequence[Any]) -> list[object]:
    """The values of one column; the driver refuses lists of mixed types (an ``int`` among floats, an enum among texts)."""
    if isinstance(field, models.FloatField):
        return [None if value is None else float(value) for value in values]
    if isinstance(field, models.CharField):
        return [None if value is None else str(value) for value in values]
    if isinstance(field, _PLAIN):
        return list(values)
    return [field.get_db_prep_save(value, connection) for value in values]


@cache
def _insert_sql(model: type[models.Model], columns: tuple[str, ...]) -> str:
    names = ", ".join(_quoted(model, name) for name in columns)
    return f"INSERT INTO {_table(model)} ({names}) SELECT * FROM unnest({_arrays(model, columns)})"  # noqa: S608 - as above


def _arrays(model: type[models.Model], columns: Sequence[str]) -> str:
    """One array parameter for each column, cast to its type.

    The length of ``varchar`` is left out: a cast to it truncates silently, while the assignment raises an error.
    """
    types = [str(_field(model, name).db_type(connection)).partition("(")[0] for name in columns]
    return ", ".join(f"%b::{kind}[]" for kind in types)  # %b: also text goes in binary


def _returning_sql(model: type[models.Model], columns: Sequence[str]) -> str:
    if not columns:
        return ""
    return " RETURNING " + ", ".join(f"{_table(model)}.{_quoted(model, name)}" for name in columns)


def _table(model: type[models.Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _quoted(model: type[models.Model], name: str) -> str:
    column = _field(model, name).column
    return connection.ops.quote_name(str(column))


@cache
def _field(model: type[models.Model], name: str) -> _Field:
    by_name: dict[str, _Field] = {field.attname: field for field in model._meta.concrete_fields}
    return by_name[name]
