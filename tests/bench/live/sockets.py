"""Memory and processor time of idle sockets: ``python -m tests.bench.live.sockets [--sockets 1000] [--seconds 20]``.

Starts a web process as the site does, opens so many sockets of different guests, answers their pings, and prints what
the process has grown by for each, and which share of a core it uses.  The goal is at most 120 KiB a socket.
``--listeners 500``: programs that listen to events instead, and pages beside them (:mod:`tests.bench.live.listeners`).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence

import psutil
from websockets.asyncio.client import ClientConnection, connect

from tests.bench.live import listeners
from tests.services import free_port
from tests.worker import ROOT

GOAL_KIB = 120
_AT_ONCE = 50


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=20.0, help="how long they are idle")
    parser.add_argument("--listeners", type=int, default=0, help="listeners of events, instead of sockets")
    parser.add_argument(
        "--every", type=float, default=0.5, help="seconds between two uploads beside listeners; 0: one upload"
    )
    given = parser.parse_args(arguments)
    if given.listeners:
        listeners.main(given.listeners, given.seconds, given.every)
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            DJANGO_SETTINGS_MODULE="config.settings", DATA_DIR=folder, DATABASE_URL="", REDIS_URL="", ENV_FILE=os.devnull,
            SECRET_KEY="only for measurements", ALLOWED_HOSTS="localhost", PLAY_SOCKETS_OF_ADDRESS="100000",
        )  # fmt: skip
        from config.site.processes import WEB_OPTIONS

        port = free_port()
        command = [sys.executable, "-m", "uvicorn", "tests.bench.live.idle:application", f"--port={port}", *WEB_OPTIONS]
        with subprocess.Popen(command, cwd=ROOT) as server:
            try:
                asyncio.run(measure(psutil.Process(server.pid), port, given.sockets, given.seconds))
            finally:
                server.terminate()


async def measure(process: psutil.Process, port: int, count: int, seconds: float) -> None:
    """Open ``count`` sockets, wait, and print."""
    sockets = await _open(port, range(10), again=True)  # what the first ones import is not theirs
    await asyncio.sleep(2)
    before = process.memory_info().rss
    began = time.monotonic()
    for first in range(10, count + 10, _AT_ONCE):
        sockets += await _open(port, range(first, min(first + _AT_ONCE, count + 10)))
    opened = time.monotonic() - began
    cpu = process.cpu_times()
    await asyncio.sleep(seconds)
    used = process.cpu_times()
    after = process.memory_info().rss
    kib = (after - before) / 1024 / count
    core = (used.user + used.system - cpu.user - cpu.system) / seconds
    print(
        f"{count} sockets opened in {opened:.1f} s; {kib:.1f} KiB of memory each (goal {GOAL_KIB}); {core:.1%} of a core"
    )
    assert len(sockets) == count + 10
    assert not any(reader.done() for _socket, reader in sockets), "a socket was closed"
    for _socket, reader in sockets:
        reader.cancel()


Opened = tuple[ClientConnection, "asyncio.Task[None]"]


async def _open(port: int, numbers: range, *, again: bool = False) -> list[Opened]:
    return await asyncio.gather(*(_open_one(port, number, again) for number in numbers))


async def _open_one(port: int, number: int, again: bool) -> Opened:
    import django

    django.setup()
    from replays.play import wire
    from replays.play.sockets.tickets import issue
    from replays.play.sockets.visitors import guest_of

    tries = 300 if again else 1
    while True:
        try:
            socket = await connect(
                f"ws://localhost:{port}/ws/play/room/", origin=f"http://localhost:{port}",  # type: ignore[arg-type]  # a new type of text
                subprotocols=[wire.SUBPROTOCOL], compression=None, ping_interval=None,  # type: ignore[list-item]
            )  # fmt: skip
            break
        except OSError:
            tries -= 1
            if tries == 0:
                raise
            await asyncio.sleep(0.2)
    await socket.send(wire.Hello(issue(guest_of(f"{number:016x}"), "room", {})).encode())
    return socket, asyncio.create_task(_answer_pings(socket))


async def _answer_pings(socket: ClientConnection) -> None:
    from replays.play import wire

    async for data in socket:
        assert isinstance(data, bytes)
        message = wire.decode_server(data)
        if isinstance(message, wire.Ping):
            await socket.send(wire.Pong(message.id, time.monotonic_ns() // 1_000_000).encode())


if __name__ == "__main__":
    main()
