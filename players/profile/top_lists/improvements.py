"""Players who improved their best time most in the last 30 days.

A player's improvement is the share by which their best is below the best before these days: from 50 s to 45 s is 10 %.
Players with no earlier result are not listed.  Days are those of the games, by the dates that count.  A game whose file
states an earlier date is no improvement: it is one of those before, though nobody is listed because of such games alone.
All is read from the games that count now, since the record history does not know the best behind a game that was taken off the boards.
Provisional games do not count before they are final; players whose best is one are not listed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from itertools import starmap
from operator import itemgetter
from typing import Final, NamedTuple

from django.core.cache import cache
from django.db.models import Count, Exists, OuterRef, Q, Subquery
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from analysis.time_convention import difference
from players.leaderboards.boards import COMBINED, COMBINED_LEVELS, ON_LEVEL, PART_IDS, checked_level
from players.models import ALL_STYLES, PROVISIONAL, CombinedBest, PersonalBest, Player, RecordEvent
from players.people.player_refs import PlayerRef, player_refs
from replays.models import Replay
from replays.models.stated_dates import as_stated, date_has_zone, stated_from

DAYS: Final = 30
MOST: Final = 100
LEVELS: Final = (*ON_LEVEL, COMBINED)
#: A list reads the bests of everybody who improved, so visitors of five minutes get the same one.
KEPT_SECONDS: Final = 300
_TIME: Final = "time"


class Improvement(NamedTuple):
    """A player's best time before the days (s) and since; ``replay_id``: of the latter, of a sum the game that completed it.

    ``steps``: how many personal bests it took; ``precision_ms``: of the clock of ``replay_id``, None if unknown.
    """

    rank: int
    player: PlayerRef
    old_value: float
    new_value: float
    steps: int
    replay_id: int
    precision_ms: int | None
    achieved_at: datetime
    date_has_zone: bool

    @property
    def shown_at(self) -> datetime:
        return as_stated(self.achieved_at, self.date_has_zone)

    @property
    def gain(self) -> float:
        """Seconds."""
        return difference(self.old_value, self.new_value)

    @property
    def share(self) -> float:
        """The gain as a share of the old value, 0 to 1."""
        return self.gain / self.old_value


class _NewBest(NamedTuple):
    player_id: int
    value: float
    achieved_at: datetime
    replay_id: int
    precision_ms: int | None
    date_has_zone: bool


def checked_improvement_level(level: str) -> str:
    """Raise ``UnknownBoard`` unless ``level`` is ranked or "combined"."""
    return level if level == COMBINED else checked_level(level)


def improvements(level: str, style: str, now: datetime | None = None) -> list[Improvement]:
    """The list of ``level`` ("combined": of sums) in one style, most improved first.

    It is at most :data:`KEPT_SECONDS` old; as of ``now`` it is made anew.

    One statement for names; before it, for a list that is not kept, three more, and five more for sums.
    """
    since = (now or timezone.now()) - timedelta(days=DAYS)
    name = f"improvements:2:{level}:{style}"
    kept = None if now else cache.get(name)
    if kept is None:
        improved = _improved(level, style, since)
        steps = _steps(level, style, since, [best.player_id for _old, best in improved])
        kept = [
            [old, steps.get(pk, 1), pk, value, achieved_at.isoformat(), *replay]
            for old, (pk, value, achieved_at, *replay) in improved
        ]
        if now is None:
            cache.set(name, kept, KEPT_SECONDS)
    rows = [
        (old, taken, _NewBest(pk, value, parse_datetime(at) or since, *replay))
        for old, taken, pk, value, at, *replay in kept
    ]
    players = player_refs([best.player_id for _old, _taken, best in rows])
    made: list[Improvement] = []
    for index, (old_value, taken, best) in enumerate(rows):
        if best.player_id not in players:
            continue  # deleted meanwhile
        tied = bool(made) and (made[-1].old_value, made[-1].new_value) == (old_value, best.value)
        made.append(
            Improvement(
                made[-1].rank if tied else index + 1, players[best.player_id], old_value, best.value,
                taken, best.replay_id, best.precision_ms, best.achieved_at, best.date_has_zone,
            )
        )  # fmt: skip
    return made


def _improved(level: str, style: str, since: datetime) -> list[tuple[float, _NewBest]]:
    """The best times before ``since`` and the better ones since, most improved first."""
    new = {
        best.player_id: best
        for best in (_new_sums(style, since) if level == COMBINED else _new_bests(level, style, since))
    }
    old = _sums_before(new, style, since) if level == COMBINED else _bests_before(new, level, style, since)
    improved = [(old[pk], best) for pk, best in new.items() if pk in old and old[pk] > best.value]
    improved.sort(key=lambda pair: (-_share(*pair), pair[1].value, pair[1].player_id))
    return improved[:MOST]


def _share(old: float, best: _NewBest) -> float:
    return (old - best.value) / old


def _new_bests(level: str, style: str, since: datetime) -> Iterator[_NewBest]:
    """The bests that were achieved since; the index of the board holds all that chooses them."""
    bests = PersonalBest.objects.filter(statistic=_TIME, level=level, style=style, achieved_at__gte=since)
    rows = bests.exclude(replay__judgement=PROVISIONAL)
    return starmap(
        _NewBest,
        rows.values_list(
            "player_id", "value", "achieved_at", "replay_id", "replay__time_precision_ms", date_has_zone("replay__")
        ),
    )


def _new_sums(style: str, since: datetime) -> Iterator[_NewBest]:
    """Their parts are read by id: while its statistics are outdated, PostgreSQL joins them badly."""
    sums = CombinedBest.objects.filter(statistic=_TIME, style=style, achieved_at__gte=since)
    rows = list(sums.values_list("player_id", "value", "achieved_at", *PART_IDS))
    bests = PersonalBest.objects.filter(pk__in=[pk for row in rows for pk in row[3:]]).exclude(
        replay__judgement=PROVISIONAL
    )
    columns = ("pk", "achieved_at", "replay_id", "replay__time_precision_ms", date_has_zone("replay__"))
    parts = {pk: part for pk, *part in bests.values_list(*columns)}
    for player_id, value, achieved_at, *part_ids in rows:
        if all(pk in parts for pk in part_ids):
            _at, *replay = max((parts[pk] for pk in part_ids), key=itemgetter(0, 1))
            yield _NewBest(player_id, value, achieved_at, *replay)


def _bests_before(players: Collection[int], level: str, style: str, since: datetime) -> dict[int, float]:
    """Return the best time (s) of each of these players before ``since``; provisional games are left out.

    Games that came since and state an earlier date are among those of players who have one that counted before.  The
    index ``replay_ranked`` has the times of each player in order, so few rows are read of each.
    """
    games = Replay.objects.filter(ranked=True, level=level, player=OuterRef("pk")).exclude(judgement=PROVISIONAL)
    if style != ALL_STYLES:
        games = games.filter(style=style)
    arrived, played_since = Q(achieved_at__lt=since), stated_from(since)
    best = Subquery(games.filter(arrived | ~played_since).order_by("time_ms").values("time")[:1])
    known = Player.objects.filter(Exists(games.filter(arrived)), pk__in=players)
    return {pk: time for pk, time in known.annotate(best=best).values_list("pk", "best") if time is not None}


def _sums_before(players: Collection[int], style: str, since: datetime) -> dict[int, float]:
    parts = [_bests_before(players, level, style, since) for level in COMBINED_LEVELS]
    return {pk: round(sum(part[pk] for part in parts), 9) for pk in players if all(pk in part for part in parts)}


def _steps(level: str, style: str, since: datetime, players: Collection[int]) -> dict[int, int]:
    events = RecordEvent.objects.filter(
        kind=RecordEvent.Kind.PERSONAL, statistic=_TIME, level=level, style=style, happened_at__gte=since,
        player__in=players,
    )  # fmt: skip
    events = events.filter(stated_from(since, "replay__"))
    return dict(events.order_by().values_list("player").annotate(steps=Count("id")))
