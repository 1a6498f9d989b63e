"""Who stands first on every board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from players.boards import COMBINED, COMBINED_ORDER, ORDER, BoardKey, all_boards, checked_style
from players.games import replays
from players.models import ALL_STYLES, CombinedBest, PersonalBest, Player
from players.persons import Person
from players.questions import Later, Row, asked, asked_of, together


@dataclass(frozen=True, slots=True)
class Holder:
    """The first row of the board ``key``: of equal values the one that was reached first.

    ``replay_id`` is None for sums; ``precision_ms``: of the replay's clock, None if unknown.
    """

    key: BoardKey
    player: Person
    value: float
    replay_id: int | None
    precision_ms: int | None


def record_holders(style: str = ALL_STYLES) -> list[Holder]:
    """The holders of every board of ``style`` that has any, in the order of the boards; in four statements.

    Raises ``UnknownBoard``.
    """
    keys = [key for key in all_boards() if key.style == checked_style(style)]
    singles = [key for key in keys if key.level != COMBINED]
    sums = [key for key in keys if key.level == COMBINED]
    with together():
        firsts = _ask_firsts(PersonalBest, ORDER, singles), _ask_firsts(CombinedBest, COMBINED_ORDER, sums)
        ids = [[pk for (pk,) in first() if pk is not None] for first in firsts]
    with together():
        held = asked_of(_HELD, ids[0]), asked_of(_HELD_SUMS, ids[1])
        rows = [*held[0](), *held[1]()]
    found = {}
    for level, statistic, value, replay_id, precision_ms, pk, name, country, is_bot in rows:
        key = BoardKey(level, statistic, style)
        found[key] = Holder(key, Person(pk, name, country, bool(is_bot)), value, replay_id, precision_ms)
    return [found[key] for key in keys if key in found]


def most_held(holders: Sequence[Holder]) -> list[tuple[Person, int]]:
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


#: The rows of these boards; by id, since the planner would join so many boards in an order of its own.
_HELD: Final = f"""
    SELECT best.level, best.statistic, best.value, best.replay_id, game.time_precision_ms,
        player.id, player.name, player.country, player.is_bot
    FROM {PersonalBest._meta.db_table} AS best JOIN {Player._meta.db_table} AS player ON player.id = best.player_id
    JOIN {replays().model._meta.db_table} AS game ON game.id = best.replay_id WHERE best.id IN ({{ids}})
"""  # noqa: S608 - our own names
_HELD_SUMS: Final = f"""
    SELECT '{COMBINED}', best.statistic, best.value, NULL, NULL, player.id, player.name, player.country, player.is_bot
    FROM {CombinedBest._meta.db_table} AS best JOIN {Player._meta.db_table} AS player ON player.id = best.player_id
    WHERE best.id IN ({{ids}})
"""  # noqa: S608 - our own names


def _ask_firsts(model: type[Any], order: Sequence[str], keys: Sequence[BoardKey]) -> Later[list[Row]]:
    """The id of the first row of each of the boards ``keys``."""
    statement = _FIRSTS.format(
        values=", ".join(["(%s, %s, %s)"] * len(keys)),
        table=model._meta.db_table,
        same=_SAME if model is CombinedBest else f"{_SAME} AND best.level = board.level",
        order=", ".join(f"best.{column}" for column in order),
    )
    return asked(statement, [text for key in keys for text in (key.statistic, key.level, key.style)])
