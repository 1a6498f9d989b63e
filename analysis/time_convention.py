"""Seconds, sub-N and the way times are shown.

Players of the field count seconds from 1: a game of 9.00 to 9.99 s is "a 10".  *Sub-N* means second <= N - 1, so an
expert game of 38.99 s is sub-40 and one of 39.00 s is not.  Recorded time counts from 0; whether a person sees it
from 0 or from 1 is their choice and changes no rank.  No other module may implement this.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from itertools import pairwise
from typing import Final

from analysis.statistics import Statistic

MS_PER_SECOND: Final = 1_000
#: Smaller values are written as 2.5e-08; ones from here on with all their zeros.
_LEAST_WRITTEN_OUT: Final = 1e-6
#: Most decimals of :func:`decimals_apart`; values that agree in so many differ by the rounding of floats alone.
MOST_DECIMALS: Final = 9
#: Statistics that are times of a game, and how many of their units a second has; they are shown on the reader's clock.
_TIMES: Final = {"time": 1, "estime": 1, "time_ms": MS_PER_SECOND}


def second(time_ms: int) -> int:
    """The second, counted from 1, in which a game of ``time_ms`` ended."""
    return time_ms // MS_PER_SECOND + 1


def sub_limit_ms(n: int) -> int:
    """The time that a sub-``n`` game stays below."""
    return last_second_of_sub(n) * MS_PER_SECOND


def last_second_of_sub(n: int) -> int:
    return n - 1


def best_sub(of_second: int) -> int:
    """The lowest n such that a game which ended in ``of_second`` is sub-n."""
    return of_second + 1


def difference(one: float, other: float) -> float:
    """Return ``one`` less ``other`` without the rounding of floats: 46.44 less 42 is 4.44."""
    return round(one - other, MOST_DECIMALS)


def number_text(value: float, decimals: int) -> str:
    """``value`` with ``decimals`` digits, rounded half up in decimal arithmetic (112 / 20.16 is 5.56).

    The shortest decimal text of the float is rounded, as a person reading it would: 2.675 gives 2.68 although the
    binary number behind it is a little smaller.
    """
    rounded = Decimal(repr(value)).quantize(_unit(decimals), rounding=ROUND_HALF_UP)
    return f"{abs(rounded) if rounded.is_zero() else rounded:f}"


@cache
def _unit(decimals: int) -> Decimal:
    """One unit of the last of so many digits."""
    return Decimal(1).scaleb(-decimals)


def time_decimals(precision_ms: int | None) -> int:
    """Return the number of decimals of a clock of ``precision_ms``; an unknown one counts as one millisecond."""
    if precision_ms is None or precision_ms < 10:
        return 3
    if precision_ms < 100:
        return 2
    return 1 if precision_ms < MS_PER_SECOND else 0


def on_clock_from_one(row: Statistic, value: float, games: int = 1) -> float:
    """``value`` as a clock that starts at 1 shows it, or the sum of the values of several ``games``; only times change."""
    return value + games * _TIMES.get(row.name, 0)


def value_text(
    row: Statistic,
    value: float,
    *,
    precision_ms: int | None = None,
    decimals: int | None = None,
) -> str:
    """``value`` of the statistic ``row`` as text.

    ``precision_ms``: of the game's clock; it decides the decimals of the time.  ``decimals``: in lists those of
    :func:`decimals_apart`; None: those of the clock or of the registry.  A value that is not 0 never looks like 0.
    """
    if decimals is None:
        decimals = time_decimals(precision_ms) if row.name == "time" else row.decimals
    text = number_text(value, decimals)
    if not 0 < abs(value) < 1 or float(text):
        return text
    short = f"{value:.2g}"
    return f"{Decimal(short):f}" if abs(value) >= _LEAST_WRITTEN_OUT else short


def difference_text(row: Statistic, difference: float, precision_ms: int | None = None) -> str:
    """The difference of two values of ``row`` with its sign; the same on every clock."""
    sign = "+" if difference > 0 else "−" if difference < 0 else "±"
    return sign + value_text(row, abs(difference), precision_ms=precision_ms)


def decimals_apart(row: Statistic, values: Iterable[float]) -> int | None:
    """The fewest decimals, from those of ``row`` on, with which different ``values`` look different.

    A list shows all its values with them, so that no two of different rank look equal.  None for times, which have the
    decimals of their clocks.
    """
    if row.name == "time":
        return None
    pairs = list(pairwise(sorted(set(values))))
    for decimals in range(row.decimals, MOST_DECIMALS):
        # Values that are a whole unit of the last digit apart need not be written to see that they differ.
        pairs = [
            (low, high)
            for low, high in pairs
            if (high - low) * 10**decimals < 1 and number_text(low, decimals) == number_text(high, decimals)
        ]
        if not pairs:
            return decimals
    return MOST_DECIMALS
