from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import F

from analysis.statistics import RANKED, Statistic
from players.db.select import Row, select
from players.leaderboards.boards import COMBINED, COMBINED_ORDER, ORDER, PART_IDS, BoardKey, all_boards
from players.models import ALL_STYLES, PROVISIONAL, CombinedBest, PersonalBest
from players.people.player_refs import PLAYER_COLUMNS, PlayerRef


@dataclass(frozen=True, slots=True)
class Holder:
    """The first row of the board ``key``: of equal values the one that was achieved first.

    ``replay_id`` is None for sums; ``precision_ms``: of the replay's clock, None if unknown.  ``part_ids``: of the personal bests
    of a sum, else empty.
    """

    key: BoardKey
    player: PlayerRef
    value: float
    replay_id: int | None
    precision_ms: int | None
    achieved_at: datetime
    part_ids: tuple[int, ...]
    provisional: bool = False  # that of a sum is not read


@dataclass(frozen=True, slots=True)
class StatisticHolders:
    """A row of a table: a statistic, and the holder in each column.

    ``cells``: level, whether it has a board of the statistic, and the holder, None on an empty board.
    """

    row: Statistic
    cells: list[tuple[str, bool, Holder | None]]


def by_statistic(holders: Sequence[Holder], levels: Sequence[str]) -> list[StatisticHolders]:
    found = {(holder.key.statistic, holder.key.level): holder for holder in holders}
    boards = {(key.statistic, key.level) for key in all_boards()}
    return [
        StatisticHolders(row, [(level, (row.name, level) in boards, found.get((row.name, level))) for level in levels])
        for row in RANKED
    ]


#: Columns of bests and sums.
_OF_BOTH: Final = ("statistic", "value", "achieved_at", *PLAYER_COLUMNS)


def record_holders(style: str = ALL_STYLES) -> list[Holder]:
    """The holders of all boards of ``style`` that have rows, in the order of ``all_boards``; four statements."""
    keys = [key for key in all_boards() if key.style == style]
    singles = [key for key in keys if key.level != COMBINED]
    sums = [key for key in keys if key.level == COMBINED]
    firsts = _first_ids(PersonalBest, ORDER, singles), _first_ids(CombinedBest, COMBINED_ORDER, sums)
    best_ids, sum_ids = ([pk for (pk,) in first if pk is not None] for first in firsts)
    # Two steps, by id: in one statement with joins the planner does not use the boards' indexes.
    bests = PersonalBest.objects.filter(pk__in=best_ids).annotate(precision_ms=F("replay__time_precision_ms"))
    of_levels = bests.values_list("level", "replay_id", "precision_ms", "replay__judgement", *_OF_BOTH)
    of_sums = CombinedBest.objects.filter(pk__in=sum_ids).values_list(*PART_IDS, *_OF_BOTH)
    found = [_holder(style, *row) for row in of_levels] + [_holder_of_sum(style, row) for row in of_sums]
    by_key = {holder.key: holder for holder in found}
    return [by_key[key] for key in keys if key in by_key]


def _holder(
    style: str, level: str, replay_id: int, precision_ms: int | None, judgement: str, statistic: str, value: float,
    achieved_at: datetime, *player: Any,
) -> Holder:  # fmt: skip
    key = BoardKey(level, statistic, style)
    return Holder(
        key, PlayerRef(*player), value, replay_id, precision_ms, achieved_at, (), provisional=judgement == PROVISIONAL
    )


def _holder_of_sum(style: str, row: Row) -> Holder:
    parts, (statistic, value, achieved_at, *player) = row[: len(PART_IDS)], row[len(PART_IDS) :]
    key = BoardKey(COMBINED, statistic, style)
    return Holder(key, PlayerRef(*player), value, None, None, achieved_at, tuple(parts))


def games_held(holders: Sequence[Holder]) -> dict[BoardKey, tuple[int, ...]]:
    """The replays of each of ``holders``: one, or the three of a sum, the last one last; one statement."""
    parts = PersonalBest.objects.filter(pk__in=[pk for holder in holders for pk in holder.part_ids])
    games = {
        pk: (achieved_at, replay) for pk, achieved_at, replay in parts.values_list("pk", "achieved_at", "replay_id")
    }
    return {
        holder.key: tuple(replay for _at, replay in sorted(games[pk] for pk in holder.part_ids if pk in games))
        if holder.replay_id is None
        else (holder.replay_id,)
        for holder in holders
    }


def most_held(holders: Sequence[Holder]) -> list[tuple[PlayerRef, int]]:
    """The players by how many of these boards they lead, most first."""
    players = {holder.player.pk: holder.player for holder in holders}
    counts = Counter(holder.player.pk for holder in holders)
    return [(players[pk], count) for pk, count in counts.most_common()]


#: One index lookup for each board.  In plain SQL: to build hundreds of subqueries takes the ORM longer than the database.
_FIRST_IDS: Final = """
    WITH board (statistic, level, style) AS (VALUES {values})
    SELECT (
        SELECT best.id FROM {table} AS best WHERE {same} ORDER BY {order} LIMIT 1
    ) FROM board
"""
_SAME: Final = "best.statistic = board.statistic AND best.style = board.style"


def _first_ids(model: type[PersonalBest | CombinedBest], order: Sequence[str], keys: Sequence[BoardKey]) -> list[Row]:
    """The id of the first row of each of the boards ``keys``, NULL for an empty one."""
    statement = _FIRST_IDS.format(
        values=", ".join(["(%s, %s, %s)"] * len(keys)),
        table=model._meta.db_table,
        same=_SAME if model is CombinedBest else f"{_SAME} AND best.level = board.level",
        order=", ".join(f"best.{column}" for column in order),
    )
    return select(statement, [text for key in keys for text in (key.statistic, key.level, key.style)])
