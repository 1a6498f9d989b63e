"""Who led a board, from the first result to the best one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from players.leaderboards.live.standing import Ints, Rows, by_date, joined


@dataclass(frozen=True, eq=False)
class Records:
    """Results that beat every earlier one on a board, sorted by ``achieved_us``, then the replay.

    Make it with :meth:`of`.  It never changes; :meth:`with_players` gives another one.
    """

    rows: Rows

    @classmethod
    def of(cls, rows: Rows) -> Records:
        """The records among ``rows``, one key each."""
        rows = by_date(rows)
        before = np.minimum.accumulate(np.concatenate([[np.inf], rows.keys[0]]))[:-1]
        return cls(rows.taken(rows.keys[0] < before))

    @property
    def nbytes(self) -> int:
        """Bytes that its arrays take."""
        return 4 * self.rows.player.nbytes

    def with_players(self, players: Ints, fresh: Rows) -> Records | None:
        """The records after the results of ``players`` changed; ``fresh``: all those that beat their own earlier ones.

        None if a record has gone: nobody knows here what had stayed behind it.
        """
        own = np.isin(self.rows.player, players)
        if not _results(self.rows.taken(own)) <= _results(fresh):
            return None
        return Records.of(joined(self.rows.taken(~own), fresh))


def _results(rows: Rows) -> set[tuple[int, int, float]]:
    return set(zip(rows.replay.tolist(), rows.achieved_us.tolist(), rows.keys[0].tolist(), strict=True))
