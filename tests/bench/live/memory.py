"""Memory of a room over a long time: ``python -W ignore -m tests.bench.live.memory [--sockets 1000] [--minutes 30]``.

Starts the site as ``tests.bench.live.rooms`` does.  So many players stay in one room; a few moves a second are played, and
each second one player leaves and another one comes.  Once a minute the memory of each process is printed; at the end,
by how much it grew after the first tenth of the time, and what that is for each socket that came and went.  Goal: no
growth (live.md C15).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tests.bench.live.rooms import AT_ONCE, Servers, make_room, servers, ticket_of, until

if TYPE_CHECKING:
    from tests.bench.live.clients import Player

_SIDE = 300


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=1_000)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--moves", type=int, default=2, help="a second, of all players together")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="sb-memory-", dir="/tmp") as folder, servers(Path(folder), 1) as site:
        os.environ.update(site.environment)
        import django

        django.setup()
        import uvloop

        uvloop.run(measure(site, make_room(_SIDE, sealed=False), given))


async def measure(site: Servers, room: int, given: argparse.Namespace) -> None:
    """Fill the room, let it live, and print."""
    from tests.bench.live.clients import enter

    async def come(number: int) -> Player:
        return await enter(site.ports[0], ticket_of(room, number), number.to_bytes(16, "big"))

    players: list[Player] = []
    for first in range(0, given.sockets, AT_ONCE):
        players += await asyncio.gather(*map(come, range(first, min(first + AT_ONCE, given.sockets))))
    await until(lambda: all(player.pictures for player in players), 60)
    print(f"{len(players)} sockets", flush=True)
    draws = random.Random(1)
    cells = list(range(_SIDE * _SIDE))
    draws.shuffle(cells)
    rows: list[list[float]] = []
    began = time.monotonic()
    came = 0
    while (minutes := (time.monotonic() - began) / 60) < given.minutes:
        place = came % len(players)
        came += 1
        players[place].transport.close()
        players[place] = await come(given.sockets + came)
        for player in draws.sample(players, given.moves):
            if player.pictures and not player.closed:  # on a busy machine pings may be answered too late
                player.click(cells.pop())
        if minutes >= len(rows) * min(1.0, given.minutes / 10):
            rows.append([process.memory_info().rss / 2**20 for process in site.processes.values()])
            shown = ", ".join(f"{name} {mib:.1f}" for name, mib in zip(site.processes, rows[-1], strict=True))
            print(f"{minutes:5.1f} min: {shown} MiB; load of the machine {os.getloadavg()[0]:.1f}", flush=True)
        await asyncio.sleep(1.0)
    report(list(site.processes), np.array(rows), came, given.minutes)
    closed = [error for player in players for error in player.errors]
    print(f"said by the server: {sorted(set(closed))}")


def report(names: list[str], rows: NDArray[np.float64], came: int, minutes: float) -> None:
    """Print by how much each process grew."""
    first = len(rows) // 10
    for place, name in enumerate(names):
        grown = rows[-1, place] - rows[first, place]
        print(
            f"{name:8} {rows[first, place]:7.1f} -> {rows[-1, place]:7.1f} MiB: {grown:+.1f} MiB in {minutes:.0f} min"
        )
    print(f"{came} sockets came and went")


if __name__ == "__main__":
    main()
