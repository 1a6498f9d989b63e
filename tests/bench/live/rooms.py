"""One room with a thousand players: ``python -m tests.bench.live.rooms [--sockets 1000] [--moves 500] [--seconds 20]``.

Starts PostgreSQL with its durable defaults, Valkey with its append-only file, a web process as the site does and a
referee; so many players then click closed cells, and everybody sees every move.  Measured are the times from a click to
its own answer and to everybody's message, what was lost, pictures that were sent again, processor seconds and memory of
each process, joining the room late, and from ``kill -9`` of the referee to the next batch.  The generator runs on the
same machine.  The goals are printed beside the figures.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import psutil

from tests.bench.site import ROOT, services
from tests.stack.web import Web

if TYPE_CHECKING:
    from tests.bench.live.clients import Player

GOAL_MS, GOAL_CORES, GOAL_KILL_SECONDS = 150, 1.2, 4.0
_TICK = 0.02
_AT_ONCE = 50
_SIDE = 300


@dataclass
class Servers:
    """The processes of the site by what they are, and the port of the web process."""

    processes: dict[str, psutil.Process]
    port: int
    environment: dict[str, str]
    referee: subprocess.Popen[bytes]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=1_000)
    parser.add_argument("--moves", type=int, default=500, help="a second, of all players together")
    parser.add_argument("--seconds", type=float, default=20.0)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="sb-rooms-", dir="/tmp") as folder, servers(Path(folder)) as site:
        os.environ.update(site.environment)
        import django

        django.setup()
        import uvloop

        uvloop.run(measure(site, make_room(), given))


@contextmanager
def servers(home: Path) -> Iterator[Servers]:
    """PostgreSQL, Valkey, a web process and a referee."""
    with services(home) as environment:
        environment |= {"DJANGO_SETTINGS_MODULE": "config.settings", "PLAY_SOCKETS_OF_ADDRESS": "100000"}
        web, referee = Web(home / "web.log", environment), start_referee(environment)
        try:
            web.start()
            valkey = _listener(int(environment["REDIS_URL"].rpartition(":")[2].removesuffix("/0")))
            processes = {"web": psutil.Process(web.pid), "referee": psutil.Process(referee.pid), "valkey": valkey}
            yield Servers(processes, web.port, environment, referee)
        finally:
            web.stop()
            referee.kill()
            referee.wait()


def start_referee(environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """``manage.py referee``."""
    return subprocess.Popen([sys.executable, "manage.py", "referee"], cwd=ROOT, env=environment)


def _listener(port: int) -> psutil.Process:
    for found in psutil.net_connections("tcp"):
        if found.status == psutil.CONN_LISTEN and found.laddr.port == port and found.pid:
            return psutil.Process(found.pid)
    raise RuntimeError("Valkey was not found.")


def make_room() -> int:
    """A new room with a square board; its number."""
    from replays.play.models import Room

    return int(Room.objects.create(name="Bench", rows=_SIDE, columns=_SIDE, sealed=False, flags=False, chords=False).pk)


def ticket_of(room: int, number: int) -> str:
    """A ticket of guest ``number`` for the room."""
    from replays.play.sockets.tickets import issue
    from replays.play.sockets.visitors import guest_of

    return issue(guest_of(f"{number:016x}"), "room", {"room": room, "play": True})


async def measure(site: Servers, room: int, given: argparse.Namespace) -> None:
    """The whole measurement."""
    from tests.bench.live.clients import enter

    players: list[Player] = []
    began = time.perf_counter()
    for first in range(0, given.sockets, _AT_ONCE):
        numbers = range(first, min(first + _AT_ONCE, given.sockets))
        entering = (enter(site.port, ticket_of(room, number), number.to_bytes(16, "big")) for number in numbers)
        players += await asyncio.gather(*entering)
    await until(lambda: all(player.pictures for player in players), 60)
    print(f"{len(players)} players entered in {time.perf_counter() - began:.1f} s")
    draws = random.Random(1)
    cells = list(range(_SIDE * _SIDE))
    draws.shuffle(cells)
    await _play(players, cells, draws, given.moves, 3.0)  # everybody gets a number and a colour
    usage, started = _usage(site), time.perf_counter()
    first_stamp = max(batch[2] for batch in players[0].batches) + 1
    late_ms = await _play(players, cells, draws, given.moves, given.seconds)
    seconds = time.perf_counter() - started
    _print_usage(site, usage, seconds)
    await asyncio.sleep(1.0)
    report(players, first_stamp, started)
    p50, p99 = np.percentile(late_ms, [50, 99])
    print(
        f"the generator is late: p50 {p50:6.1f} ms, p99 {p99:6.1f} ms; both ways through it are part of every time above"
    )
    await _late(site, room)
    await _kill(site, players, cells, draws, given.moves)


async def _play(
    players: list[Player], cells: list[int], draws: random.Random, moves: int, seconds: float
) -> list[float]:
    """Evenly ``moves`` clicks a second.  Returns by how many ms the generator itself was late."""
    began, sent, late_ms = time.perf_counter(), 0, []
    while (passed := time.perf_counter() - began) < seconds:
        while sent < passed * moves and cells:
            draws.choice(players).click(cells.pop())
            sent += 1
        due = time.perf_counter() + _TICK
        await asyncio.sleep(_TICK)
        late_ms.append((time.perf_counter() - due) * 1000)
    return late_ms


async def until(condition: Any, seconds: float) -> None:
    """Wait for ``condition``; raises ``TimeoutError``."""
    deadline = time.perf_counter() + seconds
    while not condition():
        if time.perf_counter() > deadline:
            raise TimeoutError
        await asyncio.sleep(0.02)


def report(players: list[Player], first_stamp: int, started: float) -> None:
    """Print the times of the moves from ``first_stamp`` on, and what was lost."""
    sent_at: dict[int, float] = {}
    own_ms = []
    unanswered = clicks = 0
    for player in players:
        for own, at in player.sent.items():
            if at < started:
                continue
            clicks += 1
            answer = player.answers.get(own)
            if answer is None:
                unanswered += 1
                continue
            own_ms.append((answer[2] - at) * 1000)
            if answer[1]:
                sent_at[answer[1]] = at
    stamps = np.array(sorted(sent_at))
    times = np.array([sent_at[stamp] for stamp in stamps.tolist()])
    everybody, missing = [], 0
    for player in players:
        last = np.array([batch[2] for batch in player.batches])
        when = np.array([batch[3] for batch in player.batches])
        place = np.searchsorted(last, stamps)
        there = place < last.size
        missing += int(np.count_nonzero(~there)) + _gaps(player)
        everybody.append((when[place[there]] - times[there]) * 1000)
    seen = np.concatenate(everybody)
    again = sum(len(player.rooms) - len({epoch for epoch, _at in player.rooms}) for player in players)
    print(
        f"{clicks:,} clicks, {stamps.size:,} accepted, {unanswered} without an answer; {missing} moves not seen, {again} pictures sent again"
    )
    for what, values in (("own answer", np.array(own_ms)), ("everybody", seen)):
        p50, p99 = np.percentile(values, [50, 99])
        print(
            f"click -> {what:10}: p50 {p50:6.1f} ms, p99 {p99:6.1f} ms, most {values.max():6.1f} ms (goal p99 {GOAL_MS})"
        )
    size = sum(player.bytes_in for player in players) / len(players)
    print(f"{size / 1024:.0f} KiB received by each")
    errors = {text for player in players for text in (*player.errors, *player.waits)}
    if errors:
        print("said by the server:", *sorted(errors))


def _gaps(player: Player) -> int:
    gap = 0
    for (epoch, _first, last, _at), (next_epoch, first, _last, _when) in zip(
        player.batches, player.batches[1:], strict=False
    ):
        if epoch == next_epoch and first > last + 1:
            gap += first - last - 1
    return gap


def _usage(site: Servers) -> dict[str, float]:
    return {name: sum(process.cpu_times()[:2]) for name, process in site.processes.items()}


def _print_usage(site: Servers, before: dict[str, float], seconds: float) -> None:
    now = _usage(site)
    cores = {name: (now[name] - before[name]) / seconds for name in now}
    rss = {name: process.memory_info().rss / 2**20 for name, process in site.processes.items()}
    for name in cores:
        print(f"{name:8} {cores[name]:5.2f} cores, {rss[name]:6.0f} MiB")
    print(
        f"together {sum(cores.values()):5.2f} cores (goal {GOAL_CORES}); load of the machine {os.getloadavg()[0]:.1f}"
    )


async def _late(site: Servers, room: int) -> None:
    """Let five players join late, and print the size and the time of the last one's picture of the board."""
    from tests.bench.live.clients import enter

    for number in range(5):
        player = await enter(site.port, ticket_of(room, 10**6 + number), number.to_bytes(16, "big"))
        await until(lambda player=player: player.pictures, 30)
        size, seconds = player.pictures[0]
        player.transport.close()
    print(f"joining late: {size / 1024:.0f} KiB of board after {seconds * 1000:.0f} ms ({_SIDE}x{_SIDE})")


async def _kill(site: Servers, players: list[Player], cells: list[int], draws: random.Random, moves: int) -> None:
    """Kill the referee while everybody plays, and start another as the supervisor of the site does."""
    playing = asyncio.create_task(_play(players, cells, draws, moves, 12.0))
    await asyncio.sleep(2.0)
    site.referee.send_signal(signal.SIGKILL)
    killed = time.perf_counter()
    site.referee.wait()
    await asyncio.sleep(1.0)  # as long as config.site.supervisor waits
    site.referee = start_referee(site.environment)
    await playing
    await asyncio.sleep(1.5)
    back = min((at for player in players for *_what, at in player.batches if at > killed + 0.5), default=float("inf"))
    stamps: dict[int, int] = {}
    twice = 0
    for player in players:
        for own in player.sent:
            answer = player.answers.get(own)
            if answer and answer[1]:
                twice += answer[1] in stamps
                stamps[answer[1]] = own
    unanswered = sum(own not in player.answers for player in players for own in player.sent)
    print(
        f"kill -9 of the referee: next batch after {back - killed:.1f} s (goal {GOAL_KILL_SECONDS}); {unanswered} clicks without an answer, {twice} stamps given twice"
    )
    site.referee.kill()
    site.referee.wait()


if __name__ == "__main__":
    main()
