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
    ties = (_FRONT, _FRONT) if key.level == COMBINED else ()
    (ahead,) = _asked(_sql(key.level == COMBINED, in_order=False), key, (rank_key, *ties))
    return ahead


def size_of(key: BoardKey) -> int:
    """How many rows the board has, counted from its last mark on."""
    return ahead_of(key, _END)


def ahead_of_row(key: BoardKey, row: Any) -> tuple[int, int]:
    """How many rows of the board are better than ``row``, and how many stand before it (ties that are listed earlier too).

    ``row``: of ``PersonalBest`` or ``CombinedBest``; it may have gone meanwhile.
    """
    combined = key.level == COMBINED
    keys = (row.rank_key, row.expert_key, row.intermediate_key) if combined else (row.rank_key,)
    achieved_at = connection.ops.adapt_datetimefield_value(row.achieved_at)
    ahead, tied = _asked(_sql(combined, in_order=True), key, (*keys, achieved_at, row.pk))
    return ahead, ahead + tied


def _asked(sql: str, key: BoardKey, values: Sequence[Any]) -> Sequence[int]:
    with connection.cursor() as cursor:
        cursor.execute(sql, [key.statistic, key.level, key.style, *values])
        _number, *counts = cursor.fetchone()
    return list(map(int, counts))


#: As many as rank alike, but are listed before: the earlier, then the one with the lower id.
_LISTED_BEFORE: Final = """, (
    SELECT COUNT(*) FROM {table} AS best WHERE {of_best} AND best.rank_key = asked.rank_key AND
"""
_EARLIER: Final = f"{_LISTED_BEFORE} (best.achieved_at, best.id) < (%s, %s))"
_EARLIER_SUM: Final = f"""{_LISTED_BEFORE} best.expert_key = asked.expert_key
    AND best.intermediate_key = asked.intermediate_key AND (best.achieved_at, best.id) < (%s, %s))"""


@cache
def _sql(combined: bool, *, in_order: bool) -> str:
    """One place of one board: its names, its keys and, if ties are told apart ``in_order``, moment and id."""
    keys = ("rank_key", "expert_key", "intermediate_key") if combined else ("rank_key",)
    asked = ", ".join(
        [f"CAST(%s AS text) AS {name}" for name in ("statistic", "level", "style")]
        + [f"CAST(%s AS double precision) AS {name}" for name in keys]
    )
    more = (_EARLIER_SUM if combined else _EARLIER) if in_order else ""
    return f"WITH asked AS (SELECT 0 AS number, {asked}) {places_asked(more, combined=combined)}"
