"""Filtered boards in the memory of this process and in the cache that processes share."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import numpy as np
from django.conf import settings
from django.core.cache import cache

from players.db.change_log import RETENTION
from players.db.log_position import read_log_position
from players.leaderboards.board import Board
from players.leaderboards.filtered.bests_by_date import BestsByDate
from players.leaderboards.filtered.records import Records
from players.leaderboards.filtered.sorted_board import Rows, SortedBoard
from players.leaderboards.filtered.sources import board_rows, record_rows, step_rows
from players.leaderboards.ranked_games import Players
from players.models import LevelChange

T = TypeVar("T", SortedBoard, BestsByDate, Records)

#: If the games of more players have changed, the whole board is read again.
_MANY: Final = 2_000
#: If more players have changed since the board was put into the shared cache, it is put there again.
_WORTH_SHARING: Final = 500
#: A board whose last update is older is read again: change log entries may have been deleted since.
_MAX_AGE_SECONDS: Final = int(RETENTION.total_seconds() / 2)
_FORMAT: Final = 2  # of what is in the cache; raise it with every change of the arrays


@dataclass(frozen=True, slots=True)
class _Stored(Generic[T]):
    """A board with all changes up to ``log_position``, which was read at ``at`` (``time.time()``).

    ``unshared``: how many players have changed since it was last put into the shared cache.
    """

    state: T
    log_position: int
    at: float
    unshared: int = 0


class _Memory:
    """An LRU cache of boards, limited by their size (``FILTERED_BOARDS_MB``)."""

    def __init__(self) -> None:
        self._boards: OrderedDict[str, _Stored[Any]] = OrderedDict()
        self._guard = threading.Lock()

    def get(self, name: str) -> _Stored[Any] | None:
        with self._guard:
            found = self._boards.get(name)
            if found is not None:
                self._boards.move_to_end(name)
            return found

    def put(self, name: str, board: _Stored[T]) -> None:
        limit = settings.FILTERED_BOARDS_MB * 1_000_000
        with self._guard:
            self._boards[name] = board
            self._boards.move_to_end(name)
            total = sum(stored.state.nbytes for stored in self._boards.values())
            while total > limit and len(self._boards) > 1:
                _dropped, oldest = self._boards.popitem(last=False)
                total -= oldest.state.nbytes

    def clear(self) -> None:
        with self._guard:
            self._boards.clear()


_MEMORY: Final = _Memory()


def clear_memory() -> None:
    """Drop all boards of this process; the next use reads them from the shared cache or from the tables."""
    _MEMORY.clear()


def sorted_board_of(board: Board) -> SortedBoard:
    """The current sorted board of ``board``."""
    return _up_to_date(f"standing:{board.name}", board.level, SortedBoard, lambda players: board_rows(board, players))


def bests_by_date(board: Board) -> BestsByDate:
    """The current steps of ``board``."""
    return _up_to_date(f"steps:{board.name}", board.level, BestsByDate, lambda players: step_rows(board, players))


def records_by_date(board: Board) -> Records:
    """The current records of ``board``, which has no filter."""
    return _up_to_date(f"records:{board.name}", board.level, Records, lambda players: record_rows(board, players))


def _up_to_date(name: str, level: str, kind: type[T], read: Callable[[Players], Rows]) -> T:
    """The board ``name``: from memory or the shared cache and then updated, or else read from the tables.

    ``read`` returns the rows of given players, or of all.  Threads that ask for the same board at the same time each make
    it, from states that never change, and none waits for another; few pages that need boards are worked on at a time.
    """
    found: _Stored[T] | None = _MEMORY.get(name) or _from_cache(name, kind)
    current = None if found is None or _is_old(found) else _update(found, level, read)
    if current is None:
        current = _read_all(level, kind, read)
        _to_cache(name, current)
    elif current.unshared > _WORTH_SHARING:
        current = _Stored(current.state, current.log_position, current.at)
        _to_cache(name, current)
    _MEMORY.put(name, current)
    return current.state


def _is_old(found: _Stored[T]) -> bool:
    return time.time() - found.at > _MAX_AGE_SECONDS


def _read_all(level: str, kind: type[T], read: Callable[[Players], Rows]) -> _Stored[T]:
    at = time.time()
    # Before the rows: a change that commits between both statements is then read again by the next update.
    log_position = read_log_position()
    return _Stored(kind.of(read(None)), log_position, at)


def _update(found: _Stored[T], level: str, read: Callable[[Players], Rows]) -> _Stored[T] | None:
    """``found`` with the changes that were logged since; None if the whole board has to be read again."""
    at = time.time()
    changes = LevelChange.objects.filter(level=level, log_position__gte=found.log_position)
    changed_players = changes.values_list("player_number").distinct()
    log_position = read_log_position()
    changed = sorted(player_id for (player_id,) in changed_players[: _MANY + 1])
    if log_position < found.log_position:
        return None  # the board is of another database, such as the one before a backup was restored
    if len(changed) > _MANY:
        return None
    if not changed:
        return _Stored(found.state, log_position, at, found.unshared)
    state = found.state.with_players(np.array(changed, dtype=np.int64), read(changed))
    return None if state is None else _Stored(state, log_position, at, found.unshared + len(changed))


# --- the shared cache -------------------------------------------------------------------------------------------------


def _to_cache(name: str, board: _Stored[T]) -> None:
    rows = board.state.rows
    arrays = [rows.keys, rows.achieved_us, rows.player, rows.replay]
    cache.set(_key(name), [board.log_position, board.at, arrays], _MAX_AGE_SECONDS)


def _from_cache(name: str, kind: type[T]) -> _Stored[T] | None:
    found = cache.get(_key(name))
    if found is None:
        return None
    log_position, at, arrays = found
    return _Stored(kind(Rows(*arrays)), log_position, at)  # the arrays were stored sorted


def _key(name: str) -> str:
    return f"live:{_FORMAT}:{name}"
