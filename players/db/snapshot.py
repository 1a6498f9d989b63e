from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """Let all statements of the block read the database as it is at the first of them, while others write.

    They may take any time, and may write nothing.
    """
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            cursor.execute("SET LOCAL statement_timeout = 0")
            yield
        return
    database: Any = connection  # of SQLite, which alone has this property
    usual = database.transaction_mode
    database.transaction_mode = "DEFERRED"  # IMMEDIATE would keep all writers out
    try:
        with transaction.atomic():
            yield
    finally:
        database.transaction_mode = usual
