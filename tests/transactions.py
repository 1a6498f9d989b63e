"""Transactions of tests, and those of the site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeVar

from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from players.web.rate_limits import RateLimit

T = TypeVar("T")


@contextmanager
def undone() -> Iterator[None]:
    """A transaction of a test, whose changes are undone; like that of pytest-django it is none of the site's."""
    block = transaction.atomic()
    block._from_testcase = True  # type: ignore[attr-defined]  # Django's own mark
    with block:
        yield
        transaction.set_rollback(True)


@contextmanager
def rows_of_a_module(blocker: DjangoDbBlocker, make: Callable[[], T]) -> Iterator[T]:
    """Give what ``make`` writes to all tests of a module: each undoes its own changes, and the end of the module these."""
    with blocker.unblock(), undone():
        made = make()
        with blocker.block():
            yield made


def holds_locks() -> bool:
    """Return whether the site is in a transaction now, apart from those that the tests have begun around it."""
    return any(not getattr(block, "_from_testcase", False) for block in connection.atomic_blocks)


def refuse_to_count_in_transactions() -> None:
    """From now on every rate limit fails a test whose caller is in a transaction, or holds a lock."""

    def outside(ask: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(ask)
        def asking(*args: Any, **kwargs: Any) -> Any:
            assert not holds_locks(), "a rate limit is counted in a transaction: the locks wait for Redis"
            return ask(*args, **kwargs)

        return asking

    for name in ("allows", "count", "remaining", "wait_seconds"):
        setattr(RateLimit, name, outside(getattr(RateLimit, name)))
