"""Who stands first on every board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import connection
from django.db.models import F, QuerySet

from players.boards import COMBINED, COMBINED_ORDER, ORDER, BoardKey, all_boards, checked_style
from players.models import ALL_STYLES, CombinedBest, PersonalBest, Player


@dataclass(frozen=True, slots=True)
class Holder:
    """The first row of the board ``key``: of equal values the one that was reached first.

    ``replay_id`` is None for sums; ``precision_ms``: of the replay's clock, None if unknown.
    """

    key: BoardKey
    player: Player
    value: float
    replay_id: int | None
    precision_ms: int | None


def record_holders(style: str = ALL_STYLES) -> list[Holder]:
    """The holders of every board of ``style`` that has any, in the order of the boards; in four statements.

    Raises ``UnknownBoard``.
    """
    keys = [key for key in all_boards() if key.style == checked_style(style)]
    singles = _firsts(PersonalBest, ORDER, [key for key in keys if key.level != COMBINED])
    sums = _firsts(CombinedBest, COMBINED_ORDER, [key for key in keys if key.level == COMBINED])
    found: dict[BoardKey, Holder] = {}
    for row in singles.annotate(precision_ms=F("replay__time_precision_ms")):
        key = BoardKey(row.level, row.statistic, row.style)
        found[key] = Holder(key, row.player, row.value, row.replay_id, row.precision_ms)
    for row in sums:
        key = BoardKey(COMBINED, row.statistic, row.style)
        found[key] = Holder(key, row.player, row.value, None, None)
    return [found[key] for key in keys if key in found]


def most_held(holders: Sequence[Holder]) -> list[tuple[Player, int]]:
    """How many of these boards each player leads, most first."""
    players = {holder.player.pk: holder.player for holder in holders}
    counts = Counter(holder.player.pk for holder in holders)
    return [(players[pk], count) for pk, count in counts.most_common()]


#: One step in the index a board.  In plain SQL: hundreds of subqueries cost the ORM more time than the database.
_FIRSTS: Final = """
    WITH board (statistic, level, style) AS (VALUES {values})
    SELECT (
        SELECT best.id FROM {table} AS best WHERE {same} ORDER BY {order} LIMIT 1
    ) FROM board
"""
_SAME: Final = "best.statistic = board.statistic AND best.style = board.style"


def _firsts(model: type[Any], order: Sequence[str], keys: Sequence[BoardKey]) -> QuerySet[Any, Any]:
    """The first row of each of the boards ``keys``."""
    statement = _FIRSTS.format(
        values=", ".join(["(%s, %s, %s)"] * len(keys)),
        table=model._meta.db_table,
        same=_SAME if model is CombinedBest else f"{_SAME} AND best.level = board.level",
        order=", ".join(f"best.{column}" for column in order),
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [text for key in keys for text in (key.statistic, key.level, key.style)])
        ids = [pk for (pk,) in cursor.fetchall() if pk is not None]
    rows: QuerySet[Any, Any] = model._default_manager.filter(pk__in=ids).select_related("player")
    return rows
