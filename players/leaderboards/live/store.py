"""Live boards in memory, in the cache that processes share, and how they are brought up to date."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import numpy as np
from django.conf import settings
from django.core.cache import cache
from django.db.models import QuerySet

from players.db.change_log import RETENTION
from players.db.log_position import changes_since, send_log_position
from players.db.pipeline import pipeline, send
from players.leaderboards.live.definitions import LevelBoard, SubBoard
from players.leaderboards.live.records import Records
from players.leaderboards.live.sources import record_rows, standing_rows, step_rows
from players.leaderboards.live.standing import Rows, Standing
from players.leaderboards.live.steps import Steps
from players.leaderboards.ranked_games import Players
from players.models import LevelChange

T = TypeVar("T", Standing, Steps, Records)

#: More changed players than this are not read one by one: the board is made anew.
_MANY: Final = 2_000
#: Changed players since a board was last put into the cache that make it worth putting there again.
_WORTH_SHARING: Final = 500
#: A board that has not been brought up to date for so long is made anew: the log may have been cut meanwhile.
_MAX_AGE_SECONDS: Final = int(RETENTION.total_seconds() / 2)
_FORMAT: Final = 2  # of what is in the cache; raise it with every change of the arrays
#: Boards of which millions of rows are read at one time in this process; others wait.
_READERS: Final = threading.BoundedSemaphore(2)


@dataclass(frozen=True, slots=True)
class _Stored(Generic[T]):
    """A board as it was when the log had been read up to ``log_position``, at the (wall) time ``at``.

    ``unshared``: how many players have changed since it was last put into the cache.
    """

    state: T
    log_position: int
    at: float
    unshared: int = 0


class _Memory:
    """The boards in this process; when they are too large, the one that was not used for longest is dropped."""

    def __init__(self) -> None:
        self._boards: OrderedDict[str, _Stored[Any]] = OrderedDict()
        self._guard = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}

    @contextmanager
    def lock(self, name: str) -> Iterator[None]:
        """No other thread of this process works on the board ``name`` meanwhile."""
        with self._guard:
            lock = self._locks.setdefault(name, threading.Lock())
        with lock:
            yield

    def get(self, name: str) -> _Stored[Any] | None:
        with self._guard:
            found = self._boards.get(name)
            if found is not None:
                self._boards.move_to_end(name)
            return found

    def put(self, name: str, board: _Stored[Any]) -> None:
        limit = settings.LIVE_BOARDS_MB * 1_000_000
        with self._guard:
            self._boards[name] = board
            self._boards.move_to_end(name)
            total = sum(one.state.nbytes for one in self._boards.values())
            while total > limit and len(self._boards) > 1:
                dropped, oldest = self._boards.popitem(last=False)
                self._locks.pop(dropped, None)
                total -= oldest.state.nbytes

    def clear(self) -> None:
        with self._guard:
            self._boards.clear()


_MEMORY: Final = _Memory()


def clear_memory() -> None:
    """Drop every board of this process; the next use takes it from the cache or makes it again."""
    _MEMORY.clear()


def live_standing(board: LevelBoard | SubBoard) -> Standing:
    """The standing of ``board`` as it is now."""
    return _current(f"standing:{board.name}", board.level, Standing, lambda players: standing_rows(board, players))


def live_steps(board: LevelBoard) -> Steps:
    """The steps of ``board`` as they are now."""
    return _current(f"steps:{board.name}", board.level, Steps, lambda players: step_rows(board, players))


def live_records(board: LevelBoard) -> Records:
    """The record steps of ``board``, which takes all games, as they are now."""
    return _current(f"records:{board.name}", board.level, Records, lambda players: record_rows(board, players))


def _current(name: str, level: str, kind: type[T], read: Callable[[Players], Rows]) -> T:
    """The board ``name``, brought up to date, or made where it is neither in memory nor in the cache."""
    with _MEMORY.lock(name):
        found: _Stored[T] | None = _MEMORY.get(name) or _from_cache(name, kind)
        current = None if found is None or _is_old(found) else _brought_up_to_date(found, level, read)
        if current is None:
            current = _made(level, kind, read)
            _to_cache(name, current)
        elif current.unshared > _WORTH_SHARING:
            current = _Stored(current.state, current.log_position, current.at)
            _to_cache(name, current)
        _MEMORY.put(name, current)
        return current.state


def _is_old(found: _Stored[Any]) -> bool:
    return time.time() - found.at > _MAX_AGE_SECONDS


def _made(level: str, kind: type[T], read: Callable[[Players], Rows]) -> _Stored[T]:
    at = time.time()
    log_position = send_log_position(_changes(level))()  # before reading: what commits in between is read again
    with _READERS:
        return _Stored(kind.of(read(None)), log_position, at)


def _brought_up_to_date(found: _Stored[T], level: str, read: Callable[[Players], Rows]) -> _Stored[T] | None:
    """``found`` after everything that was logged since; None if that is too much, or if it is not of this database."""
    at = time.time()
    changed_players = changes_since(_changes(level), found.log_position).values_list("player_number").distinct()
    with pipeline():
        sent_position, sent_players = send_log_position(_changes(level)), send(changed_players[: _MANY + 1])
        log_position, changed = sent_position(), sorted(player_id for (player_id,) in sent_players())
    if log_position < found.log_position:
        return None  # another database: one that was restored, say
    if len(changed) > _MANY:
        return None
    if not changed:
        return _Stored(found.state, log_position, at, found.unshared)
    state = found.state.with_players(np.array(changed, dtype=np.int64), read(changed))
    return None if state is None else _Stored(state, log_position, at, found.unshared + len(changed))


def _changes(level: str) -> QuerySet[LevelChange]:
    return LevelChange.objects.filter(level=level)


# --- the cache that processes share -----------------------------------------------------------------------------------


def _to_cache(name: str, board: _Stored[Any]) -> None:
    rows = board.state.rows
    arrays = [rows.keys, rows.achieved_us, rows.player, rows.replay]
    cache.set(_key(name), [board.log_position, board.at, arrays], _MAX_AGE_SECONDS)


def _from_cache(name: str, kind: type[T]) -> _Stored[T] | None:
    found = cache.get(_key(name))
    if found is None:
        return None
    log_position, at, arrays = found
    return _Stored(kind(Rows(*arrays)), log_position, at)  # put there in its order


def _key(name: str) -> str:
    return f"live:{_FORMAT}:{name}"
