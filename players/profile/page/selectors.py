from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Final

from players.db.select import Row, SqlValue, select
from players.leaderboards.boards import COMBINED, PART_IDS
from players.leaderboards.ranks.count import BESTS, SUMS, count_sql
from players.leaderboards.ranks.rows import coarsest
from players.models import NOT_OWNED, Player
from replays.models import Replay


@dataclass(frozen=True, slots=True)
class RankedBest:
    """A player's best on one board; ``replay_id`` is None on combined boards."""

    rank: int
    value: float
    replay_id: int | None
    achieved_at: datetime
    precision_ms: int | None


#: level (or "combined") -> statistic -> style -> best
PlayerBests = dict[str, dict[str, dict[str, RankedBest]]]
#: Columns that bests and sums have in common.
_OF_BOTH: Final = ("statistic", "style", "value", "achieved_at")


def player_bests(player_id: int, style: str | None = None, statistics: Sequence[str] = ()) -> PlayerBests:
    """Every best of the player (of one ``style`` and of ``statistics``, if given) with its rank, in one statement.

    Boards on which they have no row are missing.  Each rank is counted from a checkpoint, so the time grows with the
    number of boards but not with the ranks.
    """
    parameters: list[SqlValue] = [player_id, *([] if style is None else [style]), *statistics]
    sql = _bests_sql(style is not None, len(statistics))
    return _nested(select(sql, [*parameters, *parameters]))


def count_not_owned(player_id: int) -> int:
    """Count the games under the player's names that are not counted as theirs."""
    return Player(pk=player_id).replays.filter(NOT_OWNED).count()


def _nested(rows: Iterable[Row]) -> PlayerBests:
    nested: PlayerBests = {}
    precisions: dict[int | None, int | None] = {}
    for pk, _is_sum, statistic, style, value, achieved_at, ahead, level, replay_id, precision_ms, *parts in rows:
        if level == COMBINED:
            precision_ms = coarsest(precisions.get(part) for part in parts)
        else:
            precisions[pk] = precision_ms
        best = RankedBest(1 + ahead, value, replay_id, achieved_at, precision_ms)
        nested.setdefault(level, {}).setdefault(statistic, {})[style] = best
    return nested


@cache
def _bests_sql(of_style: bool, statistics: int) -> str:
    """The statement of :func:`player_bests`: the bests, then the sums, each by id (30 to 150 rows in all).

    Columns of bests: id, 0, :data:`_OF_BOTH`, how many are better, level, replay, the precision of its clock, and NULL
    for the parts.  Of sums: id, 1, the same, "combined", NULL for replay and precision, and the ids of the parts.

    Only these few rows are joined: while the planner's statistics are outdated, as in the minute after a large import,
    PostgreSQL would count ranks again for every row of the board.
    """
    conditions = " AND style = %s" if of_style else ""
    if statistics:
        conditions += f" AND statistic IN ({', '.join(['%s'] * statistics)})"
    precision = (
        f"(SELECT time_precision_ms FROM {Replay._meta.db_table} WHERE id = requested.replay_id) AS precision_ms"  # noqa: S608
    )
    no_parts = ", ".join(f"CAST(NULL AS bigint) AS {part}" for part in PART_IDS)
    of_both = ", ".join(f"requested.{name}" for name in _OF_BOTH)
    return f"""
        SELECT * FROM (
            WITH requested AS MATERIALIZED (
                SELECT id AS number, {", ".join(_OF_BOTH)}, rank_key, level, replay_id
                FROM {BESTS} WHERE player_id = %s{conditions}
            ), counted AS MATERIALIZED ({count_sql()})
            SELECT requested.number AS id, 0 AS is_sum, {of_both}, counted.ahead, requested.level, requested.replay_id,
                {precision}, {no_parts}
            FROM requested JOIN counted ON counted.number = requested.number
        ) AS best UNION ALL SELECT * FROM (
            WITH requested AS MATERIALIZED (
                SELECT id AS number, {", ".join(_OF_BOTH)}, rank_key, expert_key, intermediate_key, {", ".join(PART_IDS)}
                FROM {SUMS} WHERE player_id = %s{conditions}
            ), counted AS MATERIALIZED ({count_sql(combined=True)})
            SELECT requested.number AS id, 1 AS is_sum, {of_both}, counted.ahead, '{COMBINED}' AS level,
                CAST(NULL AS bigint) AS replay_id, CAST(NULL AS integer) AS precision_ms, {", ".join(PART_IDS)}
            FROM requested JOIN counted ON counted.number = requested.number
        ) AS total ORDER BY is_sum, id
    """  # noqa: S608 - our own names
