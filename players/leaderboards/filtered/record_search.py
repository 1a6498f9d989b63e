"""Finding the records of a board without reading all of its games.

A player whose best never beat the record that stood at their first game has no records.  ``SecondCount`` has the date of
each player's first game on a level, ``PersonalBest`` their best.  Players are visited in the order of their first games,
and only the games of those who beat the record at that time are read.  As soon as only a few remaining players have ever
beaten the record, their games are read at once, and the search ends.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Final

from django.db.models import Q, QuerySet

from players.leaderboards.boards import ORDER, BoardKey
from players.leaderboards.ranked_games import GameValue, ranked_games
from players.models import ALL_STYLES, PersonalBest, SecondCount

#: When at most so many remaining players have beaten the record, their games are read at once.
MAX_RIVALS: Final = 300
#: The players who have beaten the record are read up to this multiple of ``MAX_RIVALS``, since some were visited already.
ROWS_A_RIVAL: Final = 3
#: Rows of ``SecondCount`` that are read first; each further portion is twice as large.
FIRST_PORTION: Final = 100


def record_candidates(key: BoardKey) -> set[GameValue]:
    """All records of the board ``key`` (of one level, unfiltered), among other results, in no order."""
    found: set[GameValue] = set()
    visited: set[int] = set()
    record: float | None = None
    last: tuple[datetime, int] | None = None
    portion = FIRST_PORTION
    while (rivals := _rivals(key, record, visited)) is None:
        rows = _first_games_after(key.level, last, portion)
        # New players of this portion played their first game after ``record`` was set: any record of theirs beats it.
        players = {player_id for _first_at, _id, player_id in rows} - visited
        visited |= players
        beaters = _better_bests(key, record).filter(player_id__in=players).values_list("player_id", flat=True)
        found.update(ranked_games().record_steps(key, list(beaters), record))
        if len(rows) < portion:
            break
        first_at, last_id, _player = rows[-1]
        last = (first_at, last_id)
        record = _record_before(key, found, first_at)
        portion *= 2
    else:
        found.update(ranked_games().record_steps(key, rivals, record))
    return found


def _rivals(key: BoardKey, record: float | None, visited: Collection[int]) -> list[int] | None:
    """The players not in ``visited`` whose best beats ``record``; None if they are too many to be read at once."""
    limit = ROWS_A_RIVAL * MAX_RIVALS
    best_first = _better_bests(key, record).order_by(*ORDER)
    beaters = list(best_first.values_list("player_id", flat=True)[: limit + 1])
    rivals = [player_id for player_id in beaters if player_id not in visited]
    return None if len(beaters) > limit or len(rivals) > MAX_RIVALS else rivals


def _better_bests(key: BoardKey, record: float | None) -> QuerySet[PersonalBest]:
    bests = PersonalBest.objects.filter(statistic=key.statistic, level=key.level, style=key.style)
    return bests if record is None else bests.filter(rank_key__lt=key.row.rank_key(record))


def _first_games_after(level: str, last: tuple[datetime, int] | None, portion: int) -> list[tuple[datetime, int, int]]:
    """The next ``portion`` second counts by date, as (first_at, id, player id).

    A player's second count with the earliest ``first_at`` is that of their first game on the level.
    """
    # Of all styles: a player's first game in one style is never before their first game in any style.
    rows = SecondCount.objects.filter(level=level, style=ALL_STYLES)
    if last is not None:
        first_at, last_id = last
        rows = rows.filter(Q(first_at__gt=first_at) | Q(first_at=first_at, id__gt=last_id), first_at__gte=first_at)
    return list(rows.order_by("first_at", "id").values_list("first_at", "id", "player_id")[:portion])


def _record_before(key: BoardKey, found: Iterable[GameValue], when: datetime) -> float | None:
    """The best value achieved before ``when``; exact, since all players with a game before ``when`` were visited."""
    values = [game.value for game in found if game.achieved_at < when]
    return min(values, key=key.row.rank_key) if values else None
