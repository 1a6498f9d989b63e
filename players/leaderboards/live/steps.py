"""Every personal best of a board by the day of its game: how the board stood on any day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np

from players.leaderboards.live.standing import Ints, Rows, Standing, by_date, joined

#: Days for which a standing is remembered beside the steps it comes from.
_DAYS: Final = 4


@dataclass(frozen=True, eq=False)
class Steps:
    """Results that beat every earlier one of the same player, sorted by ``achieved_us``, then the replay.

    Make it with :meth:`of`.  It never changes; :meth:`with_players` gives another one.
    """

    rows: Rows

    @classmethod
    def of(cls, rows: Rows) -> Steps:
        """The steps ``rows``, one key each."""
        return cls(by_date(rows))

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def nbytes(self) -> int:
        """Bytes that its arrays take, with the standings that it remembers."""
        return 6 * self.rows.player.nbytes + _DAYS * 6 * self.rows.player.nbytes // 4

    def with_players(self, players: Ints, fresh: Rows) -> Steps:
        """The steps after those of ``players`` were replaced by ``fresh``."""
        unchanged = self.rows.taken(~np.isin(self.rows.player, players))
        return Steps.of(joined(unchanged, fresh))

    @cached_property
    def _numbered(self) -> tuple[Ints, Ints]:
        """The players, and for each row which of them it is."""
        numbers, index = np.unique(self.rows.player, return_inverse=True)
        return numbers, index.astype(np.int64)

    def standing_before(self, time_us: int) -> Standing:
        """The board as it stood before ``time_us``."""
        return _standing(self, int(np.searchsorted(self.rows.achieved_us, time_us)))

    def first_of(self, player: int) -> int | None:
        """When ``player`` first had a place, in microseconds; None if never."""
        own = np.flatnonzero(self.rows.player == player)
        return int(self.rows.achieved_us[own[0]]) if len(own) else None

    def ranks_of(self, player: int, times_us: Sequence[int]) -> list[int | None]:
        """The rank of ``player`` before each of ``times_us`` (ascending); None where they had no place yet."""
        rows = self.rows
        numbers, index = self._numbered
        own = int(np.searchsorted(numbers, player))
        best = np.full(len(numbers), np.inf)
        ranks: list[int | None] = []
        start = 0
        for end in np.searchsorted(rows.achieved_us, np.asarray(times_us, dtype=np.int64)).tolist():
            # A player's steps improve as they go on, and of equal indexes the last one is written last.
            best[index[start:end]] = rows.keys[0, start:end]
            start = end
            placed = own < len(numbers) and int(numbers[own]) == player and np.isfinite(best[own])
            ranks.append(1 + int(np.count_nonzero(best < best[own])) if placed else None)
        return ranks


@lru_cache(maxsize=_DAYS)
def _standing(steps: Steps, count: int) -> Standing:
    """The last step of each player among the first ``count``."""
    _players, from_end = np.unique(steps.rows.player[:count][::-1], return_index=True)
    return Standing.of(steps.rows.taken(count - 1 - from_end))
