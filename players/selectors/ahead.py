"""How many rows of a board are better than a value, or stand before a row: see ``players.standing_sql``.

The answer is exact with any marks or none; marks only decide how many rows are left to count.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from django.db import connection

from players.boards import COMBINED, BoardKey
from players.standing_sql import places_asked

#: Above every rank key: what is ahead of it is the whole board.
_END: Final = math.inf
#: Better than every part of a sum: no row of the same sum is ahead of it.
_FRONT: Final = -math.inf


def ahead_of(key: BoardKey, rank_key: float) -> int:
    """How many rows of the board have a better rank key than ``rank_key``, whether or not a row has it."""
    (ahead,) = _asked(_sql(key.level == COMBINED, in_order=False), key, _first_of(key, rank_key))
    return ahead


def size_of(key: BoardKey) -> int:
    """How many rows the board has, counted from its last mark on."""
    return ahead_of(key, _END)


def ahead_of_row(key: BoardKey, row: Any) -> tuple[int, int]:
    """How many rows of the board are better than ``row``, and how many stand before it (ties that are listed earlier too).

    ``row``: of ``PersonalBest`` or ``CombinedBest``; it may have gone meanwhile.
    """
    ahead, tied = _asked(_sql(key.level == COMBINED, in_order=True), key, (*_keys(key, row), *_listing(row)))
    return ahead, ahead + tied


def ahead_of_row_and_size(key: BoardKey, row: Any) -> tuple[int, int, int]:
    """:func:`ahead_of_row` and :func:`size_of` in one statement."""
    end = (key.statistic, key.level, key.style, *_first_of(key, _END))
    sql = _sql(key.level == COMBINED, in_order=True, places=2)
    ahead, tied, size, _nobody = _asked(sql, key, (*_keys(key, row), *end, *_listing(row)))
    return ahead, ahead + tied, size


def _first_of(key: BoardKey, rank_key: float) -> tuple[float, ...]:
    """What the best row with that rank key could rank by."""
    return (rank_key, _FRONT, _FRONT) if key.level == COMBINED else (rank_key,)


def _keys(key: BoardKey, row: Any) -> tuple[float, ...]:
    """What ``row`` ranks by."""
    return (row.rank_key, row.expert_key, row.intermediate_key) if key.level == COMBINED else (row.rank_key,)


def _listing(row: Any) -> tuple[Any, int]:
    """What ``row`` is listed by among those that rank alike, as the database takes it."""
    return connection.ops.adapt_datetimefield_value(row.achieved_at), row.id


def _asked(sql: str, key: BoardKey, values: Sequence[Any]) -> list[int]:
    """The counts of one place after the other."""
    with connection.cursor() as cursor:
        cursor.execute(sql, [key.statistic, key.level, key.style, *values])
        return [int(count) for _number, *counts in sorted(cursor.fetchall()) for count in counts]


#: As many as rank alike, but are listed before: the earlier, then the one with the lower id.
_LISTED_BEFORE: Final = """, (
    SELECT COUNT(*) FROM {table} AS best WHERE {of_best} AND best.rank_key = asked.rank_key AND
"""
_EARLIER: Final = f"{_LISTED_BEFORE} (best.achieved_at, best.id) < (%s, %s))"
_EARLIER_SUM: Final = f"""{_LISTED_BEFORE} best.expert_key = asked.expert_key
    AND best.intermediate_key = asked.intermediate_key AND (best.achieved_at, best.id) < (%s, %s))"""


@cache
def _sql(combined: bool, *, in_order: bool, places: int = 1) -> str:
    """Places of one board: the names and keys of each and, if ties are told apart ``in_order``, one moment and id."""
    keys = ("rank_key", "expert_key", "intermediate_key") if combined else ("rank_key",)
    columns = ", ".join(
        [f"CAST(%s AS text) AS {name}" for name in ("statistic", "level", "style")]
        + [f"CAST(%s AS double precision) AS {name}" for name in keys]
    )
    asked = " UNION ALL ".join(f"SELECT {number} AS number, {columns}" for number in range(places))
    more = (_EARLIER_SUM if combined else _EARLIER) if in_order else ""
    return f"WITH asked AS ({asked}) {places_asked(more, combined=combined)}"
