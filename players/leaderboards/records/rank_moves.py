"""The ranks that moves on the boards started from and led to.

Who moves is ranked among all others as they stand when the ranks are counted, in the transaction that wrote the moves,
and among those who move in the same call as they stood at that moment: exactly the ranks that would have been seen if
each game had come alone.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from players.db import bulk
from players.leaderboards.boards import COMBINED, BoardKey
from players.leaderboards.ranks.count import count_sql
from players.leaderboards.records.moves import Move

_Order: TypeAlias = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class RankedMove:
    """A move with the ranks before (None: no place) and after it, and the best rank key that stood on the board before
    it (None: the board was empty).
    """

    move: Move
    rank_before: int | None
    rank_after: int
    leader_key: float | None

    @property
    def is_site_record(self) -> bool:
        return self.leader_key is None or self.move.new.order[0] < self.leader_key


def rank_moves(moves: Sequence[Move], row_ids: Collection[int], total_ids: Collection[int]) -> list[RankedMove]:
    """The ranks of ``moves``, which are written already; one statement for the boards of levels, one for sums.

    ``row_ids``: the rows of ``PersonalBest`` that hold what moved, ``total_ids``: those of ``CombinedBest``.
    """
    others = _others([move for move in moves if move.board.level != COMBINED], row_ids)
    others |= _others([move for move in moves if move.board.level == COMBINED], total_ids)
    movers = _movers_before(moves)
    for board, orders in _movers_after(moves).items():
        others[board].leave_out(orders)
    return [_ranked(move, others[move.board], movers[move.board]) for move in moves]


def _ranked(move: Move, others: _Others, movers: list[_Order]) -> RankedMove:
    """The ranks of ``move``, which is made among ``movers`` (best first)."""
    leaders = [key for key in (others.leader_key, movers[0][0] if movers else None) if key is not None]
    rank_before = None
    if move.old is not None:
        place = bisect_left(movers, move.old.order)
        rank_before = 1 + others.ahead[move.old.order] + place
        del movers[place]
    rank_after = 1 + others.ahead[move.new.order] + bisect_left(movers, move.new.order)
    insort(movers, move.new.order)
    return RankedMove(move, rank_before, rank_after, min(leaders, default=None))


# --- who moves --------------------------------------------------------------------------------------------------------


def _movers_before(moves: Sequence[Move]) -> dict[BoardKey, list[_Order]]:
    """Where those who will move on each board stand before the first move, best first."""
    first: dict[tuple[BoardKey, int], Move] = {}
    for move in moves:
        first.setdefault((move.board, move.player_id), move)
    orders: dict[BoardKey, list[_Order]] = {move.board: [] for move in moves}
    for (board, _player_id), move in first.items():
        if move.old is not None:
            insort(orders[board], move.old.order)
    return orders


def _movers_after(moves: Sequence[Move]) -> dict[BoardKey, list[_Order]]:
    """Where they stand after the last one."""
    last = {(move.board, move.player_id): move.new.order for move in moves}
    orders: dict[BoardKey, list[_Order]] = defaultdict(list)
    for (board, _player_id), order in last.items():
        insort(orders[board], order)
    return orders


# --- all others -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Others:
    """How many rows of a board are better than each of some orders, and the best key of those who do not move."""

    ahead: dict[_Order, int]
    leader_key: float | None

    def leave_out(self, movers: Sequence[_Order]) -> None:
        """Count those who stand at ``movers`` (best first) no longer."""
        for order in self.ahead:
            self.ahead[order] -= bisect_left(movers, order)


class _Wanted(NamedTuple):
    board: BoardKey
    order: _Order


#: A column beside the count: where ``wanted.is_first``, the best key on the board of any row but the excluded ones.
_LEADER: Final = """,
        CASE WHEN wanted.is_first THEN (
            SELECT best.rank_key FROM {table} AS best WHERE {of_best} AND best.id {{excluded}}
            ORDER BY best.rank_key LIMIT 1
        ) END"""
_ON_LEVELS: Final = count_sql(_LEADER)
_ON_SUMS: Final = count_sql(_LEADER, combined=True)
_COLUMNS: Final = {
    "number": "integer", "is_first": "boolean", "statistic": "text", "level": "text", "style": "text",
    "rank_key": "float8",
}  # fmt: skip
_COLUMNS_OF_SUMS: Final = {**_COLUMNS, "expert_key": "float8", "intermediate_key": "float8"}


def _others(moves: Sequence[Move], row_ids: Collection[int]) -> dict[BoardKey, _Others]:
    """The boards of ``moves``, either all of levels or all combined, as they stand now."""
    wanted = list(dict.fromkeys(_wanted_by(moves)))
    if not wanted:
        return {}
    combined = wanted[0].board.level == COMBINED
    first = {board: number for number, (board, _order) in reversed(list(enumerate(wanted)))}
    rows = [
        (number, first[board] == number, board.statistic, board.level, board.style, *map(float, order))
        for number, (board, order) in enumerate(wanted)
    ]
    columns, select = (_COLUMNS_OF_SUMS, _ON_SUMS) if combined else (_COLUMNS, _ON_LEVELS)
    boards = {board: _Others({}, None) for board in first}
    for number, ahead, leader_key in bulk.select_from(rows, columns, select, excluded_ids=row_ids):
        board, order = wanted[number]
        boards[board].ahead[order] = int(ahead)
        if first[board] == number:
            boards[board].leader_key = leader_key
    return boards


def _wanted_by(moves: Sequence[Move]) -> Iterator[_Wanted]:
    for move in moves:
        if move.old is not None:
            yield _Wanted(move.board, move.old.order)
        yield _Wanted(move.board, move.new.order)
