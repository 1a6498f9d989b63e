from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

from analysis.time_convention import best_sub
from players.db.pipeline import Deferred, send
from players.models import ALL_STYLES, SecondCount

LADDER_STEPS: Final = 100


@dataclass(frozen=True, slots=True)
class SubStep:
    n: int
    first_at: datetime
    replay_id: int
    games: int
    games_in_second: int  # games of the last second below n; 0 if the player skipped it


def sub_ladders(player_id: int, style: str = ALL_STYLES, *, limit: int = LADDER_STEPS) -> dict[str, list[SubStep]]:
    """The ladder of each level on which the player has games: every N from the lowest on, ``limit`` at most."""
    return send_sub_ladders(player_id, style, limit=limit)()


def send_sub_ladders(
    player_id: int, style: str = ALL_STYLES, *, limit: int = LADDER_STEPS
) -> Deferred[dict[str, list[SubStep]]]:
    counts = SecondCount.objects.filter(player=player_id, style=style).order_by("level", "second")
    rows = send(counts.values_list("level", *_Second._fields))
    return lambda: {
        level: _ladder((_Second(*second) for _level, *second in seconds), limit)
        for level, seconds in groupby(rows(), itemgetter(0))
    }


class _Second(NamedTuple):
    second: int
    games: int
    first_at: datetime
    first_replay_id: int


def _ladder(seconds: Iterable[_Second], limit: int) -> list[SubStep]:
    steps: list[SubStep] = []
    for second in seconds:
        games, first = second.games, (second.first_at, second.first_replay_id)
        if steps:
            last = steps[-1]
            skipped = range(last.n + 1, best_sub(second.second))
            steps.extend(SubStep(n, last.first_at, last.replay_id, last.games, 0) for n in skipped[:limit])
            games, first = last.games + games, min((last.first_at, last.replay_id), first)
        steps.append(SubStep(best_sub(second.second), *first, games, second.games))
        if len(steps) >= limit:
            break
    return steps[:limit]
