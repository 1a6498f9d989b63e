"""The ranks before and after each move.

A move is ranked among the players without moves in this call, as they are stored when the ranks are counted (in the
transaction that wrote the moves), and among the *movers*, the players with moves, as they were at that point of the
sequence.  So the ranks are those that adding the games one by one would have given.
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

_RankKeys: TypeAlias = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class RankedMove:
    """A move, the ranks before (None: no row) and after it, and the best rank key on the board before it (None: the
    board was empty).
    """

    move: Move
    rank_before: int | None
    rank_after: int
    leader_key: float | None

    @property
    def is_site_record(self) -> bool:
        return self.leader_key is None or self.move.new.rank_keys[0] < self.leader_key


def rank_moves(moves: Sequence[Move], best_ids: Collection[int], sum_ids: Collection[int]) -> list[RankedMove]:
    """``moves``, whose rows are written already, with their ranks; one statement for levels, one for sums.

    ``best_ids``: the ids of those rows of ``PersonalBest``, ``sum_ids``: of ``CombinedBest``.
    """
    others = _others([move for move in moves if move.board.level != COMBINED], best_ids)
    others |= _others([move for move in moves if move.board.level == COMBINED], sum_ids)
    movers = _movers_before(moves)
    for board, rank_keys in _movers_after(moves).items():
        others[board].exclude(rank_keys)
    return [_ranked(move, others[move.board], movers[move.board]) for move in moves]


def _ranked(move: Move, others: _Others, movers: list[_RankKeys]) -> RankedMove:
    """``move`` with its ranks; updates ``movers``, the movers' rank keys before it (best first)."""
    leaders = [key for key in (others.leader_key, movers[0][0] if movers else None) if key is not None]
    rank_before = None
    if move.old is not None:
        index = bisect_left(movers, move.old.rank_keys)
        rank_before = 1 + others.ahead[move.old.rank_keys] + index
        del movers[index]
    rank_after = 1 + others.ahead[move.new.rank_keys] + bisect_left(movers, move.new.rank_keys)
    insort(movers, move.new.rank_keys)
    return RankedMove(move, rank_before, rank_after, min(leaders, default=None))


# --- movers -----------------------------------------------------------------------------------------------------------


def _movers_before(moves: Sequence[Move]) -> dict[BoardKey, list[_RankKeys]]:
    """The movers' rank keys on each board before the first move, best first."""
    first: dict[tuple[BoardKey, int], Move] = {}
    for move in moves:
        first.setdefault((move.board, move.player_id), move)
    movers: dict[BoardKey, list[_RankKeys]] = {move.board: [] for move in moves}
    for (board, _player_id), move in first.items():
        if move.old is not None:
            insort(movers[board], move.old.rank_keys)
    return movers


def _movers_after(moves: Sequence[Move]) -> dict[BoardKey, list[_RankKeys]]:
    last = {(move.board, move.player_id): move.new.rank_keys for move in moves}
    movers: dict[BoardKey, list[_RankKeys]] = defaultdict(list)
    for (board, _player_id), rank_keys in last.items():
        insort(movers[board], rank_keys)
    return movers


# --- other players ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Others:
    """Number of rows of a board better than each of some rank keys, and the best rank key except the movers'."""

    ahead: dict[_RankKeys, int]
    leader_key: float | None

    def exclude(self, movers: Sequence[_RankKeys]) -> None:
        """Subtract ``movers`` (sorted), which are among the counted rows."""
        for rank_keys in self.ahead:
            self.ahead[rank_keys] -= bisect_left(movers, rank_keys)


class _Count(NamedTuple):
    board: BoardKey
    rank_keys: _RankKeys


#: A further column: where ``requested.is_first``, the best rank key on the board except those of the excluded rows.
_LEADER: Final = """,
        CASE WHEN requested.is_first THEN (
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


def _others(moves: Sequence[Move], mover_ids: Collection[int]) -> dict[BoardKey, _Others]:
    """The counts for ``moves``, either all of levels or all of sums, with the movers still included."""
    counts = list(dict.fromkeys(_counts_for(moves)))
    if not counts:
        return {}
    combined = counts[0].board.level == COMBINED
    first = {board: number for number, (board, _rank_keys) in reversed(list(enumerate(counts)))}
    rows = [
        (number, first[board] == number, board.statistic, board.level, board.style, *map(float, rank_keys))
        for number, (board, rank_keys) in enumerate(counts)
    ]
    columns, select = (_COLUMNS_OF_SUMS, _ON_SUMS) if combined else (_COLUMNS, _ON_LEVELS)
    boards = {board: _Others({}, None) for board in first}
    for number, ahead, leader_key in bulk.select_from(rows, columns, select, excluded_ids=mover_ids):
        board, rank_keys = counts[number]
        boards[board].ahead[rank_keys] = int(ahead)
        if first[board] == number:
            boards[board].leader_key = leader_key
    return boards


def _counts_for(moves: Sequence[Move]) -> Iterator[_Count]:
    for move in moves:
        if move.old is not None:
            yield _Count(move.board, move.old.rank_keys)
        yield _Count(move.board, move.new.rank_keys)
