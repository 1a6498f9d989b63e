from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from django.db.models import QuerySet

from analysis.time_convention import second
from players.db import bulk
from players.leaderboards import ranked_games
from players.leaderboards.boards import Game
from players.models import SecondCount


class SecondKey(NamedTuple):
    player_id: int
    level: str
    style: str
    second: int


class SecondValues(NamedTuple):
    """The values of a second count: the number of games, and the first of them (by date, then by id)."""

    games: int
    first_at: datetime
    first_replay_id: int

    def plus(self, other: SecondValues) -> SecondValues:
        first = min((self.first_at, self.first_replay_id), (other.first_at, other.first_replay_id))
        return SecondValues(self.games + other.games, *first)


SecondCounts = dict[SecondKey, SecondValues]


def count_games(games: Iterable[Game], into: SecondCounts | None = None) -> SecondCounts:
    """Add ``games`` to ``into`` (None: to an empty mapping) and return it."""
    counts = {} if into is None else into
    for game in games:
        single = SecondValues(1, game.achieved_at, game.replay_id)
        for key in seconds_of(game):
            old = counts.get(key)
            counts[key] = single if old is None else old.plus(single)
    return counts


def seconds_of(game: Game) -> list[SecondKey]:
    return [SecondKey(game.player_id, game.level, style, second(game.time_ms)) for style in game.styles]


def seconds_add(games: Collection[Game]) -> None:
    new = count_games(games)
    old = read_seconds(new)
    upsert_seconds({key: count.plus(old[key]) if key in old else count for key, count in new.items()})


def seconds_remove(games: Collection[Game]) -> None:
    """Count again instead of decrementing: this also finds the new first game, and is idempotent."""
    touched = {key for game in games for key in seconds_of(game)}
    left = _count_again(touched, {game.replay_id for game in games})
    upsert_seconds(left)
    delete_seconds(touched - left.keys())


def read_seconds(keys: Collection[SecondKey]) -> SecondCounts:
    rows = _rows_with(keys).values_list(*SecondKey._fields, *SecondValues._fields)
    return {key: SecondValues(*row[4:]) for row in rows if (key := SecondKey(*row[:4])) in keys}


def upsert_seconds(counts: Mapping[SecondKey, SecondValues]) -> None:
    rows = [key + count for key, count in counts.items()]
    bulk.upsert(SecondCount, SecondKey._fields, SecondValues._fields, rows)


def delete_seconds(keys: Collection[SecondKey]) -> None:
    if not keys:
        return
    rows = _rows_with(keys).values_list("id", *SecondKey._fields)
    SecondCount.objects.filter(id__in=[row[0] for row in rows if SecondKey(*row[1:]) in keys]).delete()


def _rows_with(keys: Collection[SecondKey]) -> QuerySet[SecondCount]:
    """The rows of ``keys`` and perhaps others, which callers filter out; exact SQL needs a condition for each key."""
    return SecondCount.objects.filter(
        player_id__in={key.player_id for key in keys},
        level__in={key.level for key in keys},
        second__in={key.second for key in keys},
    )


def _count_again(keys: Collection[SecondKey], excluded_ids: Collection[int]) -> SecondCounts:
    seconds = sorted({(key.player_id, key.level, key.second) for key in keys})
    counts = count_games(ranked_games.in_seconds(seconds, excluded_ids))
    return {key: count for key, count in counts.items() if key in keys}
