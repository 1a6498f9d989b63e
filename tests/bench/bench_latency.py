"""From the answer of an upload to the new best on the board, with many uploads in flight.

    python -m tests.bench.bench_latency [--in-flight 50] [--uploads 1000] [--workers 1]

A site as ``manage.py runsite`` starts it, on PostgreSQL with its durable defaults: web server, Valkey and a Celery
worker of their own.  So many players upload at once, each the next game as soon as the last one stands on the board;
every game is a better Beginner time than the last, so the board must change each time.  One more visitor reads the
board from the API without a pause.  Shown is the time between the answer to the upload and the first answer of the
board with the new best; the clock stops when that answer has arrived.  Target: p95 at most one second.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from analysis.bots import DEMO_PROFILES, play_game
from analysis.formats import rawvf
from analysis.recording import Kind, Level, Recording
from tests.bench.bench_import import manage, site
from tests.stack.web import Visitor, Web

BOARD = "/api/v1/leaderboards/beginner/time/?size=200"
TARGET_MS = 1_000
_ACCOUNT = (
    "from players.models import User; from players.tokens.services import token_create;"
    " print(token_create(User.objects.create_user('bench'), 'bench', ['read', 'upload'])[1])"
)
_WAIT_SECONDS = 120


def player_name(number: int) -> str:
    return f"player {number}"


def games_of(number: int, count: int) -> list[tuple[float, bytes]]:
    """Time in seconds and file of ``count`` games of one player, each faster than the one before.

    Each is a game of a bot, and the whole of it takes place a little earlier or later: another game for every hash.
    """
    game = play_game(
        DEMO_PROFILES[number % len(DEMO_PROFILES)], Level.BEGINNER, "NF", 1_000 + number, must_win=True,
        played_at=datetime(2024, 1, 1, tzinfo=UTC),
    )  # fmt: skip
    return [_slower(game, number, 3 * (count - place)) for place in range(count)]


def _slower(game: Recording, number: int, by_ms: int) -> tuple[float, bytes]:
    """``game`` with a longer wait before its last act."""
    events = game.events.copy()
    last_act = max(index for index, kind in enumerate(events["kind"]) if kind != Kind.MOVE) - 1
    events["time_ms"][last_act:] += by_ms
    time_ms = int(events["time_ms"][-1])
    claims = replace(game.claims, time_ms=time_ms)
    file = rawvf.write(replace(game, events=events, player=player_name(number), claims=claims))
    return time_ms / 1000, file


@dataclass
class Board:
    """Values that the API showed last, by the player's name."""

    best: dict[str, float] = field(default_factory=dict)
    changed: threading.Condition = field(default_factory=threading.Condition)
    read: int = 0
    ended: bool = False

    def watch(self, port: int) -> None:
        """Read without a pause until the end."""
        visitor = Visitor(port)
        while not self.ended:
            rows = visitor.get(BOARD).json()["rows"]
            with self.changed:
                self.best = {row["player"]["name"]: row["value"] for row in rows}
                self.read += 1
                self.changed.notify_all()
        visitor.close()

    def wait_for(self, name: str, value: float) -> float:
        """The time at which ``name`` has ``value`` or better."""
        with self.changed:
            if not self.changed.wait_for(lambda: self.best.get(name, 1e9) <= value, timeout=_WAIT_SECONDS):
                raise TimeoutError(f"{name} never had {value} on the board")
            return time.perf_counter()


@dataclass
class Times:
    """Milliseconds of each upload."""

    shown: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)


def player(port: int, token: str, number: int, games: list[tuple[float, bytes]], board: Board, times: Times) -> None:
    """Upload ``games``, each when the last one stands on the board; the first warms up and is not counted."""
    visitor = Visitor(port, {"Authorization": f"Token {token}"})
    try:
        for place, (value, data) in enumerate(games):
            sent = time.perf_counter()
            answer = visitor.upload(f"{number}-{place}.rawvf", data)
            answered = time.perf_counter()
            if answer.status != 202:
                raise RuntimeError(f"{answer.status}: {answer.body[:200]!r}")
            shown = board.wait_for(player_name(number), value)
            if place:
                times.answered.append(1000 * (answered - sent))
                times.shown.append(1000 * (shown - answered))
    except Exception as error:
        times.troubles.append(f"{player_name(number)}: {error!r}")
    finally:
        visitor.close()


def measure(port: int, token: str, in_flight: int, uploads: int) -> tuple[Times, float, int]:
    """Times, the seconds it took, and how often the board was read."""
    each = max(2, uploads // in_flight) + 1
    games = [games_of(number, each) for number in range(in_flight)]
    board, times = Board(), Times()
    watcher = threading.Thread(target=board.watch, args=(port,))
    watcher.start()
    threads = [
        threading.Thread(target=player, args=(port, token, number, games[number], board, times))
        for number in range(in_flight)
    ]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - started
    board.ended = True
    watcher.join()
    return times, seconds, board.read


def line(name: str, taken: list[float]) -> str:
    """Median, p95 and worst of milliseconds."""
    ordered = sorted(taken)
    p95 = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"  {name:<44}p50 {statistics.median(ordered):7.0f}   p95 {p95:7.0f}   max {ordered[-1]:7.0f} ms\n"


@contextmanager
def served(home: Path, workers: int) -> Iterator[tuple[int, str, dict[str, str]]]:
    """A site with a web server; yields its port, the token of an account, and the environment of ``manage.py``."""
    with site(home, workers) as environment:
        environment |= {"ALLOWED_HOSTS": "127.0.0.1", "UPLOAD_QUOTA_FILES": "1000000"}
        web = Web(home / "web.log", environment)
        web.start()
        try:
            yield web.port, manage(environment, "shell", "-v0", "-c", _ACCOUNT).split()[-1], environment
        finally:
            web.stop()


def main() -> int:
    parser = argparse.ArgumentParser(description="From the answer of an upload to the new best on the board.")
    parser.add_argument("--in-flight", type=int, default=50)
    parser.add_argument("--uploads", type=int, default=1_000)
    parser.add_argument("--workers", type=int, default=1, help="processes of the Celery worker")
    options = parser.parse_args()
    folder = "/tmp" if Path("/tmp").is_dir() else None  # noqa: S108 - a short path for the socket of PostgreSQL
    with (
        tempfile.TemporaryDirectory(prefix="sweepbook-latency-", dir=folder) as name,
        served(Path(name), options.workers) as (port, token, _environment),
    ):
        times, seconds, read = measure(port, token, options.in_flight, options.uploads)
    sys.stdout.writelines(f"{trouble}\n" for trouble in times.troubles)
    if times.troubles or not times.shown:
        return 1
    sys.stdout.write(
        f"{len(times.shown)} uploads, {options.in_flight} in flight, {options.workers} worker process(es), "
        f"{len(times.shown) / seconds:.1f} uploads/s; the board was read {read / seconds:.1f} times a second;"
        f" load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n"
    )
    sys.stdout.write(line("from the request to its answer", times.answered))
    sys.stdout.write(line("from the answer to the best on the board", times.shown))
    p95 = sorted(times.shown)[int(0.95 * len(times.shown))]
    sys.stdout.write(f"target p95 <= {TARGET_MS} ms: {'met' if p95 <= TARGET_MS else 'missed'}\n")
    return 0 if p95 <= TARGET_MS else 1


if __name__ == "__main__":
    sys.exit(main())
