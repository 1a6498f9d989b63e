from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from players.web.charts.axes import Axis, Tick, date_ticks, unit, value_ticks, whole_ticks

WIDTH: Final = 480
HEIGHT: Final = 220
#: The edges of the plot: room for labels on the left and below, and for half a dot on the other sides.
LEFT: Final = 46.0
RIGHT: Final = WIDTH - 12.0
TOP: Final = 14.0
FOOT: Final = HEIGHT - 26.0

#: The pattern of hatched parts, which the page defines (``players/profile/charts/_hatch.html``).
HATCH: Final = mark_safe(' fill="url(#hatch)"')

#: Writes a label of a value axis: the value and its decimals.
Label = Callable[[float, int], str]
Point = tuple[float, float]


class Plot:
    """Collects the parts of a drawing.  ``x`` and ``y`` are its axes, in values; parts are drawn in the order given.

    The names of styles (``kind``) are classes of the style sheet ``site/charts.css``.
    """

    def __init__(
        self, x: tuple[float, float], y: tuple[float, float], *, width: float = WIDTH, height: float = HEIGHT
    ) -> None:
        self.width, self.height = width, height
        self.x = Axis(*x, LEFT, RIGHT)
        self.y = Axis(*y, height - (HEIGHT - FOOT), TOP)
        self._parts: list[SafeString] = []
        self._captions: list[SafeString] = []

    # --- axes ---

    def value_axis(self, label: Label, *, whole: bool = False) -> None:
        ticks, decimals = (whole_ticks(self.y.low, self.y.high), 0) if whole else value_ticks(self.y.low, self.y.high)
        heights = [(unit(self.y.place(value)), value) for value in ticks]
        lines = format_html_join("", '<path d="M{} {}H{}"/>', ((unit(LEFT), y, unit(RIGHT)) for y, _value in heights))
        self._parts.append(format_html('<g class="grid">{}</g>', lines))
        texts = ((unit(LEFT - 6), unit(float(y) + 4), label(value, decimals)) for y, value in heights)
        self._texts("values", texts)

    def bottom_values(self, label: Label, *, whole: bool = False) -> None:
        ticks, decimals = (whole_ticks(self.x.low, self.x.high), 0) if whole else value_ticks(self.x.low, self.x.high)
        self.bottom_ticks(Tick(value, label(value, decimals)) for value in ticks)

    def bottom_ticks(self, ticks: Iterable[Tick]) -> None:
        self._texts("bottom", ((unit(self.x.place(tick.value)), unit(self.height - 9), tick.text) for tick in ticks))

    def bottom_dates(self, first: datetime.datetime) -> None:
        """Dates below the plot, whose axis holds timestamps and begins at ``first``, in the active zone."""
        zone = timezone.get_current_timezone()
        begin = first.astimezone(zone)
        ticks = date_ticks(begin, datetime.datetime.fromtimestamp(self.x.high, zone))
        self.bottom_ticks(ticks or [Tick(self.x.low, f"{begin:%Y-%m-%d}")])

    def captions(self, bottom: str, side: str) -> None:
        """Name the axes: at the foot on the right, and at the top on the left; in front of all other parts."""
        places = (("end", RIGHT, self.y.start - 5, bottom), ("begin", LEFT + 2, TOP - 4, side))
        self._captions = [_text_group(f"caption {kind}", [(unit(x), unit(y), text)]) for kind, x, y, text in places]

    def side_texts(self, rows: Iterable[tuple[float, str]]) -> None:
        """Labels on the left at places of the drawing, not at values."""
        self._texts("values", ((unit(LEFT - 6), unit(y), text) for y, text in rows))

    # --- what is drawn ---

    def bars(self, bars: Iterable[tuple[float, float, float, bool]]) -> None:
        """Bars (from, to, height, hatched) upon the axis, as one path for each look."""
        shapes: dict[bool, list[str]] = {False: [], True: []}
        foot = self.y.place(max(self.y.low, 0.0))
        for begin, end, height, hatched in bars:
            left, right, top = self.x.place(begin), self.x.place(end), self.y.place(height)
            gap = min(1.0, (right - left) * 0.1)
            shapes[hatched].append(rectangle(left + gap, top, right - left - 2 * gap, foot - top))
        for hatched, paths in shapes.items():
            self.shape("bars hatched" if hatched else "bars", paths)

    def inner_bars(self, bars: Iterable[tuple[float, float, float]]) -> None:
        """Bars (from, to, height) in front of others, of which they are a part."""
        foot = self.y.start
        places = [(self.x.place(begin), self.x.place(end), self.y.place(height)) for begin, end, height in bars]
        self.shape(
            "bars inner",
            (
                rectangle(left + gap, top, right - left - 2 * gap, foot - top)
                for left, right, top in places
                for gap in [min(1.0, (right - left) * 0.1)]
            ),
        )

    def steps(self, points: Sequence[Point], kind: str = "steps") -> None:
        """A line on which each value holds until the next, the last one until the right edge."""
        if points:
            (x, y), *others = [(self.x.place(x), self.y.place(y)) for x, y in points]
            moves = [f"M{unit(x)} {unit(y)}", *(f"H{unit(x)}V{unit(y)}" for x, y in others), f"H{unit(RIGHT)}"]
            self.shape(kind, moves)

    def line(self, points: Sequence[Point], kind: str = "line") -> None:
        places = (f"{unit(self.x.place(x))} {unit(self.y.place(y))}" for x, y in points)
        self.shape(kind, ["M" + "L".join(places)] if points else [])

    def dots(self, points: Iterable[Point], kind: str = "dots", radius: float = 2.5) -> None:
        """A dot at each of ``points``, all of them one path."""
        self.shape(kind, (circle(self.x.place(x), self.y.place(y), radius) for x, y in points))

    def upright(self, value: float, text: str, kind: str = "mark") -> None:
        place = self.x.place(value)
        self.shape(kind, [f"M{unit(place)} {unit(TOP)}V{unit(self.y.start)}"])
        self._texts(f"{kind}-text", [(unit(place), unit(TOP - 4), text)])

    def note(self, x: float, y: float, text: str, kind: str = "note") -> None:
        self._texts(kind, [(unit(x), unit(y), text)])

    def shape(self, kind: str, paths: Iterable[str]) -> None:
        """One path of the parts ``paths`` with the class ``kind``; nothing without parts."""
        if data := "".join(paths):
            fill = HATCH if "hatched" in kind.split() else ""
            self._parts.append(format_html('<path class="{}"{} d="{}"/>', kind, fill, data))

    def add(self, part: SafeString) -> None:
        self._parts.append(part)

    def _texts(self, kind: str, texts: Iterable[tuple[str, str, str]]) -> None:
        self._parts.append(_text_group(kind, texts))

    def svg(self, title: str) -> SafeString:
        """The drawing; ``title`` is read by screen readers."""
        return format_html(
            '<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>',
            unit(self.width), unit(self.height), title, format_html_join("", "{}", ((part,) for part in [*self._parts, *self._captions])),
        )  # fmt: skip


def _text_group(kind: str, texts: Iterable[tuple[str, str, str]]) -> SafeString:
    """Texts (x, y, text) of one look."""
    return format_html('<g class="{}">{}</g>', kind, format_html_join("", '<text x="{}" y="{}">{}</text>', texts))


def rectangle(x: float, y: float, width: float, height: float) -> str:
    return f"M{unit(x)} {unit(y)}h{unit(width)}v{unit(height)}h{unit(-width)}z"


def circle(x: float, y: float, radius: float) -> str:
    r, d = unit(radius), unit(2 * radius)
    return f"M{unit(x - radius)} {unit(y)}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0"
