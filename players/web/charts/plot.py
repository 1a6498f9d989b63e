from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Final

from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from players.web.charts.axes import Axis, Tick, date_ticks, unit, value_ticks, whole_ticks

#: Edges of the plot in percent: room for the labels on the left and below, and for half a dot on the other sides.
LEFT: Final = 10.0
RIGHT: Final = 97.0
TOP: Final = 9.0
FOOT: Final = 87.0

#: The pattern of hatched parts, which the page defines (``players/profile/charts/_hatch.html``).
HATCH: Final = mark_safe(' fill="url(#hatch)"')

#: Writes a label of a value axis: the value and its decimals.
Label = Callable[[float, int], str]
Point = tuple[float, float]


class Plot:
    """Collects the parts of a drawing that fills its frame, of any size.

    Places are percentages, so dots, lines and texts keep their size.  There are straight lines, bars, dots and texts
    alone, as paths take no percentages.  The names of styles (``kind``) are classes of ``profile/charts/charts.css``.
    ``low_on_top``: small values are at the top.
    """

    def __init__(self, x: tuple[float, float], y: tuple[float, float], *, low_on_top: bool = False) -> None:
        self.x = Axis(*x, LEFT, RIGHT)
        self.y = Axis(*y, TOP, FOOT) if low_on_top else Axis(*y, FOOT, TOP)
        self._parts: list[SafeString] = []

    # --- axes ---

    def value_axis(self, label: Label, suffix: str = "", *, whole: bool = False) -> None:
        ticks, decimals = (whole_ticks(self.y.low, self.y.high), 0) if whole else value_ticks(self.y.low, self.y.high)
        heights = [(unit(self.y.place(value)), f"{label(value, decimals)}{suffix}") for value in ticks]
        self._group("grid", '<line x1="0" y1="{0}%" x2="100%" y2="{0}%"/>', ((height,) for height, _text in heights))
        self._group("values begin", '<text x="0" y="{}%" dy="-4">{}</text>', heights)

    def bottom_values(self, label: Label, *, whole: bool = False) -> None:
        ticks, decimals = (whole_ticks(self.x.low, self.x.high), 0) if whole else value_ticks(self.x.low, self.x.high)
        self.bottom_ticks(Tick(value, label(value, decimals)) for value in ticks)

    def bottom_ticks(self, ticks: Iterable[Tick]) -> None:
        texts = ((unit(self.x.place(tick.value)), tick.text) for tick in ticks)
        self._group("bottom", '<text x="{}%" y="100%" dy="-6">{}</text>', texts)

    def bottom_dates(self, first: datetime.datetime) -> None:
        """Dates below the plot, whose axis holds timestamps and begins at ``first``, in the active zone."""
        zone = timezone.get_current_timezone()
        begin = first.astimezone(zone)
        ticks = date_ticks(begin, datetime.datetime.fromtimestamp(self.x.high, zone))
        self.bottom_ticks(ticks or [Tick(self.x.low, f"{begin:%Y-%m-%d}")])

    def captions(self, bottom: str, side: str) -> None:
        self._group("caption begin", '<text x="0" y="100%" dy="-6">{}</text>', [(bottom,)])
        self.note((self.x.low, self.y.high), side, "caption begin", dx=4)

    def side_texts(self, rows: Iterable[tuple[float, str]]) -> None:
        texts = ((unit(self.y.place(value), 2), text) for value, text in rows)
        self._group("values begin", '<text x="0" y="{}%" dy="4">{}</text>', texts)

    # --- what is drawn ---

    def lines(self, lines: Iterable[tuple[Point, Point]], kind: str) -> None:
        places = ((*self._place(begin), *self._place(end)) for begin, end in lines)
        self._group(kind, '<line x1="{}%" y1="{}%" x2="{}%" y2="{}%"/>', places)

    def steps(self, points: Sequence[Point], kind: str = "steps") -> None:
        """A line on which each value holds until the next, the last one until the right edge."""
        corners: list[Point] = []
        for x, y in points:
            corners += [(x, corners[-1][1]), (x, y)] if corners else [(x, y)]
        if corners:
            self.lines(pairwise([*corners, (self.x.high, corners[-1][1])]), kind)

    def line(self, points: Sequence[Point], kind: str = "line") -> None:
        self.lines(pairwise(points), kind)

    def dots(self, points: Iterable[Point], kind: str, radius: float) -> None:
        places = ((*self._place(point), unit(radius)) for point in points)
        self._group(kind, '<circle cx="{}%" cy="{}%" r="{}"/>', places)

    def named_dots(self, dots: Iterable[tuple[float, float, str]]) -> None:
        """Dots (x, y, tooltip)."""
        places = ((*self._place((x, y)), text) for x, y, text in dots)
        self._group("dots", '<circle cx="{}%" cy="{}%" r="3"><title>{}</title></circle>', places)

    def cells(self, corners: Iterable[Point], kind: str) -> None:
        """Squares of one unit, from their least values on."""
        width, height = self.x.place(1) - self.x.place(0), self.y.place(1) - self.y.place(0)
        places = ((*self._place(corner), unit(width, 2), unit(height, 2)) for corner in corners)
        self._group(kind, '<rect x="{}%" y="{}%" width="{}%" height="{}%"/>', places)

    def bars(self, bars: Iterable[tuple[float, float, float]], kind: str = "bars") -> None:
        """Bars (from, to, height) upon the axis."""
        foot = self.y.place(max(self.y.low, 0.0))
        places = []
        for begin, end, height in bars:
            left, top = self.x.place(begin), self.y.place(height)
            places.append((unit(left, 2), unit(top, 2), unit(self.x.place(end) - left, 2), unit(foot - top, 2)))
        self._group(kind, '<rect x="{}%" y="{}%" width="{}%" height="{}%"/>', places)

    def upright(self, value: float, text: str, kind: str = "mark") -> None:
        self.lines([((value, self.y.low), (value, self.y.high))], kind)
        self._group(f"{kind}-text", '<text x="{}%" y="{}%" dy="-4">{}</text>', [(unit(self.x.place(value)), TOP, text)])

    def note(self, point: Point, text: str, kind: str = "note", *, dx: float = 0, dy: float = -9) -> None:
        """A text next to ``point``, ``dx`` and ``dy`` pixels away from it."""
        x, y = self._place(point)
        self._group(kind, '<text x="{}%" y="{}%" dx="{}" dy="{}">{}</text>', [(x, y, unit(dx), unit(dy), text)])

    def _place(self, point: Point) -> tuple[str, str]:
        return unit(self.x.place(point[0]), 2), unit(self.y.place(point[1]), 2)

    def _group(self, kind: str, part: str, places: Iterable[tuple[object, ...]]) -> None:
        if drawn := format_html_join("", part, places):
            fill = HATCH if "hatched" in kind.split() else ""
            self._parts.append(format_html('<g class="{}"{}>{}</g>', kind, fill, drawn))

    def svg(self, title: str) -> SafeString:
        """The drawing; ``title`` is read by screen readers."""
        parts = format_html_join("", "{}", ((part,) for part in self._parts))
        return format_html('<svg class="chart fluid" role="img" aria-label="{}">{}</svg>', title, parts)
