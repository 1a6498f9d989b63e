"""Transactions that are done once more when another one was in their way.

Whatever changes boards locks replays first and players then.  A commit also looks at the replays that its new rows
refer to, and which these are shows only once the player is locked; so every lock leaves the key of its row to such
looks (``no_key``).  Where two changes wait for each other all the same, the database ends one of them, which has done
nothing, and can be done again.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar

from django.db import DatabaseError, OperationalError, connection

P = ParamSpec("P")
T = TypeVar("T")

TRIES: Final = 5
#: PostgreSQL's SQLSTATE of a lost race, a deadlock, and a lock that could not be had; SQLite says it in words.
_IN_THE_WAY: Final = frozenset({"40001", "40P01", "55P03"})


def was_in_the_way(error: DatabaseError) -> bool:
    """Whether another transaction, and nothing else, made this one fail."""
    return getattr(error.__cause__, "sqlstate", None) in _IN_THE_WAY or "locked" in str(error)


def pause(attempt: int) -> None:
    """A moment for the other one, a little longer each time."""
    time.sleep(random.uniform(0.01, 0.05) * attempt)


def patient(work: Callable[P, T]) -> Callable[P, T]:
    """Let ``work``, which is one transaction, be done again when another transaction was in its way.

    Inside of a transaction it is called just once: what was done before it is lost as well, and only who began the
    transaction can begin again.
    """

    @wraps(work)
    def patiently(*args: P.args, **kwargs: P.kwargs) -> T:
        for attempt in range(1, TRIES):
            try:
                return work(*args, **kwargs)
            except OperationalError as error:
                if connection.in_atomic_block or not was_in_the_way(error):
                    raise
                pause(attempt)
        return work(*args, **kwargs)

    return patiently
