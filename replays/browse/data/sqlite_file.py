"""The rows of a dump as tables of one SQLite file, whose columns follow from the schema.

A property is a column.  An object with an ``id`` is the column ``<name>_id``, the statistics of a replay are a column
each, and what else has parts is JSON text.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from analysis.statistics import STORED
from replays.browse.data.dumped_rows import Kind, Record
from replays.browse.data.json_schema import STATISTICS, Schema, properties_of

#: A column: name, type in SQLite, and how its value is read from a row.
Column: TypeAlias = tuple[str, str, Callable[[Record], Any]]

_TYPES: Final = {"integer": "INTEGER", "boolean": "INTEGER", "number": "REAL", "string": "TEXT"}
_KEY: Final = "id"
#: Nobody reads the file before it is whole, and one that is not is thrown away.
_PRAGMAS: Final = ("journal_mode = OFF", "synchronous = OFF", "cache_size = -4000", "locking_mode = EXCLUSIVE")


class SqliteFile:
    def __init__(self, path: Path, schema: Schema, kinds: Sequence[Kind]) -> None:
        self._database = sqlite3.connect(path, isolation_level=None)
        for pragma in _PRAGMAS:
            self._database.execute(f"PRAGMA {pragma}")
        self._database.execute("BEGIN")
        self._columns = {kind.name: list(_columns(properties_of(schema, kind))) for kind in kinds}
        for table, columns in self._columns.items():
            written = ", ".join(
                f'"{name}" {kind}{" PRIMARY KEY" if name == _KEY else ""}' for name, kind, _read in columns
            )
            self._database.execute(f'CREATE TABLE "{table}" ({written})')

    def insert(self, kind: Kind, rows: Sequence[Record]) -> None:
        columns = self._columns[kind.name]
        marks = ", ".join("?" * len(columns))
        statement = f'INSERT INTO "{kind.name}" VALUES ({marks})'  # noqa: S608 - our own names
        self._database.executemany(statement, ([read(row) for _name, _type, read in columns] for row in rows))

    def finish(self) -> None:
        self._database.execute("COMMIT")
        self.close()

    def close(self) -> None:
        self._database.close()


def _columns(properties: dict[str, Schema]) -> Iterator[Column]:
    for name, schema in properties.items():
        if name == STATISTICS:
            yield from (_statistic(row.public, "INTEGER" if row.integer else "REAL") for row in STORED)
        elif _KEY in schema.get("properties", ()):
            yield f"{name}_id", "INTEGER", lambda row, name=name: row[name] and row[name][_KEY]  # type: ignore[misc]
        elif (kind := _type_of(schema)) in _TYPES:
            yield name, _TYPES[kind], lambda row, name=name: row[name]  # type: ignore[misc]
        else:
            yield name, "TEXT", lambda row, name=name: _json(row[name])  # type: ignore[misc]


def _statistic(name: str, kind: str) -> Column:
    return name, kind, lambda row: row[STATISTICS][name]


def _type_of(schema: Schema) -> str:
    """Return the type besides null."""
    found = schema.get("type", "object")
    return found if isinstance(found, str) else next(one for one in found if one != "null")


def _json(value: object) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
