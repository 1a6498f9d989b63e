"""Numpy arrays as PostgreSQL's binary COPY.

Rows whose fields all have the same length are one structured array, and its bytes are the message: no Python object is
made for any row.  A NULL shortens a row, so rows are grouped by which of their fields are NULL.

Source: the section "Binary Format" of PostgreSQL's page on COPY.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
from django.db import connection
from django.db.models import Model
from numpy.typing import NDArray

HEADER: Final = b"PGCOPY\n\xff\r\n\x00" + bytes(8)
TRAILER: Final = b"\xff\xff"
#: Microseconds from 1970, where numpy counts from, to 2000, where PostgreSQL does.
_EPOCH_SHIFT_US: Final = 946_684_800_000_000
_NULL: Final = -1

#: A column of one block of rows: an array (NaN is NULL), one value for all rows, or None for NULL.
Column = NDArray[Any] | str | bytes | int | float | bool | None
Columns = Mapping[str, Column]


class TableCopy:
    """The columns of a model's table, in their order, and how each is sent."""

    def __init__(self, model: type[Model]) -> None:
        fields = [field for field in model._meta.concrete_fields if field.column != "updated_at"]  # by its default
        self.table = model._meta.db_table
        self._types = {str(field.column): str(field.db_type(connection)).partition("(")[0] for field in fields}

    @property
    def statement(self) -> str:
        """The COPY that takes what :meth:`blocks` gives."""
        quote = connection.ops.quote_name
        names = ", ".join(map(quote, self._types))
        return f"COPY {quote(self.table)} ({names}) FROM STDIN (FORMAT binary)"

    def blocks(self, columns: Columns, count: int) -> Iterator[bytes]:
        """``count`` rows of ``columns`` (every column of the table, one element a row in arrays)."""
        if columns.keys() != self._types.keys():
            raise ValueError(f"{self.table}: columns {sorted(columns.keys() ^ self._types.keys())} do not match")
        for nulls, chosen in _groups(columns, count):
            yield self._encoded(columns, nulls, chosen)

    def _encoded(self, columns: Columns, nulls: frozenset[str], chosen: NDArray[np.intp]) -> bytes:
        sent = {
            name: None if name in nulls else _as_sent(columns[name], kind, chosen) for name, kind in self._types.items()
        }
        layout: list[tuple[str, Any]] = [("count of fields", ">i2")]
        for name, values in sent.items():
            layout.append((f"length of {name}", ">i4"))
            if values is not None:
                layout.append((name, values.dtype))
        rows = np.zeros(len(chosen), dtype=layout)
        rows["count of fields"] = len(sent)
        for name, values in sent.items():
            rows[f"length of {name}"] = _NULL if values is None else values.dtype.itemsize
            if values is not None:
                rows[name] = values
        return rows.tobytes()


def _groups(columns: Columns, count: int) -> Iterator[tuple[frozenset[str], NDArray[np.intp]]]:
    """Yield each set of columns that are NULL together, and the rows in which exactly these are."""
    always = {name for name, column in columns.items() if column is None}
    missing = {
        name: np.isnan(column)
        for name, column in columns.items()
        if isinstance(column, np.ndarray) and column.dtype.kind == "f"
    }
    sometimes = [name for name, mask in missing.items() if mask.any()]
    if not sometimes:
        yield frozenset(always), np.arange(count)
        return
    patterns, members = np.unique(np.stack([missing[name] for name in sometimes], axis=1), axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        here = always.union(name for name, is_null in zip(sometimes, pattern, strict=True) if is_null)
        yield frozenset(here), np.flatnonzero(members.ravel() == number)


_NUMBERS: Final = {
    "bigint": ">i8",
    "integer": ">i4",
    "smallint": ">i2",
    "double precision": ">f8",
    "boolean": "u1",
}


def _as_sent(column: Column, kind: str, chosen: NDArray[np.intp]) -> NDArray[Any]:
    """The values of the rows ``chosen`` in the bytes of the type ``kind``; one element where all are the same."""
    values = column[chosen] if isinstance(column, np.ndarray) else np.array([_plain(column, kind)])
    if kind in _NUMBERS:
        return values.astype(_NUMBERS[kind])
    if kind == "timestamp with time zone":
        return (values.astype("datetime64[us]").astype(np.int64) - _EPOCH_SHIFT_US).astype(">i8")
    if kind in ("varchar", "text", "bytea", "jsonb"):
        return values if values.dtype.kind == "V" else values.view(f"V{values.dtype.itemsize}")
    raise TypeError(f"no binary form of {kind} is known here")


def _plain(value: Column, kind: str) -> Any:
    if kind == "jsonb":
        return _opaque(b"\x01" + str(value).encode())  # the version of the binary form, then the text
    if isinstance(value, str):
        return _opaque(value.encode())
    return _opaque(value) if isinstance(value, bytes) else value


def _opaque(data: bytes) -> Any:
    return np.void(data)  # not numpy's own text type, which drops zero bytes at the end


def as_text(values: Sequence[str]) -> NDArray[Any]:
    """Texts of one length as a column; raises ``ValueError`` if their lengths differ."""
    encoded = [value.encode() for value in values]
    lengths = {len(value) for value in encoded}
    if len(lengths) > 1:
        raise ValueError("the texts of a column must have one length")
    return np.frombuffer(b"".join(encoded), dtype=f"V{lengths.pop()}")
