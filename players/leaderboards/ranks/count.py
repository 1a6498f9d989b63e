"""Ranks on stored boards: how many rows are better than a value or than a row, counted in SQL.

A count is the number stored in the last checkpoint before the value (``checkpoints``), plus the changes before that
checkpoint since, plus the rows between checkpoint and value.  It is one statement, which reads one snapshot.  The result
does not depend on which checkpoints there are; they only decide how many rows have to be counted.

Statements begin with a table ``requested``, one row for each count: ``number``, ``statistic``, ``level``, ``style``,
``rank_key``; for sums also ``expert_key`` and ``intermediate_key``, which order equal sums.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from players.db.keyset import SortKey
from players.db.select import SqlValue, select
from players.leaderboards.boards import BETTER, COMBINED, COMBINED_BETTER, COMBINED_ORDER, ORDER, BoardKey
from players.leaderboards.ranks.rows import StoredRow
from players.models import CombinedBest, PersonalBest, RankChange, RankCheckpoint

_CHECKPOINTS: Final = RankCheckpoint._meta.db_table
_CHANGES: Final = RankChange._meta.db_table
BESTS: Final = PersonalBest._meta.db_table
SUMS: Final = CombinedBest._meta.db_table

#: Greater and smaller than every rank key, the second as a literal.
_LAST_KEY: Final = math.inf
_FIRST_KEY: Final = "-1.7976931348623157e308"

_OF_BEST: Final = (
    "best.statistic = requested.statistic AND best.level = requested.level AND best.style = requested.style"
)
_OF_SUM: Final = "best.statistic = requested.statistic AND best.style = requested.style"
_OF_BOARD: Final = "{0}.statistic = requested.statistic AND {0}.level = {1} AND {0}.style = requested.style"

# A checkpoint is found by a subquery: for a join PostgreSQL's planner chooses to read all checkpoints.
_COUNTS: Final = f"""
    WITH started AS MATERIALIZED (
        SELECT requested.*,
            (SELECT checkpoint.rank_key FROM {_CHECKPOINTS} AS checkpoint
             WHERE {{of_checkpoint}} AND checkpoint.rank_key <= requested.rank_key
             ORDER BY checkpoint.rank_key DESC LIMIT 1) AS checkpoint_key,
            (SELECT checkpoint.ahead FROM {_CHECKPOINTS} AS checkpoint
             WHERE {{of_checkpoint}} AND checkpoint.rank_key <= requested.rank_key
             ORDER BY checkpoint.rank_key DESC LIMIT 1) AS checkpoint_ahead
        FROM requested
    )
    SELECT requested.number,
        COALESCE(requested.checkpoint_ahead, 0)
        + (
            SELECT COALESCE(SUM(
                CASE WHEN change.new_key < requested.checkpoint_key THEN 1 ELSE 0 END
                - CASE WHEN change.old_key < requested.checkpoint_key THEN 1 ELSE 0 END
            ), 0)
            FROM {_CHANGES} AS change WHERE requested.checkpoint_key IS NOT NULL AND {{of_change}}
        ) + (
            SELECT COUNT(*) FROM {{table}} AS best WHERE {{of_best}} AND best.rank_key < requested.rank_key
            AND best.rank_key >= COALESCE(requested.checkpoint_key, {_FIRST_KEY})
        ){{equal_sums}} AS ahead{{columns}}
    FROM started AS requested
"""  # noqa: S608 - our own names
_BETTER_OF_EQUAL_SUMS: Final = f""" + (
            SELECT COUNT(*) FROM {SUMS} AS best WHERE {_OF_SUM} AND best.rank_key = requested.rank_key
            AND (best.expert_key, best.intermediate_key) < (requested.expert_key, requested.intermediate_key)
        )"""  # noqa: S608 - as above
#: A further column of :func:`count_sql`: how many rows tied with a row are listed before it (``LISTED_BY``).  Two counts:
#: the many of earlier dates are counted in the index alone, which does not have the players.
_TIED_BEFORE: Final = """, (
            SELECT COUNT(*) FROM {{table}} AS best WHERE {{of_best}} AND best.rank_key = requested.rank_key
            AND {same_parts}best.achieved_at < {achieved_at}
        ) + (
            SELECT COUNT(*) FROM {{table}} AS best WHERE {{of_best}} AND best.rank_key = requested.rank_key
            AND {same_parts}best.achieved_at = {achieved_at} AND best.player_id < {player_id}
        )"""
_SAME_PARTS: Final = (
    "best.expert_key = requested.expert_key AND best.intermediate_key = requested.intermediate_key AND "
)


def count_sql(columns: str = "", *, combined: bool = False) -> str:
    """A SELECT from the table ``requested``: its ``number``, and how many rows of its board are better (``ahead``).

    ``columns``: further columns, beginning with a comma; they may use ``{table}`` and ``{of_best}``, the condition that a
    row ``best`` of it is on the requested board.
    """
    table, of_best = (SUMS, _OF_SUM) if combined else (BESTS, _OF_BEST)
    level = f"'{COMBINED}'" if combined else "requested.level"
    counts = _COUNTS.format(
        table=table, of_best=of_best,
        of_checkpoint=_OF_BOARD.format("checkpoint", level), of_change=_OF_BOARD.format("change", level),
        equal_sums=_BETTER_OF_EQUAL_SUMS if combined else "", columns=columns.format(table=table, of_best=of_best),
    )  # fmt: skip
    return f"SELECT * FROM ({counts}) AS counted"  # noqa: S608 - as above


# --- ranks ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """Place of a row on its board: its rank, and its index (from 0) in the sorted list, in which ties are ordered."""

    rank: int
    index: int


TOP: Final = Place(rank=1, index=0)


@dataclass(frozen=True, slots=True)
class PlayerPlace:
    place: Place
    sort_key: SortKey
    board_size: int


def rank_of(key: BoardKey, row: StoredRow) -> int:
    """The rank of ``row`` (it may have been deleted since it was read)."""
    return place_of(key, row).rank


def place_of(key: BoardKey, row: StoredRow) -> Place:
    combined = key.level == COMBINED
    keys = [getattr(row, name) for name in (COMBINED_BETTER if combined else BETTER)]
    listed_by: list[SqlValue] = [row.achieved_at, row.achieved_at, row.player_id]
    # Parameters in the order of the statement: the tied rows' column comes last.
    ((_number, ahead, tied),) = select(_row_sql(combined), [key.statistic, key.level, key.style, *keys, *listed_by])
    return Place(1 + int(ahead), int(ahead + tied))


def place_of_player(key: BoardKey, player_id: int) -> PlayerPlace | None:
    """The player's place and the size of the board, in one statement; None if the player has no row."""
    combined = key.level == COMBINED
    board = [key.statistic, key.style] if combined else [key.statistic, key.level, key.style]
    parameters: list[SqlValue] = [*board, player_id, key.statistic, key.level, key.style, *_first_of(key, _LAST_KEY)]
    rows = select(_player_sql(combined), parameters)
    found = {number: counts for number, *counts in rows}
    if 0 not in found:
        return None
    ahead, tied, *sort_key = found[0]
    return PlayerPlace(Place(1 + int(ahead), int(ahead + tied)), tuple(sort_key), int(found[1][0]))


def rank_of_value(key: BoardKey, rank_key: float) -> int:
    """The rank of a row with ``rank_key``, if there were one (on combined boards: by sums alone)."""
    return 1 + _ahead_of(key, rank_key)


def board_size(key: BoardKey) -> int:
    return _ahead_of(key, _LAST_KEY)


def board_sizes(keys: Sequence[BoardKey]) -> dict[BoardKey, int]:
    """Count the rows of each of the boards ``keys``; one statement for boards of a level and one for sums."""
    return {
        key: size
        for combined in (False, True)
        for key, size in _sizes([key for key in keys if (key.level == COMBINED) is combined], combined)
    }


def _sizes(keys: Sequence[BoardKey], combined: bool) -> list[tuple[BoardKey, int]]:
    if not keys:
        return []
    requested = " UNION ALL ".join(f"SELECT {number} AS number, {_parameters(combined)}" for number in range(len(keys)))
    parameters: list[SqlValue] = []
    for key in keys:
        parameters += [key.statistic, key.level, key.style, *_first_of(key, _LAST_KEY)]
    rows = select(f"WITH requested AS ({requested}) {count_sql(combined=combined)}", parameters)
    return [(keys[number], int(ahead)) for number, ahead in rows]


def _ahead_of(key: BoardKey, rank_key: float) -> int:
    parameters: list[SqlValue] = [key.statistic, key.level, key.style, *_first_of(key, rank_key)]
    ((_number, ahead),) = select(_value_sql(key.level == COMBINED), parameters)
    return int(ahead)


def _first_of(key: BoardKey, rank_key: float) -> tuple[float, ...]:
    """The rank columns that sort before every row with this rank key, so that no equal sum counts as better."""
    return (rank_key, -math.inf, -math.inf) if key.level == COMBINED else (rank_key,)


# --- statements -------------------------------------------------------------------------------------------------------


def _parameters(combined: bool) -> str:
    keys = COMBINED_BETTER if combined else BETTER
    names = [f"CAST(%s AS text) AS {name}" for name in ("statistic", "level", "style")]
    return ", ".join([*names, *(f"CAST(%s AS double precision) AS {name}" for name in keys)])


def _tied_before(combined: bool, achieved_at: str, player_id: str) -> str:
    return _TIED_BEFORE.format(same_parts=_SAME_PARTS if combined else "", achieved_at=achieved_at, player_id=player_id)


@cache
def _value_sql(combined: bool) -> str:
    return f"WITH requested AS (SELECT 0 AS number, {_parameters(combined)}) {count_sql(combined=combined)}"


@cache
def _row_sql(combined: bool) -> str:
    counts = count_sql(_tied_before(combined, "%s", "%s"), combined=combined)
    return f"WITH requested AS (SELECT 0 AS number, {_parameters(combined)}) {counts}"


@cache
def _player_sql(combined: bool) -> str:
    """Row 0: a player's place, with the ties before it and its sort key.  Row 1: the size of the board."""
    order = COMBINED_ORDER if combined else ORDER
    level, of_level = (f"'{COMBINED}'", "") if combined else ("level", "level = %s AND ")
    columns = _tied_before(combined, "requested.achieved_at", "requested.player_id") + "".join(
        f", requested.{name}" for name in order
    )
    return f"""
        WITH requested AS (
            SELECT 0 AS number, statistic, {level} AS level, style, {", ".join(order)} FROM {SUMS if combined else BESTS}
            WHERE statistic = %s AND {of_level}style = %s AND player_id = %s
            UNION ALL SELECT 1 AS number, {_parameters(combined)}, NULL AS achieved_at, NULL AS player_id
        ) {count_sql(columns, combined=combined)}
    """  # noqa: S608 - our own names
