from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from players.web.charts.axes import value_range
from players.web.charts.plot import Plot


@dataclass(frozen=True, slots=True)
class Point:
    """A value that holds from ``at`` until the next point; ``text``: its tooltip."""

    at: datetime.datetime
    value: float
    text: str


def step_chart(
    points: Sequence[Point],
    *,
    until: datetime.datetime,
    title: str,
    number: Callable[[float, int], str],
    whole: bool = False,
) -> SafeString:
    """The chart of ``points``, sorted by date; the last one holds ``until`` then.  "" without points.

    ``number(value, decimals)`` writes a label of the value axis, which ``whole`` restricts to whole numbers; ``title`` is
    read by screen readers.
    """
    if not points:
        return SafeString("")
    end = max(until, points[-1].at).timestamp()
    plot = Plot((points[0].at.timestamp(), end), value_range([point.value for point in points]))
    plot.value_axis(number, whole=whole)
    plot.bottom_dates(points[0].at)
    plot.steps([(point.at.timestamp(), point.value) for point in points])
    plot.named_dots((point.at.timestamp(), point.value, point.text) for point in points)
    return plot.svg(title)
