"""A player's best value for each 3BV."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Window
from django.db.models.functions import RowNumber

from players.boards import COMBINED, BoardKey
from players.games import best_first, ranked_games
from players.models import Player


@dataclass(frozen=True, slots=True)
class BvBest:
    """The best of a player's ranked ``games`` on boards of ``bv`` 3BV; of equal ones the earliest."""

    bv: int
    value: float
    replay_id: int
    achieved_at: datetime
    precision_ms: int | None
    games: int


def best_by_3bv(player: Player, key: BoardKey) -> list[BvBest]:
    """The best value of ``key``'s statistic for each 3BV that ``player`` has won, lowest 3BV first.

    One statement over the ranked games of the player on that level, which ``replay_ranked`` finds; it grows with their
    number and with nothing else.  ``key`` is no combined board.
    """
    if key.level == COMBINED:
        raise ValueError("sums have no 3BV")
    name = key.statistic
    games = ranked_games(key.level, key.style, name).filter(player=player, bv__isnull=False)
    placed = games.annotate(
        place=Window(RowNumber(), partition_by="bv", order_by=best_first(key.row)),
        games=Window(Count("id"), partition_by="bv"),
    )
    rows = placed.filter(place=1).order_by("bv")
    return [BvBest(*row) for row in rows.values_list("bv", name, "id", "achieved_at", "time_precision_ms", "games")]
