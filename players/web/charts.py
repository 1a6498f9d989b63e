"""Step charts as SVG, drawn on the server without scripts; colours come from the style sheet.

Only numbers and escaped texts are written into the markup.  A chart is ``WIDTH`` x ``HEIGHT`` units; pages scale it to
the width of the column, and scroll it on narrow screens.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

WIDTH: Final = 720
HEIGHT: Final = 280
#: The edges of the plot: room for labels on the left and below, and for half a dot on the other sides.
_LEFT, _RIGHT, _TOP, _FOOT = 70.0, WIDTH - 14.0, 14.0, HEIGHT - 32.0
_Y_TICKS: Final = 5
_X_TICKS: Final = 7
_MONTHS_A_TICK: Final = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200)
_DAYS_A_TICK: Final = (1, 2, 7, 14)
_YEAR: Final = 12


@dataclass(frozen=True, slots=True)
class Point:
    """A value that holds from ``at`` until the next point; ``text``: its tooltip."""

    at: datetime.datetime
    value: float
    text: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A tick of an axis and its label."""

    value: float
    text: str


def step_chart(
    points: Sequence[Point], *, until: datetime.datetime, title: str, number: Callable[[float, int], str]
) -> SafeString:
    """The chart of ``points``, sorted by date; the last one holds ``until`` then.  "" without points.

    ``number(value, decimals)`` writes a label of the value axis; ``title`` is read by screen readers.
    """
    if not points:
        return SafeString("")
    begin, end = points[0].at.timestamp(), max(until, points[-1].at).timestamp()
    low, high = value_range([point.value for point in points])
    places = [
        (_scaled(point.at.timestamp(), begin, end, _LEFT, _RIGHT), _scaled(point.value, low, high, _FOOT, _TOP))
        for point in points
    ]
    marks = zip(places, points, strict=True)
    return format_html(
        '<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}"><g class="grid">{}</g>{}{}'
        '<path class="steps" d="{}"/><g class="dots">{}</g></svg>',
        WIDTH, HEIGHT, title, _grid(low, high), _value_texts(low, high, number), _date_texts(points[0].at, begin, end),
        _line(places),
        format_html_join(
            "", '<circle cx="{}" cy="{}" r="4"><title>{}</title></circle>',
            ((_unit(x), _unit(y), point.text) for (x, y), point in marks),
        ),
    )  # fmt: skip


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


def _scaled(value: float, low: float, high: float, start: float, stop: float) -> float:
    share = (value - low) / (high - low) if high > low else 0.5
    return start + share * (stop - start)


def _unit(length: float) -> str:
    return f"{length:.1f}"


def _line(places: Sequence[tuple[float, float]]) -> str:
    """The path of the line: each value is held until the next, the last one until the right edge."""
    (x, y), *others = places
    moves = [f"M{_unit(x)} {_unit(y)}", *(f"H{_unit(x)}V{_unit(y)}" for x, y in others), f"H{_unit(_RIGHT)}"]
    return "".join(moves)


def _grid(low: float, high: float) -> SafeString:
    values, _decimals = value_ticks(low, high)
    heights = (_unit(_scaled(value, low, high, _FOOT, _TOP)) for value in values)
    return format_html_join("", '<path d="M{} {}H{}"/>', ((_unit(_LEFT), y, _unit(_RIGHT)) for y in heights))


def _value_texts(low: float, high: float, number: Callable[[float, int], str]) -> SafeString:
    values, decimals = value_ticks(low, high)
    texts = (
        (_unit(_LEFT - 8), _unit(_scaled(value, low, high, _FOOT, _TOP) + 4), number(value, decimals))
        for value in values
    )
    return format_html('<g class="values">{}</g>', format_html_join("", '<text x="{}" y="{}">{}</text>', texts))


def _date_texts(first: datetime.datetime, begin: float, end: float) -> SafeString:
    zone = timezone.get_current_timezone()
    ticks = date_ticks(first.astimezone(zone), datetime.datetime.fromtimestamp(end, zone))
    ticks = ticks or [Tick(begin, first.astimezone(zone).strftime("%Y-%m-%d"))]
    texts = ((_unit(_scaled(tick.value, begin, end, _LEFT, _RIGHT)), HEIGHT - 10, tick.text) for tick in ticks)
    return format_html('<g class="dates">{}</g>', format_html_join("", '<text x="{}" y="{}">{}</text>', texts))
