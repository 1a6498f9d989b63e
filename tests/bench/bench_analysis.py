"""Analysis of real AVF files: this project against ms_toollib, in one run.

    python -m tests.bench.bench_analysis FOLDER [--repeat 5]

Both do the same work: read the bytes, replay every event, 3BV, openings, islands, greedy and human ZiNi.  Ours then
goes on to every statistic of the registry, which is shown as a stage of its own.  Each side runs in its own process,
one after the other on one core; a file's time is the best of ``--repeat`` passes, so that noise of the machine does
not count as work.  Ratios matter, milliseconds belong to the machine.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
Stages = dict[str, float]


class Stopwatch:
    """Seconds by stage of one file."""

    def __init__(self) -> None:
        self.stages: Stages = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.stages[stage] = now - self._last
        self._last = now


def ours(path: Path) -> Stages:
    """Every stage of our analysis of one file, reading it from the page cache included, as in theirs."""
    from analysis import formats
    from analysis.analyse import analyse
    from analysis.board import board_facts
    from analysis.game import play
    from analysis.zini import zini_counts

    watch = Stopwatch()
    recording = formats.read(path.read_bytes())
    watch.lap("parse")
    facts = board_facts(recording.board)
    watch.lap("3BV, openings, islands")
    play(recording, facts)
    watch.lap("clicks, path, progress")
    zini_counts(recording.board)
    watch.lap("four ZiNis")
    watch.stages["same work"] = sum(watch.stages.values())
    analyse(recording)
    watch.lap("everything, once more")
    return watch.stages


def theirs(path: Path) -> Stages:
    """The same work by ms_toollib; it parses from a path, and ZiNi belongs to its board object."""
    import ms_toollib

    watch = Stopwatch()
    video: Any = ms_toollib.AvfVideo(str(path))
    video.parse()
    watch.lap("parse")
    video.analyse()
    video.current_time = 1e8
    _ = (video.left, video.right, video.double, video.lce, video.rce, video.dce, video.path, video.bbbv_solved)
    watch.lap("clicks, path, progress")
    _ = (video.bbbv, video.op, video.isl)
    watch.lap("3BV, openings, islands")
    _ = (video.zini, video.hzini)
    watch.lap("two ZiNis")
    watch.stages["same work"] = sum(watch.stages.values())
    return watch.stages


SIDES: dict[str, Callable[[Path], Stages]] = {"sweepbook": ours, "ms_toollib": theirs}


def measure(side: str, paths: list[Path], repeat: int) -> dict[str, Any]:
    """Best stages by file, seconds of the first file (compiling or loading included) and peak memory of the process."""
    run = SIDES[side]
    started = time.perf_counter()
    run(paths[0])
    first_s = time.perf_counter() - started
    best: list[Stages] = []
    for path in paths:
        passes = [run(path) for _ in range(repeat)]
        best.append(min(passes, key=lambda stages: stages["same work"]))
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"stages": best, "first_s": first_s, "peak_mb": peak_mb}


def in_own_process(side: str, folder: Path, repeat: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.bench.bench_analysis", str(folder), "--repeat", str(repeat), "--side", side]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    result: dict[str, Any] = json.loads(answer.stdout)
    return result


def report(results: dict[str, dict[str, Any]]) -> str:
    lines = []
    totals: dict[str, float] = {}
    for side, result in results.items():
        files = result["stages"]
        work = sorted(stages["same work"] for stages in files)
        totals[side] = sum(work)
        p99 = work[min(len(work) - 1, int(0.99 * len(work)))]
        lines.append(
            f"{side}: {len(files)} files, {totals[side] * 1e3:.1f} ms in all, {len(files) / totals[side]:.0f} replays/s, "
            f"median {statistics.median(work) * 1e6:.0f} us, p99 {p99 * 1e6:.0f} us "
            f"({p99 / statistics.median(work):.1f} x median), peak {result['peak_mb']:.0f} MB, first file {result['first_s']:.2f} s"
        )
        for stage in files[0]:
            seconds = sum(stages[stage] for stages in files)
            lines.append(f"    {stage:<26}{seconds * 1e3:9.1f} ms {seconds / len(files) * 1e6:9.0f} us a file")
    lines.append(f"ratio of the same work, ms_toollib / sweepbook: {totals['ms_toollib'] / totals['sweepbook']:.2f}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--side", choices=tuple(SIDES))
    options = parser.parse_args()
    paths = sorted(options.folder.resolve().glob("*.avf"))
    if not paths:
        parser.error(f"no .avf file in {options.folder}")
    if options.side:
        sys.stdout.write(json.dumps(measure(options.side, paths, options.repeat)))
        return 0
    sys.stdout.write(
        report({side: in_own_process(side, options.folder.resolve(), options.repeat) for side in SIDES}) + "\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
