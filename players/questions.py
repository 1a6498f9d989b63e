"""Statements that are written once, and statements that are sent together.

Django's query builder takes about as long to write a statement as PostgreSQL takes to answer it, and each statement
that is waited for costs two changes between processes.  A page that puts five questions feels both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeAlias, TypeVar

from django.db import connection
from django.db.models import QuerySet

T = TypeVar("T")
Row: TypeAlias = tuple[Any, ...]
#: An answer that may still be on its way; calling it, which can be done once, waits for it.
Later: TypeAlias = Callable[[], T]

#: Numbers that no statement of ours holds by itself: they mark the places that are filled later.
_FIRST_MARK: Final = -7_777_000_001
_FIRST_MOMENT: Final = datetime(1, 1, 2, 3, 4, 5, tzinfo=UTC)


@contextmanager
def together() -> Iterator[None]:
    """Send what is asked inside at once, and do not wait until an answer is read.

    PostgreSQL works on the next question while the answer to the one before is read.  SQLite answers at once.
    Read every answer before the end: whoever does not never hears of an error of theirs.  For reading alone: what is
    asked before the first answer is one transaction, in which no other can begin.
    """
    if connection.vendor != "postgresql":
        yield
        return
    connection.ensure_connection()
    with connection.wrap_database_errors, connection.connection.pipeline():
        yield


def asked(sql: str, values: Sequence[Any], moments: Sequence[int] = ()) -> Later[list[Row]]:
    """Send a statement; its rows.  ``moments``: the columns that are moments, which SQLite keeps as text."""
    cursor = connection.cursor()
    cursor.execute(sql, values)
    if _in_pipeline():
        # PostgreSQL keeps answers back until it is told that somebody waits.
        connection.connection.pgconn.send_flush_request()
        connection.connection.pgconn.flush()

    def rows() -> list[Row]:
        with cursor:
            found = list(cursor.fetchall())
        return found if connection.vendor == "postgresql" else [_with_moments(row, moments) for row in found]

    return rows


def asked_of(sql: str, ids: Sequence[int], *values: Any) -> Later[list[Row]]:
    """Send a statement about the rows ``ids``, which stand after ``values`` in the place ``{ids}``; none: no rows."""
    return asked(sql.format(ids=", ".join(["%s"] * len(ids))), [*values, *ids]) if ids else list


def _with_moments(row: Row, moments: Sequence[int]) -> Row:
    operations: Any = connection.ops
    values = list(row)
    for index in moments:
        values[index] = operations.convert_datetimefield_value(values[index], None, connection)
    return tuple(values)


def _in_pipeline() -> bool:
    return connection.vendor == "postgresql" and connection.connection.pgconn.pipeline_status != 0


class Question:
    """A statement of the query builder that is written when it is first asked, and only filled in from then on.

    ``build`` makes its ``values_list`` of keywords, each of which it must hand to the statement as it is: a keyword
    that decides what the statement looks like needs a question of its own.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Any]]) -> None:
        self._build = build
        self._written: dict[tuple[type, ...], _Written] = {}

    def ask(self, **values: Any) -> Later[list[Row]]:
        """Send the statement with ``values``; its rows as ``values_list`` has them.

        Each is an int within 64 bits, a float, a str without NUL, or a datetime.
        """
        kinds = tuple(map(type, values.values()))
        written = self._written.get(kinds)
        if written is None:
            written = self._written[kinds] = _write(self._build, values)
        rows = asked(written.sql, [_adapted(values[name]) if name else given for name, given in written.places])
        return (lambda: written.read(rows())) if written.converters else rows


@dataclass(frozen=True, slots=True)
class _Written:
    """``places``: the name of what fills each place of ``sql``, or "" and what always stands there."""

    sql: str
    places: list[tuple[str, Any]]
    #: Of columns that the database does not give as Python means them, by their index.
    converters: dict[int, tuple[list[Callable[..., Any]], Any]]

    def read(self, rows: list[Row]) -> list[Row]:
        """``rows`` as Python means them."""
        return [tuple(self._value(index, value) for index, value in enumerate(row)) for row in rows]

    def _value(self, index: int, value: Any) -> Any:
        converters, expression = self.converters.get(index, ((), None))
        for converter in converters:
            value = converter(value, expression, connection)
        return value


def _write(build: Callable[..., QuerySet[Any, Any]], values: dict[str, Any]) -> _Written:
    marks = {name: _mark(index, value) for index, (name, value) in enumerate(values.items())}
    names = {_adapted(mark): name for name, mark in marks.items()}
    compiler = build(**marks).query.get_compiler(connection=connection)
    sql, given = compiler.as_sql()
    places = [(names.get(value, ""), value) for value in given]
    missing = marks.keys() - {name for name, _value in places}
    if missing:
        raise ValueError(f"the statement does not hold {', '.join(sorted(missing))} as given: {sql}")
    shown = [column for column, _sql, _alias in compiler.select]
    return _Written(sql, places, compiler.get_converters(shown))


def _mark(index: int, value: Any) -> Any:
    """Something of the kind of ``value`` that stands nowhere else."""
    if isinstance(value, datetime):
        return _FIRST_MOMENT + timedelta(days=index)
    if isinstance(value, str):
        return f"\N{REPLACEMENT CHARACTER}{index}"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return type(value)(_FIRST_MARK - index)
    raise TypeError(f"no statement can be filled with {value!r} later")


def _adapted(value: Any) -> Any:
    """``value`` as the query builder hands it to the database."""
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value
