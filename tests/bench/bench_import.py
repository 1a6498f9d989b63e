"""Import of many files, end to end, beside ms_toollib on the same files in the same run.

    python -m tests.bench.bench_import [--files 2000] [--workers 2] [--runs 3]

The files are different games in the AVF layout, so that both sides read them: the real files and games of our bots.
Measured are

* ms_toollib, one process: parse and analyse, the board and ZiNi numbers that come with it;
* ``manage.py import_replays`` into a PostgreSQL with its durable defaults, through Valkey and Celery workers, from the
  start of the command until the last replay is settled, without the start of the workers: each run on an empty site,
  the median of the runs.

Ratios matter; replays a second belong to the machine.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.import_files import write_files
from tests.bench.site import manage, site

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


def main() -> int:
    parser = argparse.ArgumentParser(description="Import speed beside ms_toollib.")
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--runs", type=int, default=3, help="end to end; the median is printed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sweepbook-bench-", dir="/tmp" if Path("/tmp").is_dir() else None) as name:  # noqa: S108
        home = Path(name)
        folder = home / "files"
        folder.mkdir()
        what = write_files(folder, options.files)
        megabytes = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
        sys.stdout.write(f"{options.files} files, {megabytes:.0f} MB, {what}\n")
        theirs = reference_alone(folder)
        runs = [end_to_end(folder, _new_folder(home, f"run-{run}"), options.workers) for run in range(options.runs)]
    whole = statistics.median(runs)
    rates = ", ".join(f"{options.files / seconds:.0f}" for seconds in runs)
    sys.stdout.write(f"end to end, replays/s of each run: {rates}\n")
    sys.stdout.write(f"ms_toollib alone, parse and analyse: {options.files / theirs:.0f} replays/s\n")
    sys.stdout.write(f"ratio ms_toollib / end to end: {theirs / whole:.2f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
