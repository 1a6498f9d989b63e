"""Turns of requests, which wait in the event loop and hold no thread meanwhile."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from players.web.problems import Refused

#: When somebody should try again who finds no place.
BUSY_SECONDS: Final = 2
#: After a turn that took seconds, as the first schema of a process does, the others wait no longer than this.
_MOST_REST_SECONDS: Final = 0.5
#: Addresses whose use is remembered while others wait.
_MOST_REMEMBERED: Final = 10_000


class Turns:
    """Work of which ``at_a_time`` pieces are done, ``of_address`` of them for one address; the address that was served
    least is next.

    An address has at most ``most_waiting`` requests that wait, ``wait_seconds`` at most; whoever finds no place is
    refused at once.  What addresses have used is forgotten as soon as nobody waits.  One that comes anew begins at what
    each of the others would have by now if all had been served equally, so that neither it nor those who came before
    can keep the others waiting for ever.  ``rests``: while others wait, a turn is followed by as much time in which the
    processor is left to everybody else.
    """

    def __init__(
        self,
        at_a_time: int,
        *,
        of_address: int = 1,
        most_waiting: int = 32,
        wait_seconds: float = 10.0,
        rests: bool = False,
    ) -> None:
        self._free, self._of_address = at_a_time, of_address
        self._most_waiting, self._wait_seconds = most_waiting, wait_seconds
        self._rests = rests
        self._working: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._used: dict[str, float] = {}  # seconds
        self._fair_share = 0.0

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Run the block when it is the turn of ``address``; raises :class:`Refused` if it waited too long, or too many wait."""
        if self._free and self._working[address] < self._of_address and address not in self._waiting:
            self._begin(address)
        else:
            await self._wait(address)
        began = time.monotonic()
        try:
            yield
        finally:
            self._end(address, time.monotonic() - began)

    async def _wait(self, address: str) -> None:
        waiting = self._waiting.setdefault(address, deque())
        if len(waiting) >= self._most_waiting:
            message = "You've asked for a lot at once. Try again in a moment."
            raise Refused("too_many_requests", message, BUSY_SECONDS)
        self._used[address] = max(self._used.get(address, 0.0), self._fair_share)
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting.append(place)
        try:
            async with asyncio.timeout(self._wait_seconds):
                await place
        except (asyncio.CancelledError, TimeoutError) as error:
            if place.done() and not place.cancelled():
                self._end(address, 0.0)  # its turn came at the same moment
            else:
                self._leave(address, place)
            if isinstance(error, asyncio.CancelledError):
                raise
            message = "We're busy with a lot of requests right now. Try again in a moment."
            raise Refused("busy", message, BUSY_SECONDS) from error

    def _begin(self, address: str) -> None:
        self._free -= 1
        self._working[address] += 1

    def _end(self, address: str, seconds: float) -> None:
        self._working[address] -= 1
        if not self._working[address]:
            del self._working[address]
        self._used[address] = max(self._used.get(address, 0.0), self._fair_share) + seconds
        self._fair_share += seconds / (1 + len(self._waiting))
        if not self._waiting or len(self._used) > _MOST_REMEMBERED:
            self._used.clear()
            self._fair_share = 0.0
        if self._rests and self._waiting:
            asyncio.get_running_loop().call_later(min(seconds, _MOST_REST_SECONDS), self._give_back)
        else:
            self._give_back()

    def _give_back(self) -> None:
        """Give a place back, to those who wait."""
        self._free += 1
        while self._free:
            able = [address for address in self._waiting if self._working[address] < self._of_address]
            if not able:
                return
            address = min(able, key=lambda one: self._used.get(one, 0.0))
            place = self._waiting[address][0]
            self._leave(address, place)
            if not place.cancelled():
                self._begin(address)
                place.set_result(None)

    def _leave(self, address: str, place: asyncio.Future[None]) -> None:
        waiting = self._waiting.get(address, deque())
        if place in waiting:
            waiting.remove(place)
            if not waiting:
                del self._waiting[address]


#: Films, odds, pictures, positions: what hardly waits for the database and takes a processor, here or in the process of
#: low priority.  One at a time in a web process, whoever asks: each further one makes all pages slower.
COMPUTED: Final = Turns(1)
