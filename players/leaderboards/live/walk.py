"""The record steps of a board, found without reading all of its games.

``SecondCount`` knows when each player began on a level, ``PersonalBest`` how good they ever got.  In the order in which
players began, those whose best never beats what stood when they began are passed over.  As soon as only a few have ever
beaten what stands, these few are read, and nobody else can matter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Final

from django.db.models import Q, QuerySet

from players.leaderboards.boards import BoardKey
from players.leaderboards.ranked_games import GameValue, ranked_games
from players.models import ALL_STYLES, PersonalBest, SecondCount

#: Players whose games are read at once, whenever they began.
RIVALS: Final = 300
#: How many times as many places of a board are read to see who of them is left.
PLACES_A_RIVAL: Final = 3
#: Rows of ``SecondCount`` that the walk starts with; each further portion is twice as large.
FIRST_PORTION: Final = 100


def record_candidates(key: BoardKey) -> set[GameValue]:
    """Results among which are all record steps of the board ``key`` (of one level), in no order."""
    found: set[GameValue] = set()
    seen: set[int] = set()
    standing: float | None = None
    position: tuple[datetime, int] | None = None
    portion = FIRST_PORTION
    while (rivals := _rivals(key, standing, seen)) is None:
        begun = _begun_after(key.level, position, portion)
        # Everyone new in this portion began when ``standing`` stood already: all of their steps beat it.
        players = {player_id for _first_at, _id, player_id in begun} - seen
        seen |= players
        able = _beaters(key, standing).filter(player_id__in=players).values_list("player_id", flat=True)
        found.update(ranked_games().record_steps(key, list(able), standing))
        if len(begun) < portion:
            break
        first_at, last_id, _player = begun[-1]
        position = (first_at, last_id)
        standing = _standing_before(key, found, first_at)
        portion *= 2
    else:
        found.update(ranked_games().record_steps(key, rivals, standing))
    return found


def _rivals(key: BoardKey, standing: float | None, seen: Collection[int]) -> list[int] | None:
    """Players who have ever beaten ``standing`` and were not ``seen``; None if they are too many to be read at once."""
    limit = PLACES_A_RIVAL * RIVALS
    best_first = _beaters(key, standing).order_by("rank_key", "achieved_at", "id")
    beaters = list(best_first.values_list("player_id", flat=True)[: limit + 1])
    rivals = [player_id for player_id in beaters if player_id not in seen]
    return None if len(beaters) > limit or len(rivals) > RIVALS else rivals


def _beaters(key: BoardKey, standing: float | None) -> QuerySet[PersonalBest]:
    bests = PersonalBest.objects.filter(statistic=key.statistic, level=key.level, style=key.style)
    return bests if standing is None else bests.filter(rank_key__lt=key.row.rank_key(standing))


def _begun_after(level: str, position: tuple[datetime, int] | None, portion: int) -> list[tuple[datetime, int, int]]:
    """The next rows by date (first_at, id, player id): each player is there with their first game at the latest."""
    # In every style: who began in one had begun in all by then.
    rows = SecondCount.objects.filter(level=level, style=ALL_STYLES)
    if position is not None:
        first_at, last_id = position
        rows = rows.filter(Q(first_at__gt=first_at) | Q(first_at=first_at, id__gt=last_id), first_at__gte=first_at)
    return list(rows.order_by("first_at", "id").values_list("first_at", "id", "player_id")[:portion])


def _standing_before(key: BoardKey, found: Iterable[GameValue], when: datetime) -> float | None:
    """The best of what was achieved before ``when``: exact, since everyone who had begun by then was read."""
    values = [one.value for one in found if one.achieved_at < when]
    return min(values, key=key.row.rank_key) if values else None
