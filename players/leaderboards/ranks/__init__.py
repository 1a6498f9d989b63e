"""Ranks and pages of boards: :func:`rank_of`, :func:`page_at`, :func:`board_size`.

Rank is 1 + the number of strictly better rows.  Two engines find it:

- *Stored boards*, those without a filter (a level, a statistic, a style; and sums of levels), are rows of
  ``PersonalBest`` and ``CombinedBest``.  Their ranks are counted in SQL from the nearest checkpoint on (``count``,
  ``checkpoints``), their pages found by keyset (``stored``).  They change with the transaction that changes a best.
- *Filtered boards*, those with a filter (a period, a day, a country, a minimum 3BV, an average) and sub-N boards, are too
  many to store.  They are sorted arrays in memory, made when somebody opens one and updated from the change log
  (``players.leaderboards.filtered``, ``filtered_pages``).

Both are needed: arrays of all stored boards would take a gigabyte in each process, and a filtered board in SQL reads
every game of its level.  :func:`page_at` chooses.
"""

from players.leaderboards.ranks.count import board_size, rank_of
from players.leaderboards.ranks.page import page_at
from players.leaderboards.ranks.rows import BoardPage, BoardRow, Jump, percentile

__all__ = ["BoardPage", "BoardRow", "Jump", "board_size", "page_at", "percentile", "rank_of"]
