"""The lag of the event loop: what it finds after a stall, and what it never says."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from replays.play.sockets.loop_lag import MOST_NS, LoopLag, lag_of_loop

_MS: Final = 1_000_000
_STALL_S: Final = 0.09


def test_a_stall_is_found_and_is_over_soon() -> None:
    async def stall() -> tuple[int, int, int]:
        lag = LoopLag()
        lag.enter()
        await asyncio.sleep(0.05)
        time.sleep(_STALL_S)
        found = lag.lag_ns(time.monotonic_ns())
        await asyncio.sleep(0)  # what is read now may have come meanwhile
        read_next = lag.lag_ns(time.monotonic_ns())
        for _ in range(3):
            await asyncio.sleep(0.02)
        usual = lag.lag_ns(lag._before_ns + 22 * _MS)
        lag.leave()
        return found, read_next, usual

    found, read_next, usual = asyncio.run(stall())
    assert 60 * _MS <= found <= MOST_NS
    assert read_next >= 60 * _MS
    assert usual == 0


def test_no_more_is_believed_however_long_it_was() -> None:
    async def stall() -> int:
        lag = LoopLag()
        lag.enter()
        return lag.lag_ns(time.monotonic_ns() + 60_000 * _MS)

    assert asyncio.run(stall()) == MOST_NS


def test_a_loop_without_sockets_is_not_watched() -> None:
    async def watch() -> tuple[bool, int]:
        lag = lag_of_loop()
        lag.enter()
        lag.enter()
        lag.leave()
        assert lag is lag_of_loop()
        assert lag._timer is not None
        lag.leave()
        return lag._timer is None, lag.lag_ns(time.monotonic_ns() + 60_000 * _MS)

    assert asyncio.run(watch()) == (True, 0)
