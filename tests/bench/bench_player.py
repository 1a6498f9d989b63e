"""The page and the charts of a player with very many games: statements, their plans, and how long pages take.

    python -m tests.bench.bench_player [--replays 1000000] [--games 50000] [--requests 100] [--plans] [--sqlite GAMES]
        [--folder FOLDER]

A PostgreSQL is filled by ``python -m tests.bench.load``; of the first player's games a few get no date, and won ones get
some luck, which the loader does not make.  Shown are, for each chart, the time of its statements in the database (by
EXPLAIN ANALYZE, all of them together, warm), which of them read rows of the table of replays, and the median and 99th
percentile of its card over HTTP: drawn anew (another zone each time) and from the cache.  ``--sqlite``: the charts of a
player with so many games on SQLite instead, drawn anew, without a server.  ``--folder``: as of ``bench_boards``, which can
use the same database.
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import psycopg

from tests.bench.bench_boards import _environment, database, plans, served

_PLAYER = 1
_P99 = 0.99
#: The pages of the player, and the parts that the overview loads when they come near.
_PAGES = {
    "overview": "/players/{}/",
    "records": "/players/{}/records/",
    "charts": "/players/{}/charts/",
    "games": "/players/{}/games/",
    "rivals": "/players/{}/versus/",
    "versus": "/players/{}/versus/2/",
}
_PARTS = {"last games": "/players/{}/games/", "rivals": "/players/{}/versus/"}
#: Zones of about the same cost, so that each request of a chart with days is another entry of the cache.
_ZONES = ("Europe/Berlin", "Asia/Shanghai", "America/New_York", "Australia/Sydney", "America/Sao_Paulo", "Asia/Kolkata")
_MISSING = """
    UPDATE replays_replay SET played_at = NULL WHERE player_id = %(player)s AND id %% 33 = 0;
    UPDATE replays_replay SET pluck = (id %% 97) / 30.0, needless_guesses = id %% 4, accuracy = 100 - id %% 60, luck_code = ''
        WHERE player_id = %(player)s AND win;
"""
_CHARTS = (
    "progress", "ladder", "distribution", "time-by-3bv", "rolling", "speed", "pair", "best-per-3bv", "calendar", "hours", "wins",
    "losses", "sessions", "streaks", "luck", "accuracy",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description="A player with very many games.")
    parser.add_argument("--replays", type=int, default=1_000_000)
    parser.add_argument("--games", type=int, default=50_000)
    parser.add_argument("--players", type=int, default=20_000)
    parser.add_argument("--requests", type=int, default=100)
    parser.add_argument("--plans", action="store_true", help="print every plan")
    parser.add_argument("--sqlite", type=int, metavar="GAMES")
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    if arguments.sqlite:
        _on_sqlite(arguments.sqlite)
        return
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/tmp")))  # sockets want short paths
        size = (arguments.players, arguments.replays, f"--of-first={arguments.games}")
        url = stack.enter_context(database(stack, arguments.folder, *size))
        _finish(url)
        _plans(url, home, whole=arguments.plans)
        site = stack.enter_context(served(url, Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/tmp")))))
        _pages(site.port, arguments.requests)


def _finish(url: str) -> None:
    """Add what the loader leaves out, vacuum as autovacuum does on a running site, and print the player's counts."""
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in _MISSING.split(";"):
            if statement.strip():
                connection.execute(statement, {"player": _PLAYER})
        connection.execute("VACUUM (ANALYZE) replays_replay")
        row = connection.execute(
            "SELECT count(*), count(*) FILTER (WHERE win), pg_size_pretty(pg_relation_size('replay_days'))"
            " FROM replays_replay WHERE player_id = %s",
            [_PLAYER],
        ).fetchone()
        assert row is not None
        sys.stdout.write(f"{row[0]:,} games of the player, {row[1]:,} won; the index replay_days takes {row[2]}\n")


def _plans(url: str, home: Path, *, whole: bool) -> None:
    """Statements of each chart, by the API, which does not use the cache."""
    sys.stdout.write("statements, ms in the database, and scans of the table of replays\n")
    addresses = {name: f"/api/v1/players/{_PLAYER}/charts/{name}/" for name in _CHARTS}
    addresses |= {name: path.format(_PLAYER) for name, path in _PAGES.items()}
    text = plans(url, home, addresses)
    for name, part in zip(addresses, text.split("== ")[1:], strict=True):
        times = [float(found) for found in re.findall(r"Execution Time: ([\d.]+) ms", part)]
        scans = sorted(set(re.findall(r"\S.*(?:Scan|Bitmap).* on replays_replay\S*|Heap Fetches: [1-9]\d*", part)))
        sys.stdout.write(f"  {name:<14}{len(times):4d}{sum(times):9.1f}   {'; '.join(map(str.strip, scans))}\n")
    if whole:
        sys.stdout.write(text)


def _pages(port: int, requests: int) -> None:
    """Median and 99th percentile over HTTP, and the bytes of each card."""
    sys.stdout.write("cards over HTTP in ms: drawn anew (median, p99), cached (median, p99); bytes with gzip\n")
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for name in _CHARTS:
        path = f"/players/{_PLAYER}/charts/{name}/"
        anew = [_milliseconds(connection, f"{path}?{_another(name, number)}")[0] for number in range(requests // 4)]
        cached = [_milliseconds(connection, path)[0] for _ in range(requests)][1:]
        size = len(gzip.compress(_milliseconds(connection, path)[1]))
        sys.stdout.write(f"  {name:<14}{_text(anew)}{_text(cached)}{size:9,d}\n")
    sys.stdout.write("pages and parts of the overview over HTTP in ms: median, p99; bytes with gzip\n")
    for kind, paths in (("page", _PAGES), ("part", _PARTS)):
        for name, path in ((name, path.format(_PLAYER)) for name, path in paths.items()):
            _milliseconds(connection, path, card=kind == "part")
            times = [_milliseconds(connection, path, card=kind == "part")[0] for _ in range(requests)]
            size = len(gzip.compress(_milliseconds(connection, path, card=kind == "part")[1]))
            sys.stdout.write(f"  {name}, {kind:<{18 - len(name)}}{_text(times)}{size:9,d}\n")


def _another(name: str, number: int) -> str:
    """Parameters with which a chart is not in the cache yet, for as many numbers as there are combinations."""
    levels = ("expert", "intermediate", "beginner", "beginner-9x9")
    styles, zone = ("all", "NF", "FL"), _ZONES[number % len(_ZONES)]
    if name == "pair":
        pairs = [(x, y) for x in ("time", "bv", "cl", "path", "rqp") for y in ("ioe", "bvs", "corr", "thrp", "ces")]
        x, y = pairs[number % len(pairs)]
        return f"x={x}&y={y}"
    return f"level={levels[number % 4]}&style={styles[number // 4 % 3]}&zone={zone}&year={2026 - number % 20}"


def _milliseconds(connection: http.client.HTTPConnection, address: str, *, card: bool = True) -> tuple[float, bytes]:
    started = time.perf_counter()
    connection.request("GET", address, headers={"HX-Request": "true"} if card else {})
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{address}: {answer.status}")
    return (time.perf_counter() - started) * 1000, body


def _text(times: list[float]) -> str:
    ordered = sorted(times)
    p99 = ordered[min(len(ordered) - 1, int(_P99 * len(ordered)))]
    return f"{statistics.median(ordered):9.1f}{p99:9.1f}"


# --- SQLite -----------------------------------------------------------------------------------------------------------


def _on_sqlite(games: int) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        environment = _environment(f"sqlite:///{folder}/site.sqlite3", Path(folder)) | {"DEBUG": "1"}
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], env=environment, check=True)
        command = [sys.executable, "-m", "tests.bench.sqlite_player", str(games), *_CHARTS]
        subprocess.run(command, env=environment, check=True)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main()
