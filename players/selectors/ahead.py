"""How many rows of a board are better than a value, or stand before a row: see ``players.standing_sql``.

The answer is exact with any marks or none; marks only decide how many rows are left to count.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from django.db import connection

from players.boards import BETTER, COMBINED, COMBINED_BETTER, COMBINED_ORDER, ORDER, BoardKey
from players.models import CombinedBest, PersonalBest
from players.questions import Later, asked
from players.standing_sql import places_asked

#: Above every rank key: what is ahead of it is the whole board.
_END: Final = math.inf
#: Better than every part of a sum: no row of the same sum is ahead of it.
_FRONT: Final = -math.inf


def ahead_of(key: BoardKey, rank_key: float) -> int:
    """How many rows of the board have a better rank key than ``rank_key``, whether or not a row has it."""
    return _ask_ahead_of(key, rank_key)()


def ask_size_of(key: BoardKey) -> Later[int]:
    """How many rows the board has, counted from its last mark on."""
    return _ask_ahead_of(key, _END)


def _ask_ahead_of(key: BoardKey, rank_key: float) -> Later[int]:
    rows = asked(_sql(key.level == COMBINED), [*_names(key), *_first_of(key, rank_key)])
    return lambda: int(rows()[0][1])


def ahead_of_row(key: BoardKey, row: Any) -> tuple[int, int]:
    """How many rows of the board are better than ``row``, and how many stand before it (ties that are listed earlier too).

    ``row``: of ``PersonalBest`` or ``CombinedBest``; it may have gone meanwhile.
    """
    sql = _sql(key.level == COMBINED, in_order=True)
    ((_number, ahead, tied),) = asked(sql, [*_names(key), *_keys(key, row), *_listing(row)])()
    return int(ahead), int(ahead + tied)


@dataclass(frozen=True, slots=True)
class PlayerPlace:
    """Where a player stands on a board of ``players``.

    ``position``: how many rows are listed before theirs; ``keys``: what theirs is listed by.
    """

    rank: int
    position: int
    keys: tuple[Any, ...]
    players: int


def place_of_player(key: BoardKey, player: int) -> PlayerPlace | None:
    """Where the player of that id stands, and the size of the board, in one statement; None for one without a row."""
    combined = key.level == COMBINED
    board = [key.statistic, key.style] if combined else [key.statistic, key.level, key.style]
    values = [*board, player, *_names(key), *_first_of(key, _END)]
    moment = 3 + (COMBINED_ORDER if combined else ORDER).index("achieved_at")
    found = asked(_sql_of_player(combined), values, moments=[moment])()
    rows = {number: counted for number, *counted in found}
    if 0 not in rows:
        return None
    ahead, tied, *keys = rows[0]
    return PlayerPlace(1 + int(ahead), int(ahead + tied), tuple(keys), int(rows[1][0]))


def _names(key: BoardKey) -> tuple[str, str, str]:
    return key.statistic, key.level, key.style


def _first_of(key: BoardKey, rank_key: float) -> tuple[float, ...]:
    """What the best row with that rank key could rank by."""
    return (rank_key, _FRONT, _FRONT) if key.level == COMBINED else (rank_key,)


def _keys(key: BoardKey, row: Any) -> tuple[float, ...]:
    """What ``row`` ranks by."""
    return (row.rank_key, row.expert_key, row.intermediate_key) if key.level == COMBINED else (row.rank_key,)


def _listing(row: Any) -> tuple[Any, int]:
    """What ``row`` is listed by among those that rank alike, as the database takes it."""
    return connection.ops.adapt_datetimefield_value(row.achieved_at), row.id


#: As many as rank alike, but are listed before: the earlier, then the one with the lower id.
_LISTED_BEFORE: Final = """, (
    SELECT COUNT(*) FROM {{table}} AS best WHERE {{of_best}} AND best.rank_key = asked.rank_key
    AND {same}(best.achieved_at, best.id) < ({achieved_at}, {id}))
"""
_SAME_SUM: Final = "best.expert_key = asked.expert_key AND best.intermediate_key = asked.intermediate_key AND "


def _earlier(combined: bool, achieved_at: str, number: str) -> str:
    return _LISTED_BEFORE.format(same=_SAME_SUM if combined else "", achieved_at=achieved_at, id=number)


def _given(combined: bool) -> str:
    """A place that is told by the names of its board and by its keys."""
    keys = COMBINED_BETTER if combined else BETTER
    return ", ".join(
        [f"CAST(%s AS text) AS {name}" for name in ("statistic", "level", "style")]
        + [f"CAST(%s AS double precision) AS {name}" for name in keys]
    )


@cache
def _sql(combined: bool, *, in_order: bool = False) -> str:
    """A place of a board: its names and keys and, if ties are told apart ``in_order``, one moment and id."""
    more = _earlier(combined, "%s", "%s") if in_order else ""
    return f"WITH asked AS (SELECT 0 AS number, {_given(combined)}) {places_asked(more, combined=combined)}"


@cache
def _sql_of_player(combined: bool) -> str:
    """Number 0: a player's row with its ties and what it is listed by.  Number 1: the end of the board."""
    table = (CombinedBest if combined else PersonalBest)._meta.db_table
    order = COMBINED_ORDER if combined else ORDER
    level, of_level = (f"'{COMBINED}'", "") if combined else ("level", "level = %s AND ")
    more = _earlier(combined, "asked.achieved_at", "asked.id") + "".join(f", asked.{name}" for name in order)
    return f"""
        WITH asked AS (
            SELECT 0 AS number, statistic, {level} AS level, style, {", ".join(order)} FROM {table}
            WHERE statistic = %s AND {of_level}style = %s AND player_id = %s
            UNION ALL SELECT 1 AS number, {_given(combined)}, NULL AS achieved_at, NULL AS id
        ) {places_asked(more, combined=combined)}
    """  # noqa: S608 - our own names
