"""The rows of ``SecondCount``: how many games ended in each second, and the first of them."""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import reduce
from typing import Any, NamedTuple

from django.db.models import Q

from players import bulk
from players.boards import Game, game_of_row
from players.games import replays
from players.models import SecondCount
from players.time_convention import second, sub_limit_ms

#: Seconds that one statement asks for; SQLite refuses conditions nested deeper than 1,000.
_SECONDS_A_STATEMENT = 100


class SecondKey(NamedTuple):
    """The place of one row of ``SecondCount``."""

    player_id: int
    level: str
    style: str
    second: int


class Tally(NamedTuple):
    """What stands there: the number of games, and the first of them (earliest, then the lower id)."""

    games: int
    first_at: datetime
    first_replay_id: int

    def plus(self, other: Tally) -> Tally:
        first = min((self.first_at, self.first_replay_id), (other.first_at, other.first_replay_id))
        return Tally(self.games + other.games, *first)


Tallies = dict[SecondKey, Tally]


def tally(games: Iterable[Game], into: Tallies | None = None) -> Tallies:
    """Count ``games`` into ``into`` (a new table if None)."""
    tallies = {} if into is None else into
    for game in games:
        one = Tally(1, game.achieved_at, game.replay_id)
        for key in seconds_of(game):
            old = tallies.get(key)
            tallies[key] = one if old is None else old.plus(one)
    return tallies


def seconds_of(game: Game) -> list[SecondKey]:
    """The places where ``game`` counts."""
    return [SecondKey(game.player_id, game.level, style, second(game.time_ms)) for style in game.styles]


def seconds_add(games: Sequence[Game]) -> None:
    """Count ``games``, each of which has just become ranked."""
    new = tally(games)
    old = read_seconds(new)
    upsert_seconds({key: count.plus(old[key]) if key in old else count for key, count in new.items()})


def seconds_remove(games: Sequence[Game]) -> None:
    """Count the seconds of ``games`` again without them.

    Counting again, not down, also finds the next first game, and a second call changes nothing.
    """
    touched = {key for game in games for key in seconds_of(game)}
    left = _count_again(touched, gone={game.replay_id for game in games})
    upsert_seconds(left)
    delete_seconds(touched - left.keys())


def read_seconds(keys: Collection[SecondKey]) -> Tallies:
    """What is stored in the places ``keys``."""
    rows = _near(keys).values_list(*SecondKey._fields, *Tally._fields)
    return {key: Tally(*row[4:]) for row in rows if (key := SecondKey(*row[:4])) in keys}


def upsert_seconds(tallies: Mapping[SecondKey, Tally]) -> None:
    """Write ``tallies`` over whatever stands in their places."""
    rows = [key + count for key, count in tallies.items()]
    bulk.upsert(SecondCount, SecondKey._fields, Tally._fields, rows)


def delete_seconds(keys: Collection[SecondKey]) -> None:
    """Remove the rows of ``keys``."""
    if not keys:
        return
    rows = _near(keys).values_list("id", *SecondKey._fields)
    SecondCount.objects.filter(id__in=[row[0] for row in rows if SecondKey(*row[1:]) in keys]).delete()


def _near(keys: Collection[SecondKey]) -> Any:
    """Rows that include those of ``keys``; the exact choice is made in Python, without a condition for each."""
    return SecondCount.objects.filter(
        player_id__in={key.player_id for key in keys},
        level__in={key.level for key in keys},
        second__in={key.second for key in keys},
    )


def _count_again(keys: Collection[SecondKey], gone: Collection[int]) -> Tallies:
    ranked = replays().filter(ranked=True).exclude(id__in=gone)
    places = sorted({(key.player_id, key.level, key.second) for key in keys})
    tallies: Tallies = {}
    for start in range(0, len(places), _SECONDS_A_STATEMENT):
        conditions = [
            Q(player_id=player_id, level=level, time_ms__gte=sub_limit_ms(number), time_ms__lt=sub_limit_ms(number + 1))
            for player_id, level, number in places[start : start + _SECONDS_A_STATEMENT]
        ]
        rows: Any = ranked.filter(reduce(operator.or_, conditions)).values_list(
            "id", "player_id", "level", "style", "time_ms", "achieved_at"
        )
        tally((game_of_row(row) for row in rows), into=tallies)
    return {key: count for key, count in tallies.items() if key in keys}
