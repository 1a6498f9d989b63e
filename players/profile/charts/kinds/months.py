from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analysis.statistics import BY_NAME
from analysis.time_convention import number_text
from players.profile.charts import games as player_games
from players.profile.charts.chart import Chart, Column, Mark, no_chart
from players.profile.charts.games import Count, MonthAccuracy
from players.profile.charts.kinds.activity import count_columns, percent, rate, undated_notes
from players.profile.charts.request import ChartQuery
from players.web.charts.axes import Tick, value_range
from players.web.charts.plot import Plot

#: A longer span is shown by year.
_MOST_MONTHS: Final = 120
_YEAR: Final = 12
_LABELS: Final = 5


def _whole(value: float, _decimals: int) -> str:
    return f"{value:.0f}"


# --- months -----------------------------------------------------------------------------------------------------------


class Periods:
    """The months from the first to the last of ``places`` (year, month), or the years where they are too many."""

    def __init__(self, places: Sequence[tuple[int, ...]]) -> None:
        numbers = [year * _YEAR + month - 1 for year, month in places]
        self.first, self.last = min(numbers), max(numbers)
        self.step = 1 if self.last - self.first < _MOST_MONTHS else _YEAR
        self.first -= self.first % self.step
        self.count = (self.last - self.first) // self.step + 1

    def index(self, place: tuple[int, ...]) -> int:
        return (place[0] * _YEAR + place[1] - 1 - self.first) // self.step

    def text(self, index: int) -> str:
        year, month = divmod(self.first + index * self.step, _YEAR)
        return f"{year:04d}-{month + 1:02d}" if self.step == 1 else f"{year:04d}"

    def ticks(self) -> list[Tick]:
        every = -(-self.count // _LABELS)
        return [Tick(index + 0.5, self.text(index)) for index in range(0, self.count, every)]


def _by_period(periods: Periods, counts: Sequence[Count]) -> list[tuple[int, Count]]:
    """``counts`` by month added up by the index of their period; periods without games are left out."""
    return [
        (index, Count((index,), *(sum(numbers) for numbers in zip(*(count[1:] for count in found), strict=True))))
        for index, found in groupby(counts, lambda count: periods.index(count.place))
    ]


def wins(query: ChartQuery) -> Chart:
    columns = (*count_columns(Column("period", _("Month"))), Column("win_rate", _("Win rate"), percent))
    counts = player_games.by_month(query.player.pk, query.zone, query.level)
    if not counts:
        return no_chart(*columns)
    periods = Periods([count.place for count in counts])
    found = _by_period(periods, counts)
    plot = Plot((0, periods.count), (0, max(count.games for _index, count in found) * 1.05))
    plot.value_axis(_whole, whole=True)
    plot.bottom_ticks(periods.ticks())
    for kind, hatched in (("bars", False), ("bars hatched", True)):
        some = ((index, count) for index, count in found if (count.undated == count.games) is hatched)
        plot.bars(((index, index + 1, count.games) for index, count in some), kind)
    plot.bars(((index, index + 1, count.won) for index, count in found), "bars inner")
    marks = [
        Mark(
            plot.x.place(index + 0.5),
            plot.y.place(count.games),
            (periods.text(index), *count[1:], rate(count)),
        )
        for index, count in found
    ]
    undated = sum(count.undated for count in counts)
    won, games = sum(count.won for count in counts), sum(count.games for count in counts)
    notes = [
        _("%(won)d of %(games)d games were won. If lost games aren't uploaded, the win rate means little.")
        % {"won": won, "games": games},
        *undated_notes(undated),
    ]
    title = _("Games and wins by month. The table shows the same data.")
    return Chart(plot.svg(title), columns, marks, notes, (("bars", _("games")), ("bars inner", _("won"))))


def losses(query: ChartQuery) -> Chart:
    columns = (
        Column("from_percent", _("Solved from"), "{}%".format),
        Column("to_percent", _("to"), "{}%".format),
        Column("games", _("Lost games")),
    )
    found = {count.tenth: count.games for count in player_games.losses(query.player.pk, query.level)}
    if not found:
        return no_chart(*columns, notes=[_("No lost games have been uploaded.")])
    plot = Plot((0, 10), (0, max(found.values()) * 1.05))
    plot.value_axis(_whole, whole=True)
    plot.bottom_ticks(Tick(tenth, f"{tenth * 10}%") for tenth in range(0, 11, 2))
    plot.bars((tenth, tenth + 1, games) for tenth, games in found.items())
    marks = [
        Mark(plot.x.place(tenth + 0.5), plot.y.place(games), (tenth * 10, tenth * 10 + 10, games))
        for tenth, games in ((tenth, found.get(tenth, 0)) for tenth in range(10))
    ]
    total = sum(found.values())
    notes = [
        ngettext("Based on %(count)d lost game.", "Based on %(count)d lost games.", total) % {"count": total},
        _("Completion is the share of the 3BV solved."),
    ]
    title = _("Lost games by share solved. The table shows the same data.")
    return Chart(plot.svg(title), columns, marks, notes)


def accuracy(query: ChartQuery) -> Chart:
    row = BY_NAME["accuracy"]
    columns = (
        Column("period", _("Month")),
        Column("games", _("Games")),
        Column("accuracy", _("Mean: %(name)s") % {"name": _(row.label)}, lambda value: f"{number_text(value, 1)}%"),
    )
    counts = player_games.accuracy_by_month(query.player.pk, query.zone, query.ranked_level)
    if not counts:
        return no_chart(*columns, notes=[_no_luck_known()])
    periods = Periods([count.place for count in counts])
    groups = groupby(counts, lambda count: periods.index(count.place))
    found = [(index, _together(list(group))) for index, group in groups]
    low, high = value_range([count.accuracy for _index, count in found])
    plot = Plot((0, periods.count), (max(low, 0.0), min(high, 100.0)))
    plot.value_axis(number_text)
    plot.bottom_ticks(periods.ticks())
    points = [(index, (index + 0.5, count.accuracy)) for index, count in found]
    for _run, group in groupby(enumerate(points), lambda entry: entry[1][0] - entry[0]):  # periods without a gap
        plot.line([point for _number, (_index, point) in group])
    plot.dots((point for _index, point in points), "dots", 2.5)
    marks = [
        Mark(plot.x.place(x), plot.y.place(y), (periods.text(index), count.games, round(count.accuracy, 6)))
        for (index, (x, y)), (_index, count) in zip(points, found, strict=True)
    ]
    notes = [
        _ranked_games(counts),
        _(
            "Of all clicks that open cells, accuracy is the percentage that took no avoidable risk. It only looks one"
            " click ahead."
        ),
        _("The vertical axis doesn't start at 0."),
    ]
    title = _("Accuracy by month. The table shows the same data.")
    return Chart(plot.svg(title), columns, marks, notes, level=query.ranked_level)


def _no_luck_known() -> str:
    return _("No luck values have been computed for this level yet.")


def _ranked_games(counts: Sequence[MonthAccuracy]) -> str:
    games = sum(count.games for count in counts)
    return ngettext("%(count)d ranked game.", "%(count)d ranked games.", games) % {"count": games}


def _together(counts: Sequence[MonthAccuracy]) -> MonthAccuracy:
    games = sum(count.games for count in counts)
    return MonthAccuracy(counts[0].place, games, sum(count.accuracy * count.games for count in counts) / games)
