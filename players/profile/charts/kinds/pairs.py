from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analysis.statistics import BY_NAME, Statistic
from analysis.time_convention import number_text
from players.models import PersonalBest
from players.profile.charts import games as player_games
from players.profile.charts.chart import Chart, Column, Mark, no_chart
from players.profile.charts.games import Bin, Grid, Outlier, Spread
from players.profile.charts.request import ChartQuery
from players.web.charts.axes import Axis, value_ticks
from players.web.charts.plot import Plot, rectangle
from players.web.links import replay_address

#: Most cells of the grid; fewer games get larger cells, down to :data:`FEWEST_BINS`.
BINS: Final = (30, 20)
FEWEST_BINS: Final = (12, 8)
CLASSES: Final = 6
OUTLIERS: Final = 150
#: How many standard deviations around the mean the grid covers; games further out are outliers.
_DEVIATIONS: Final = 3.5
#: How many cells below its upper edge a link of a cell ends.
_BELOW_EDGE: Final = 1e-6
_HEIGHT: Final = 260
#: The square root of the number of games from which on the grid has its smallest cells.
_GAMES_OF_FULL_GRID: Final = 40


def speed_map(query: ChartQuery) -> Chart:
    """Clicks a second against 3BV a click; their product is 3BV a second, so equal speeds are hyperbolas."""
    return _chart(query, ("cls", "ioe"), curves=True)


def pair(query: ChartQuery) -> Chart:
    return _chart(query, (query.x, query.y), curves=False)


def _chart(query: ChartQuery, names: tuple[str, str], *, curves: bool) -> Chart:
    x, y = BY_NAME[names[0]], BY_NAME[names[1]]
    where = (query.player.pk, query.ranked_level, query.style, names)
    columns = (
        Column("x_from", _("%(name)s from") % {"name": _(x.label)}, query.value(x)),
        Column("x_to", _("to"), query.value(x)),
        Column("y_from", _("%(name)s from") % {"name": _(y.label)}, query.value(y)),
        Column("y_to", _("to"), query.value(y)),
        Column("games", _("Games")),
        Column("replay", _("Replay"), "#{}".format),
    )
    spread = player_games.spread(*where)
    if spread is None:
        return no_chart(*columns)
    grid = grid_of(spread, (x, y))
    bins = player_games.bins(*where, grid)
    apart = player_games.outliers(*where, grid, OUTLIERS)
    plot = Plot(_extent(grid, 0), _extent(grid, 1), height=_HEIGHT)
    plot.value_axis(query.label(y))
    plot.bottom_values(query.label(x))
    plot.captions(_(x.label), _(y.label))
    _draw_bins(plot, grid, bins)
    if curves:
        _draw_curves(plot)
    marks = [_bin_mark(plot, grid, one, query, names) for one in bins]
    marks += [_outlier_mark(plot, one) for one in apart]
    plot.dots(((_held(plot.x, one.x), _held(plot.y, one.y)) for one in apart), "dots apart", 1.8)
    notes = _notes(spread.games, bins)
    if curves and (best := _best_point(query, names)) is not None:
        plot.dots([(_held(plot.x, best[0]), _held(plot.y, best[1]))], "dots best", 4)
    notes.append(_("The axes don't start at 0."))
    title = _("%(y)s vs. %(x)s. The table shows the same data.") % {"x": _(x.label), "y": _(y.label)}
    legend = [
        ("class class-1", _("few games")),
        (f"class class-{CLASSES}", _("many")),
        ("dots apart", _("off the chart")),
    ]
    if curves:
        legend += [("curve", _("equal 3BV/s")), ("dots best", _("best 3BV/s"))]
    return Chart(plot.svg(title), columns, marks, notes, tuple(legend))


def grid_of(spread: Spread, rows: tuple[Statistic, Statistic]) -> Grid:
    """The grid that covers the values but for those far from the mean; of whole numbers its cells are whole too."""
    share = min(1.0, math.sqrt(spread.games) / _GAMES_OF_FULL_GRID)
    axes = []
    for index, row in enumerate(rows):
        bins = max(FEWEST_BINS[index], round(BINS[index] * share))
        numbers = spread.least[index], spread.most[index], spread.mean[index], spread.mean_square[index]
        axes.append(_axis(*numbers, bins, row))
    (x, x_step, columns), (y, y_step, lines) = axes
    return Grid((x, y), (x_step, y_step), (columns, lines))


def _axis(
    least: float, most: float, mean: float, mean_square: float, bins: int, row: Statistic
) -> tuple[float, float, int]:
    """Start, step and number of the cells of one axis."""
    room = _DEVIATIONS * math.sqrt(max(0.0, mean_square - mean * mean))
    low, high = max(least, mean - room), min(most, mean + room)
    if row.integer:
        low, high = math.floor(low), math.ceil(high)
        width = max(1, math.ceil((high - low + 1) / bins))
        return low, width, max(1, math.ceil((high - low + 1) / width))
    if high - low <= abs(high) * 1e-9:  # equal values
        half = abs(high) * 0.05 or 0.5
        return low - half, 2 * half, 1
    step = _rounded_up((high - low) / bins)
    first = math.floor(low / step)
    return first * step, step, math.floor(high / step) - first + 1


def _rounded_up(step: float) -> float:
    """``step`` with two digits, so that the edges of cells are short numbers."""
    unit = 10.0 ** (math.floor(math.log10(step)) - 1)
    return math.ceil(step / unit * (1 - 1e-9)) * unit


def _extent(grid: Grid, axis: int) -> tuple[float, float]:
    low = grid.start[axis]
    return low, low + grid.step[axis] * grid.bins[axis]


def _held(axis: Axis, value: float) -> float:
    """``value``, or the end of the axis beyond which it lies."""
    return min(max(value, axis.low), axis.high)


def density_class(games: int, most: int) -> int:
    """The class of a cell with ``games``, from 1 to :data:`CLASSES`, on a scale of logarithms up to ``most``."""
    if most == 1:
        return 1
    return 1 + min(CLASSES - 1, int(CLASSES * math.log(games) / math.log(most)))


def _draw_bins(plot: Plot, grid: Grid, bins: Sequence[Bin]) -> None:
    most = max((one.games for one in bins), default=1)
    shapes: list[list[str]] = [[] for _ in range(CLASSES)]
    for one in bins:
        (left, right), (low, high) = _sides(grid, one)
        x, y = plot.x.place(left), plot.y.place(high)
        shape = rectangle(x, y, plot.x.place(right) - x, plot.y.place(low) - y)
        shapes[density_class(one.games, most) - 1].append(shape)
    for number, paths in enumerate(shapes, 1):
        plot.shape(f"class class-{number}", paths)


def _sides(grid: Grid, one: Bin) -> tuple[tuple[float, float], tuple[float, float]]:
    """The values at the sides of a cell: left and right, foot and top."""
    left, low = (start + step * index for start, step, index in zip(grid.start, grid.step, (one.column, one.row), strict=True))  # fmt: skip
    return (left, left + grid.step[0]), (low, low + grid.step[1])


def _draw_curves(plot: Plot) -> None:
    """Curves of equal 3BV/s at round values, labelled where they leave the plot."""
    corners = [x * y for x in (plot.x.low, plot.x.high) for y in (plot.y.low, plot.y.high)]
    values, decimals = value_ticks(min(corners), max(corners))
    for value in values:
        points = [
            (x, value / x)
            for x in (plot.x.low + (plot.x.high - plot.x.low) * part / 40 for part in range(41))
            if x > 0 and plot.y.holds(value / x)
        ]
        if len(points) > 1:
            plot.line(points, "curve")
            x, y = points[0]
            plot.note(plot.x.place(x) + 4, plot.y.place(y) + 10, number_text(value, decimals), "note begin")


def _bin_mark(plot: Plot, grid: Grid, one: Bin, query: ChartQuery, names: tuple[str, str]) -> Mark:
    sides = _sides(grid, one)
    filters: dict[str, object] = {"level": query.ranked_level, "result": "won"}
    at_end = [index == bins - 1 for index, bins in zip((one.column, one.row), grid.bins, strict=True)]
    for name, (low, high), is_last in zip(names, sides, at_end, strict=True):
        row = BY_NAME[name]
        # What lies on the upper edge is in the next cell.
        last = math.ceil(high) - 1 if row.integer else high if is_last else high - (high - low) * _BELOW_EDGE
        for end, value in (("gte", low), ("lte", last)):
            filters[f"{row.public}__{end}"] = f"{value:.10g}"
    (left, right), (low, high) = ((round(a, 9), round(b, 9)) for a, b in sides)
    x, y = plot.x.place((left + right) / 2), plot.y.place((low + high) / 2)
    return Mark(x, y, (left, right, low, high, one.games, None), query.games_address(**filters))


def _outlier_mark(plot: Plot, one: Outlier) -> Mark:
    x, y = plot.x.place(_held(plot.x, one.x)), plot.y.place(_held(plot.y, one.y))
    return Mark(x, y, (one.x, one.x, one.y, one.y, 1, one.replay_id), replay_address(one.replay_id))


def _notes(games: int, bins: Sequence[Bin]) -> list[str]:
    notes = [ngettext("%(count)d ranked game.", "%(count)d ranked games.", games) % {"count": games}]
    outside = games - sum(one.games for one in bins)
    if outside:
        text = ngettext(
            "%(count)d game is off the chart, so it's drawn at the edge. We show up to %(limit)d of these.",
            "%(count)d games are off the chart, so they're drawn at the edge. We show up to %(limit)d of these.",
            outside,
        )
        notes.append(text % {"count": outside, "limit": OUTLIERS})
    return notes


def _best_point(query: ChartQuery, names: tuple[str, str]) -> tuple[float, float] | None:
    best = PersonalBest.objects.filter(
        player=query.player, level=query.ranked_level, style=query.style, statistic="bvs"
    )
    found = next(iter(best.values_list(*(f"replay__{name}" for name in names))), None)
    return None if found is None or None in found else (found[0], found[1])
