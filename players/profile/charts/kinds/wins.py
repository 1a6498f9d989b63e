from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analysis.statistics import BY_NAME
from analysis.time_convention import MS_PER_SECOND, last_second_of_sub, number_text
from players.leaderboards.boards import OFFERED_N
from players.leaderboards.pages.board_texts import level_text, sub_n_text
from players.models import SecondCount
from players.profile.charts import games as player_games
from players.profile.charts.chart import Chart, Column, Mark, no_chart
from players.profile.charts.games import Win
from players.profile.charts.request import ChartQuery
from players.web.charts.axes import value_range, value_ticks
from players.web.charts.plot import Plot
from players.web.clock import counts_from_one, shown_text
from players.web.links import replay_address

#: Most bars of the distribution of times; a wider spread gets wider bars.
_MOST_BARS: Final = 60
_BAR_SECONDS: Final = (1, 2, 5, 10, 20, 50, 100)
_MOST_MARKS: Final = 4
#: The least percentages of the width between two marks of sub-N, and between one and an edge: their texts have room on
#: a phone.
_APART: Final = 24.0
_FROM_EDGE: Final = 12.0
#: Wins that are drawn, the newest ones and the best.
WINS: Final = 100
_CURVE_PARTS: Final = 24


# --- the distribution of times ----------------------------------------------------------------------------------------


def distribution(query: ChartQuery) -> Chart:
    time = BY_NAME["time"]
    columns = (
        Column("from_second", _("From"), lambda start: f"{start + counts_from_one()} s"),
        Column("to_second", _("below"), lambda end: f"{end + counts_from_one()} s"),
        Column("games", _("Games")),
    )
    counts = SecondCount.objects.filter(player=query.player, level=query.ranked_level, style=query.style)
    # A second is counted from 1: the games of second 41 lasted from 40 to below 41 seconds.
    starts = {second - 1: games for second, games in counts.order_by("second").values_list("second", "games")}
    if not starts:
        return no_chart(*columns)
    total = sum(starts.values())
    median_ms = player_games.median_time_ms(query.player.pk, query.ranked_level, query.style, total)
    low, high = min(starts), max(starts) + 1
    width = next((step for step in _BAR_SECONDS if (high - low) / step <= _MOST_BARS), _BAR_SECONDS[-1])
    low -= low % width
    bars: dict[int, int] = {}
    for start, games in starts.items():
        begin = start - start % width
        bars[begin] = bars.get(begin, 0) + games
    plot = Plot((low, max(bars) + width), (0, max(bars.values()) * 1.12))
    plot.value_axis(lambda value, _decimals: f"{value:.0f}", whole=True)
    plot.bottom_values(query.label(time), whole=True)
    plot.bars([(begin, begin + width, games) for begin, games in bars.items()])
    for n in _marked_subs(query.ranked_level, low, high, plot):
        plot.upright(last_second_of_sub(n), sub_n_text(n) if counts_from_one() else _limit_text(n))
    notes = [ngettext("%(count)d ranked game.", "%(count)d ranked games.", total) % {"count": total}]
    if median_ms is not None:
        median = median_ms / MS_PER_SECOND
        plot.upright(median, "", "median")
        notes.append(_("Median: %(time)s s.") % {"time": shown_text(time, median)})
    marks = [
        Mark(plot.x.place(begin + width / 2), plot.y.place(games), (begin, begin + width, games), _second_link(query, begin, width))
        for begin, games in bars.items()
    ]  # fmt: skip
    title = _("Ranked games by time. The table shows the same data.")
    fact = ngettext("%(level)s: %(count)s win", "%(level)s: %(count)s wins", total) % {
        "level": level_text(query.ranked_level), "count": intcomma(total),
    }  # fmt: skip
    legend = (("median", _("median")), ("mark", _("sub-N")))
    return Chart(plot.svg(title), columns, marks, notes, legend, fact, query.ranked_level)


def _marked_subs(level: str, low: float, high: float, plot: Plot) -> list[int]:
    """The N of the level whose limits lie inside of the chart, so far apart that their texts do not touch."""
    inside = [n for n in OFFERED_N[level] if low < last_second_of_sub(n) < high]
    chosen: list[int] = []
    last = -math.inf
    for n in inside:
        place = plot.x.place(last_second_of_sub(n))
        if _FROM_EDGE < place < 100 - _FROM_EDGE and place - last > _APART:
            chosen.append(n)
            last = place
    return chosen[:_MOST_MARKS]


def _limit_text(n: int) -> str:
    """Sub-``n`` with the second of its line, for clocks from 0."""
    return _("sub-%(n)s: <%(seconds)s s") % {"n": n, "seconds": last_second_of_sub(n)}


def _second_link(query: ChartQuery, begin: int, width: int) -> str:
    return query.games_address(
        result="won",
        level=query.ranked_level,
        time_ms__gte=begin * MS_PER_SECOND,
        time_ms__lte=(begin + width) * MS_PER_SECOND - 1,
    )


# --- time against 3BV -------------------------------------------------------------------------------------------------


def time_by_3bv(query: ChartQuery) -> Chart:
    """The newest wins and the fastest one by 3BV and time; equal 3BV/s are straight lines."""
    time = BY_NAME["time"]
    wins, best = _newest_and_best(query, "time")
    columns = (
        Column("bv", _("3BV")),
        Column("time", _(time.label), query.value(time, {win.time_s: win.precision_ms for win in wins})),
        Column("bvs", _("3BV/s"), query.value(BY_NAME["bvs"])),
        Column("replay", _("Replay"), "#{}".format),
    )
    if best is None:
        return no_chart(*columns)
    plot = Plot(value_range([win.bv for win in wins]), value_range([win.time_s for win in wins]), low_on_top=True)
    plot.value_axis(query.label(time), " s")
    plot.bottom_values(lambda value, _decimals: f"{value:.0f}", whole=True)
    _draw_speeds(plot, wins)
    plot.dots(((win.bv, win.time_s) for win in wins if win != best), "dots part", 3.5)
    plot.dots([(best.bv, best.time_s)], "dots full", 5)
    marks = [
        Mark(plot.x.place(win.bv), plot.y.place(win.time_s), (win.bv, win.time_s, win.bvs, win.replay_id), replay_address(win.replay_id))
        for win in wins
    ]  # fmt: skip
    title = _("Time against 3BV for won games. The table shows the same data.")
    return Chart(
        plot.svg(title), columns, marks, [_("The axes don't start at 0.")],
        (("dots full", _("best time")), ("dots part", _("other wins")), ("curve", _("equal 3BV/s"))),
        _fact(query, wins), query.ranked_level,
    )  # fmt: skip


def _newest_and_best(query: ChartQuery, statistic: str) -> tuple[list[Win], Win | None]:
    """The newest wins, and the best one after them if it is older."""
    where = (query.player.pk, query.ranked_level, query.style)
    wins, best = player_games.newest_wins(*where, WINS), player_games.best_win(*where, statistic)
    if best is not None and best not in wins:
        wins.append(best)
    return wins, best


def _fact(query: ChartQuery, wins: Sequence[Win]) -> str:
    if len(wins) < WINS:
        fact = ngettext("%(level)s: %(count)s win", "%(level)s: %(count)s wins", len(wins))
    else:
        fact = _("%(level)s: last %(count)s wins")
    return fact % {"level": level_text(query.ranked_level), "count": min(len(wins), WINS)}


def _draw_speeds(plot: Plot, wins: Sequence[Win]) -> None:
    """Lines of equal 3BV/s at round values, named where they leave the plot on the right or at the foot."""
    speeds = [win.bvs for win in wins]
    values, decimals = value_ticks(*value_range(speeds))
    for speed in values:
        if speed <= 0:
            continue
        begin, end = max(plot.x.low, plot.y.low * speed), min(plot.x.high, plot.y.high * speed)
        if begin < end:
            plot.lines([((begin, begin / speed), (end, end / speed))], "curve")
            plot.note((end, end / speed), f"{number_text(speed, decimals)}/s", "note end", dy=-4)


# --- speed and efficiency ---------------------------------------------------------------------------------------------


def speed(query: ChartQuery) -> Chart:
    """Clicks a second against 3BV a click of the newest wins and of the best one; equal 3BV/s are hyperbolas."""
    x, y, bvs = BY_NAME["cls"], BY_NAME["ioe"], BY_NAME["bvs"]
    wins, best = _newest_and_best(query, bvs.name)
    columns = (
        *(Column(row.name, _(row.label), query.value(row)) for row in (x, y, bvs)),
        Column("replay", _("Replay"), "#{}".format),
    )
    places = {win: (win.cls, win.ioe) for win in wins if win.cls is not None and win.ioe is not None}
    if not places:
        return no_chart(*columns)
    plot = Plot(*(value_range(values) for values in zip(*places.values(), strict=True)))
    plot.value_axis(query.label(y))
    plot.bottom_values(query.label(x))
    plot.captions(_(x.label), _(y.label))
    _draw_curves(plot)
    plot.dots((place for win, place in places.items() if win != best), "dots part", 3.5)
    plot.dots((place for win, place in places.items() if win == best), "dots full", 5)
    marks = [
        Mark(plot.x.place(cls), plot.y.place(ioe), (cls, ioe, win.bvs, win.replay_id), replay_address(win.replay_id))
        for win, (cls, ioe) in places.items()
    ]
    title = _("%(y)s vs. %(x)s. The table shows the same data.") % {"x": _(x.label), "y": _(y.label)}
    legend = (("dots full", _("best 3BV/s")), ("dots part", _("other wins")), ("curve", _("equal 3BV/s")))
    notes = [_("The axes don't start at 0.")]
    return Chart(plot.svg(title), columns, marks, notes, legend, _fact(query, wins), query.ranked_level)


def _draw_curves(plot: Plot) -> None:
    """Curves of equal 3BV/s at round values, named where they enter the plot."""
    corners = [x * y for x in (plot.x.low, plot.x.high) for y in (plot.y.low, plot.y.high)]
    values, decimals = value_ticks(min(corners), max(corners))
    parts = (plot.x.low + (plot.x.high - plot.x.low) * part / _CURVE_PARTS for part in range(_CURVE_PARTS + 1))
    columns = [x for x in parts if x > 0]
    for value in values:
        points = [(x, value / x) for x in columns if plot.y.holds(value / x)]
        if len(points) > 1:
            plot.line(points, "curve")
            plot.note(points[0], number_text(value, decimals), "note begin", dx=4, dy=12)
