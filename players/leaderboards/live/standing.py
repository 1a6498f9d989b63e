"""The rows of a board as sorted arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Position: TypeAlias = tuple[float | int, ...]

#: More rows than this are sorted anew together with the others instead of being put in one by one.
_FEW: Final = 200
#: Sums that are remembered for as long as their parts stay the same.
_SUMS: Final = 8


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of a board in no order, one a player.

    ``keys``: float64[columns, n], smaller is better, the first column before the others.  ``achieved_us``: int64[n],
    microseconds since 1970 (UTC).  ``player``, ``replay``: int64[n]; replay 0 = no single one.
    """

    keys: Floats
    achieved_us: Ints
    player: Ints
    replay: Ints

    def __len__(self) -> int:
        return len(self.player)

    def taken(self, chosen: Any) -> Rows:
        """The rows ``chosen`` (numpy indexes or a mask), in that order."""
        return Rows(self.keys[:, chosen], self.achieved_us[chosen], self.player[chosen], self.replay[chosen])


def rows_of(columns: int, tuples: Sequence[tuple[Any, ...]]) -> Rows:
    """Rows from tuples of ``columns`` keys, ``achieved_us``, player and replay."""
    if not tuples:
        empty = np.empty(0, dtype=np.int64)
        return Rows(np.empty((columns, 0)), empty, empty, empty)
    fields = list(zip(*tuples, strict=True))
    keys = np.array(fields[:columns], dtype=np.float64)
    achieved_us, player, replay = (np.array(field, dtype=np.int64) for field in fields[columns:])
    return Rows(keys, achieved_us, player, replay)


def joined(first: Rows, second: Rows) -> Rows:
    """All rows of both."""
    return Rows(
        np.concatenate([first.keys, second.keys], axis=1),
        np.concatenate([first.achieved_us, second.achieved_us]),
        np.concatenate([first.player, second.player]),
        np.concatenate([first.replay, second.replay]),
    )


def by_date(rows: Rows) -> Rows:
    """The same, sorted by ``achieved_us``, then the replay."""
    return rows.taken(np.lexsort((rows.replay, rows.achieved_us)))


@dataclass(frozen=True, eq=False)
class Standing:
    """The sorted rows of a board: by keys, then the earlier, then the lower number of the player.

    Make it with :meth:`of`.  It never changes; :meth:`with_players` gives another one.
    """

    rows: Rows

    @classmethod
    def of(cls, rows: Rows) -> Standing:
        """The standing of ``rows``."""
        return cls(rows.taken(np.lexsort((rows.player, rows.achieved_us, *rows.keys[::-1]))))

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def nbytes(self) -> int:
        """Bytes that its arrays take, ranks and the index of players included."""
        rows = self.rows
        return rows.keys.nbytes + 5 * rows.player.nbytes

    @cached_property
    def ranks(self) -> Ints:
        """The rank of each row: 1 + the number of rows with strictly better keys."""
        keys = self.rows.keys
        places = np.arange(1, len(self) + 1, dtype=np.int64)
        if len(self) > 1:
            tied = np.all(keys[:, 1:] == keys[:, :-1], axis=0)
            places[1:][tied] = 0  # a tie takes over the rank before it
        return np.maximum.accumulate(places) if len(self) else places

    @cached_property
    def _by_player(self) -> Ints:
        return np.argsort(self.rows.player, kind="stable")

    def index_of(self, player: int) -> int | None:
        """Where the row of ``player`` stands; None if there is none."""
        order = self._by_player
        found = int(np.searchsorted(self.rows.player, player, sorter=order))
        if found == len(order) or int(self.rows.player[order[found]]) != player:
            return None
        return int(order[found])

    def indexes_of(self, players: Ints) -> Ints:
        """Where the rows of ``players`` stand; -1 where there is none."""
        if not len(self):
            return np.full(len(players), -1, dtype=np.int64)
        order = self._by_player
        found = np.minimum(np.searchsorted(self.rows.player, players, sorter=order), len(order) - 1)
        indexes = order[found]
        return np.where(self.rows.player[indexes] == players, indexes, -1)

    def position(self, index: int) -> Position:
        """What the row at ``index`` sorts by: its keys, ``achieved_us``, player."""
        rows = self.rows
        return (*rows.keys[:, index].tolist(), int(rows.achieved_us[index]), int(rows.player[index]))

    def first_from(self, position: Position, *, past: bool) -> int:
        """The first index whose position is at least (``past``: beyond) ``position``, which may be the start of one."""
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            here = self.position(middle)[: len(position)]
            if here < position or (past and here == position):
                low = middle + 1
            else:
                high = middle
        return low

    def with_players(self, players: Ints, fresh: Rows) -> Standing:
        """The standing after the rows of ``players`` were replaced by ``fresh`` (at most one a player)."""
        indexes = self.indexes_of(players)
        rest = np.ones(len(self), dtype=np.bool_)
        rest[indexes[indexes >= 0]] = False
        unchanged = Standing(self.rows.taken(rest))
        if len(fresh) > _FEW:
            return Standing.of(joined(unchanged.rows, fresh))
        added = Standing.of(fresh).rows
        places = [unchanged.first_from(Standing(added).position(index), past=False) for index in range(len(added))]
        return Standing(
            Rows(
                np.insert(unchanged.rows.keys, places, added.keys, axis=1),
                np.insert(unchanged.rows.achieved_us, places, added.achieved_us),
                np.insert(unchanged.rows.player, places, added.player),
                np.insert(unchanged.rows.replay, places, added.replay),
            )
        )


@lru_cache(maxsize=_SUMS)
def combined_standing(parts: tuple[Standing, ...]) -> Standing:
    """The sums of players who stand on all of ``parts``, the hardest last; ties go to the hardest, then the next.

    The sums are rounded to nine digits: the noise of binary addition would part sums that are equal on paper.
    """
    players = parts[0].rows.player
    for part in parts[1:]:
        players = np.intersect1d(players, part.rows.player, assume_unique=True)
    chosen = [part.rows.taken(part.indexes_of(players)) for part in parts]
    total = np.round(np.sum([rows.keys[0] for rows in chosen], axis=0), 9)
    keys = np.stack([total, *(rows.keys[0] for rows in chosen[:0:-1])])
    achieved_us = np.max([rows.achieved_us for rows in chosen], axis=0)
    return Standing.of(Rows(keys, achieved_us, players, np.zeros(len(players), dtype=np.int64)))
