"""Repeating transactions that conflicted with another one.

Every service that changes boards locks replays first and players second.  Foreign key checks also lock the replays that
new rows refer to, and these are known only once the player is locked; therefore all locks are ``FOR NO KEY UPDATE``,
which foreign key checks do not wait for.  If two transactions deadlock all the same, the database rolls one of them
back, and that one can be repeated.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar

from django.db import DatabaseError, IntegrityError, OperationalError, connection

P = ParamSpec("P")
T = TypeVar("T")

MAX_ATTEMPTS: Final = 8
#: SQLSTATEs of PostgreSQL: serialization failure, deadlock, lock not available.
_CONFLICTS: Final = frozenset({"40001", "40P01", "55P03"})


class Conflict(OperationalError):
    """Raised by a transaction that must be repeated, because another one changed what it has read."""


def retry_on_conflict(work: Callable[P, T]) -> Callable[P, T]:
    """Repeat ``work``, which is one transaction, up to :data:`MAX_ATTEMPTS` times on a conflict; then raise its error.

    It is repeated at once, since pages do not sleep: the database lets it wait for whoever holds what it needs.

    Inside another transaction ``work`` is called only once: a conflict rolls back the whole outer transaction, which
    only its own caller can repeat.
    """

    @wraps(work)
    def retrying(*args: P.args, **kwargs: P.kwargs) -> T:
        for _attempt in range(1, MAX_ATTEMPTS):
            try:
                return work(*args, **kwargs)
            except (OperationalError, IntegrityError) as error:
                if connection.in_atomic_block or not is_conflict(error):
                    raise
        return work(*args, **kwargs)

    return retrying


def is_conflict(error: DatabaseError) -> bool:
    """Return whether another transaction caused ``error``: a deadlock, a lock, or a unique key that it inserted first.

    Any other integrity error counts as well, since it cannot be distinguished; repeating it does no harm.
    """
    if isinstance(error, IntegrityError | Conflict):
        return True
    return getattr(error.__cause__, "sqlstate", None) in _CONFLICTS
