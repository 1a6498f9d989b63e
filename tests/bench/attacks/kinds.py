"""The attacks.  Each is a function of the port, the seconds and the paths of the site that returns its answers by status.

A status of 0 is a connection that ended without an answer.
"""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import os
import random
import re
import selectors
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, TypeAlias

from analysis.limits import WATCHED_BYTES
from analysis.recording import Level
from tests.heavy import heavy_file, overlapping
from tests.replays.games import game_file

CLIENTS: Final = 20
#: The attackers are one machine, and the visitor another.
ADDRESS: Final = "127.0.0.2" if sys.platform == "linux" else "127.0.0.1"
#: That of the visitor, and of neighbours behind the same router.
VISITOR: Final = "127.0.0.1"
#: Those of an attack from many machines.
ADDRESSES: Final = tuple(f"127.0.1.{number}" if sys.platform == "linux" else "127.0.0.1" for number in range(1, 61))
_NICE: Final = 5
_TIMEOUT_SECONDS: Final = 60.0
#: Between an answer and the next request of somebody who reads it.
_LOOK_SECONDS: Final = 1.0
#: ``Retry-After`` of a solver that is busy.
_REFUSED_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class Target:
    """The site; ``large``: the address of the replay of a 255 x 255 game; ``asset``: that of a large static file;
    ``replays``: those of other replays; ``tokens``: of accounts that may upload.
    """

    port: int
    large: str
    asset: str
    replays: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()


Attack: TypeAlias = Callable[[Target, float], "Counter[int]"]
Step: TypeAlias = Callable[[http.client.HTTPConnection, random.Random], int]


def unread(target: Target, seconds: float, sockets: int = 40) -> Counter[int]:
    """Sockets that ask for large files, twelve each, and read nothing."""
    request = f"GET {target.asset} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode() * 12
    return _silent(target, request, sockets, seconds)


def half_open(target: Target, seconds: float, sockets: int = 500) -> Counter[int]:
    """Bodies of which one half is sent."""
    head = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n"
    return _silent(target, head + b"x" * 500, sockets, seconds)


def positions(target: Target, seconds: float) -> Counter[int]:
    """Clients that ask for random dense positions, each time from an invented address."""

    def step(connection: http.client.HTTPConnection, source: random.Random) -> int:
        address = ".".join(str(source.randrange(1, 255)) for _ in range(4))
        headers = {"Content-Type": "application/json", "X-Forwarded-For": address}
        return _ask(connection, "POST", "/api/v1/probability/", json.dumps(hard_position(source)), headers)

    return _clients(target, seconds, step)


def large_pages(target: Target, seconds: float) -> Counter[int]:
    """Clients on the page of a 255 x 255 game."""
    return _clients(target, seconds, lambda connection, _source: _ask(connection, "GET", target.large))


def large_luck(target: Target, seconds: float) -> Counter[int]:
    """Clients on the luck of a 255 x 255 game."""
    path = f"/api/v1{target.large}luck/"
    return _clients(target, seconds, lambda connection, _source: _ask(connection, "GET", path))


def watching(target: Target, seconds: float) -> Counter[int]:
    """Sixty addresses that ask for films, odds, reviews and pages of replays."""

    def step(connection: http.client.HTTPConnection, source: random.Random) -> int:
        path = source.choice(target.replays) + source.choice(("film", "odds", "review/", ""))
        return _follow(connection, path)

    return _clients(target, seconds, step, ADDRESSES)


def watched_files(target: Target, seconds: float) -> Counter[int]:
    """Twenty addresses that send files to be watched: Expert games, the dearest that fit, damaged ones and large ones."""
    files = _files_to_watch()
    return _clients(
        target, seconds, lambda connection, source: _watch_file(connection, source.choice(files)), ADDRESSES[:CLIENTS]
    )


def watchers(target: Target, seconds: float) -> Counter[int]:
    """The same by people and fair programs, as in ``solver_readers``."""
    files = _files_to_watch()

    def step(connection: http.client.HTTPConnection, source: random.Random) -> int:
        status = _watch_file(connection, source.choice(files))
        time.sleep(_LOOK_SECONDS if status in (200, 422) else _REFUSED_SECONDS)
        return status

    return _clients(target, seconds, step, ADDRESSES[:CLIENTS])


def watched_once(target: Target, _seconds: float) -> Counter[int]:
    """Twenty people who send one game each, all at once; written are the seconds until the first and the last is answered."""
    file, began = _files_to_watch()[0], time.monotonic()

    def send(address: str) -> tuple[int, float]:
        connection = _connection(target, address)
        status = _watch_file(connection, file)
        connection.close()
        return status, time.monotonic() - began

    with ThreadPoolExecutor(CLIENTS) as pool:
        answers = list(pool.map(send, ADDRESSES[CLIENTS : 2 * CLIENTS]))
    seconds = [waited for _, waited in answers]
    sys.stdout.write(f"files sent once are answered after {min(seconds):.1f} to {max(seconds):.1f} s\n")
    sys.stdout.flush()
    return Counter(status for status, _ in answers)


def _files_to_watch() -> tuple[bytes, ...]:
    whole = game_file(3, Level.EXPERT)
    return whole, game_file(4, Level.EXPERT), heavy_file(14_000), whole[:-2000], b"x" * WATCHED_BYTES


def _watch_file(connection: http.client.HTTPConnection, data: bytes) -> int:
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="game"\r\n\r\n'
    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    return _ask(connection, "POST", "/api/v1/watch/", head + data + b"\r\n--b--\r\n", headers)


def refused(target: Target, seconds: float) -> Counter[int]:
    """Sixty addresses that send positions which are refused: as JSON, as links, wrong cells and what is no position."""
    cells = ["." * 99 + "9"] * 100
    shapes: tuple[object, ...] = (cells, [[]] * 20_000, [1] * 20_000, ["x" * 256] * 255, ["1.", "."])
    bodies = [{"rows": rows, "mines": 1} for rows in shapes]
    link = "/tools/probability/?mines=1&position=" + "/".join(cells)

    def step(connection: http.client.HTTPConnection, source: random.Random) -> int:
        if source.random() < 0.2:
            return _ask(connection, "GET", link)
        headers = {"Content-Type": "application/json"}
        return _ask(connection, "POST", "/api/v1/probability/", json.dumps(source.choice(bodies)), headers)

    return _clients(target, seconds, step, ADDRESSES)


def solver(target: Target, seconds: float) -> Counter[int]:
    """Twenty addresses that ask the strongest solver for Expert games, as pages and by the API, and for single moves."""
    return _clients(target, seconds, _ask_solver, ADDRESSES[:CLIENTS])


def solver_readers(target: Target, seconds: float) -> Counter[int]:
    """The same by people and fair programs: they look at an answer, and wait as long as a refusal asks them to."""

    def step(connection: http.client.HTTPConnection, source: random.Random) -> int:
        status = _ask_solver(connection, source)
        time.sleep(_REFUSED_SECONDS if status == 503 else _LOOK_SECONDS)
        return status

    return _clients(target, seconds, step, ADDRESSES[:CLIENTS])


def _ask_solver(connection: http.client.HTTPConnection, source: random.Random) -> int:
    game = f"level=expert&rules={source.choice(('xp', 'win7'))}&stage=full&seed={source.randrange(2**31)}"
    kind = source.randrange(3)
    if kind < 2:
        return _ask(connection, "GET", ("/tools/solver/?", "/api/v1/solver/games/?")[kind] + game)
    sent = json.dumps({**half_played(source), "stage": "full"})
    return _ask(connection, "POST", "/api/v1/solver/moves/", sent, {"Content-Type": "application/json"})


def sign_in(target: Target, seconds: float) -> Counter[int]:
    """Twenty addresses that try passwords."""

    def step(connection: http.client.HTTPConnection, source: random.Random) -> int:
        connection.request("GET", "/sign-in/")
        answer = connection.getresponse()
        page, cookie = answer.read().decode(), (answer.headers["Set-Cookie"] or "").partition(";")[0]
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        if token is None:
            return answer.status
        form = f"csrfmiddlewaretoken={token[1]}&username=demo&login=demo&password={source.random()}"
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie}
        return _ask(connection, "POST", "/sign-in/", form, headers)

    return _clients(target, seconds, step, ADDRESSES[:CLIENTS])


def schema(target: Target, seconds: float) -> Counter[int]:
    """Five clients of one address that ask for the schema, in both languages and formats."""

    def step(connection: http.client.HTTPConnection, source: random.Random) -> int:
        language, kind = source.choice(("en", "zh-hans")), source.choice(("application/json", "application/yaml"))
        return _ask(connection, "GET", f"/api/v1/schema?lang={language}", None, {"Accept": kind})

    return _clients(target, seconds, step, (ADDRESS,) * 5)


def nat(target: Target, seconds: float) -> Counter[int]:
    """Ten neighbours of the visitor, behind the same address, compute positions, and two watch films."""

    def compute(connection: http.client.HTTPConnection, source: random.Random) -> int:
        headers = {"Content-Type": "application/json"}
        return _ask(connection, "POST", "/api/v1/probability/", json.dumps(hard_position(source)), headers)

    def watch(connection: http.client.HTTPConnection, source: random.Random) -> int:
        status = _follow(connection, source.choice(target.replays) + source.choice(("film", "odds")))
        time.sleep(_LOOK_SECONDS)
        return status

    with ThreadPoolExecutor(2) as pool:
        parts = [
            pool.submit(_clients, target, seconds, step, (VISITOR,) * count)
            for step, count in ((compute, 10), (watch, 2))
        ]
        return sum((part.result() for part in parts), Counter())


def filters(target: Target, seconds: float) -> Counter[int]:
    """Twenty addresses that ask for boards and lists with random filters."""
    statistics = ("time", "bvs", "ioe", "qg", "rqp", "corr")

    def step(connection: http.client.HTTPConnection, source: random.Random) -> int:
        day = f"20{source.randrange(10, 27)}-{source.randrange(1, 13):02}-{source.randrange(1, 29):02}"
        board = f"{source.choice(('beginner', 'intermediate', 'expert'))}/{source.choice(statistics)}"
        filtered = f"as_of={day}&best_of={source.randrange(1, 101)}&min_3bv={source.randrange(200)}"
        paths = (
            f"/leaderboards/{board}/?{filtered}", f"/api/v1/leaderboards/{board}/?{filtered}",
            f"/replays/?time_max={source.randrange(1, 200)}&sort=bvs", f"/leaderboards/corpses/{board}/?{filtered}",
        )  # fmt: skip
        return _ask(connection, "GET", source.choice(paths))

    return _clients(target, seconds, step, ADDRESSES[:CLIENTS])


def zips(target: Target, seconds: float) -> Counter[int]:
    """Four accounts that upload archives of 98 KB, all of whose members are the same 4 MB of zeros."""
    head = b'--b\r\nContent-Disposition: form-data; name="files"; filename="all.zip"\r\n\r\n'
    form = head + overlapping(1_900) + b"\r\n--b--\r\n"
    tokens = itertools.cycle(target.tokens)
    kind = {"Content-Type": "multipart/form-data; boundary=b"}

    def step(connection: http.client.HTTPConnection, _source: random.Random) -> int:
        return _ask(connection, "POST", "/api/v1/replays/", form, kind | {"Authorization": f"Bearer {next(tokens)}"})

    return _clients(target, seconds, step, ADDRESSES[: len(target.tokens)])


def body(target: Target, seconds: float, megabytes: int = 600) -> Counter[int]:
    """Bodies in chunks from somebody without an account, one after the other, as much of each as is taken."""
    statuses: Counter[int] = Counter()
    end = time.monotonic() + seconds
    head = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"100000\r\n" + b"x" * 0x100000 + b"\r\n"
    while time.monotonic() < end:
        with _connect(target.port) as sock:
            with contextlib.suppress(OSError):  # refused, and closed at the other end
                sock.sendall(head)
                for _ in range(megabytes):
                    sock.sendall(chunk)
            statuses[_status_of(sock)] += 1
    return statuses


KINDS: Final[dict[str, Attack]] = {
    "unread": unread, "half-open": half_open, "positions": positions, "large": large_pages, "luck": large_luck,
    "body": body, "sign-in": sign_in, "watching": watching, "refused": refused, "solver": solver,
    "readers": solver_readers, "watched-once": watched_once, "watchers": watchers, "watched-files": watched_files,
    "schema": schema, "nat": nat, "filters": filters, "zips": zips,
}  # fmt: skip


def run(name: str, target: Target, seconds: float) -> Counter[int]:
    """Run the attack ``name`` in a process of its own, of lower priority."""
    os.nice(_NICE)
    return KINDS[name](target, seconds)


def hard_position(source: random.Random) -> dict[str, object]:
    """A random position with many numbers far apart, which leaves a wide front."""
    rows, columns = source.randrange(12, 30), source.randrange(12, 30)
    cells = [["." for _ in range(columns)] for _ in range(rows)]
    for row in range(1, rows, 2):
        for column in range(1, columns, 2):
            if source.random() < 0.4:
                cells[row][column] = str(source.randrange(1, 4))
    return {"rows": ["".join(line) for line in cells], "mines": rows * columns // 5, "advice": True}


def half_played(source: random.Random) -> dict[str, object]:
    """Return a random Expert board of which all safe cells on the left are open."""
    rows, columns, count = 16, 30, 99
    mines = set(source.sample([(row, column) for row in range(rows) for column in range(columns)], count))
    shown = source.randrange(8, 23)

    def sign(row: int, column: int) -> str:
        if column >= shown or (row, column) in mines:
            return "."
        return str(sum((row + down, column + across) in mines for down in (-1, 0, 1) for across in (-1, 0, 1)))

    lines = ["".join(sign(row, column) for column in range(columns)) for row in range(rows)]
    return {"rows": lines, "mines": count}


def _clients(
    target: Target, seconds: float, step: Step, addresses: Sequence[str] = (ADDRESS,) * CLIENTS
) -> Counter[int]:
    """A thread for each of ``addresses`` that repeats ``step`` without a pause."""
    statuses: Counter[int] = Counter()
    end = time.monotonic() + seconds

    def run(number: int) -> None:
        source = random.Random(number)
        while time.monotonic() < end:
            connection = _connection(target, addresses[number])
            try:
                while time.monotonic() < end:
                    statuses[step(connection, source)] += 1
            except (OSError, http.client.HTTPException):
                statuses[0] += 1
            finally:
                connection.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(addresses))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return statuses


def _connection(target: Target, address: str) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", target.port, timeout=_TIMEOUT_SECONDS, source_address=(address, 0))


def _ask(
    connection: http.client.HTTPConnection, method: str, path: str, sent: str | bytes | None = None,
    headers: dict[str, str] | None = None,
) -> int:  # fmt: skip
    connection.request(method, path, sent, headers or {})
    answer = connection.getresponse()
    answer.read()
    return answer.status


def _follow(connection: http.client.HTTPConnection, path: str) -> int:
    """Get ``path`` and, if it moves, the address that it moves to."""
    connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    answer.read()
    moved = answer.headers["Location"] if answer.status == 302 else None
    return answer.status if moved is None else _ask(connection, "GET", moved, None, {"Accept-Encoding": "gzip"})


def _silent(target: Target, request: bytes, sockets: int, seconds: float) -> Counter[int]:
    """Connections that send ``request`` and nothing more; those that the site answers are counted and left open."""
    statuses: Counter[int] = Counter()
    end = time.monotonic() + seconds
    with contextlib.ExitStack() as opened, selectors.DefaultSelector() as selector:
        for _ in range(sockets):
            sock = opened.enter_context(_connect(target.port))
            sock.sendall(request)
            selector.register(sock, selectors.EVENT_READ)
        while time.monotonic() < end:
            for key, _events in selector.select(0.5):
                assert isinstance(key.fileobj, socket.socket)
                statuses[_status_of(key.fileobj)] += 1  # the first bytes of the answer, and no more
                selector.unregister(key.fileobj)
    return statuses


def _connect(port: int) -> socket.socket:
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.settimeout(_TIMEOUT_SECONDS)
    sock.bind((ADDRESS, 0))
    sock.connect(("127.0.0.1", port))
    return sock


def _status_of(sock: socket.socket) -> int:
    """The status in the first bytes of an answer."""
    try:
        first = sock.recv(12)
    except OSError:
        return 0
    return int(first[9:]) if first.startswith(b"HTTP/1.") and first[9:].isdigit() else 0
