"""Charts of when a player plays: the calendar, hours and weekdays.

A game without a date counts on the day of its upload; where all games of a place are such ones it is hatched.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.profile.charts import games as player_games
from players.profile.charts.chart import Chart, Column, Mark, no_chart
from players.profile.charts.games import Count
from players.profile.charts.request import ChartQuery
from players.web.charts.axes import Tick
from players.web.charts.plot import Plot

#: Shades of cells: the busiest third of the scale, and so on; the number stands in the text.
TONES: Final = 3
_DAYS: Final = 7
_WEEKS: Final = 54
_HOURS: Final = 24


def weekdays() -> list[str]:
    """The short names of the days of the week, Monday first."""
    return [_("Mon"), _("Tue"), _("Wed"), _("Thu"), _("Fri"), _("Sat"), _("Sun")]


def undated_notes(undated: int) -> list[str]:
    known = _("Dates are taken from the replay files.")
    if not undated:
        return [known]
    more = ngettext(
        "%(count)d game has no date, so it counts on the day it was uploaded. Hatched parts of the chart contain only"
        " undated games.",
        "%(count)d games have no date, so they count on the days they were uploaded. Hatched parts of the chart "
        "contain only undated games.",
        undated,
    )
    return [known, more % {"count": undated}]


def count_columns(*places: Column) -> tuple[Column, ...]:
    return (
        *places,
        Column("games", _("Games")),
        Column("won", _("Won")),
        Column("undated", _("Without a date")),
    )


def tone(games: int, most: int) -> int:
    """The shade, from 1 on, of a place with ``games`` where the busiest one has ``most``."""
    return 1 + (games * TONES - 1) // most


def _draw_cells(plot: Plot, cells: Sequence[tuple[Count, int, int]]) -> None:
    most = max(count.games for count, _x, _y in cells)
    for shade in range(1, TONES + 1):
        plot.cells(((x, y) for count, x, y in cells if tone(count.games, most) == shade), f"tone tone-{shade}")
    plot.cells(((x, y) for count, x, y in cells if count.undated == count.games), "hatched over")


# --- the calendar -----------------------------------------------------------------------------------------------------


def calendar(query: ChartQuery) -> Chart:
    columns = count_columns(Column("day", _("Day")))
    totals = player_games.totals_of(query.player.pk)
    if totals.last_at is None:
        return no_chart(*columns)
    year = query.year or query.local(totals.last_at).year
    days = player_games.by_day(query.player.pk, query.zone, year)
    plot = Plot((0, _WEEKS), (0, _DAYS), low_on_top=True)
    marks, cells = [], []
    for count in days:
        day = datetime.date(*count.place)
        x, y = _day_place(day)
        cells.append((count, x, y))
        link = query.games_address(**_of_day(day, query)) if count.undated < count.games else ""
        values = (day.isoformat(), count.games, count.won, count.undated)
        marks.append(Mark(plot.x.place(x + 0.5), plot.y.place(y + 0.5), values, link))
    shown = sum(count.games for count in days)
    notes = [
        ngettext("%(count)d game in %(year)d.", "%(count)d games in %(year)d.", shown) % {"count": shown, "year": year},
        *undated_notes(sum(count.undated for count in days)),
    ]
    return Chart(_draw_calendar(plot, year, cells), columns, marks, notes)


def _of_day(day: datetime.date, query: ChartQuery) -> dict[str, object]:
    """The filters of the list of games for the day, from its first to its last moment in the zone asked for."""
    first = datetime.datetime.combine(day, datetime.time(), query.zone)
    last = datetime.datetime.combine(day, datetime.time.max, query.zone)
    return {"played__gte": first.isoformat(), "played__lte": last.isoformat()}


def _day_place(day: datetime.date) -> tuple[int, int]:
    """The week of the year, which is a column, and the day of the week; Monday is 0."""
    return (day.timetuple().tm_yday - 1 + day.replace(month=1, day=1).weekday()) // _DAYS, day.weekday()


def _draw_calendar(plot: Plot, year: int, cells: Sequence[tuple[Count, int, int]]) -> SafeString:
    first = datetime.date(year, 1, 1)
    length = (datetime.date(year, 12, 31) - first).days + 1
    plot.cells((_day_place(first + datetime.timedelta(days=number)) for number in range(length)), "tone")
    if cells:
        _draw_cells(plot, cells)
    plot.bottom_ticks(
        Tick(_day_place(datetime.date(year, month, 1))[0] + 0.5, f"{month:02d}") for month in range(1, 13)
    )
    plot.side_texts((weekday + 0.5, name) for weekday, name in enumerate(weekdays()) if weekday % 2 == 0)
    return plot.svg(_("Games on each day of %(year)d. The table shows the same data.") % {"year": year})


def calendar_years(query: ChartQuery) -> list[int]:
    """The years from the player's first game to the last, newest first."""
    totals = player_games.totals_of(query.player.pk)
    if totals.first_at is None or totals.last_at is None:
        return []
    return list(range(query.local(totals.last_at).year, query.local(totals.first_at).year - 1, -1))


# --- hours and weekdays -----------------------------------------------------------------------------------------------


def hours(query: ChartQuery) -> Chart:
    names = weekdays()
    columns = (
        *count_columns(
            Column("weekday", _("Day"), lambda day: names[day - 1]), Column("hour", _("Hour"), "{:02d}".format)
        ),
        Column("win_rate", _("Win rate"), percent),
    )
    counts = player_games.by_hour(query.player.pk, query.zone, query.level)
    if not counts:
        return no_chart(*columns)
    plot = Plot((0, _HOURS), (0, _DAYS), low_on_top=True)
    cells = [(count, count.place[1], count.place[0] - 1) for count in counts]
    marks = [
        Mark(plot.x.place(x + 0.5), plot.y.place(y + 0.5), (*count.place, *count[1:], rate(count)))
        for count, x, y in cells
    ]
    plot.cells(((hour, day) for day in range(_DAYS) for hour in range(_HOURS)), "tone")
    _draw_cells(plot, cells)
    plot.side_texts((day + 0.5, name) for day, name in enumerate(names))
    plot.bottom_ticks(Tick(hour + 0.5, f"{hour:02d}") for hour in range(0, _HOURS, 3))
    notes = [
        _("Hours are in the %(zone)s time zone. Dates without a time zone are used as the file has them.")
        % {"zone": query.zone},
        *undated_notes(sum(count.undated for count in counts)),
    ]
    title = _("Games in each hour of the week. The table shows the same data.")
    return Chart(plot.svg(title), columns, marks, notes)


def rate(count: Count) -> float:
    return count.won / count.games


def percent(share: float) -> str:
    return f"{100 * share:.1f}%"
