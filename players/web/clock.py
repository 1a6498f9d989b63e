"""The clock on which pages show times: from 0, as recorded, or from 1.

It holds for a request, as the language and the time zone do.  Without a request, in the API, and on pages that are the
same for everybody, times count from 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from django.http import HttpRequest

from analysis.statistics import Statistic
from analysis.time_convention import on_clock_from_one, value_text
from players.models import User
from players.web.problems import is_api
from players.web.users import signed_in_user

#: The clock of guests, a value of ``User.Clock``; accounts have a setting.
CLOCK_COOKIE: Final = "clock"

_from_one: Final = ContextVar("from_one", default=False)


@contextmanager
def clock_of(request: HttpRequest) -> Iterator[None]:
    """Show times on the clock that the visitor has chosen."""
    user = signed_in_user(request)
    chosen = request.COOKIES.get(CLOCK_COOKIE) if user is None else user.clock
    token = _from_one.set(chosen == User.Clock.ONE and not is_api(request))
    try:
        yield
    finally:
        _from_one.reset(token)


def counts_from_one() -> bool:
    return _from_one.get()


def shown_value(row: Statistic, value: float, games: int = 1) -> float:
    """Return ``value`` on the reader's clock; only times change."""
    return on_clock_from_one(row, value, games) if counts_from_one() else value


def shown_text(
    row: Statistic, value: float, *, precision_ms: int | None = None, games: int = 1, decimals: int | None = None
) -> str:
    """Return :func:`value_text` on the reader's clock; ``games``: of how many games the value is the sum."""
    return value_text(row, shown_value(row, value, games), precision_ms=precision_ms, decimals=decimals)
