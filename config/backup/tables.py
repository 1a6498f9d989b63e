"""All tables of the site as they are at one moment, while it serves; nothing but the driver of the database is needed.

``COPY`` of each table in one transaction that sees no later writes.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from django.db import connection, transaction

from config.backup.folder import Content
from players.db.snapshot import snapshot

_BLOCK: Final = 1 << 16
#: The text of values depends on these.
_SPELLING: Final = (
    "SET LOCAL TimeZone = 'UTC'", "SET LOCAL DateStyle = 'ISO, MDY'", "SET LOCAL IntervalStyle = 'postgres'",
    "SET LOCAL bytea_output = 'hex'", "SET LOCAL extra_float_digits = 1", "SET LOCAL statement_timeout = 0",
)  # fmt: skip
#: Hashes of the files that rows refer to.
_HASHES: Final = "SELECT sha256 FROM replays_replay WHERE file_deleted_at IS NULL ORDER BY sha256"

Contents = dict[str, Content]
Sequences = dict[str, list[Any]]


def save(folder: Path, hashes: Path) -> tuple[Contents, Sequences]:
    """``hashes``: the file for the hashes of the files that the tables refer to."""
    with _snapshot() as cursor:
        saved = {table: _copy_out(cursor, table, folder / f"{table}.gz") for table in _tables()}
        _copy_hashes(cursor, hashes)
        # Sequences belong to no transaction: read after the tables they are never behind them.
        return saved, {
            f"{table}.{row['column']}": _last_value(cursor, row["name"])
            for table in _tables()
            for row in connection.introspection.get_sequences(cursor, table)
        }


def write_hashes(path: Path) -> None:
    with _snapshot() as cursor:
        _copy_hashes(cursor, path)


def load(folder: Path, sequences: Sequences) -> None:
    """Replace all rows of the database by those in ``folder``, or none if that fails.

    Foreign keys are deferred, so the tables come in any order, and are checked at the end.
    """
    quote, tables = connection.ops.quote_name, _tables()
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in _SPELLING:
            cursor.execute(statement)
        for table in tables:  # the log of decisions refuses to be emptied, and in the feed each row would be a change
            cursor.execute(f"ALTER TABLE {quote(table)} DISABLE TRIGGER USER")
        cursor.execute(f"TRUNCATE {', '.join(map(quote, tables))}")
        for table in tables:
            statement = f"COPY {quote(table)} ({_columns(cursor, table)}) FROM STDIN"
            with gzip.open(folder / f"{table}.gz", "rb") as file, cursor.copy(statement) as copy:
                while block := file.read(_BLOCK):
                    copy.write(block)
        for place, (value, is_called) in sequences.items():
            table, column = place.split(".")
            cursor.execute(
                "SELECT setval(pg_get_serial_sequence(%s, %s), %s, %s)", [quote(table), column, value, is_called]
            )
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # tables with open checks cannot be altered
        for table in tables:
            cursor.execute(f"ALTER TABLE {quote(table)} ENABLE TRIGGER USER")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def contents() -> Contents:
    with _snapshot() as cursor:
        return {table: _copy_out(cursor, table, None) for table in _tables()}


def _tables() -> list[str]:
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    return sorted({*names, "django_migrations"})


@contextmanager
def _snapshot() -> Iterator[Any]:
    with snapshot(), connection.cursor() as cursor:
        for statement in _SPELLING:
            cursor.execute(statement)
        yield cursor


def _last_value(cursor: Any, sequence: str) -> list[Any]:
    cursor.execute(f"SELECT last_value, is_called FROM {connection.ops.quote_name(sequence)}")  # noqa: S608 - our own names
    return list(cursor.fetchone())


def _copy_out(cursor: Any, table: str, path: Path | None) -> Content:
    """Copy the rows of ``table`` in the order of their keys to ``path`` (None: count and hash them only)."""
    quote = connection.ops.quote_name
    keys = ", ".join(map(quote, connection.introspection.get_primary_key_columns(cursor, table) or ()))
    order = f" ORDER BY {keys}" if keys else ""
    digest, rows = hashlib.sha256(), 0
    statement = f"COPY (SELECT {_columns(cursor, table)} FROM {quote(table)}{order}) TO STDOUT"  # noqa: S608 - as above
    with gzip.open(path or "/dev/null", "wb", compresslevel=1) as file, cursor.copy(statement) as copy:
        for block in copy:
            digest.update(block)
            rows += bytes(block).count(b"\n")  # in values they are written as two characters
            if path is not None:
                file.write(block)
    return Content(rows, digest.hexdigest())


def _copy_hashes(cursor: Any, path: Path) -> None:
    with path.open("wb") as file, cursor.copy(f'COPY ({_HASHES} COLLATE "C") TO STDOUT') as copy:
        for block in copy:
            file.write(block)


def _columns(cursor: Any, table: str) -> str:
    found = connection.introspection.get_table_description(cursor, table)
    return ", ".join(connection.ops.quote_name(column.name) for column in found)
