from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from players.leaderboards.filtered.sorted_board import Ints, Rows, by_date, joined


@dataclass(frozen=True, eq=False)
class Records:
    """The records of a board: results better than every earlier one, sorted as by :func:`by_date`.

    Immutable; made by :meth:`of`.
    """

    rows: Rows

    @classmethod
    def of(cls, rows: Rows) -> Records:
        """The records among ``rows``, which have one key column."""
        rows = by_date(rows)
        before = np.minimum.accumulate(np.concatenate([[np.inf], rows.keys[0]]))[:-1]
        return cls(rows.take(rows.keys[0] < before))

    @property
    def nbytes(self) -> int:
        return 4 * self.rows.player.nbytes

    def with_players(self, players: Ints, fresh: Rows) -> Records | None:
        """The records after the games of ``players`` changed; ``fresh``: their steps, as they are now.

        None if a record of theirs was removed: the results that it had beaten are not in these arrays.
        """
        own = np.isin(self.rows.player, players)
        if not _results(self.rows.take(own)) <= _results(fresh):
            return None
        return Records.of(joined(self.rows.take(~own), fresh))


def _results(rows: Rows) -> set[tuple[int, int, float]]:
    return set(zip(rows.replay.tolist(), rows.achieved_us.tolist(), rows.keys[0].tolist(), strict=True))
