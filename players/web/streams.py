"""Responses that are made while the client reads them."""

from __future__ import annotations

from django.db import close_old_connections, connection


def give_back_connection() -> None:
    """Close the connection of this thread: each part is made in some thread, whose connection nobody else would close."""
    if not connection.in_atomic_block:  # a transaction of the caller would be lost
        close_old_connections()
