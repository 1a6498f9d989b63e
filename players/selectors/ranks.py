"""Ranks of the rows of one page.

Rank is 1 + the number of strictly better rows.  One statement finds the place of the first row of the page; from there
on Python counts, so a tie that began on the page before keeps its rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, Final

from players.boards import COMBINED, BoardKey
from players.selectors.ahead import ahead_of_row

DEFAULT_SIZE: Final = 50
MAX_SIZE: Final = 200
ORDER: Final = ("rank_key", "achieved_at", "id")
BETTER: Final = ("rank_key",)
COMBINED_ORDER: Final = ("rank_key", "expert_key", "intermediate_key", "achieved_at", "id")
COMBINED_BETTER: Final = ("rank_key", "expert_key", "intermediate_key")


def page_size(size: int) -> int:
    """``size`` within what a page may hold."""
    return max(1, min(size, MAX_SIZE))


def rank_of(key: BoardKey, row: Any) -> int:
    """The rank of ``row``: how many rows of the board ``key`` are strictly better, plus 1."""
    return place_of(key, row)[0]


def place_of(key: BoardKey, row: Any) -> tuple[int, int]:
    """The rank of ``row``, and how many rows stand before it on the board (ties that are listed earlier too)."""
    ahead, position = ahead_of_row(key, row)
    return 1 + ahead, position


def ranks_of(key: BoardKey, rows: Sequence[Any], *, from_start: bool) -> list[int]:
    """The ranks of ``rows``, which stand one after the other on the board ``key``; ``from_start``: they are the first."""
    if not rows:
        return []
    standing = attrgetter(*(COMBINED_BETTER if key.level == COMBINED else BETTER))
    rank, position = (1, 0) if from_start else place_of(key, rows[0])
    ranks = [rank]
    for index, row in enumerate(rows[1:], start=1):
        tied = standing(row) == standing(rows[index - 1])
        ranks.append(ranks[-1] if tied else 1 + position + index)
    return ranks
