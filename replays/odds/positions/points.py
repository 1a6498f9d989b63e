"""Charts of point series as SVG: a marker for each value, without lines, since there are no values in between.

As in ``players.web.charts``, they are drawn on the server, colours come from the style sheet, and only numbers and
escaped texts are written into the markup.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from players.web.charts.axes import value_ticks

_LEFT, _RIGHT, _TOP, _FOOT = 52.0, 32.0, 22.0, 46.0  # margins with room for labels

#: Markers around their point, distinguishable without colours: disc, square, diamond.
_MARKERS: Final = (
    "m-{r} 0a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z",
    "m-{r} -{r}h{d}v{d}h-{d}z",
    "m0 -{r}l{r} {r}l-{r} {r}l-{r} -{r}z",
)


@dataclass(frozen=True, slots=True)
class PointSeries:
    """Values at whole numbers; ``name`` is shown beside the last one, ``number`` (0 to 2) gives marker and colour."""

    number: int
    name: str
    values: dict[int, float]


@dataclass(frozen=True, slots=True)
class Note:
    """An annotated point: a ring around it and a text above or, with ``below``, under it."""

    at: int
    value: float
    text: str
    below: bool = False


@dataclass(frozen=True, slots=True)
class Canvas:
    """The size of a chart and half that of a marker, in units; ``from_zero``: whether the value axis begins at 0."""

    width: int
    height: int
    marker: float
    from_zero: bool = True


FULL: Final = Canvas(1080, 460, 1.5)
CLOSE_UP: Final = Canvas(520, 300, 4.0, from_zero=False)


@dataclass(frozen=True, slots=True)
class _Axes:
    canvas: Canvas
    first: int
    last: int
    low: float
    high: float

    @property
    def right(self) -> float:
        return self.canvas.width - _RIGHT

    @property
    def foot(self) -> float:
        return self.canvas.height - _FOOT

    def x(self, at: float) -> float:
        return _LEFT + (at - self.first) / (self.last - self.first) * (self.right - _LEFT)

    def y(self, value: float) -> float:
        return self.foot - (value - self.low) / (self.high - self.low) * (self.foot - _TOP)


def point_chart(
    series: Sequence[PointSeries], notes: Sequence[Note], *, title: str, across: str, up: str, canvas: Canvas = FULL
) -> SafeString:
    """The chart of at most three series with at least two different values.

    ``title`` is for screen readers; ``across`` and ``up`` are the names of the axes.
    """
    at = [at for points in series for at in points.values]
    values = [value for points in series for value in points.values.values()]
    room = 0.04 * (max(values) - min(values))
    low = min(0.0, *values) if canvas.from_zero else min(values) - room
    axes = _Axes(canvas, min(at), max(at), low, max(values) + room)
    return format_html(
        '<svg class="chart points" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}{}{}</svg>',
        canvas.width, canvas.height, title, _grid(axes), _axis_names(axes, across, up),
        format_html_join("", "{}", ((_series(axes, points),) for points in series)),
        format_html_join("", "{}", ((_note(axes, note),) for note in notes)),
    )  # fmt: skip


def _series(axes: _Axes, points: PointSeries) -> SafeString:
    """All markers as one path, which is short for 200 of them, and the name beside the last."""
    marker = _MARKERS[points.number].format(r=axes.canvas.marker, d=2 * axes.canvas.marker)
    path = "".join(f"M{axes.x(at):.1f} {axes.y(value):.1f}{marker}" for at, value in points.values.items())
    last = max(points.values)
    return format_html(
        '<g class="s{}"><path d="{}"/><text class="name" x="{}" y="{}">{}</text></g>',
        points.number, path, f"{axes.x(last) + 8:.1f}", f"{axes.y(points.values[last]) + 4:.1f}", points.name,
    )  # fmt: skip


def _note(axes: _Axes, note: Note) -> SafeString:
    x, y = axes.x(note.at), axes.y(note.value)
    return format_html(
        '<g class="note"><circle cx="{}" cy="{}" r="9"/><path d="M{} {}v{}"/><text x="{}" y="{}">{}</text></g>',
        f"{x:.1f}", f"{y:.1f}", f"{x:.1f}", f"{y + (9 if note.below else -9):.1f}", 26 if note.below else -26,
        f"{x:.1f}", f"{y + 50 if note.below else y - 40:.1f}", note.text,
    )  # fmt: skip


def _grid(axes: _Axes) -> SafeString:
    ups, decimals = value_ticks(axes.low, axes.high)
    alongs, _ = value_ticks(axes.first, axes.last)
    lines = [f"M{_LEFT} {axes.y(value):.1f}H{axes.right}" for value in ups]
    lines += [f"M{axes.x(value):.1f} {_TOP}V{axes.foot}" for value in alongs]
    return format_html(
        '<path class="grid" d="{}"/><g class="values">{}</g><g class="dates">{}</g>',
        "".join(lines),
        format_html_join("", '<text x="{}" y="{}">{}</text>', (
            (f"{_LEFT - 8:.1f}", f"{axes.y(value) + 4:.1f}", f"{value:.{decimals}f}") for value in ups
        )),
        format_html_join("", '<text x="{}" y="{}">{}</text>', (
            (f"{axes.x(value):.1f}", f"{axes.foot + 18:.1f}", f"{value:g}") for value in alongs
        )),
    )  # fmt: skip


def _axis_names(axes: _Axes, across: str, up: str) -> SafeString:
    return format_html(
        '<g class="axes"><text x="{}" y="{}">{}</text><text class="up" x="0" y="12">{}</text></g>',
        f"{(_LEFT + axes.right) / 2:.0f}", axes.canvas.height - 8, across, up,
    )  # fmt: skip
