from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from django.utils import timezone
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from analysis.statistics import BY_NAME, Better, Statistic
from analysis.time_convention import MS_PER_SECOND
from players.leaderboards.boards import BoardKey
from players.leaderboards.history.selectors import Step, board_progression, player_progression
from players.leaderboards.pages.board_texts import level_text
from players.models import RecordEvent
from players.profile.charts import games as player_games
from players.profile.charts.chart import Chart, Column, Mark, no_chart
from players.profile.charts.games import RankedTime
from players.profile.charts.request import ChartQuery
from players.web.charts.axes import value_range
from players.web.charts.plot import Plot
from players.web.links import replay_address

#: Percent of the width up to which a label to the right of a point has room.
_LABEL_FITS: Final = 80
#: Games of the moving window, the best of them that are averaged, and the points of the line.
WINDOW: Final = 100
BEST_OF: Final = 5
POINTS: Final = 200


def _key(query: ChartQuery) -> BoardKey:
    return BoardKey(query.ranked_level, query.statistic, query.style)


def axis_unit(row: Statistic) -> str:
    """Seconds alone are written with their unit."""
    return " s" if row.shown_unit == "s" else ""


def _not_from_zero() -> str:
    return _("The vertical axis doesn't start at 0.")


# --- personal bests over time -----------------------------------------------------------------------------------------


def progress(query: ChartQuery) -> Chart:
    key = _key(query)
    steps, site_steps = player_progression(query.player, key), board_progression(key)
    precisions = {step.value: step.precision_ms for step in (*site_steps, *steps)}
    text = query.value(query.row, precisions)
    columns = (
        Column("day", _("Day")),
        Column("value", _(key.row.label), text),
        Column("rank", _("Rank at the time"), "#{}".format),
        Column("site_record", _("Site record at the time"), text),
        Column("replay", _("Replay"), "#{}".format),
    )
    if not steps:
        return no_chart(*columns)
    records = [(step.achieved_at, step.value) for step in site_steps]
    ranks = _ranks_then(query, key, [step.replay_id for step in steps])
    begin, now = steps[0].achieved_at, timezone.now()
    shown = [value for at, value in _held_since(records, begin)]
    plot = Plot(
        (begin.timestamp(), max(now, steps[-1].achieved_at).timestamp()),
        value_range([*shown, *(step.value for step in steps)]),
        low_on_top=key.row.better is Better.LOW,
    )
    plot.value_axis(query.label(key.row), axis_unit(key.row))
    plot.bottom_dates(begin)
    plot.steps([(at.timestamp(), value) for at, value in _held_since(records, begin)], "site-record")
    points = [(step.achieved_at.timestamp(), step.value) for step in steps]
    plot.steps(points)
    plot.dots(points, "dots full", 4)
    best = text(steps[-1].value)
    plot.note(points[-1], best, "best-text" if plot.x.place(points[-1][0]) < _LABEL_FITS else "best-text end")
    marks = [_progress_mark(step, plot, query, ranks, records) for step in steps]
    title = _("%(statistic)s over time, from %(first)s to %(last)s. The table shows the same data.") % {
        "statistic": _(key.row.label), "first": text(steps[0].value), "last": text(steps[-1].value),
    }  # fmt: skip
    notes = [
        _("We go by the upload date, unless the date in the file has been confirmed."),
        _not_from_zero(),
    ]
    record = _("site record")
    if any(_is_better_than_record(key.row, records, step) for step in steps):
        record = _("site record without provisional games")
        notes.insert(
            0, _("A personal best can be better than the site record, because provisional games don't set records.")
        )
    legend = (("steps", _("personal best")), ("site-record", record))
    fact = _("%(level)s: %(value)s since %(day)s") % {
        "level": level_text(query.ranked_level), "value": f"{best}{axis_unit(key.row)}",
        "day": query.local(steps[-1].shown_at).date().isoformat(),
    }  # fmt: skip
    return Chart(plot.svg(title), columns, marks, notes, legend, fact, query.ranked_level)


def _progress_mark(
    step: Step,
    plot: Plot,
    query: ChartQuery,
    ranks: dict[int, int],
    records: Sequence[tuple[datetime.datetime, float]],
) -> Mark:
    values = (
        query.local(step.shown_at).date().isoformat(), step.value, ranks.get(step.replay_id),
        _record_at(records, step.achieved_at), step.replay_id,
    )  # fmt: skip
    x, y = plot.x.place(step.achieved_at.timestamp()), plot.y.place(step.value)
    return Mark(x, y, values, replay_address(step.replay_id))


def _record_at(records: Sequence[tuple[datetime.datetime, float]], at: datetime.datetime) -> float | None:
    """The record that held ``at``; one that was set at this moment counts."""
    return next((value for when, value in reversed(records) if when <= at), None)


def _is_better_than_record(row: Statistic, records: Sequence[tuple[datetime.datetime, float]], step: Step) -> bool:
    held = _record_at(records, step.achieved_at)
    return held is None or row.rank_key(step.value) < row.rank_key(held)


def _held_since(
    records: Sequence[tuple[datetime.datetime, float]], begin: datetime.datetime
) -> list[tuple[datetime.datetime, float]]:
    """The records from ``begin`` on, the first one from then."""
    held = _record_at(records, begin)
    return [*([] if held is None else [(begin, held)]), *(one for one in records if one[0] > begin)]


def _ranks_then(query: ChartQuery, key: BoardKey, replay_ids: Sequence[int]) -> dict[int, int]:
    events = RecordEvent.objects.filter(
        player=query.player, kind=RecordEvent.Kind.PERSONAL, statistic=key.statistic, level=key.level, style=key.style,
        replay__in=replay_ids,
    )  # fmt: skip
    return dict(events.order_by("id").values_list("replay_id", "rank_after"))


# --- the recent level -------------------------------------------------------------------------------------------------


class Window(NamedTuple):
    """The mean of the best five and the median of the games up to one of them, in seconds."""

    number: int
    game: RankedTime
    mean_of_best: float
    median: float


def rolling(query: ChartQuery) -> Chart:
    """Over the last hundred games at a time: the mean of the best five, and the median."""
    seconds = query.value(BY_NAME["time"])
    columns = (
        Column("number", _("Game")),
        Column("day", _("Day")),
        Column("mean_of_best_five", _("Mean of the best five"), seconds),
        Column("median", _("Median"), seconds),
    )
    windows = windows_of(player_games.ranked_times(query.player.pk, query.ranked_level, query.style))
    played_at = player_games.played_at(query.player.pk, [window.game.replay_id for window in windows])
    windows = [window for window in windows if window.game.replay_id in played_at]  # the others were deleted just now
    if not windows:
        return no_chart(*columns, notes=[_("This chart needs %(count)d ranked games.") % {"count": BEST_OF}])
    values = [value for window in windows for value in (window.mean_of_best, window.median)]
    plot = Plot((windows[0].number - 0.5, windows[-1].number + 0.5), value_range(values))
    plot.value_axis(query.label(BY_NAME["time"]))
    plot.bottom_values(lambda value, _decimals: f"{value:.0f}", whole=True)
    plot.captions(_("Game"), _("Time"))
    plot.line([(window.number, window.median) for window in windows], "line second")
    plot.line([(window.number, window.mean_of_best) for window in windows])
    if len(windows) == 1:
        plot.dots([(windows[0].number, windows[0].mean_of_best)], "dots full", 4)
    marks = [
        Mark(
            plot.x.place(one.number), plot.y.place(one.mean_of_best),
            (one.number, query.local(played_at[one.game.replay_id]).date().isoformat(), one.mean_of_best, one.median),
            replay_address(one.game.replay_id),
        )
        for one in windows
    ]  # fmt: skip
    notes = [
        _(
            "Each point covers the %(games)d most recent ranked games at that time, or fewer if there weren't that many "
            "yet."
        )
        % {"games": WINDOW},
        _not_from_zero(),
    ]
    title = _("The mean of the best five and the median of the last hundred games. The table shows the same data.")
    legend = (("line", _("mean of the best five")), ("line second", _("median")))
    return Chart(plot.svg(title), columns, marks, notes, legend, level=query.ranked_level)


def windows_of(games: Sequence[RankedTime]) -> list[Window]:
    """At most :data:`POINTS` windows, evenly spaced over ``games``, the first at the fifth game, the last at the last."""
    if len(games) < BEST_OF:
        return []
    ends = np.unique(np.linspace(BEST_OF, len(games), min(POINTS, len(games) - BEST_OF + 1)).round().astype(np.int64))
    times: NDArray[np.float64] = np.array([game.time_ms for game in games], dtype=np.float64) / MS_PER_SECOND
    return [
        Window(
            end, games[end - 1],
            round(float(np.sort(times[max(0, end - WINDOW) : end])[:BEST_OF].mean()), 6),
            round(float(np.median(times[max(0, end - WINDOW) : end])), 6),
        )
        for end in ends.tolist()
    ]  # fmt: skip
