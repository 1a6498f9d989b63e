from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

from analysis.time_convention import MS_PER_SECOND, best_sub, second, sub_limit_ms
from players.leaderboards.boards import MIN_SUB
from players.models import ALL_STYLES, SecondCount
from replays.models.stated_dates import as_stated, date_has_zone

LADDER_STEPS: Final = 100


@dataclass(frozen=True, slots=True)
class SubStep:
    n: int
    first_at: datetime
    replay_id: int
    games: int
    games_in_second: int  # games of the last second below n; 0 if the player skipped it
    date_has_zone: bool

    @property
    def shown_at(self) -> datetime:
        return as_stated(self.first_at, self.date_has_zone)


@dataclass(frozen=True, slots=True)
class Rung:
    """``missing_ms``: by how much the best time must be beaten to be sub-``n``, on a clock of the same precision."""

    n: int
    missing_ms: int


def sub_ladders(player_id: int, style: str = ALL_STYLES, *, limit: int = LADDER_STEPS) -> dict[str, list[SubStep]]:
    """The ladder of each level on which the player has games: every N from the lowest on, ``limit`` at most."""
    counts = SecondCount.objects.filter(player=player_id, style=style).order_by("level", "second")
    rows = counts.values_list("level", *_Second._fields[:-1], date_has_zone("first_replay__"))
    return {
        level: _ladder((_Second(*columns) for _level, *columns in seconds), limit)
        for level, seconds in groupby(rows, itemgetter(0))
    }


class _Second(NamedTuple):
    second: int
    games: int
    first_at: datetime
    first_replay_id: int
    date_has_zone: bool


def _ladder(seconds: Iterable[_Second], limit: int) -> list[SubStep]:
    steps: list[SubStep] = []
    for row in seconds:
        games, first = row.games, (row.first_at, row.first_replay_id, row.date_has_zone)
        if steps:
            last = steps[-1]
            skipped = range(last.n + 1, best_sub(row.second))
            steps.extend(
                SubStep(n, last.first_at, last.replay_id, last.games, 0, last.date_has_zone) for n in skipped[:limit]
            )
            games, first = last.games + games, min((last.first_at, last.replay_id, last.date_has_zone), first)
        first_at, replay_id, has_zone = first
        steps.append(SubStep(best_sub(row.second), first_at, replay_id, games, row.games, has_zone))
        if len(steps) >= limit:
            break
    return steps[:limit]


def next_rung(best_s: float, precision_ms: int | None = None) -> Rung | None:
    """The rung after the best time ``best_s``; None after the lowest one.  ``precision_ms``: of the clock, else 1."""
    time_ms = round(best_s * MS_PER_SECOND)
    n = best_sub(second(time_ms)) - 1
    if n < MIN_SUB:
        return None
    return Rung(n, time_ms - sub_limit_ms(n) + (precision_ms or 1))
