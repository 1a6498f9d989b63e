"""Turns of requests: who is next, who is refused at once, and that nothing is left behind."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from players.web import turns
from players.web.problems import Refused
from players.web.turns import Turns


class Clock:
    now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(turns, "time", made)
    return made


class Site:
    """Requests with turns, each of which ends when it is told to; ``served``: in this order."""

    def __init__(self, clock: Clock, queue: Turns) -> None:
        self.clock, self.queue = clock, queue
        self.served: list[str] = []
        self.refused: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []
        self._ends: list[asyncio.Event] = []

    def ask(self, *addresses: str) -> None:
        self.tasks += [asyncio.create_task(self._request(address)) for address in addresses]

    async def _request(self, address: str) -> None:
        try:
            async with self.queue.turn(address):
                self.served.append(address)
                end = asyncio.Event()
                self._ends.append(end)
                await end.wait()
        except Refused as problem:
            self.refused.append(f"{address}: {problem.code}")

    async def end(self, seconds: float = 1.0) -> None:
        """End the request that began first, after ``seconds``."""
        await settle()
        self.clock.now += seconds
        self._ends.pop(0).set()
        await settle()

    async def end_all(self, seconds: float = 1.0) -> None:
        await settle()
        while self._ends:
            await self.end(seconds)


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


@asynccontextmanager
async def site_of(clock: Clock, queue: Turns) -> AsyncIterator[Site]:
    site = Site(clock, queue)
    yield site
    await site.end_all()
    await asyncio.gather(*site.tasks, return_exceptions=True)
    assert queue._waiting == queue._working == queue._used == {}, "something is left behind"
    assert queue._free == AT_A_TIME


AT_A_TIME = 1


def play(clock: Clock, story: Callable[[Site], Awaitable[None]], **limits: float) -> None:
    async def run() -> None:
        async with site_of(clock, Turns(AT_A_TIME, **limits)) as site:  # type: ignore[arg-type]
            await story(site)

    asyncio.run(run())


def test_the_address_that_was_served_least_is_next(clock: Clock) -> None:
    async def story(site: Site) -> None:
        site.ask("flood", "flood", "flood", "flood")
        await site.end()
        site.ask("visitor")
        await site.end()
        assert site.served == ["flood", "flood", "visitor"]
        site.ask("other")
        await site.end_all()
        assert site.served == ["flood", "flood", "visitor", "other", "flood", "flood"]

    play(clock, story)


def test_what_counts_is_the_time_and_not_the_number(clock: Clock) -> None:
    async def story(site: Site) -> None:
        site.ask("first", *["dear"] * 3, *["cheap"] * 6)
        await site.end(0.1)
        for _ in range(6):
            await settle()
            await site.end(3.0 if site.served[-1] == "dear" else 0.5)
        assert site.served.count("cheap") >= 5

    play(clock, story)


def test_new_addresses_for_ever_do_not_keep_one_out_that_was_served(clock: Clock) -> None:
    """Somebody with a network sends each request from another address."""

    async def story(site: Site) -> None:
        site.ask("visitor", *(f"new {number}" for number in range(3)))
        await site.end(2.0)
        site.ask("visitor")
        for number in range(3, 40):
            site.ask(f"new {number}")
            await site.end(1.0)
        assert site.served.count("visitor") == 2
        assert site.served.index("visitor", 1) < 20

    play(clock, story, wait_seconds=60)


def test_one_address_has_few_at_a_time_and_leaves_places_to_others(clock: Clock) -> None:
    async def run() -> None:
        queue = Turns(3, of_address=2)
        site = Site(clock, queue)
        site.ask("a", "a", "a", "a", "b")
        await settle()
        assert site.served == ["a", "a", "b"]
        await site.end_all()
        await asyncio.gather(*site.tasks)
        assert queue._free == 3

    asyncio.run(run())


def test_too_many_of_one_address_are_refused_at_once(clock: Clock) -> None:
    async def story(site: Site) -> None:
        site.ask("a", "a", "a", "b", "a")
        await settle()
        assert site.refused == ["a: too_many_requests"] * 2
        await site.end_all()
        assert site.served == ["a", "b", "a"]

    play(clock, story, most_waiting=1)


def test_whoever_waits_too_long_is_told_so(clock: Clock) -> None:
    async def story(site: Site) -> None:
        site.ask("a", "b")
        await asyncio.sleep(0.05)
        assert site.refused == ["b: busy"]
        await site.end()
        site.ask("b")
        await site.end_all()
        assert site.served == ["a", "b"]

    play(clock, story, wait_seconds=0.01)


@pytest.mark.parametrize("at_the_same_moment", [False, True])
def test_a_request_that_leaves_takes_no_turn_with_it(clock: Clock, at_the_same_moment: bool) -> None:
    async def story(site: Site) -> None:
        site.ask("a", "gone", "b")
        await settle()
        if at_the_same_moment:
            site._ends.pop(0).set()
            await asyncio.sleep(0)
        site.tasks[1].cancel()
        await site.end_all()
        assert site.served[-1] == "b"

    play(clock, story)


def test_a_queue_that_rests_leaves_half_of_the_time_to_others() -> None:
    async def run() -> float:
        queue, began = Turns(1, rests=True), time.monotonic()

        async def ask() -> None:
            async with queue.turn("a"):
                await asyncio.sleep(0.05)

        await asyncio.gather(*(ask() for _ in range(4)))
        assert queue._free == 1
        return time.monotonic() - began

    assert asyncio.run(run()) >= 7 * 0.05, "after the last one nobody waits"


def test_an_error_gives_the_turn_back() -> None:
    async def run() -> None:
        queue = Turns(1)
        for _ in range(3):
            with pytest.raises(RuntimeError):
                async with queue.turn("a"):
                    raise RuntimeError("a bug")
        assert queue._free == 1

    asyncio.run(run())
