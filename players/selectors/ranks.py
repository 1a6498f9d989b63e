"""Ranks of the rows of one page.

Rank is 1 + the number of strictly better rows.  One statement finds the place of the first row of the page; from there
on Python counts, so a tie that began on the page before keeps its rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

from players.boards import BETTER, COMBINED, COMBINED_BETTER, BoardKey
from players.selectors.ahead import ahead_of_row

DEFAULT_SIZE: Final = 50
MAX_SIZE: Final = 200


def page_size(size: int) -> int:
    """``size`` within what a page may hold."""
    return max(1, min(size, MAX_SIZE))


@dataclass(frozen=True, slots=True)
class Start:
    """Where a row stands that others follow: its rank, and how many rows are listed before it (ties too)."""

    rank: int
    position: int


#: Of the first row of a board.
TOP: Final = Start(rank=1, position=0)


def rank_of(key: BoardKey, row: Any) -> int:
    """The rank of ``row``: how many rows of the board ``key`` are strictly better, plus 1."""
    return place_of(key, row).rank


def place_of(key: BoardKey, row: Any) -> Start:
    """Where ``row`` stands on the board ``key``."""
    ahead, position = ahead_of_row(key, row)
    return Start(1 + ahead, position)


def ranks_of(key: BoardKey, rows: Sequence[Any], start: Start | None) -> list[int]:
    """The ranks of ``rows``, which stand one after the other on the board ``key``; ``start``: None asks for it."""
    if not rows:
        return []
    standing = attrgetter(*better_by(key))
    first = start or place_of(key, rows[0])
    ranks = [first.rank]
    for index, row in enumerate(rows[1:], start=1):
        tied = standing(row) == standing(rows[index - 1])
        ranks.append(ranks[-1] if tied else 1 + first.position + index)
    return ranks


def better_by(key: BoardKey) -> tuple[str, ...]:
    """The columns that decide about ranks; rows with the same are tied."""
    return COMBINED_BETTER if key.level == COMBINED else BETTER
