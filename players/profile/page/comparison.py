from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.statistics import RANKED, Statistic
from analysis.time_convention import difference
from players.leaderboards.boards import LEVEL_ORDER
from players.profile.page.selectors import PlayerBests, RankedBest, player_bests


@dataclass(frozen=True, slots=True)
class Compared:
    """The bests of two players on one board; None where one has none.

    ``difference``: by how much they differ, never negative; None unless both have one.  ``leader``: 0 or 1, None if they
    are equal or one is missing.
    """

    level: str
    row: Statistic
    bests: tuple[RankedBest | None, RankedBest | None]

    @property
    def difference(self) -> float | None:
        first, second = self.bests
        return None if first is None or second is None else abs(difference(first.value, second.value))

    @property
    def leader(self) -> int | None:
        first, second = self.bests
        if first is None or second is None or first.value == second.value:
            return None
        return int(self.row.rank_key(second.value) < self.row.rank_key(first.value))


def compare(player_ids: tuple[int, int], style: str, statistics: Sequence[str]) -> list[Compared]:
    """The boards of ``style`` and ``statistics`` on which either player has a best: level by level, sums last."""
    first, second = (player_bests(player_id, style, statistics) for player_id in player_ids)
    rows = [row for row in RANKED if row.name in statistics]
    found = [
        Compared(level, row, (_best(first, level, row, style), _best(second, level, row, style)))
        for level in LEVEL_ORDER
        for row in rows
    ]
    return [one for one in found if any(best is not None for best in one.bests)]


def _best(bests: PlayerBests, level: str, row: Statistic, style: str) -> RankedBest | None:
    return bests.get(level, {}).get(row.name, {}).get(style)


def lead(compared: Sequence[Compared], player: int) -> int:
    """On how many boards the player (0 or 1) has the better value."""
    return sum(one.leader == player for one in compared)
