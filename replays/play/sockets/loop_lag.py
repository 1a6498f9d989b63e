"""Lag of the event loop: for how long a message that is read now may have been waiting, because nobody looked.

A timer notes when the loop comes round.  Between two of its notes the loop has asked for messages at least once, so what is
read now was not there at the note before the last one.
"""

from __future__ import annotations

import asyncio
import time
from typing import Final

from replays.play.sockets.event_loops import once_a_loop

PERIOD_SECONDS: Final = 0.01
#: A loop that comes round in time is found late by so much at most.
_USUAL_NS: Final = 25_000_000
#: No longer lag is believed: whoever brings one about, by whatever load, gains no more.
MOST_NS: Final = 100_000_000


class LoopLag:
    """Lag of the running loop, which is watched between ``enter`` and ``leave``."""

    def __init__(self) -> None:
        self._users = 0
        self._timer: asyncio.TimerHandle | None = None

    def enter(self) -> None:
        self._users += 1
        if self._timer is None:
            self._last_ns = time.monotonic_ns()
            self._note()

    def leave(self) -> None:
        self._users -= 1
        if not self._users and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def lag_ns(self, now_ns: int) -> int:
        """Return by how much earlier than ``now_ns`` a message that is read then may have come, above the usual."""
        if self._timer is None:
            return 0
        return min(max(now_ns - self._before_ns - _USUAL_NS, 0), MOST_NS)

    def _note(self) -> None:
        self._before_ns, self._last_ns = self._last_ns, time.monotonic_ns()
        self._timer = asyncio.get_running_loop().call_later(PERIOD_SECONDS, self._note)


lag_of_loop: Final = once_a_loop(LoopLag)
