"""Telling a database that is away, restarting or out of connections from one that refuses a statement."""

from __future__ import annotations

from typing import Final

import psycopg
from django.db import InterfaceError, OperationalError

#: Seconds after which a request is worth another try; PostgreSQL takes about so long to start again.
RETRY_SECONDS: Final = 5
#: SQLSTATEs of PostgreSQL: it is shut down, it crashed, it cannot be connected to yet, its connections are used up.
_AWAY: Final = frozenset({"57P01", "57P02", "57P03", "53300"})
_CONNECTION_CLASS: Final = "08"


def is_outage(error: BaseException | None) -> bool:
    """Return whether ``error``, or one that it came from, says that the database cannot be reached now."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, OperationalError | InterfaceError) and _is_of_connection(error.__cause__):
            return True
        error = error.__cause__ or error.__context__
    return False


def first_line(error: BaseException) -> str:
    """Return what the database, or the library, says of ``error``, without the hints that follow."""
    return next(iter(str(error).splitlines()), type(error).__name__)


def _is_of_connection(cause: BaseException | None) -> bool:
    """Without a SQLSTATE no server has answered: the connection was lost, or there was none (also none of the pool)."""
    if not isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError):
        return False
    state = cause.sqlstate
    return state is None or state in _AWAY or state.startswith(_CONNECTION_CLASS)
