"""Pages of boards that are kept in memory: those within a frame, and counts of sub-N games."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, Final

import numpy as np
from django.utils import timezone

from players.boards import COMBINED, COMBINED_LEVELS, BoardKey, checked_level, checked_style
from players.frames import WHOLE, Frame
from players.games import replays
from players.keyset import Slice, cursor_after, slice_of
from players.live import LevelBoard, Standing, SubBoard, combined, kept_standing, kept_steps
from players.live.sources import ask_first_sub_games, microseconds, moment_of
from players.models import ALL_STYLES, Player
from players.persons import Person, ask_persons
from players.questions import together
from players.selectors.leaderboards import BoardPage, BoardRow, coarsest
from players.selectors.places import Jump, OpenBoard
from players.selectors.ranks import DEFAULT_SIZE, page_size
from players.selectors.subs import checked_sub

_ORDER: Final = ("rank_key", "achieved_at", "player_id")
_COMBINED_ORDER: Final = ("rank_key", "expert_key", "intermediate_key", "achieved_at", "player_id")

#: Moments of a rank history.
RANK_MOMENTS: Final = 120

#: Rows of a board by their indexes, with their players loaded.
_MakeRows = Callable[[Sequence[int]], list[BoardRow]]


def open_framed(
    key: BoardKey,
    frame: Frame,
    *,
    player: Player | None = None,
    value: float | None = None,
    cursor: str | None = None,
    size: int = DEFAULT_SIZE,
    viewer: Player | None = None,
) -> OpenBoard:
    """As ``open_board``, of the games within ``frame``; ties are listed by date, then by the number of the player."""
    order: Sequence[str]
    if key.level == COMBINED:
        parts = tuple(standing_of(BoardKey(level, key.statistic, key.style), frame) for level in COMBINED_LEVELS)
        board, order = combined(parts), _COMBINED_ORDER

        def make(indexes: Sequence[int]) -> list[BoardRow]:
            return _combined_rows(key, board, parts, indexes)
    else:
        board, order = standing_of(key, frame), _ORDER

        def make(indexes: Sequence[int]) -> list[BoardRow]:
            return _level_rows(key, board, indexes)

    wanted = None if value is None else key.row.rank_key(value)
    return _opened(key, board, order, make, player, value, wanted, cursor, page_size(size), viewer)


def open_sub(
    level: str,
    n: int,
    style: str = ALL_STYLES,
    frame: Frame = WHOLE,
    *,
    player: Player | None = None,
    value: float | None = None,
    cursor: str | None = None,
    size: int = DEFAULT_SIZE,
    viewer: Player | None = None,
) -> OpenBoard:
    """Who has most sub-``n`` games; equal counts share a rank, the earlier first sub-``n`` is listed first.

    ``value``: a number of games.  Raises ``UnknownBoard`` or ``BadCursor``.
    """
    key = BoardKey(checked_level(level), f"sub{checked_sub(n)}", checked_style(style))
    sub = SubBoard(level, n, style, frame)
    board = kept_standing(sub)

    def make(indexes: Sequence[int]) -> list[BoardRow]:
        return _sub_rows(sub, board, indexes)

    wanted = None if value is None else -value
    return _opened(key, board, _ORDER, make, player, value, wanted, cursor, page_size(size), viewer)


def standing_of(key: BoardKey, frame: Frame) -> Standing:
    """The rows of a board of one level within ``frame``."""
    if frame.only_until and frame.until is not None:
        # One array of steps serves every day.
        steps = kept_steps(LevelBoard(key.level, key.statistic, key.style, replace(frame, until=None, as_of="")))
        return steps.standing_before(microseconds(frame.until))
    return kept_standing(LevelBoard(key.level, key.statistic, key.style, frame))


# --- the page ---------------------------------------------------------------------------------------------------------


def _opened(
    key: BoardKey, board: Standing, order: Sequence[str], make: _MakeRows, player: Player | None, value: float | None,
    wanted: float | None, cursor: str | None, size: int, viewer: Player | None,
) -> OpenBoard:  # fmt: skip
    jump, start = None, None
    if player is not None:
        index = board.index_of(player.pk)
        jump = Jump(player, None, None if index is None else int(board.ranks[index]))
        start = None if index is None or index < size else _cursor(board, order, index - index % size)
    elif wanted is not None:
        index = board.first_from((wanted,), past=False)
        jump, start = Jump(None, value, 1 + index), _cursor(board, order, index) if index else None
    shown = _slice(board, order, cursor or start, size)
    own = None if viewer is None else board.index_of(viewer.pk)
    apart = [] if own is None or shown.start <= own < shown.stop else [own]
    rows = make([*range(shown.start, shown.stop), *apart])
    own_row = None if viewer is None else next((row for row in rows if row.player.pk == viewer.pk), None)
    on_page = [row for row in rows if not apart or row is not own_row]
    return OpenBoard(BoardPage(key, on_page, shown.next_cursor, shown.previous_cursor, own_row), len(board), jump)


def _slice(board: Standing, order: Sequence[str], cursor: str | None, size: int) -> Slice:
    def find(values: tuple[Any, ...], past: bool) -> int:
        *keys, achieved_at, player = values
        return board.first_from((*keys, microseconds(achieved_at), player), past=past)

    return slice_of(order, cursor, size, len(board), find, partial(_position, board))


def _cursor(board: Standing, order: Sequence[str], index: int) -> str:
    """The cursor of the page that begins with the row at ``index``, which is not the first."""
    return cursor_after(_position(board, index - 1), order)


def _position(board: Standing, index: int) -> tuple[Any, ...]:
    """What the row at ``index`` sorts by, as cursors carry it."""
    *keys, achieved_us, player = board.position(index)
    return (*keys, moment_of(int(achieved_us)), player)


# --- rows -------------------------------------------------------------------------------------------------------------


def _level_rows(key: BoardKey, board: Standing, indexes: Sequence[int]) -> list[BoardRow]:
    players = _players(board, indexes)
    precisions = _precisions([int(board.rows.replay[index]) for index in indexes])
    return [
        BoardRow(
            rank, players[player], _value(key, board, index), replay, achieved_at, precisions[replay]
        )
        for index, rank, player, replay, achieved_at in _told(board, indexes)
        if player in players and replay in precisions  # else it has gone this very moment
    ]  # fmt: skip


def _combined_rows(key: BoardKey, board: Standing, parts: Sequence[Standing], indexes: Sequence[int]) -> list[BoardRow]:
    players = _players(board, indexes)
    places = {index: [part.index_of(int(board.rows.player[index])) for part in parts] for index in indexes}
    chosen = {
        int(part.rows.replay[place])
        for of_row in places.values()
        for part, place in zip(parts, of_row, strict=True)
        if place is not None
    }
    precisions = _precisions(chosen)
    rows = []
    for index, rank, player, _replay, achieved_at in _told(board, indexes):
        told = {}
        for level, part, place in zip(COMBINED_LEVELS, parts, places[index], strict=True):
            replay = 0 if place is None else int(part.rows.replay[place])
            if place is not None and replay in precisions:
                told[level] = (_value(key, part, place), replay, precisions[replay])
        if player in players and len(told) == len(parts):
            precision_ms = coarsest(precision for _value, _replay, precision in told.values())
            value = _value(key, board, index)
            rows.append(BoardRow(rank, players[player], value, None, achieved_at, precision_ms, told))
    return rows


def _sub_rows(sub: SubBoard, board: Standing, indexes: Sequence[int]) -> list[BoardRow]:
    ids = [int(board.rows.player[index]) for index in indexes]
    with together():
        asked = ask_persons(ids), ask_first_sub_games(sub, ids)
        players, firsts = asked[0](), asked[1]()
    return [
        BoardRow(rank, players[player], -float(board.rows.keys[0, index]), firsts[player], achieved_at)
        for index, rank, player, _replay, achieved_at in _told(board, indexes)
        if player in players and player in firsts
    ]


def _told(board: Standing, indexes: Sequence[int]) -> list[tuple[int, int, int, int, Any]]:
    """Index, rank, player, replay and day of the rows at ``indexes``."""
    rows = board.rows
    return [
        (index, int(board.ranks[index]), int(rows.player[index]), int(rows.replay[index]),
         moment_of(int(rows.achieved_us[index])))
        for index in indexes
    ]  # fmt: skip


def _value(key: BoardKey, board: Standing, index: int) -> float:
    """The value behind a rank key: signing it twice gives it back."""
    return key.row.rank_key(float(board.rows.keys[0, index]))


def _players(board: Standing, indexes: Sequence[int]) -> dict[int, Person]:
    return ask_persons([int(board.rows.player[index]) for index in indexes])()


def _precisions(ids: Collection[int]) -> dict[int, int | None]:
    """The precision of the clock of each of these replays that is there."""
    return dict(replays().filter(pk__in=ids).values_list("pk", "time_precision_ms"))


# --- over time --------------------------------------------------------------------------------------------------------


def rank_history(player: Player, key: BoardKey) -> list[tuple[datetime, int | None]]:
    """Moments from the first game of ``player`` on the board ``key`` (of one level) until now, oldest first, and the
    rank just before each; empty without a game.

    Ranks between two moments of the player's own change little by little as others pass, so the moments are spread
    evenly.
    """
    steps = kept_steps(LevelBoard(key.level, key.statistic, key.style, WHOLE))
    first_us = steps.first_of(player.pk)
    if first_us is None:
        return []
    now_us = max(microseconds(timezone.now()), first_us) + 1
    moments_us = np.unique(np.linspace(first_us + 1, now_us, RANK_MOMENTS).astype(np.int64)).tolist()
    ranks = steps.ranks_of(player.pk, moments_us)
    return [(moment_of(moment_us), rank) for moment_us, rank in zip(moments_us, ranks, strict=True)]
