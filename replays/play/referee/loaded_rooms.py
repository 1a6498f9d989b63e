from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Final

from analysis.multiplayer.laying import LayingError
from replays.play.referee.room_store import BrokenRoom, load_room
from replays.play.referee.state import Limits, RoomState

logger = logging.getLogger(__name__)

#: A room in which nobody is and nothing happens is forgotten after so long; the database has it.
SLEEP_MS: Final = 60_000


class RoomUnavailable(Exception):
    """A room that cannot be played now; ``code``: ``no_room``, ``room_closed``, ``referee_full`` or ``room_broken``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Rooms:
    """Together they take ``most_bytes`` at most."""

    def __init__(self, limits: Limits, most_bytes: int) -> None:
        self._limits, self._most_bytes = limits, most_bytes
        self._states: dict[int, RoomState] = {}

    def __iter__(self) -> Iterator[RoomState]:
        return iter(list(self._states.values()))

    def __len__(self) -> int:
        return len(self._states)

    def get(self, room: int) -> RoomState | None:
        return self._states.get(room)

    @property
    def memory(self) -> int:
        return sum(state.memory for state in self._states.values())

    def load(self, room: int, at_ms: int) -> RoomState:
        """Return the room, read from the database if it is not in memory; raises :class:`RoomUnavailable`."""
        state = self._states.get(room)
        if state is not None:
            return state
        try:
            state = load_room(room, self._limits, at_ms)
        except (BrokenRoom, LayingError) as error:
            logger.exception("Room %s cannot be loaded.", room)
            raise RoomUnavailable("room_broken") from error
        if state is None:
            raise RoomUnavailable("no_room")
        if state.closed:
            raise RoomUnavailable("room_closed")
        if self.memory + state.memory > self._most_bytes:
            self._forget_unused()
            if self.memory + state.memory > self._most_bytes:
                raise RoomUnavailable("referee_full")
        self._states[room] = state
        return state

    def sleep(self, *, now_ms: int, busy: bool) -> None:
        """Forget rooms that nobody uses; not while something of them is being stored (``busy``)."""
        if busy:
            return
        for state in self:
            unused = not state.visitors and now_ms - state.used_ms > SLEEP_MS
            if (unused or state.closed) and not state.changes and not state.has_news:
                del self._states[state.id]

    def _forget_unused(self) -> None:
        for state in self:
            if not state.visitors and not state.changes and not state.has_news:
                del self._states[state.id]
