"""Pages of filtered boards and sub-N boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final, NamedTuple

from players.db.keyset import Slice, SortKey, cursor_after, slice_of
from players.leaderboards import ranked_games
from players.leaderboards.board import Board
from players.leaderboards.boards import (
    COMBINED_LEVELS,
    COMBINED_ORDER,
    LISTED_BY,
    ORDER,
)
from players.leaderboards.filtered import (
    SortedBoard,
    bests_by_date,
    combined_sorted_board,
    sorted_board_of,
)
from players.leaderboards.filtered.sorted_board import datetime_of, microseconds
from players.leaderboards.filtered.sources import first_sub_games
from players.leaderboards.ranked_games import GameMarks
from players.leaderboards.ranks.rows import BoardPage, BoardRow, Jump, Part, coarsest
from players.models import Player
from players.people.player_refs import PlayerRef, player_refs

#: Sub-N boards sort by numbers of games, so a cursor of a board that sorts by values does not belong to them.
_SUB_N_ORDER: Final = ("games_key", *LISTED_BY)


@dataclass(frozen=True, slots=True)
class _Sorted:
    """A filtered board, sorted: its sort columns, and a function that makes rows from their indexes."""

    board: Board
    sorted_board: SortedBoard
    order: Sequence[str]
    make_rows: Callable[[Sequence[int]], list[BoardRow]]


def filtered_page(
    board: Board, *, player: Player | None, value: float | None, cursor: str | None, size: int, viewer: Player | None
) -> BoardPage:
    """A page of the filtered or sub-N ``board``; see ``page.page_at``."""
    return _page(_sorted(board), player, value, cursor, size, viewer)


def _sorted(board: Board) -> _Sorted:
    if board.n is not None:
        sorted_board = sorted_board_of(board)
        return _Sorted(board, sorted_board, _SUB_N_ORDER, partial(_sub_n_rows, board, board.n, sorted_board))
    if board.is_sum:
        parts = tuple(filtered_board(replace(board, level=level)) for level in COMBINED_LEVELS)
        sorted_board = combined_sorted_board(parts)
        return _Sorted(board, sorted_board, COMBINED_ORDER, partial(_sum_rows, board, sorted_board, parts))
    sorted_board = filtered_board(board)
    return _Sorted(board, sorted_board, ORDER, partial(_level_rows, board, sorted_board))


def filtered_board(board: Board) -> SortedBoard:
    """The filtered sorted board of a board of one level."""
    if board.filters.is_only_as_of and board.filters.until is not None:
        # The same steps give the board as of any day.
        bests = bests_by_date(replace(board, filters=replace(board.filters, until=None, as_of="")))
        return bests.board_before(microseconds(board.filters.until))
    return sorted_board_of(board)


# --- the page ---------------------------------------------------------------------------------------------------------


def _page(
    made: _Sorted, player: Player | None, value: float | None, cursor: str | None, size: int, viewer: Player | None
) -> BoardPage:
    board, sorted_board = made.board, made.sorted_board
    jump, start = None, None
    if player is not None:
        index = sorted_board.index_of(player.pk)
        jump = Jump(player, None, None if index is None else int(sorted_board.ranks[index]))
        start = None if index is None or index < size else _cursor(made, index - index % size)
    elif value is not None:
        index = sorted_board.first_from((board.rank_key(value),), past=False)
        jump, start = Jump(None, value, 1 + index), _cursor(made, index) if index else None
    page = _slice(made, cursor or start, size)
    own = None if viewer is None else sorted_board.index_of(viewer.pk)
    off_page = [] if own is None or page.start <= own < page.stop else [own]
    rows = made.make_rows([*range(page.start, page.stop), *off_page])
    own_row = None if viewer is None else next((row for row in rows if row.player.pk == viewer.pk), None)
    on_page = [row for row in rows if not off_page or row is not own_row]
    leader = _value(board, sorted_board, 0) if len(sorted_board) else None
    return BoardPage(board, on_page, page.next_cursor, page.previous_cursor, own_row, len(sorted_board), jump, leader)


def _slice(made: _Sorted, cursor: str | None, size: int) -> Slice:
    def find(sort_key: SortKey, past: bool) -> int:
        *keys, achieved_at, player_id = sort_key
        return made.sorted_board.first_from((*keys, microseconds(achieved_at), player_id), past=past)

    return slice_of(made.order, cursor, size, len(made.sorted_board), find, partial(_sort_key, made.sorted_board))


def _cursor(made: _Sorted, index: int) -> str:
    """The cursor of the page that begins with the row at ``index`` (at least 1)."""
    return cursor_after(_sort_key(made.sorted_board, index - 1), made.order)


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


def _level_rows(board: Board, sorted_board: SortedBoard, indexes: Sequence[int]) -> list[BoardRow]:
    rows = _plain_rows(sorted_board, indexes)
    players = _players(rows)
    marks = ranked_games.marks_of([row.replay_id for row in rows])
    return [
        _level_row(row, players[row.player_id], _value(board, sorted_board, row.row_index), marks[row.replay_id])
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
    board: Board, sorted_board: SortedBoard, parts: Sequence[SortedBoard], indexes: Sequence[int]
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
                    _value(board, part, index), replay_id, of_game.precision_ms, of_game.provisional,
                    datetime_of(int(part.rows.achieved_us[index])), of_game.date_has_zone,
                )  # fmt: skip
        if row.player_id in players and len(by_level) == len(parts):
            precision_ms = coarsest(part.precision_ms for part in by_level.values())
            value = _value(board, sorted_board, row.row_index)
            provisional = any(part.provisional for part in by_level.values())
            player = players[row.player_id]
            made.append(BoardRow(row.rank, player, value, None, row.achieved_at, precision_ms, by_level, provisional))
    return made


def _sub_n_rows(board: Board, n: int, sorted_board: SortedBoard, indexes: Sequence[int]) -> list[BoardRow]:
    rows = _plain_rows(sorted_board, indexes)
    players = _players(rows)
    firsts = first_sub_games(board, n, [row.player_id for row in rows])
    return [
        BoardRow(
            row.rank, players[row.player_id], _value(board, sorted_board, row.row_index),
            firsts[row.player_id].replay_id, row.achieved_at, date_has_zone=firsts[row.player_id].date_has_zone,
        )
        for row in rows
        if row.player_id in players and row.player_id in firsts
    ]  # fmt: skip


def _value(board: Board, sorted_board: SortedBoard, index: int) -> float:
    return board.rank_key(float(sorted_board.rows.keys[0, index]))


def _players(rows: Sequence[_Row]) -> dict[int, PlayerRef]:
    return player_refs([row.player_id for row in rows])
