"""Rows of plain SQL, and their types."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypeAlias

from django.db import connection

#: A row as the database returns it; its columns are those of the statement.
Row: TypeAlias = tuple[Any, ...]
SqlValue: TypeAlias = str | float | datetime | list[int] | None


def select(sql: str, parameters: Sequence[SqlValue]) -> list[Row]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())
