"""The queue of frames still to be sent on one socket.

The server waits for a reader that is slow.  So each socket has a queue with a limit and a task that empties it, and
nobody who sends ever waits.  When the queue is full, all of it is dropped: a picture with a gap would be wrong.  As soon
as the reader has taken what was on its way, the owner of the socket sends a fresh picture; who needs that for the third
time in a minute is too slow.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final

#: All answers that a socket of a room may wait for come at once after an outage (``rooms.hub.MAX_UNANSWERED``): whoever reads
#: them at once is not slow, so there is room for as many again.
MAX_FRAMES: Final = 512
MAX_BYTES: Final = 1024 * 1024
#: So many overflows within so many seconds end the connection.
MAX_OVERFLOWS: Final = 3
OVERFLOW_SECONDS: Final = 60

Send = Callable[[Any], Awaitable[None]]


class Outbox:
    """``send`` is that of ASGI; ``on_lost`` sends a fresh picture; ``on_too_slow`` is called at the third overflow."""

    def __init__(
        self,
        send: Send,
        on_lost: Callable[[], Awaitable[None]],
        on_too_slow: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._send, self._on_lost, self._on_too_slow, self._clock = send, on_lost, on_too_slow, clock
        self._frames: deque[bytes] = deque()
        self._bytes = 0
        self._last: dict[str, Any] | None = None
        self._lost = False
        self._overflows: deque[float] = deque(maxlen=MAX_OVERFLOWS)
        self._wake = asyncio.Event()

    def put(self, frame: bytes) -> bool:
        """Queue ``frame``; False if it is dropped, since the reader is behind or the socket closes."""
        if self._last is not None or self._lost:
            return False
        if len(self._frames) >= MAX_FRAMES or (self._frames and self._bytes + len(frame) > MAX_BYTES):
            self._overflow()
            return False
        self._frames.append(frame)
        self._bytes += len(frame)
        self._wake.set()
        return True

    def close(self, code: int, last: bytes | None = None) -> None:
        """Close with ``code`` after ``last``; what is still queued is dropped."""
        if self._last is None:
            self._drop()
            if last is not None:
                self._frames.append(last)
            self._last = {"type": "websocket.close", "code": code}
            self._wake.set()

    def end(self) -> None:
        """Drop the callbacks, since their owner holds this queue: the cycle would wait for the garbage collector."""
        self.close(0)
        del self._on_lost, self._on_too_slow

    @property
    def closing(self) -> bool:
        return self._last is not None

    async def run(self) -> None:
        while True:
            await self._wake.wait()
            while self._frames:
                frame = self._frames.popleft()
                self._bytes -= len(frame)
                await self._send({"type": "websocket.send", "bytes": frame})
            if self._last is not None:
                await self._send(self._last)
                return
            self._wake.clear()
            if self._lost:
                self._lost = False
                await self._on_lost()

    def _overflow(self) -> None:
        self._drop()
        self._lost = True
        self._wake.set()
        now = self._clock()
        self._overflows.append(now)
        if len(self._overflows) == MAX_OVERFLOWS and now - self._overflows[0] < OVERFLOW_SECONDS:
            self._on_too_slow()

    def _drop(self) -> None:
        self._frames.clear()
        self._bytes = 0
