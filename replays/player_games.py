"""The implementation of ``players.charts.games.PlayerGames`` by the table of replays.

The methods are documented there.  Those that count days need the columns of the index ``replay_days`` alone, which
PostgreSQL then reads instead of the table.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db import connection
from django.db.models import (
    Avg,
    Case,
    Count,
    DateTimeField,
    F,
    IntegerField,
    Max,
    Min,
    Q,
    QuerySet,
    Sum,
    Value,
    When,
    Window,
)
from django.db.models.functions import (
    Cast,
    Coalesce,
    ExtractDay,
    ExtractHour,
    ExtractIsoWeekDay,
    ExtractMonth,
    ExtractYear,
    Floor,
    Lag,
    Least,
)

from players.charts.games import (
    Bin,
    Grid,
    LossCount,
    LuckCount,
    Outlier,
    PlayedGame,
    RankedTime,
    Run,
    Spread,
    Totals,
)
from players.charts.games import Count as GameCount
from players.db.pipeline import Deferred, send, send_sql
from players.models import ALL_STYLES, SecondCount
from replays.models import OWN_GAMES, Replay

#: When a game was played; the games of ``OWN_GAMES`` alone have it.
_AT: Final = Coalesce(Least("played_at", "uploaded_at"), "uploaded_at", output_field=DateTimeField())
_COUNTS: Final = {
    "games": Count("id"),
    "wins": Count("id", filter=Q(win=True)),
    "undated": Count("id", filter=Q(played_at__isnull=True)),
}
_TABLE: Final = Replay._meta.db_table

#: Runs of won games: within a run the place among all games and the place among the won ones rise together.
_RUNS: Final = """
    SELECT MIN(at) AS first_at, MAX(at), COUNT(*) AS games FROM (
        SELECT at, win, ROW_NUMBER() OVER (ORDER BY at, id)
            - ROW_NUMBER() OVER (PARTITION BY win ORDER BY at, id) AS run
        FROM ({games}) AS game
    ) AS numbered WHERE win GROUP BY run ORDER BY games DESC, first_at LIMIT {limit}
"""


class ReplaysOfPlayers:
    """Implements ``PlayerGames``."""

    def fingerprint(self, player_id: int) -> tuple[int, ...]:
        games = _games(player_id).aggregate(newest=Max("id"), games=Count("id"))
        ranked = SecondCount.objects.filter(player=player_id).aggregate(games=Sum("games"))
        return games["newest"] or 0, games["games"], ranked["games"] or 0

    def send_totals(self, player_id: int) -> Deferred[Totals]:
        found = (
            _games(player_id).order_by().values("player_id").annotate(**_COUNTS, first_at=Min("at"), last_at=Max("at"))
        )
        rows = send(found.values_list(*_COUNTS, "first_at", "last_at"))

        def totals() -> Totals:
            return next((Totals._make(row) for row in rows()), Totals(0, 0, 0, None, None))

        return totals

    def by_day(self, player_id: int, zone: ZoneInfo, year: int | None = None) -> list[GameCount]:
        games = _games(player_id)
        if year is not None:
            first = datetime.datetime(year, 1, 1, tzinfo=zone)
            games = games.filter(at__gte=first, at__lt=first.replace(year=year + 1))
        return _counted(
            games,
            year=ExtractYear("at", tzinfo=zone),
            month=ExtractMonth("at", tzinfo=zone),
            day=ExtractDay("at", tzinfo=zone),
        )

    def by_hour(self, player_id: int, zone: ZoneInfo, level: str | None) -> list[GameCount]:
        games = _of_level(_games(player_id), level)
        return _counted(games, weekday=ExtractIsoWeekDay("at", tzinfo=zone), hour=ExtractHour("at", tzinfo=zone))

    def by_month(self, player_id: int, zone: ZoneInfo, level: str | None) -> list[GameCount]:
        games = _of_level(_games(player_id), level)
        return _counted(games, year=ExtractYear("at", tzinfo=zone), month=ExtractMonth("at", tzinfo=zone))

    def losses(self, player_id: int, level: str | None) -> list[LossCount]:
        games = _of_level(_games(player_id), level).filter(result=Replay.Result.LOST, completion__isnull=False)
        # Of 3BV, which are integers: 0.7 * 10 is less than 7 in floats.
        tenth = Cast(Floor(F("bvdone") * 10.0 / F("bv")), IntegerField())
        rows = games.values(tenth=tenth).annotate(games=Count("id")).order_by("tenth")
        return [LossCount(*row) for row in rows.values_list("tenth", "games")]

    def luck_by_month(self, player_id: int, zone: ZoneInfo, level: str) -> list[LuckCount]:
        games = _games(player_id).filter(level=level, win=True, pluck__isnull=False, needless_guesses__isnull=False)
        months = games.values(year=ExtractYear("at", tzinfo=zone), month=ExtractMonth("at", tzinfo=zone)).order_by(
            "year", "month"
        )
        rows = months.annotate(games=Count("id"), needless=Sum("needless_guesses"), needed=Avg("pluck"))
        return [
            LuckCount((year, month), *values)
            for year, month, *values in rows.values_list("year", "month", "games", "needless", "needed")
        ]

    def session_starts(self, player_id: int, gap: datetime.timedelta, limit: int) -> list[datetime.datetime]:
        before = Window(Lag("at"), order_by="at")
        games = _games(player_id).values("at").annotate(before=before)
        starts = games.filter(Q(before__isnull=True) | Q(before__lt=F("at") - gap)).order_by("-at")
        return list(starts.values_list("at", flat=True)[:limit])

    def played_since(self, player_id: int, since: datetime.datetime, limit: int) -> list[PlayedGame]:
        undated = Case(When(played_at__isnull=True, then=Value(True)), default=Value(False))
        games = _games(player_id).filter(at__gte=since).annotate(undated=undated).order_by("-at", "-id")
        rows = games.values_list("at", "level", "win", "undated", "time_ms", "bvs", "id")[:limit]
        return [PlayedGame(*row) for row in reversed(rows)]

    def longest_runs(self, player_id: int, level: str | None, limit: int) -> list[Run]:
        games = _of_level(_games(player_id), level).order_by().values_list("at", "win", "id")
        sql, parameters = games.query.get_compiler(connection=connection).as_sql()
        rows = send_sql(_RUNS.format(games=sql, limit=limit), parameters, datetime_columns=[0, 1])()
        return [Run(*row) for row in rows]

    def ranked_times(self, player_id: int, level: str, style: str) -> list[RankedTime]:
        rows = _ranked(player_id, level, style).annotate(at=_AT).order_by("at", "id")
        return [RankedTime(*row) for row in rows.values_list("at", "time_ms", "id")]

    def median_time_ms(self, player_id: int, level: str, style: str, games: int) -> int | None:
        times = _ranked(player_id, level, style).order_by("time_ms").values_list("time_ms", flat=True)
        middle = max(0, games - 1) // 2
        return next(iter(times[middle : middle + 1]), None)

    def spread(self, player_id: int, level: str, style: str, statistics: tuple[str, str]) -> Spread | None:
        games = _with_both(player_id, level, style, statistics)
        aggregates: dict[str, Any] = {"games": Count("id")}
        for axis, name in zip("xy", statistics, strict=True):
            value = F(name) * 1.0  # squares of integers overflow
            aggregates |= {
                f"least_{axis}": Min(name), f"most_{axis}": Max(name), f"mean_{axis}": Avg(name),
                f"square_{axis}": Avg(value * value),
            }  # fmt: skip
        found = games.aggregate(**aggregates)
        if not found["games"]:
            return None
        pairs = [(float(found[f"{what}_x"]), float(found[f"{what}_y"])) for what in ("least", "most", "mean", "square")]
        return Spread(found["games"], *pairs)

    def bins(self, player_id: int, level: str, style: str, statistics: tuple[str, str], grid: Grid) -> list[Bin]:
        games = _with_both(player_id, level, style, statistics).filter(_inside(statistics, grid))
        places = {
            axis: Least(Cast(Floor((F(name) - start) / step), IntegerField()), Value(bins - 1))
            for axis, name, start, step, bins in zip(("column", "row"), statistics, *grid, strict=True)
        }
        rows = games.values(bin_column=places["column"], bin_row=places["row"]).annotate(games=Count("id"))
        found = rows.order_by("bin_row", "bin_column").values_list("bin_column", "bin_row", "games")
        return [Bin(*row) for row in found]

    def outliers(
        self, player_id: int, level: str, style: str, statistics: tuple[str, str], grid: Grid, limit: int
    ) -> list[Outlier]:
        games = _with_both(player_id, level, style, statistics).exclude(_inside(statistics, grid))
        rows = games.order_by("-id").annotate(x=F(statistics[0]), y=F(statistics[1])).values_list("x", "y", "id")
        return [Outlier(float(x), float(y), pk) for x, y, pk in rows[:limit]]


def _games(player_id: int) -> QuerySet[Any, Any]:
    """The analysed games of the player with the annotation ``at``; untyped, as the type of a model lacks annotations."""
    return Replay.objects.filter(OWN_GAMES, player=player_id).annotate(at=_AT)


def _of_level(games: QuerySet[Any, Any], level: str | None) -> QuerySet[Any, Any]:
    return games if level is None else games.filter(level=level)


def _counted(games: QuerySet[Any, Any], **place: Any) -> list[GameCount]:
    """``games`` counted by the values of ``place``, in their order."""
    rows = games.values(**place).annotate(**_COUNTS).order_by(*place).values_list(*place, *_COUNTS)
    size = len(place)
    return [GameCount(tuple(map(int, row[:size])), *row[size:]) for row in rows]


def _ranked(player_id: int, level: str, style: str) -> QuerySet[Any, Any]:
    games = Replay.objects.filter(ranked=True, player=player_id, level=level)
    return games if style == ALL_STYLES else games.filter(style=style)


def _with_both(player_id: int, level: str, style: str, statistics: Sequence[str]) -> QuerySet[Any, Any]:
    return _ranked(player_id, level, style).filter(**{f"{name}__isnull": False for name in statistics})


def _inside(statistics: tuple[str, str], grid: Grid) -> Q:
    """The condition that a game lies in ``grid``, its edges included."""
    inside = Q()
    for name, start, step, bins in zip(statistics, *grid, strict=True):
        inside &= Q(**{f"{name}__gte": start, f"{name}__lte": start + step * bins})
    return inside
