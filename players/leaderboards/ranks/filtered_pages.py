"""Pages of filtered boards and sub-N boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final, NamedTuple

from players.db.keyset import Slice, SortKey, cursor_after, slice_of
from players.leaderboards import ranked_games
from players.leaderboards.boards import (
    COMBINED,
    COMBINED_LEVELS,
    COMBINED_ORDER,
    LISTED_BY,
    ORDER,
    BoardKey,
    checked_level,
    checked_sub_n,
)
from players.leaderboards.filtered import (
    LevelBoard,
    SortedBoard,
    SubBoard,
    bests_by_date,
    combined_sorted_board,
    sorted_board_of,
)
from players.leaderboards.filtered.sorted_board import datetime_of, microseconds
from players.leaderboards.filtered.sources import first_sub_games
from players.leaderboards.filters import BoardFilter
from players.leaderboards.ranked_games import GameMarks
from players.leaderboards.ranks.rows import BoardPage, BoardRow, Jump, Part, coarsest
from players.models import Player
from players.people.player_refs import PlayerRef, player_refs

#: Sub-N boards sort by numbers of games, so a cursor of a board that sorts by values does not belong to them.
_SUB_N_ORDER: Final = ("games_key", *LISTED_BY)


@dataclass(frozen=True, slots=True)
class _Board:
    """A filtered board: its sorted board, its sort columns, a function that makes rows from their indexes, and the value of its
    first row (None if it is empty).
    """

    key: BoardKey
    sorted_board: SortedBoard
    order: Sequence[str]
    make_rows: Callable[[Sequence[int]], list[BoardRow]]
    leader: float | None


def filtered_page(
    key: BoardKey,
    board_filter: BoardFilter,
    *,
    player: Player | None,
    value: float | None,
    cursor: str | None,
    size: int,
    viewer: Player | None,
) -> BoardPage:
    """A page of the filtered board ``key``; see ``page.page_at``."""
    if key.level == COMBINED:
        keys = [BoardKey(level, key.statistic, key.style) for level in COMBINED_LEVELS]
        parts = tuple(filtered_board(part, board_filter) for part in keys)
        sorted_board = combined_sorted_board(parts)
        rows_of = partial(_sum_rows, key, sorted_board, parts)
        board = _Board(key, sorted_board, COMBINED_ORDER, rows_of, _leader(key, sorted_board))
    else:
        sorted_board = filtered_board(key, board_filter)
        board = _Board(key, sorted_board, ORDER, partial(_level_rows, key, sorted_board), _leader(key, sorted_board))
    rank_key = None if value is None else key.row.rank_key(value)
    return _page(board, player, value, rank_key, cursor, size, viewer)


def sub_n_page(
    level: str,
    n: int,
    style: str,
    board_filter: BoardFilter,
    *,
    player: Player | None,
    value: float | None,
    cursor: str | None,
    size: int,
    viewer: Player | None,
) -> BoardPage:
    """A page of a sub-``n`` board; see ``page.sub_n_page_at``."""
    key = BoardKey(checked_level(level), f"sub{checked_sub_n(n)}", style)
    sub_board = SubBoard(level, n, style, board_filter)
    sorted_board = sorted_board_of(sub_board)
    leader = -float(sorted_board.rows.keys[0, 0]) if len(sorted_board) else None
    board = _Board(key, sorted_board, _SUB_N_ORDER, partial(_sub_n_rows, sub_board, sorted_board), leader)
    return _page(board, player, value, None if value is None else -value, cursor, size, viewer)


def filtered_board(key: BoardKey, board_filter: BoardFilter) -> SortedBoard:
    """The filtered sorted board of a board of one level."""
    if board_filter.is_only_as_of and board_filter.until is not None:
        # The same steps give the board as of any day.
        every_day = replace(board_filter, until=None, as_of="")
        bests = bests_by_date(LevelBoard(key.level, key.statistic, key.style, every_day))
        return bests.board_before(microseconds(board_filter.until))
    return sorted_board_of(LevelBoard(key.level, key.statistic, key.style, board_filter))


# --- the page ---------------------------------------------------------------------------------------------------------


def _page(
    board: _Board, player: Player | None, value: float | None, rank_key: float | None, cursor: str | None, size: int,
    viewer: Player | None,
) -> BoardPage:  # fmt: skip
    sorted_board = board.sorted_board
    jump, start = None, None
    if player is not None:
        index = sorted_board.index_of(player.pk)
        jump = Jump(player, None, None if index is None else int(sorted_board.ranks[index]))
        start = None if index is None or index < size else _cursor(board, index - index % size)
    elif rank_key is not None:
        index = sorted_board.first_from((rank_key,), past=False)
        jump, start = Jump(None, value, 1 + index), _cursor(board, index) if index else None
    page = _slice(board, cursor or start, size)
    own = None if viewer is None else sorted_board.index_of(viewer.pk)
    off_page = [] if own is None or page.start <= own < page.stop else [own]
    rows = board.make_rows([*range(page.start, page.stop), *off_page])
    own_row = None if viewer is None else next((row for row in rows if row.player.pk == viewer.pk), None)
    on_page = [row for row in rows if not off_page or row is not own_row]
    return BoardPage(
        board.key, on_page, page.next_cursor, page.previous_cursor, own_row, len(sorted_board), jump, board.leader
    )  # fmt: skip


def _slice(board: _Board, cursor: str | None, size: int) -> Slice:
    def find(sort_key: SortKey, past: bool) -> int:
        *keys, achieved_at, player_id = sort_key
        return board.sorted_board.first_from((*keys, microseconds(achieved_at), player_id), past=past)

    return slice_of(board.order, cursor, size, len(board.sorted_board), find, partial(_sort_key, board.sorted_board))


def _cursor(board: _Board, index: int) -> str:
    """The cursor of the page that begins with the row at ``index`` (at least 1)."""
    return cursor_after(_sort_key(board.sorted_board, index - 1), board.order)


def _sort_key(sorted_board: SortedBoard, index: int) -> SortKey:
    """The sort key of the row at ``index``, with a datetime, as cursors hold it."""
    *keys, achieved_us, player_id = sorted_board.sort_key(index)
    return (*keys, datetime_of(int(achieved_us)), player_id)


# --- rows -------------------------------------------------------------------------------------------------------------


class _Row(NamedTuple):
    """A row of a sorted board as Python values."""

    row_index: int
    rank: int
    player_id: int
    replay_id: int
    achieved_at: datetime


def _plain_rows(sorted_board: SortedBoard, indexes: Sequence[int]) -> list[_Row]:
    rows = sorted_board.rows
    return [
        _Row(index, int(sorted_board.ranks[index]), int(rows.player[index]), int(rows.replay[index]),
             datetime_of(int(rows.achieved_us[index])))
        for index in indexes
    ]  # fmt: skip


def _level_rows(key: BoardKey, sorted_board: SortedBoard, indexes: Sequence[int]) -> list[BoardRow]:
    rows = _plain_rows(sorted_board, indexes)
    players = _players(rows)
    marks = ranked_games.marks_of([row.replay_id for row in rows])
    return [
        _level_row(row, players[row.player_id], _value(key, sorted_board, row.row_index), marks[row.replay_id])
        for row in rows
        if row.player_id in players and row.replay_id in marks  # else deleted since the board was updated
    ]


def _level_row(row: _Row, player: PlayerRef, value: float, marks: GameMarks) -> BoardRow:
    return BoardRow(
        row.rank, player, value, row.replay_id, row.achieved_at, marks.precision_ms, provisional=marks.provisional,
        bv=marks.bv, bvs=marks.bvs, style=marks.style, completion=marks.completion,
        date_has_zone=marks.date_has_zone,
    )  # fmt: skip


def _sum_rows(
    key: BoardKey, sorted_board: SortedBoard, parts: Sequence[SortedBoard], indexes: Sequence[int]
) -> list[BoardRow]:
    rows = _plain_rows(sorted_board, indexes)
    players = _players(rows)
    indexes_of_parts = {row.row_index: [part.index_of(row.player_id) for part in parts] for row in rows}
    replay_ids = {
        int(part.rows.replay[index])
        for of_row in indexes_of_parts.values()
        for part, index in zip(parts, of_row, strict=True)
        if index is not None
    }
    marks = ranked_games.marks_of(replay_ids)
    made = []
    for row in rows:
        by_level = {}
        for level, part, index in zip(COMBINED_LEVELS, parts, indexes_of_parts[row.row_index], strict=True):
            replay_id = 0 if index is None else int(part.rows.replay[index])
            if index is not None and replay_id in marks:
                of_game = marks[replay_id]
                by_level[level] = Part(
                    _value(key, part, index), replay_id, of_game.precision_ms, of_game.provisional,
                    datetime_of(int(part.rows.achieved_us[index])), of_game.date_has_zone,
                )  # fmt: skip
        if row.player_id in players and len(by_level) == len(parts):
            precision_ms = coarsest(part.precision_ms for part in by_level.values())
            value = _value(key, sorted_board, row.row_index)
            provisional = any(part.provisional for part in by_level.values())
            player = players[row.player_id]
            made.append(BoardRow(row.rank, player, value, None, row.achieved_at, precision_ms, by_level, provisional))
    return made


def _sub_n_rows(sub_board: SubBoard, sorted_board: SortedBoard, indexes: Sequence[int]) -> list[BoardRow]:
    rows = _plain_rows(sorted_board, indexes)
    players = _players(rows)
    firsts = first_sub_games(sub_board, [row.player_id for row in rows])
    return [
        BoardRow(
            row.rank, players[row.player_id], -float(sorted_board.rows.keys[0, row.row_index]),
            firsts[row.player_id].replay_id, row.achieved_at, date_has_zone=firsts[row.player_id].date_has_zone,
        )
        for row in rows
        if row.player_id in players and row.player_id in firsts
    ]  # fmt: skip


def _leader(key: BoardKey, sorted_board: SortedBoard) -> float | None:
    """The value of the first row; None if there is none."""
    return _value(key, sorted_board, 0) if len(sorted_board) else None


def _value(key: BoardKey, sorted_board: SortedBoard, index: int) -> float:
    """The value of a row; ``rank_key`` is its own inverse."""
    return key.row.rank_key(float(sorted_board.rows.keys[0, index]))


def _players(rows: Sequence[_Row]) -> dict[int, PlayerRef]:
    return player_refs([row.player_id for row in rows])
