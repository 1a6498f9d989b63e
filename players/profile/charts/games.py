"""The games of a player as charts read them.

Charts count every analysed game of a player, lost ones too.  The *day* of a game is what the file says (``played_at``),
but never after the upload; a game without a date counts on the day of its upload and is *undated*.  Days, hours and
months are those of the zone that is asked for; a date without a zone is taken as written, and is naive here.  ``level`` None: games of every level, custom ones too.

What counts days needs the columns of the index ``replay_days_with_zone`` alone, which PostgreSQL then reads instead of the table.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

from django.db import models
from django.db.models import (
    Avg,
    Case,
    DateField,
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
)
from django.db.models.functions import (
    Cast,
    Coalesce,
    ExtractHour,
    ExtractIsoWeekDay,
    Least,
    TruncDate,
    TruncMonth,
)

from analysis.statistics import LUCK_VERSION
from players.models import ALL_STYLES, OWN_GAMES, PersonalBest, Player, SecondCount
from replays.models.stated_dates import as_stated

Fingerprint: TypeAlias = tuple[int, ...]


class Totals(NamedTuple):
    """All games of a player; ``first_at``: when the first one was played, None without games."""

    games: int
    won: int
    undated: int
    first_at: datetime.datetime | None
    last_at: datetime.datetime | None


class Count(NamedTuple):
    """Number of games in one place of a chart: a day, a month, an hour of the week."""

    place: tuple[int, ...]
    games: int
    won: int
    undated: int


class LossCount(NamedTuple):
    """Number of lost games that solved ``tenth`` tenths of their 3BV or more, but not one more; of 9 also all of it."""

    tenth: int
    games: int


class MonthAccuracy(NamedTuple):
    """Ranked games of a month with known luck, and the mean of their accuracy (percent)."""

    place: tuple[int, ...]
    games: int
    accuracy: float


class RankedTime(NamedTuple):
    time_ms: int
    replay_id: int


class Win(NamedTuple):
    """A ranked game; ``cls`` and ``ioe``: None where they are not defined; ``precision_ms``: of its clock, None if unknown."""

    bv: int
    time_s: float
    bvs: float
    cls: float | None
    ioe: float | None
    replay_id: int
    precision_ms: int | None


_WITHOUT_ZONE: Final = Q(played_at_has_zone=False)
#: When a game was played; the games of ``OWN_GAMES`` alone have it.  East of UTC a written date is later than the upload.
_AT: Final = Coalesce(
    Case(When(_WITHOUT_ZONE, then=F("played_at")), default=Least("played_at", "uploaded_at")),
    "uploaded_at",
    output_field=DateTimeField(),
)
_COUNTS: Final = {
    "games": models.Count("id"),
    "wins": models.Count("id", filter=Q(win=True)),
    "undated": models.Count("id", filter=Q(played_at__isnull=True)),
}
_DAY_HOURS: Final = 24
_TENTHS: Final = 10


def fingerprint(player_id: int) -> Fingerprint:
    """Numbers that change when games of the player are added, deleted, ranked or unranked."""
    games = _games(player_id).aggregate(newest=Max("id"), games=models.Count("id"), ids=Sum("id"))
    ranked = SecondCount.objects.filter(player=player_id).aggregate(games=Sum("games"))
    return games["newest"] or 0, games["games"], games["ids"] or 0, ranked["games"] or 0


def totals_of(player_id: int) -> Totals:
    ends = {
        "first_at": Min("at"), "last_at": Max("at"), "first_written": Min("at", filter=_WITHOUT_ZONE),
        "last_written": Max("at", filter=_WITHOUT_ZONE),
    }  # fmt: skip
    found = _games(player_id).order_by().values("player_id").annotate(**_COUNTS, **ends)
    for games, won, undated, first_at, last_at, first_written, last_written in found.values_list(*_COUNTS, *ends):
        first, last = as_stated(first_at, first_at != first_written), as_stated(last_at, last_at != last_written)
        return Totals(games, won, undated, first, last)
    return Totals(0, 0, 0, None, None)


def by_day(player_id: int, zone: ZoneInfo, year: int | None = None) -> list[Count]:
    """Games by (year, month, day), of one year if given, oldest first."""
    games = _games(player_id).annotate(day=_in_zone(zone, lambda zone: TruncDate("at", tzinfo=zone)))
    if year is not None:
        games = games.filter(day__gte=datetime.date(year, 1, 1), day__lt=datetime.date(year + 1, 1, 1))
    return _counted(games, F("day"), lambda day: (day.year, day.month, day.day))


def by_hour(player_id: int, zone: ZoneInfo, level: str | None) -> list[Count]:
    """Games by (day of the week, 1 is Monday; hour)."""
    games = _of_level(_games(player_id), level)
    return _counted(games, _in_zone(zone, _hour_of_week), lambda found: divmod(found, _DAY_HOURS))


def _hour_of_week(zone: datetime.tzinfo) -> Any:
    # PostgreSQL extracts decimal numbers, with which it reckons and sorts slowly.
    day, hour = ExtractIsoWeekDay("at", tzinfo=zone), ExtractHour("at", tzinfo=zone)
    return Cast(day, IntegerField()) * _DAY_HOURS + Cast(hour, IntegerField())


def by_month(player_id: int, zone: ZoneInfo, level: str | None) -> list[Count]:
    """Games by (year, month), oldest first."""
    games = _of_level(_games(player_id), level)
    return _counted(games, _month(zone), lambda month: (month.year, month.month))


def losses(player_id: int, level: str | None) -> list[LossCount]:
    games = _of_level(_games(player_id), level).filter(result="lost", completion__isnull=False)
    # Division of integers: 0.7 * 10 is less than 7 in floats.  A game can be lost with all of its 3BV solved, when a
    # wrong flag keeps a cell of an opening closed.
    tenth = Least(F("bvdone") * 10 / F("bv"), Value(_TENTHS - 1), output_field=IntegerField())
    rows = games.values(tenth=tenth).annotate(games=models.Count("id")).order_by("tenth")
    return [LossCount(*row) for row in rows.values_list("tenth", "games")]


def accuracy_by_month(player_id: int, zone: ZoneInfo, level: str) -> list[MonthAccuracy]:
    """The accuracy of the ranked games by (year, month), oldest first; games without known luck are left out.

    Values of a former definition are left out too, until they are made anew.
    """
    known = _ranked(player_id, level, ALL_STYLES).filter(accuracy__isnull=False)
    games = known.exclude(luck_version__lt=LUCK_VERSION).annotate(at=_AT)
    months = games.values(month=_month(zone)).order_by("month")
    rows = months.annotate(games=models.Count("id"), mean=Avg("accuracy"))
    return [
        MonthAccuracy((month.year, month.month), *values)
        for month, *values in rows.values_list("month", "games", "mean")
    ]


def ranked_times(player_id: int, level: str, style: str) -> list[RankedTime]:
    """The times of all ranked games, oldest first."""
    # Without the dates, which take longer to read than all the rest.
    rows = _ranked(player_id, level, style).order_by(_AT, "id")
    return [RankedTime(*row) for row in rows.values_list("time_ms", "id")]


def newest_wins(player_id: int, level: str, style: str, limit: int) -> list[Win]:
    """The ranked games that were uploaded last, newest first."""
    return _wins(_ranked(player_id, level, style).order_by("-id")[:limit])


def best_win(player_id: int, level: str, style: str, statistic: str) -> Win | None:
    bests = PersonalBest.objects.filter(player=player_id, level=level, style=style, statistic=statistic)
    return next(iter(_wins(Player(pk=player_id).replays.filter(pk__in=bests.values("replay")))), None)


def _wins(games: QuerySet[Any, Any]) -> list[Win]:
    rows = games.values_list("bv", "time", "bvs", "cls", "ioe", "id", "time_precision_ms")
    return [Win(*row) for row in rows]


def played_at(player_id: int, replay_ids: Sequence[int]) -> dict[int, datetime.datetime]:
    rows = Player(pk=player_id).replays.filter(pk__in=replay_ids).values_list("pk", _AT, "played_at_has_zone")
    return {pk: as_stated(at, has_zone) for pk, at, has_zone in rows}


def median_time_ms(player_id: int, level: str, style: str, games: int) -> int | None:
    """The median time of the ``games`` ranked games there are; the lower one of an even number."""
    times = _ranked(player_id, level, style).order_by("time_ms").values_list("time_ms", flat=True)
    middle = max(0, games - 1) // 2
    return next(iter(times[middle : middle + 1]), None)


def _games(player_id: int) -> QuerySet[Any, Any]:
    """Return an untyped queryset, as the type of a model lacks the annotation ``at``."""
    return Player(pk=player_id).replays.filter(OWN_GAMES).annotate(at=_AT)


def _of_level(games: QuerySet[Any, Any], level: str | None) -> QuerySet[Any, Any]:
    return games if level is None else games.filter(level=level)


def _month(zone: ZoneInfo) -> Case:
    return _in_zone(zone, lambda zone: TruncMonth("at", output_field=DateField(), tzinfo=zone))


def _in_zone(zone: ZoneInfo, part: Callable[[datetime.tzinfo], Any]) -> Case:
    """Return ``part`` of when games were played, in ``zone`` or as written; UTC is in the place of no zone."""
    return Case(When(_WITHOUT_ZONE, then=part(datetime.UTC)), default=part(zone))


def _counted(games: QuerySet[Any, Any], key: Any, place: Callable[[Any], tuple[int, ...]]) -> list[Count]:
    """``games`` counted by the expression ``key``, in its order; ``place`` makes the place of a value of it."""
    rows = games.values(key=key).annotate(**_COUNTS).order_by("key").values_list("key", *_COUNTS)
    return [Count(place(value), *counts) for value, *counts in rows]


def _ranked(player_id: int, level: str, style: str) -> QuerySet[Any, Any]:
    games = Player(pk=player_id).replays.filter(ranked=True, level=level)
    return games if style == ALL_STYLES else games.filter(style=style)
