from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analysis.statistics import BY_NAME
from analysis.time_convention import number_text
from players.profile.charts import games as player_games
from players.profile.charts.chart import Chart, Column, Mark, no_chart
from players.profile.charts.games import Count, LuckCount, PlayedGame
from players.profile.charts.kinds.activity import count_columns, percent, rate, undated_notes
from players.profile.charts.request import ChartQuery
from players.web.charts.axes import Tick, value_range
from players.web.charts.plot import Plot

#: A longer span is shown by year.
_MOST_MONTHS: Final = 120
_YEAR: Final = 12
_LABELS: Final = 6
#: A pause longer than this ends a session.
SESSION_GAP: Final = datetime.timedelta(minutes=30)
SESSIONS: Final = 40
#: Games that are read for the sessions shown.  Of a longer one alone the oldest are left out, which is told.
_SESSION_GAMES: Final = 4_000
_MEAN_OF: Final = 5
#: A session of fewer games has no quarters worth comparing.
_QUARTERED: Final = 8


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
    plot.bars((index, index + 1, count.games, count.undated == count.games) for index, count in found)
    plot.inner_bars((index, index + 1, count.won) for index, count in found)
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
    plot.bars((tenth, tenth + 1, games, False) for tenth, games in found.items())
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


def luck(query: ChartQuery) -> Chart:
    """Needless guesses a ranked game, and the luck that it needed, by month."""
    guesses, needed = BY_NAME["needless_guesses"], BY_NAME["pluck"]
    columns = (
        Column("period", _("Month")),
        Column("games", _("Games")),
        Column("needless_guesses_a_game", _("%(name)s per game") % {"name": _(guesses.label)}, "{:.2f}".format),
        Column("pluck", _("Mean: %(name)s") % {"name": _(needed.label)}, lambda value: number_text(value, 3)),
    )
    counts = player_games.luck_by_month(query.player.pk, query.zone, query.ranked_level)
    if not counts:
        return no_chart(*columns, notes=[_no_luck_known()])
    periods, found = _luck_by_period(counts)
    most = max(count.needless_guesses / count.games for _index, count in found)
    plot = Plot((0, periods.count), (0, max(most * 1.08, 0.1)))
    plot.value_axis(number_text)
    plot.bottom_ticks(periods.ticks())
    plot.bars((index, index + 1, count.needless_guesses / count.games, False) for index, count in found)
    marks = []
    for index, count in found:
        a_game = round(count.needless_guesses / count.games, 6)
        values = (periods.text(index), count.games, a_game, round(count.pluck, 6))
        marks.append(Mark(plot.x.place(index + 0.5), plot.y.place(a_game), values))
    notes = [
        _ranked_games(counts),
        _("A guess is needless if another cell was provably safe. Fast players sometimes guess on purpose."),
    ]
    title = _("Needless guesses by month. The table shows the same data.")
    return Chart(plot.svg(title), columns, marks, notes)


def accuracy(query: ChartQuery) -> Chart:
    row = BY_NAME["accuracy"]
    columns = (
        Column("period", _("Month")),
        Column("games", _("Games")),
        Column("accuracy", _("Mean: %(name)s") % {"name": _(row.label)}, lambda value: f"{number_text(value, 1)}%"),
    )
    counts = player_games.luck_by_month(query.player.pk, query.zone, query.ranked_level)
    if not counts:
        return no_chart(*columns, notes=[_no_luck_known()])
    periods, found = _luck_by_period(counts)
    low, high = value_range([count.accuracy for _index, count in found])
    plot = Plot((0, periods.count), (max(low, 0.0), min(high, 100.0)))
    plot.value_axis(number_text)
    plot.bottom_ticks(periods.ticks())
    points = [(index, (index + 0.5, count.accuracy)) for index, count in found]
    for _run, group in groupby(enumerate(points), lambda entry: entry[1][0] - entry[0]):  # periods without a gap
        plot.line([point for _number, (_index, point) in group])
    plot.dots(point for _index, point in points)
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
    return Chart(plot.svg(title), columns, marks, notes)


def _no_luck_known() -> str:
    return _("No luck values have been computed for this level yet.")


def _ranked_games(counts: Sequence[LuckCount]) -> str:
    games = sum(count.games for count in counts)
    return ngettext("%(count)d ranked game.", "%(count)d ranked games.", games) % {"count": games}


def _luck_by_period(counts: Sequence[LuckCount]) -> tuple[Periods, list[tuple[int, LuckCount]]]:
    periods = Periods([count.place for count in counts])
    groups = groupby(counts, lambda count: periods.index(count.place))
    return periods, [(index, _together(list(group))) for index, group in groups]


def _together(counts: Sequence[LuckCount]) -> LuckCount:
    games = sum(count.games for count in counts)
    return LuckCount(
        counts[0].place, games, sum(count.needless_guesses for count in counts),
        sum(count.pluck * count.games for count in counts) / games,
        sum(count.accuracy * count.games for count in counts) / games,
    )  # fmt: skip


# --- sessions ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Session:
    """Games without a long pause.  Times in milliseconds and 3BV/s are of won games of one level; None without any."""

    start: datetime.datetime  # naive if its file names no zone
    games: int
    won: int
    undated: int
    best_ms: int | None
    mean_of_best_ms: float | None
    first_quarter_bvs: float | None
    last_quarter_bvs: float | None


def session_of(games: Sequence[PlayedGame], level: str) -> Session:
    """The session that consists of ``games``, oldest first; times and speed are of won games of ``level``."""
    times = sorted(game.time_ms for game in games if game.win and game.level == level and game.time_ms is not None)
    speeds = [game.bvs for game in games if game.win and game.level == level and game.bvs is not None]
    quarter = len(speeds) // 4
    quartered = len(speeds) >= _QUARTERED
    return Session(
        games[0].stated_at, len(games), sum(game.win for game in games), sum(game.undated for game in games),
        times[0] if times else None,
        fmean(times[:_MEAN_OF]) if len(times) >= _MEAN_OF else None,
        fmean(speeds[:quarter]) if quartered else None,
        fmean(speeds[-quarter:]) if quartered else None,
    )  # fmt: skip


def sessions_of(games: Sequence[PlayedGame], level: str) -> list[Session]:
    """The sessions of ``games``, oldest first: a new one begins after a pause longer than :data:`SESSION_GAP`."""
    groups: list[list[PlayedGame]] = []
    for game in games:
        if groups and game.at - groups[-1][-1].at <= SESSION_GAP:
            groups[-1].append(game)
        else:
            groups.append([game])
    return [session_of(group, level) for group in groups]


def sessions(query: ChartQuery) -> Chart:
    level, time, bvs = query.ranked_level, BY_NAME["time"], BY_NAME["bvs"]
    seconds = query.value(time)
    columns = (
        Column("start", _("Start"), lambda text: text.replace("T", " ")[:16]),
        *count_columns(),
        Column("best", _("Best time"), seconds),
        Column("mean_of_best_five", _("Mean of the best five"), seconds),
        Column("first_quarter", _("3BV/s in the first quarter"), query.value(bvs)),
        Column("last_quarter", _("3BV/s in the last quarter"), query.value(bvs)),
    )
    starts = player_games.session_starts(query.player.pk, SESSION_GAP, SESSIONS)
    if not starts:
        return no_chart(*columns)
    games = player_games.played_since(query.player.pk, starts[-1], _SESSION_GAMES + 1)
    left_out = games.pop(0) if len(games) > _SESSION_GAMES else None
    found = sessions_of(games, level)[-SESSIONS:]
    is_cut = left_out is not None and found[0].start == games[0].stated_at and games[0].at - left_out.at <= SESSION_GAP
    if is_cut and len(found) > 1:
        del found[0]
        is_cut = False
    plot = Plot((0, len(found)), (0, max(session.games for session in found) * 1.05))
    plot.value_axis(_whole, whole=True)
    every = -(-len(found) // _LABELS)
    plot.bottom_ticks(
        Tick(index + 0.5, f"{query.local(found[index].start):%m-%d}") for index in range(0, len(found), every)
    )
    plot.bars((index, index + 1, one.games, one.undated == one.games) for index, one in enumerate(found))
    plot.inner_bars((index, index + 1, one.won) for index, one in enumerate(found))
    marks = [
        Mark(plot.x.place(index + 0.5), plot.y.place(one.games), _session_values(one, query))
        for index, one in enumerate(found)
    ]
    notes = [
        _("A pause of more than %(minutes)d minutes ends a session. We show the last %(count)d sessions.")
        % {"minutes": SESSION_GAP.total_seconds() // 60, "count": SESSIONS},
        *undated_notes(sum(one.undated for one in found)),
    ]
    if is_cut:
        cut = _("This session is longer, but only its last %(count)d games are counted.")
        notes.insert(1, cut % {"count": _SESSION_GAMES})
    title = _("Games in recent sessions. The table shows the same data.")
    return Chart(plot.svg(title), columns, marks, notes, (("bars", _("games")), ("bars inner", _("won"))))


def _session_values(one: Session, query: ChartQuery) -> tuple[object, ...]:
    return (
        query.local(one.start).isoformat(timespec="seconds"), one.games, one.won, one.undated,
        *(None if value is None else round(value / 1_000, 3) for value in (one.best_ms, one.mean_of_best_ms)),
        *(None if value is None else round(value, 6) for value in (one.first_quarter_bvs, one.last_quarter_bvs)),
    )  # fmt: skip
