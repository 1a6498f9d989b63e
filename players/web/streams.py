"""Responses that are made while the client reads them."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import close_old_connections, connection


def streamed(parts: Iterator[str]) -> Iterator[bytes]:
    """``parts`` as bytes.  The connection that a part was made with is closed before the part goes out.

    The next part may be made in another thread, and nobody else would close the connection of this one.
    """
    for part in parts:
        if not connection.in_atomic_block:  # a transaction of the caller would be lost
            close_old_connections()
        yield part.encode()
