"""Live boards in memory, in the cache that processes share, and how they stay true."""

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

from players.cached import keep, kept
from players.live.definitions import LevelBoard, SubBoard
from players.live.records import Records
from players.live.sources import Players, record_rows, standing_rows, step_rows
from players.live.standing import Rows, Standing
from players.live.steps import Steps
from players.models import LevelChange
from players.moments import KEPT, ask_position, position, since
from players.questions import Question, together

T = TypeVar("T", Standing, Steps, Records)

#: More players than this are not looked up one by one: the board is made anew.
_MANY: Final = 2_000
#: Changed players since a board was last put into the cache that make it worth putting there again.
_WORTH_SHARING: Final = 500
#: Who has not read on for so long begins anew: the log may have been cut meanwhile.
_TRUSTED_SECONDS: Final = int(KEPT.total_seconds() / 2)
_FORMAT: Final = 1  # of what is in the cache; raise it with every change of the arrays
#: Boards of which millions of rows are read at one time in this process; others wait.
_READERS: Final = threading.BoundedSemaphore(2)


@dataclass(frozen=True, slots=True)
class _Kept(Generic[T]):
    """A board as it was when the log had been read up to ``reached``, at the (wall) time ``at``.

    ``unshared``: how many players have changed since the cache had it.
    """

    state: T
    reached: int
    at: float
    unshared: int = 0


class _Memory:
    """What this process keeps, the board that was not looked at for longest going first when it is too much."""

    def __init__(self) -> None:
        self._boards: OrderedDict[str, _Kept[Any]] = OrderedDict()
        self._guard = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}

    @contextmanager
    def alone_with(self, name: str) -> Iterator[None]:
        """Nobody else of this process works on the board ``name`` meanwhile."""
        with self._guard:
            lock = self._locks.setdefault(name, threading.Lock())
        with lock:
            yield

    def get(self, name: str) -> _Kept[Any] | None:
        with self._guard:
            found = self._boards.get(name)
            if found is not None:
                self._boards.move_to_end(name)
            return found

    def put(self, name: str, board: _Kept[Any]) -> None:
        limit = settings.LIVE_BOARDS_MB * 1_000_000
        with self._guard:
            self._boards[name] = board
            self._boards.move_to_end(name)
            total = sum(one.state.nbytes for one in self._boards.values())
            while total > limit and len(self._boards) > 1:
                gone, oldest = self._boards.popitem(last=False)
                self._locks.pop(gone, None)
                total -= oldest.state.nbytes

    def clear(self) -> None:
        with self._guard:
            self._boards.clear()


_MEMORY: Final = _Memory()


def forget_kept() -> None:
    """Forget every board that this process keeps; the next look takes it from the cache or makes it again."""
    _MEMORY.clear()


def kept_standing(board: LevelBoard | SubBoard) -> Standing:
    """The standing of ``board`` as it is now."""
    return _current(f"standing:{board.name}", board.level, Standing, lambda players: standing_rows(board, players))


def kept_steps(board: LevelBoard) -> Steps:
    """The steps of ``board`` as they are now."""
    return _current(f"steps:{board.name}", board.level, Steps, lambda players: step_rows(board, players))


def kept_records(board: LevelBoard) -> Records:
    """The record steps of ``board``, which takes all games, as they are now."""
    return _current(f"records:{board.name}", board.level, Records, lambda players: record_rows(board, players))


def _current(name: str, level: str, kind: type[T], read: Callable[[Players], Rows]) -> T:
    """The board ``name``, brought up to date, or made where nothing is kept of it."""
    with _MEMORY.alone_with(name):
        found: _Kept[T] | None = _MEMORY.get(name) or _shared(name, kind)
        current = None if found is None or _is_old(found) else _read_on(found, level, read)
        if current is None:
            current = _made(level, kind, read)
            _share(name, current)
        elif current.unshared > _WORTH_SHARING:
            current = _Kept(current.state, current.reached, current.at)
            _share(name, current)
        _MEMORY.put(name, current)
        return current.state


def _is_old(found: _Kept[Any]) -> bool:
    return time.time() - found.at > _TRUSTED_SECONDS


def _made(level: str, kind: type[T], read: Callable[[Players], Rows]) -> _Kept[T]:
    at, reached = time.time(), position(_changes(level))  # before reading: what commits in between is read again
    with _READERS:
        return _Kept(kind.of(read(None)), reached, at)


def _read_on(found: _Kept[T], level: str, read: Callable[[Players], Rows]) -> _Kept[T] | None:
    """``found`` after everything that the log holds since; None if that is too much, tells too little, or is not its log."""
    at = time.time()
    with together():
        position_asked, changed_asked = ask_position(_changes(level)), _CHANGED.ask(level=level, reached=found.reached)
        reached, changed = position_asked(), sorted(number for (number,) in changed_asked())
    if reached < found.reached:
        return None  # another database: one that was restored, say
    if len(changed) > _MANY:
        return None
    if not changed:
        return _Kept(found.state, reached, at, found.unshared)
    state = found.state.with_players(np.array(changed, dtype=np.int64), read(changed))
    return None if state is None else _Kept(state, reached, at, found.unshared + len(changed))


def _changes(level: str) -> Any:
    return LevelChange.objects.filter(level=level)


_CHANGED: Final = Question(
    lambda level, reached: since(_changes(level), reached).values_list("player_number").distinct()[: _MANY + 1]
)


# --- the cache that processes share -----------------------------------------------------------------------------------


def _share(name: str, board: _Kept[Any]) -> None:
    rows = board.state.rows
    arrays = (rows.keys, rows.achieved_us, rows.player, rows.replay)
    keep(_key(name), _TRUSTED_SECONDS, (board.reached, board.at, arrays))


def _shared(name: str, kind: type[T]) -> _Kept[T] | None:
    found = kept(_key(name))
    if found is None:
        return None
    reached, at, arrays = found
    return _Kept(kind(Rows(*arrays)), reached, at)  # put there in its order


def _key(name: str) -> str:
    return f"live:{_FORMAT}:{name}"
