"""Single play under load: from the message of a click to the message that shows what it opened.

    python -m tests.bench.live.solo [--players 200] [--seconds 20]

A site as ``manage.py runsite`` starts it, on PostgreSQL, with one web process.  So many guests play Expert at once; each
clicks four times a second, of which every fourth opens a cell and the others set flags, and moves the mouse a hundred
times a second, sent every 100 ms as a browser does.  Who hits a mine begins anew at once.  The generator runs on the
same machine and is late itself, by as much as a timer of its own is late: that is part of every answer's time.  The
first two seconds, in which all of them connect at once, are counted apart.  Goal: p50 at most 3 ms, p99 at most 15 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import uvloop
from websockets.asyncio.client import ClientConnection, connect

from replays.play import wire
from tests.bench.site import manage, site
from tests.stack.web import Web

GOAL_MS = (3.0, 15.0)  # p50, p99
_COLUMNS, _CELLS, _PX = 30, 480, 16
_CLICK_SECONDS, _MOVE_SECONDS, _MOVES = 0.25, 0.1, 10
_MOVE, _LEFT, _RIGHT = 1, (2, 3), (4, 5)
_OPEN_EVERY = 4  # clicks
_TIMER_SECONDS = 0.005
_ALL_CONNECT_SECONDS = 2
_MS_NS = 1_000_000
_TICKETS = (
    "from replays.play.sockets.tickets import issue; from replays.play.sockets.visitors import guest_of;"
    " print('\\n'.join(issue(guest_of(f'{number:016x}'), 'solo', {'level': 'expert', 'rules': 'xp'})"
    " for number in range(%d)))"
)


@dataclass
class Figures:
    """Measurements: ms of each click, ms by which the generator was late, games that ended, reasons of refusals."""

    begun_ns: int = field(default_factory=time.perf_counter_ns)
    first_ms: list[float] = field(default_factory=list)
    answers_ms: list[float] = field(default_factory=list)
    late_ms: list[float] = field(default_factory=list)
    games: int = 0
    refused: list[str] = field(default_factory=list)

    def answered(self, sent_ns: int, now_ns: int) -> None:
        """A click was answered."""
        is_first = now_ns - self.begun_ns < _ALL_CONNECT_SECONDS * 1000 * _MS_NS
        (self.first_ms if is_first else self.answers_ms).append((now_ns - sent_ns) / _MS_NS)


class Player:
    """One guest."""

    def __init__(self, number: int, figures: Figures) -> None:
        self._random, self._figures = random.Random(number), figures
        self._sent_ns: dict[int, int] = {}
        self._playing = False

    async def play(self, address: str, origin: str, ticket: str, seconds: float) -> None:
        """Play for so long."""
        options = {"origin": origin, "subprotocols": [wire.SUBPROTOCOL], "compression": None}
        async with connect(address, **options) as socket:  # type: ignore[arg-type]
            await socket.send(wire.Hello(ticket).encode())
            reading = asyncio.create_task(self._read(socket))
            await socket.send(wire.New(_PX, 0).encode())
            ends = time.monotonic() + seconds
            await asyncio.sleep(self._random.random() * _CLICK_SECONDS)
            await asyncio.gather(self._click(socket, ends), self._move(socket, ends))
            await asyncio.sleep(0.5)
            reading.cancel()

    async def _read(self, socket: ClientConnection) -> None:
        async for data in socket:
            now = time.perf_counter_ns()
            assert isinstance(data, bytes)
            message = wire.decode_server(data)
            if isinstance(message, wire.Faces):
                if (sent := self._sent_ns.pop(message.seq, None)) is not None:
                    self._figures.answered(sent, now)
            elif isinstance(message, wire.Ping):
                await socket.send(wire.Pong(message.id, now // _MS_NS).encode())
            elif isinstance(message, wire.Over):
                self._playing = False
                self._figures.games += 1
                if message.result == wire.Result.GIVEN_UP:
                    self._figures.refused.append(message.reason)
                await socket.send(wire.New(_PX, 0).encode())
            elif isinstance(message, wire.Game):
                await socket.send(wire.Start(os.urandom(16)).encode())
                self._seq, self._clock_ms, self._x, self._y = 0, 0, 0, 0
                self._sent_ns.clear()
                self._began_ns, self._playing = now, True

    async def _click(self, socket: ClientConnection, ends: float) -> None:
        clicks = 0
        while time.monotonic() < ends:
            if self._playing:
                press, release = _RIGHT if clicks % _OPEN_EVERY else _LEFT
                clicks += 1
                row, column = divmod(self._random.randrange(_CELLS), _COLUMNS)
                x, y = column * _PX + 8, row * _PX + 8
                await self._send(socket, [(x, y, _MOVE), (x, y, press), (x, y, release)], timed=True)
            await asyncio.sleep(_CLICK_SECONDS)

    async def _move(self, socket: ClientConnection, ends: float) -> None:
        while time.monotonic() < ends:
            if self._playing:
                at = self._random.randrange(_COLUMNS * _PX)
                await self._send(socket, [(at + step, 100 + step, _MOVE) for step in range(_MOVES)], timed=False)
            await asyncio.sleep(_MOVE_SECONDS)

    async def _send(self, socket: ClientConnection, rows: Sequence[tuple[int, int, int]], *, timed: bool) -> None:
        now = time.perf_counter_ns()
        clock_ms = (now - self._began_ns) // _MS_NS
        events = []
        for x, y, kind in rows:
            events.append(wire.Event(clock_ms - self._clock_ms, kind, x - self._x, y - self._y))
            self._clock_ms, self._x, self._y = clock_ms, x, y
        self._seq += 1
        if timed:
            self._sent_ns[self._seq] = now
        await socket.send(wire.Input(self._seq, tuple(events)).encode())


async def _watch_lateness(figures: Figures) -> None:
    while True:
        due = time.perf_counter() + _TIMER_SECONDS
        await asyncio.sleep(_TIMER_SECONDS)
        figures.late_ms.append((time.perf_counter() - due) * 1000)


async def _run(web: Web, tickets: Sequence[str], seconds: float) -> Figures:
    figures = Figures()
    origin = f"http://127.0.0.1:{web.port}"
    address = f"ws://127.0.0.1:{web.port}/ws/play/solo/"
    watching = asyncio.create_task(_watch_lateness(figures))
    await asyncio.gather(
        *(Player(number, figures).play(address, origin, ticket, seconds) for number, ticket in enumerate(tickets))
    )
    watching.cancel()
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, site(Path(folder), workers=1) as environment:
        environment["PLAY_SOCKETS_OF_ADDRESS"] = str(arguments.players)
        web = Web(Path(folder) / "web.log", environment)
        web.start()
        try:
            tickets = manage(environment, "shell", "-v0", "-c", _TICKETS % arguments.players).split()
            server = psutil.Process(web.pid)
            before = sum(server.cpu_times()[:2])
            begun = time.monotonic()
            figures = uvloop.run(_run(web, tickets, arguments.seconds))
            took = time.monotonic() - begun
            cpu = sum(server.cpu_times()[:2]) - before
            _print(figures, arguments.players, cpu / took, server.memory_info().rss)
        finally:
            web.stop()


def _centiles(values_ms: Sequence[float]) -> str:
    of = statistics.quantiles(values_ms, n=100)
    return f"p50 {of[49]:.1f} ms, p95 {of[94]:.1f} ms, p99 {of[98]:.1f} ms, most {max(values_ms):.1f} ms"


def _print(figures: Figures, players: int, cores: float, rss: int) -> None:
    answered = len(figures.first_ms) + len(figures.answers_ms)
    print(f"{players} players, {answered} clicks answered, {figures.games} games ended")
    print(f"refused: {len(figures.refused)} {sorted(set(figures.refused))}")
    print(f"click -> answer: {_centiles(figures.answers_ms)}")
    print(f"while all of them connect: {_centiles(figures.first_ms)}")
    print(f"the generator itself is late: {_centiles(figures.late_ms)}")
    print(f"web process: {cores:.2f} cores, {rss / 2**20:.0f} MiB")
    print(f"goal: p50 {GOAL_MS[0]:.0f} ms, p99 {GOAL_MS[1]:.0f} ms")
    if figures.refused:
        sys.exit("games were refused")


if __name__ == "__main__":
    main()
