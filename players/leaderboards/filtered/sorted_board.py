from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property, lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
#: What a row sorts by: its keys, ``achieved_us``, player; or only the first of these.
SortKey: TypeAlias = tuple[float | int, ...]

#: Up to so many new rows are inserted one by one; with more of them the whole board is sorted again.
_FEW: Final = 200
#: Combined sorted boards that are cached, by the sorted boards of their levels.
_SUMS: Final = 8
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def microseconds(when: datetime) -> int:
    """Microseconds from 1970 (UTC) to ``when``."""
    return (when - _EPOCH) // _MICROSECOND


def datetime_of(microseconds_: int) -> datetime:
    return _EPOCH + timedelta(microseconds=microseconds_)


@dataclass(frozen=True, eq=False)
class Rows:
    """``keys``: float64[columns, n]; smaller is better, and the first column is compared first.  ``achieved_us``: int64[n],
    microseconds since 1970 (UTC).  ``player``, ``replay``: int64[n], ids; replay is 0 where a row has no single replay.
    """

    keys: Floats
    achieved_us: Ints
    player: Ints
    replay: Ints

    def __len__(self) -> int:
        return len(self.player)

    def take(self, selection: Ints | NDArray[np.bool_]) -> Rows:
        return Rows(
            self.keys[:, selection], self.achieved_us[selection], self.player[selection], self.replay[selection]
        )


def rows_of(columns: int, tuples: Sequence[tuple[float, ...]]) -> Rows:
    """Rows from tuples of ``columns`` keys, ``achieved_us``, player, replay."""
    if not tuples:
        empty = np.empty(0, dtype=np.int64)
        return Rows(np.empty((columns, 0)), empty, empty, empty)
    fields = list(zip(*tuples, strict=True))
    keys = np.array(fields[:columns], dtype=np.float64)
    achieved_us, player, replay = (np.array(field, dtype=np.int64) for field in fields[columns:])
    return Rows(keys, achieved_us, player, replay)


def joined(first: Rows, second: Rows) -> Rows:
    return Rows(
        np.concatenate([first.keys, second.keys], axis=1),
        np.concatenate([first.achieved_us, second.achieved_us]),
        np.concatenate([first.player, second.player]),
        np.concatenate([first.replay, second.replay]),
    )


def by_date(rows: Rows) -> Rows:
    """``rows`` sorted by ``achieved_us``, then player as on boards, then replay."""
    return rows.take(np.lexsort((rows.replay, rows.player, rows.achieved_us)))


@dataclass(frozen=True, eq=False)
class SortedBoard:
    """The rows of a board, one for each player, sorted by keys, then ``achieved_us``, then player.

    Immutable; made by :meth:`of`.
    """

    rows: Rows

    @classmethod
    def of(cls, rows: Rows) -> SortedBoard:
        """The sorted board of ``rows``."""
        return cls(rows.take(np.lexsort((rows.player, rows.achieved_us, *rows.keys[::-1]))))

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def nbytes(self) -> int:
        rows = self.rows
        return rows.keys.nbytes + 5 * rows.player.nbytes

    @cached_property
    def ranks(self) -> Ints:
        keys = self.rows.keys
        ranks = np.arange(1, len(self) + 1, dtype=np.int64)
        if len(self) > 1:
            tied = np.all(keys[:, 1:] == keys[:, :-1], axis=0)
            ranks[1:][tied] = 0  # replaced by the rank of the row before
        return np.maximum.accumulate(ranks) if len(self) else ranks

    @cached_property
    def _by_player(self) -> Ints:
        return np.argsort(self.rows.player, kind="stable")

    def index_of(self, player: int) -> int | None:
        order = self._by_player
        found = int(np.searchsorted(self.rows.player, player, sorter=order))
        if found == len(order) or int(self.rows.player[order[found]]) != player:
            return None
        return int(order[found])

    def indexes_of(self, players: Ints) -> Ints:
        """The indexes of the rows of ``players``; -1 where there is none."""
        if not len(self):
            return np.full(len(players), -1, dtype=np.int64)
        order = self._by_player
        found = np.minimum(np.searchsorted(self.rows.player, players, sorter=order), len(order) - 1)
        indexes = order[found]
        return np.where(self.rows.player[indexes] == players, indexes, -1)

    def sort_key(self, index: int) -> SortKey:
        rows = self.rows
        return (*rows.keys[:, index].tolist(), int(rows.achieved_us[index]), int(rows.player[index]))

    def first_from(self, sort_key: SortKey, *, past: bool) -> int:
        """The first index whose sort key is at least (``past``: greater than) ``sort_key``, compared by its length."""
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            here = self.sort_key(middle)[: len(sort_key)]
            if here < sort_key or (past and here == sort_key):
                low = middle + 1
            else:
                high = middle
        return low

    def with_players(self, players: Ints, fresh: Rows) -> SortedBoard:
        """The sorted board with the rows of ``players`` replaced by ``fresh`` (one for each player at most)."""
        indexes = self.indexes_of(players)
        others = np.ones(len(self), dtype=np.bool_)
        others[indexes[indexes >= 0]] = False
        unchanged = SortedBoard(self.rows.take(others))
        if len(fresh) > _FEW:
            return SortedBoard.of(joined(unchanged.rows, fresh))
        added = SortedBoard.of(fresh).rows
        places = [unchanged.first_from(SortedBoard(added).sort_key(index), past=False) for index in range(len(added))]
        return SortedBoard(
            Rows(
                np.insert(unchanged.rows.keys, places, added.keys, axis=1),
                np.insert(unchanged.rows.achieved_us, places, added.achieved_us),
                np.insert(unchanged.rows.player, places, added.player),
                np.insert(unchanged.rows.replay, places, added.replay),
            )
        )


@lru_cache(maxsize=_SUMS)
def combined_sorted_board(parts: tuple[SortedBoard, ...]) -> SortedBoard:
    """The sums of the players who are on all of ``parts`` (easiest level first).

    Equal sums are ordered by the key of the hardest level, then of the next.  Sums are rounded to 9 decimals: binary
    rounding errors must not break ties.
    """
    players = parts[0].rows.player
    for part in parts[1:]:
        players = np.intersect1d(players, part.rows.player, assume_unique=True)
    chosen = [part.rows.take(part.indexes_of(players)) for part in parts]
    total = np.round(np.sum([rows.keys[0] for rows in chosen], axis=0), 9)
    keys = np.stack([total, *(rows.keys[0] for rows in chosen[:0:-1])])
    achieved_us = np.max([rows.achieved_us for rows in chosen], axis=0)
    return SortedBoard.of(Rows(keys, achieved_us, players, np.zeros(len(players), dtype=np.int64)))
