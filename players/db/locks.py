"""Locks on values that are not rows yet."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection


def lock_keys(keys: Iterable[bytes]) -> None:
    """Let transactions that lock an equal key wait for one another until they end.

    PostgreSQL's advisory locks, numbered by the first eight bytes of each key (so keys should be hashes) and taken in the
    order of these numbers.
    """
    numbers = sorted({int.from_bytes(key[:8], "big", signed=True) for key in keys})
    if numbers:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(number) FROM unnest(%s::bigint[]) AS number", [numbers])
