"""A player's bests on all boards, each with its rank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Final

from players.boards import COMBINED
from players.games import replays
from players.models import CombinedBest, PersonalBest, Player
from players.questions import Later, Row, asked
from players.selectors.leaderboards import coarsest
from players.standing_sql import places_asked


@dataclass(frozen=True, slots=True)
class RankedBest:
    """A player's best on one board.  Combined boards have no single replay: see ``parts`` of their rows."""

    rank: int
    value: float
    replay_id: int | None
    achieved_at: datetime
    precision_ms: int | None


#: level (or "combined") -> statistic -> style -> best
PlayerBests = dict[str, dict[str, dict[str, RankedBest]]]
#: Columns that bests and sums have alike, and where the moment among them stands in a row.
_OF_BOTH: Final = ("statistic", "style", "value", "achieved_at")
_ACHIEVED_AT: Final = 5


def player_bests(player: Player, style: str | None = None, statistics: Sequence[str] = ()) -> PlayerBests:
    """Every best of ``player`` (of one ``style`` and of ``statistics``, if given) with its rank, in one statement.

    A board on which they have nothing is missing.

    Each rank takes a few steps in the marks of its board, so this grows with the boards and not with the places.
    """
    return ask_player_bests(player.pk, style, statistics)()


def ask_player_bests(player: int, style: str | None = None, statistics: Sequence[str] = ()) -> Later[PlayerBests]:
    """:func:`player_bests` of the player with that id, later."""
    given = [player, *([] if style is None else [style]), *statistics]
    rows = asked(_placed_sql(style is not None, len(statistics)), [*given, *given], moments=[_ACHIEVED_AT])
    return lambda: _nested(rows())


def _nested(rows: Iterable[Row]) -> PlayerBests:
    nested: PlayerBests = {}
    precisions: dict[int | None, int | None] = {}
    for pk, _sum, statistic, style, value, achieved_at, ahead, level, replay_id, precision_ms, *parts in rows:
        if level == COMBINED:
            precision_ms = coarsest(precisions.get(part) for part in parts)
        else:
            precisions[pk] = precision_ms
        ranked = RankedBest(1 + ahead, value, replay_id, achieved_at, precision_ms)
        nested.setdefault(level, {}).setdefault(statistic, {})[style] = ranked
    return nested


@cache
def _placed_sql(of_style: bool, statistics: int) -> str:
    """The bests of single levels, then the sums, the oldest row of each first: thirty to a hundred and fifty.

    Of bests: id, 0, :data:`_OF_BOTH`, how many are better, level, replay and the precision of its clock; the parts
    are NULL.  Of sums: id, 1, the same, "combined", no replay and no precision, and the ids of the parts.

    Nothing is joined but these few rows: while its statistics are old, as in the minute after a large import, the
    planner of PostgreSQL would count places again for every row of the board.
    """
    wanted = " AND style = %s" if of_style else ""
    if statistics:
        wanted += f" AND statistic IN ({', '.join(['%s'] * statistics)})"
    parts = ("beginner_id", "intermediate_id", "expert_id")
    games = replays().model._meta.db_table
    precision = f"(SELECT time_precision_ms FROM {games} WHERE id = asked.replay_id)"  # noqa: S608 - our own names
    shown = ["asked.level", "asked.replay_id", f"{precision} AS precision_ms"]
    shown += [f"CAST(NULL AS bigint) AS {part}" for part in parts]
    shown_sum = [f"'{COMBINED}' AS level", "CAST(NULL AS bigint) AS replay_id", "CAST(NULL AS integer) AS precision_ms"]
    bests = _placed_rows(PersonalBest, wanted, ["level", "replay_id"], shown)
    sums = _placed_rows(CombinedBest, wanted, ["expert_key", "intermediate_key", *parts], [*shown_sum, *parts])
    return f"SELECT * FROM ({bests}) AS best UNION ALL SELECT * FROM ({sums}) AS total ORDER BY summed, id"  # noqa: S608


def _placed_rows(
    model: type[PersonalBest | CombinedBest], wanted: str, more: Sequence[str], shown: Sequence[str]
) -> str:
    """One half of :func:`_placed_sql`."""
    combined = model is CombinedBest
    columns = ["id AS number", *_OF_BOTH, "rank_key", *more]
    always = ["asked.number AS id", f"{int(combined)} AS summed", *(f"asked.{name}" for name in _OF_BOTH)]
    return f"""
        WITH asked AS MATERIALIZED (
            SELECT {", ".join(columns)} FROM {model._meta.db_table} WHERE player_id = %s{wanted}
        ), placed AS MATERIALIZED ({places_asked(combined=combined)})
        SELECT {", ".join([*always, "placed.ahead", *shown])} FROM asked JOIN placed ON placed.number = asked.number
    """  # noqa: S608 - our own names
