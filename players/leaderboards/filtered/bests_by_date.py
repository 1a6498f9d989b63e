"""All personal bests of a board by date, from which the board as of any day follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np

from players.leaderboards.filtered.sorted_board import Ints, Rows, SortedBoard, by_date, joined

#: Standings as of a day that are cached.
_DAYS: Final = 4


@dataclass(frozen=True, eq=False)
class BestsByDate:
    """The steps of all players on a board: results better than every earlier one of the same player.

    Sorted as by ``by_date``.  Immutable; made by :meth:`of`.
    """

    rows: Rows

    @classmethod
    def of(cls, rows: Rows) -> BestsByDate:
        """Bests from ``rows``, which have one key column."""
        return cls(by_date(rows))

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def nbytes(self) -> int:
        """The size of its arrays, with an estimate of its cached sorted boards."""
        return 6 * self.rows.player.nbytes + _DAYS * 6 * self.rows.player.nbytes // 4

    def with_players(self, players: Ints, fresh: Rows) -> BestsByDate:
        """The steps with those of ``players`` replaced by ``fresh``."""
        unchanged = self.rows.take(~np.isin(self.rows.player, players))
        return BestsByDate.of(joined(unchanged, fresh))

    @cached_property
    def _numbered(self) -> tuple[Ints, Ints]:
        """The sorted player ids, and for each row the index of its player among them."""
        numbers, index = np.unique(self.rows.player, return_inverse=True)
        return numbers, index.astype(np.int64)

    def board_before(self, time_us: int) -> SortedBoard:
        """The board just before ``time_us``."""
        return _board_of(self, int(np.searchsorted(self.rows.achieved_us, time_us)))

    def first_of(self, player: int) -> int | None:
        """The date of the first result of ``player`` in microseconds; None if there is none."""
        own = np.flatnonzero(self.rows.player == player)
        return int(self.rows.achieved_us[own[0]]) if len(own) else None

    def ranks_of(self, player: int, times_us: Sequence[int]) -> list[int | None]:
        """The rank of ``player`` just before each of ``times_us`` (ascending); None before their first result."""
        rows = self.rows
        numbers, index = self._numbered
        own = int(np.searchsorted(numbers, player))
        best = np.full(len(numbers), np.inf)
        ranks: list[int | None] = []
        start = 0
        for end in np.searchsorted(rows.achieved_us, np.asarray(times_us, dtype=np.int64)).tolist():
            # Each step of a player is better than the one before; of repeated indexes numpy writes the last value.
            best[index[start:end]] = rows.keys[0, start:end]
            start = end
            ranked = own < len(numbers) and int(numbers[own]) == player and np.isfinite(best[own])
            ranks.append(1 + int(np.count_nonzero(best < best[own])) if ranked else None)
        return ranks


@lru_cache(maxsize=_DAYS)
def _board_of(bests: BestsByDate, count: int) -> SortedBoard:
    """The sorted board of the last step of each player among the first ``count`` steps."""
    _players, from_end = np.unique(bests.rows.player[:count][::-1], return_index=True)
    return SortedBoard.of(bests.rows.take(count - 1 - from_end))
