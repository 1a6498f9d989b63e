from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_Y_TICKS: Final = 5
_X_TICKS: Final = 6
_MONTHS_A_TICK: Final = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200)
_DAYS_A_TICK: Final = (1, 2, 7, 14)
_YEAR: Final = 12


@dataclass(frozen=True, slots=True)
class Tick:
    value: float
    text: str


@dataclass(frozen=True, slots=True)
class Axis:
    """The values from ``low`` to ``high`` over the units of a drawing from ``start`` to ``stop``."""

    low: float
    high: float
    start: float
    stop: float

    def place(self, value: float) -> float:
        """Compute the place where ``value`` is drawn; the middle on an axis without extent."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return self.start + share * (self.stop - self.start)

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high


def unit(length: float, decimals: int = 1) -> str:
    """Write ``length`` with at most so many decimals; a tenth of a percent may be more than a pixel."""
    return f"{length:.{decimals}f}".rstrip("0").rstrip(".")


def value_range(values: Sequence[float]) -> tuple[float, float]:
    """The range of the axis of ``values``: from least to greatest with a margin, also if all are equal."""
    low, high = min(values), max(values)
    room = (high - low) * 0.08 or abs(high) * 0.1 or 1.0
    return low - room, high + room


def value_ticks(low: float, high: float) -> tuple[list[float], int]:
    """Round values between ``low`` and ``high``, at most six of them, and the decimals that they need."""
    rough = (high - low) / _Y_TICKS
    power = math.floor(math.log10(rough))
    step = next(nice for nice in (1, 2, 5, 10) if nice * 10.0**power >= rough * (1 - 1e-9)) * 10.0**power
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(number * step, decimals) for number in range(first, last + 1)], decimals


def whole_ticks(low: float, high: float) -> list[float]:
    """Whole numbers between ``low`` and ``high``, at most six of them; for counts and ranks, which have no fractions."""
    ticks, decimals = value_ticks(low, high)
    return ticks if decimals == 0 else [float(number) for number in range(math.ceil(low), math.floor(high) + 1)]


def date_ticks(begin: datetime.datetime, end: datetime.datetime) -> list[Tick]:
    """Ticks at first days of years or months, or at days for a short span; values are timestamps."""
    months = (end.year - begin.year) * _YEAR + end.month - begin.month
    if months < 2:
        return _day_ticks(begin, end)
    step = next((step for step in _MONTHS_A_TICK if months / step <= _X_TICKS), _MONTHS_A_TICK[-1])
    start = begin.year * _YEAR + begin.month - 1
    form = "%Y" if step % _YEAR == 0 else "%Y-%m"
    ticks = []
    for number in range(start - start % step, start + months + 1, step):
        day = begin.replace(
            year=number // _YEAR, month=number % _YEAR + 1, day=1, hour=0, minute=0, second=0, microsecond=0
        )
        if begin <= day <= end:
            ticks.append(Tick(day.timestamp(), day.strftime(form)))
    return ticks


def _day_ticks(begin: datetime.datetime, end: datetime.datetime) -> list[Tick]:
    days = (end - begin).days
    step = next((step for step in _DAYS_A_TICK if days / step <= _X_TICKS), _DAYS_A_TICK[-1])
    midnight = begin.replace(hour=0, minute=0, second=0, microsecond=0)
    midnights = (midnight + datetime.timedelta(days=number) for number in range(0, days + 2, step))
    return [Tick(day.timestamp(), day.strftime("%m-%d")) for day in midnights if begin <= day <= end]
