"""Pages beside listeners of ``/api/v1/events/``: ``python -m tests.bench.live.sockets --listeners 500 [--seconds 15] [--every 0.5]``.

A site on PostgreSQL with one web process and one worker, where a game is uploaded twice a second, so that there is
something to hear (``--every``: so many seconds lie between two, 0: only the first one is uploaded).  Pages are asked for one after the other by rounds: without listeners, with all of them, and both
again, three times in all.  The listeners are a process of their own, 20 from each of as many addresses of this machine as it takes, as more
would be refused.  Shown are median and 99th percentile of the pages, and the memory of the web process by listener.
"""

from __future__ import annotations

import multiprocessing
import os
import selectors
import socket
import sys
import tempfile
import threading
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

import psutil

from analysis.bots import demo_games
from analysis.formats import rawvf
from tests.bench.attacks.visitor import Walk, walk
from tests.bench.bench_import import manage, site
from tests.bench.bench_latency import _ACCOUNT
from tests.services import wait_until
from tests.stack.web import Visitor, Web

_ROUNDS: Final = 3
_GAMES: Final = 200
_OF_ADDRESS: Final = 20  # ``MOST_OF_ADDRESS`` of the site
_REQUEST: Final = (
    b"GET /api/v1/events/?kinds=record,best HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n"
)


def main(count: int, seconds: float, every: float) -> None:
    with tempfile.TemporaryDirectory(prefix="sweepbook-events-", dir="/tmp") as name, ExitStack() as stack:
        home = Path(name)
        os.environ |= {"ALLOWED_HOSTS": "127.0.0.1", "UPLOAD_QUOTA_FILES": "1000000"}
        environment = stack.enter_context(site(home, 1))
        web = Web(home / "web.log", environment)
        web.start()
        stack.callback(web.stop)
        token = manage(environment, "shell", "-v0", "-c", _ACCOUNT).split()[-1]
        games = [rawvf.write(game) for game in demo_games(1, _GAMES, until=datetime(2024, 6, 1, tzinfo=UTC))]
        over = threading.Event()
        uploads = threading.Thread(target=_upload, args=(web.port, token, games if every else games[:1], every, over))
        uploads.start()
        stack.callback(uploads.join)
        stack.callback(over.set)
        _measure(web, count, seconds)


def _upload(port: int, token: str, games: list[bytes], every: float, over: threading.Event) -> None:
    visitor = Visitor(port, {"Authorization": f"Token {token}"})
    for number, game in enumerate(games):
        if over.wait(every):
            break
        status = visitor.upload(f"{number}.rawvf", game).status
        assert status == 202, status
    visitor.close()


def _measure(web: Web, count: int, seconds: float) -> None:
    paths, process = _paths(web.port), psutil.Process(web.pid)
    walk(web.port, paths, 5)
    for _round in range(_ROUNDS):
        _show("no listeners", walk(web.port, paths, seconds))
        before = process.memory_info().rss
        with Listeners(web.port, count) as listeners:
            walked, after = walk(web.port, paths, seconds), process.memory_info().rss
            heard = listeners.heard()
        _show(f"{count} listeners", walked)
        kib = (after - before) / 1024
        sys.stdout.write(
            f"  memory {before / 2**20:.0f} MB, then {after / 2**20:.0f}: {kib / count:.1f} KiB a listener\n"
        )
        sys.stdout.write(f"  answers {dict(heard.statuses)}; events heard by each: {heard.least} to {heard.most}\n")
        wait_until(lambda: not _connections(process), seconds=60, what="the end of the streams")


def _paths(port: int) -> list[str]:
    visitor = Visitor(port)
    ranked = wait_until(lambda: visitor.get("/api/v1/replays/?size=1").json()["rows"], what="the first game")
    visitor.close()
    return ["/", "/leaderboards/expert/time/", f"/replays/{ranked[0]['id']}/", "/api/v1/replays/"]


def _connections(process: psutil.Process) -> list[object]:
    """Connections of other addresses than that of the visitors."""
    return [one for one in process.net_connections("tcp") if one.raddr and one.raddr.ip.startswith("127.0.9.")]


def _show(name: str, walked: Walk) -> None:
    sys.stdout.write(
        f"{name:>16}: {len(walked.milliseconds):5} pages, median {walked.quantile(0.5):5.1f}, "
        f"p99 {walked.quantile(0.99):5.1f} ms; {dict(walked.statuses)}\n"
    )
    sys.stdout.flush()


@dataclass
class Heard:
    """Statuses of the answers, and the least and most events that one listener heard."""

    statuses: Counter[int] = field(default_factory=Counter)
    least: int = 0
    most: int = 0


class Listeners:
    """A process that listens until it is asked what it heard."""

    def __init__(self, port: int, count: int) -> None:
        self._pipe, theirs = multiprocessing.Pipe()
        self._process = multiprocessing.get_context("spawn").Process(target=_listen, args=(port, count, theirs))

    def __enter__(self) -> Listeners:
        self._process.start()
        self._pipe.recv()
        return self

    def heard(self) -> Heard:
        self._pipe.send("enough")
        heard: Heard = self._pipe.recv()
        return heard

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.join()


def _listen(port: int, count: int, pipe: Connection) -> None:
    """Open the streams, say so, and read them until something comes through ``pipe``."""
    texts: dict[socket.socket, bytearray] = {}
    with selectors.DefaultSelector() as selector:
        for number in range(count):
            one = socket.socket()
            one.bind((f"127.0.9.{number // _OF_ADDRESS + 1}", 0))
            one.connect(("127.0.0.1", port))
            one.sendall(_REQUEST)
            texts[one] = bytearray(one.recv(65536))
            one.setblocking(False)
            selector.register(one, selectors.EVENT_READ)
        pipe.send("listening")
        while not pipe.poll():
            for key, _ in selector.select(0.5):
                assert isinstance(key.fileobj, socket.socket)
                data = key.fileobj.recv(65536)
                texts[key.fileobj] += data
                if not data:
                    selector.unregister(key.fileobj)
    events = [text.count(b"\nevent: ") for text in texts.values()]
    statuses = Counter(int(text[9:12] or 0) for text in texts.values())
    pipe.send(Heard(statuses, min(events), max(events)))
    pipe.recv()  # the streams stay open until the end
