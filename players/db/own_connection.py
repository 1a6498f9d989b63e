from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import ParamSpec, TypeVar

from django.db import DEFAULT_DB_ALIAS, close_old_connections, connection, connections

P = ParamSpec("P")
T = TypeVar("T")


@contextmanager
def own_connection(seconds: int) -> Iterator[None]:
    """Let this thread use a new connection, and wait for an answer of the database no longer than ``seconds``.

    The pool may be busy, and tries for half a minute to reach a database that is gone.
    """
    usual = connections[DEFAULT_DB_ALIAS]
    own = connections.create_connection(DEFAULT_DB_ALIAS)
    own.settings_dict = deepcopy(own.settings_dict)
    options = own.settings_dict["OPTIONS"]
    options.pop("pool", None)
    options["connect_timeout"] = seconds
    options["options"] = f"{options.get('options', '')} -c statement_timeout={seconds}s"
    connections[DEFAULT_DB_ALIAS] = own
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = usual
        own.close()


def disconnected(function: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """Call ``function``, and give back the connection that it has used.

    Django does so at the end of a request.  In a thread of other work, or one in which a streamed response is read, the
    connection would stay, and be missing in the pool of the process.
    """
    try:
        return function(*args, **options)
    finally:
        close_old_connections()


def close_database() -> None:
    """Close the connection of this thread and the pool of this process, neither of which survives a fork."""
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]  # PostgreSQL's alone has one
