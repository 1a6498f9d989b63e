"""Who stands first on every board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import F

from players.db.pipeline import Deferred, Row, pipeline, send, send_sql
from players.leaderboards.boards import COMBINED, COMBINED_ORDER, ORDER, BoardKey, all_boards
from players.models import ALL_STYLES, CombinedBest, PersonalBest
from players.people.player_refs import PLAYER_COLUMNS, PlayerRef


@dataclass(frozen=True, slots=True)
class Holder:
    """The first row of the board ``key``: of equal values the one that was reached first.

    ``replay_id`` is None for sums; ``precision_ms``: of the replay's clock, None if unknown.
    """

    key: BoardKey
    player: PlayerRef
    value: float
    replay_id: int | None
    precision_ms: int | None


def record_holders(style: str = ALL_STYLES) -> list[Holder]:
    """The holders of every board of ``style`` that has any, in the order of the boards; in four statements."""
    keys = [key for key in all_boards() if key.style == style]
    singles = [key for key in keys if key.level != COMBINED]
    sums = [key for key in keys if key.level == COMBINED]
    with pipeline():
        firsts = _send_first_ids(PersonalBest, ORDER, singles), _send_first_ids(CombinedBest, COMBINED_ORDER, sums)
        best_ids, sum_ids = ([pk for (pk,) in first() if pk is not None] for first in firsts)
    # By id, since the planner would join so many boards in an order of its own.
    bests = PersonalBest.objects.filter(pk__in=best_ids).annotate(precision_ms=F("replay__time_precision_ms"))
    with pipeline():
        sent = (
            send(bests.values_list("level", "statistic", "value", "replay_id", "precision_ms", *PLAYER_COLUMNS)),
            send(CombinedBest.objects.filter(pk__in=sum_ids).values_list("statistic", "value", *PLAYER_COLUMNS)),
        )
        rows = [*sent[0](), *((COMBINED, statistic, value, None, None, *who) for statistic, value, *who in sent[1]())]
    found = {}
    for level, statistic, value, replay_id, precision_ms, *player in rows:
        key = BoardKey(level, statistic, style)
        found[key] = Holder(key, PlayerRef(*player), value, replay_id, precision_ms)
    return [found[key] for key in keys if key in found]


def most_held(holders: Sequence[Holder]) -> list[tuple[PlayerRef, int]]:
    """How many of these boards each player leads, most first."""
    players = {holder.player.pk: holder.player for holder in holders}
    counts = Counter(holder.player.pk for holder in holders)
    return [(players[pk], count) for pk, count in counts.most_common()]


#: One step in the index a board.  In plain SQL: hundreds of subqueries cost the ORM more time than the database.
_FIRST_IDS: Final = """
    WITH board (statistic, level, style) AS (VALUES {values})
    SELECT (
        SELECT best.id FROM {table} AS best WHERE {same} ORDER BY {order} LIMIT 1
    ) FROM board
"""
_SAME: Final = "best.statistic = board.statistic AND best.style = board.style"


def _send_first_ids(model: type[Any], order: Sequence[str], keys: Sequence[BoardKey]) -> Deferred[list[Row]]:
    """The id of the first row of each of the boards ``keys``."""
    statement = _FIRST_IDS.format(
        values=", ".join(["(%s, %s, %s)"] * len(keys)),
        table=model._meta.db_table,
        same=_SAME if model is CombinedBest else f"{_SAME} AND best.level = board.level",
        order=", ".join(f"best.{column}" for column in order),
    )
    return send_sql(statement, [text for key in keys for text in (key.statistic, key.level, key.style)])
