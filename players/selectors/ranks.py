"""Ranks of the rows of one page.

Rank is 1 + the number of strictly better rows.  One statement finds the place of the first row of the page; from there
on Python counts, so a tie that began on the page before keeps its rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import Count, QuerySet

from players.keyset import before
from players.models import CombinedBest, PersonalBest
from players.selectors.ahead import single, with_ahead

DEFAULT_SIZE: Final = 50
MAX_SIZE: Final = 200


def page_size(size: int) -> int:
    """``size`` within what a page may hold."""
    return max(1, min(size, MAX_SIZE))


def rank_of(board: QuerySet[Any, Any], row: Any, better: Sequence[str]) -> int:
    """The rank of ``row``: how many of ``board`` are strictly better by the columns ``better``, plus 1."""
    return 1 + _ahead(board, row, better, better)[0]


def place_of(board: QuerySet[Any, Any], row: Any, order: Sequence[str], better: Sequence[str]) -> tuple[int, int]:
    """The rank of ``row``, and how many rows stand before it in ``order`` (ties that are listed earlier too)."""
    ahead, position = _ahead(board, row, order, better)
    return 1 + ahead, position


def ranks_of(
    board: QuerySet[Any, Any], rows: Sequence[Any], order: Sequence[str], better: Sequence[str], *, from_start: bool
) -> list[int]:
    """The ranks of ``rows``, which stand one after the other in ``order``; ``better`` is its part that makes ranks."""
    if not rows:
        return []
    ahead, position = (0, 0) if from_start else _ahead(board, rows[0], order, better)
    ranks: list[int] = []
    for index, row in enumerate(rows):
        if index == 0:
            ranks.append(1 + ahead)
        elif _same(row, rows[index - 1], better):
            ranks.append(ranks[-1])
        else:
            ranks.append(1 + position + index)
    return ranks


def _ahead(board: QuerySet[Any, Any], first: Any, order: Sequence[str], better: Sequence[str]) -> tuple[int, int]:
    """How many rows are better than ``first``, and how many stand before it (ties that are listed earlier too)."""
    if board.model in (PersonalBest, CombinedBest):
        return _marked_ahead(board, first, order, better)
    counts = board.filter(before(first, order)).aggregate(
        ahead=Count(order[0], filter=before(first, better)), position=Count(order[0])
    )
    return counts["ahead"], counts["position"]


def _marked_ahead(
    board: QuerySet[Any, Any], first: Any, order: Sequence[str], better: Sequence[str]
) -> tuple[int, int]:
    """The same by the marks of the board: only rows of the same rank key are counted one by one."""
    same_key = board.filter(rank_key=first.rank_key)
    found = with_ahead(board.filter(pk=first.pk)).annotate(
        tied_better=single(same_key.filter(before(first, better)), Count("pk")),
        tied_before=single(same_key.filter(before(first, order)), Count("pk")),
    )
    for ahead, better_ties, earlier_ties in found.values_list("ahead", "tied_better", "tied_before"):
        return ahead + better_ties, ahead + earlier_ties
    return _ahead_of_lost(board, first, order, better)


def _ahead_of_lost(
    board: QuerySet[Any, Any], first: Any, order: Sequence[str], better: Sequence[str]
) -> tuple[int, int]:
    """The same for a row that has gone since it was read; there is no row left to start from."""
    ahead, position = board.filter(before(first, better)).count(), board.filter(before(first, order)).count()
    return ahead, position


def _same(row: Any, other: Any, columns: Sequence[str]) -> bool:
    return all(_value(row, name) == _value(other, name) for name in columns)


def _value(row: Any, name: str) -> Any:
    return row[name] if isinstance(row, dict) else getattr(row, name)
