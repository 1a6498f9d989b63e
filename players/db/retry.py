"""Transactions that are repeated when another transaction was in conflict with them.

Whatever changes boards locks replays first and players then.  A commit also checks the replays that its new rows refer
to, and which ones these are is known only once the player is locked; so every lock is ``FOR NO KEY UPDATE``, which such
checks pass.  Where two transactions wait for each other all the same, the database rolls one of them back, and that one
can be repeated.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import wraps
from time import sleep
from typing import Final, ParamSpec, TypeVar

from django.db import DatabaseError, IntegrityError, OperationalError, connection

P = ParamSpec("P")
T = TypeVar("T")

MAX_ATTEMPTS: Final = 5
#: SQLSTATEs of PostgreSQL: serialization failure, deadlock, lock not available.  SQLite says it in words.
_CONFLICTS: Final = frozenset({"40001", "40P01", "55P03"})


class Conflict(OperationalError):
    """Raised by a transaction that sees what another one did meanwhile, and has to be repeated."""


def retry_on_conflict(work: Callable[P, T]) -> Callable[P, T]:
    """Repeat ``work``, which is one transaction, up to :data:`MAX_ATTEMPTS` times on a conflict; then raise its error.

    Inside another transaction ``work`` is called just once: what was done before it is rolled back as well, and only
    the caller who began that transaction can repeat it.
    """

    @wraps(work)
    def retrying(*args: P.args, **kwargs: P.kwargs) -> T:
        for attempt in range(1, MAX_ATTEMPTS):
            try:
                return work(*args, **kwargs)
            except (OperationalError, IntegrityError) as error:
                if connection.in_atomic_block or not is_conflict(error):
                    raise
                sleep(random.uniform(0.01, 0.05) * attempt)
        return work(*args, **kwargs)

    return retrying


def is_conflict(error: DatabaseError) -> bool:
    """Whether another transaction caused ``error``: a deadlock, a lock, or a unique key that it took first.

    A constraint that our own values violate cannot be told from a key that was taken; repeating it does no harm.
    """
    if isinstance(error, IntegrityError | Conflict):
        return True
    return getattr(error.__cause__, "sqlstate", None) in _CONFLICTS or "locked" in str(error)
