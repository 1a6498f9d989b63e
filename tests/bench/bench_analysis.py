"""Analysis of real AVF files: this project against ms_toollib, in one run.

    python -m tests.bench.bench_analysis FOLDER [--repeat 5]

Both do the same work: read the bytes, replay every event, 3BV, openings, islands, greedy and human ZiNi (ours: two
readings of each, so four).  ``analyse`` of ms_toollib contains its ZiNis.  Three things are shown and not part of that
work: what ``Board(...).zini`` and ``.hzini`` cost ms_toollib by themselves, which makes a second ratio together with
the rest; every statistic of the registry, file by file; and the same in one batch.

Each side runs in its own process, one after the other on one core; a file's time is the best of ``--repeat`` passes,
so that noise of the machine does not count as work.  Ratios matter, milliseconds belong to the machine.
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


SAME_WORK = "same work"
ZINI_ALONE = "ZiNis again, from the board"
READ, BOARD, REPLAY = "parse", "3BV, openings, islands", "clicks, path, progress"
ZINIS = "ZiNis"


class Stopwatch:
    """Seconds by stage of one file."""

    def __init__(self) -> None:
        self.stages: Stages = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.stages[stage] = now - self._last
        self._last = now

    def total(self) -> Stages:
        """The stages so far, and their sum as the work that both sides do."""
        return self.stages | {SAME_WORK: sum(self.stages.values())}


def ours(path: Path) -> Stages:
    """Every stage of our analysis of one file, reading it from the page cache included, as in theirs."""
    from analysis import formats
    from analysis.board import board_facts
    from analysis.game import play
    from analysis.zini import zini_counts

    watch = Stopwatch()
    recording = formats.read(path.read_bytes())
    watch.lap(READ)
    facts = board_facts(recording.board)
    watch.lap(BOARD)
    play(recording, facts)
    watch.lap(REPLAY)
    zini_counts(recording.board)
    watch.lap(ZINIS)
    return watch.total()


def theirs(path: Path) -> Stages:
    """The same work by ms_toollib; it parses from a path, and ZiNi belongs to its board object."""
    import ms_toollib

    watch = Stopwatch()
    video: Any = ms_toollib.AvfVideo(str(path))
    video.parse()
    watch.lap(READ)
    video.analyse()
    video.current_time = 1e8
    _ = (video.left, video.right, video.double, video.lce, video.rce, video.dce, video.path, video.bbbv_solved)
    watch.lap(REPLAY)
    _ = (video.bbbv, video.op, video.isl)
    watch.lap(BOARD)
    _ = (video.zini, video.hzini)
    watch.lap(ZINIS)
    stages = watch.total()
    board = video.board
    watch = Stopwatch()
    fresh = ms_toollib.Board(board)
    _ = (fresh.zini, fresh.hzini)
    watch.lap(ZINI_ALONE)
    return stages | watch.stages


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
        best.append(min(passes, key=lambda stages: stages[SAME_WORK]))
    extra = every_statistic(paths, repeat) if side == "sweepbook" else {}
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"stages": best, "extra": extra, "first_s": first_s, "peak_mb": peak_mb}


def every_statistic(paths: list[Path], repeat: int) -> Stages:
    """Seconds for all files that are read already: analysed one by one, and as one batch."""
    from analysis import formats
    from analysis.analyse import analyse, analyse_many

    recordings = [formats.read(path.read_bytes()) for path in paths]
    passes: list[Stages] = []
    for _ in range(repeat):
        watch = Stopwatch()
        for recording in recordings:
            analyse(recording)
        watch.lap("every statistic, by file")
        analyse_many(recordings)
        watch.lap("every statistic, in a batch")
        passes.append(watch.stages)
    return {stage: min(stages[stage] for stages in passes) for stage in passes[0]}


def in_own_process(side: str, folder: Path, repeat: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.bench.bench_analysis", str(folder), "--repeat", str(repeat), "--side", side]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    result: dict[str, Any] = json.loads(answer.stdout)
    return result


def seconds_by_stage(result: dict[str, Any]) -> Stages:
    files: list[Stages] = result["stages"]
    extra: Stages = result["extra"]
    return {stage: sum(stages[stage] for stages in files) for stage in files[0]} | extra


def report(results: dict[str, dict[str, Any]]) -> str:
    lines = []
    seconds = {side: seconds_by_stage(result) for side, result in results.items()}
    for side, result in results.items():
        work = sorted(stages[SAME_WORK] for stages in result["stages"])
        median, p99 = statistics.median(work), work[min(len(work) - 1, int(0.99 * len(work)))]
        lines.append(
            f"{side}: {len(work)} files, {sum(work) * 1e3:.1f} ms in all, {len(work) / sum(work):.0f} replays/s, "
            f"median {median * 1e6:.0f} us, p99 {p99 * 1e6:.0f} us ({p99 / median:.1f} x median), "
            f"peak {result['peak_mb']:.0f} MB, first file {result['first_s']:.2f} s"
        )
        for stage, spent_s in seconds[side].items():
            lines.append(f"    {stage:<28}{spent_s * 1e3:9.1f} ms {spent_s / len(work) * 1e6:9.1f} us a file")
    lines += ["ms_toollib / sweepbook:", *ratios(seconds["sweepbook"], seconds["ms_toollib"])]
    return "\n".join(lines)


def ratios(our: Stages, their: Stages) -> list[str]:
    """What can be compared; the ZiNis of ms_toollib are counted by themselves, for ``analyse`` hides them."""
    replayed = sum(their[stage] for stage in (REPLAY, BOARD, ZINIS)) / sum(
        our[stage] for stage in (REPLAY, BOARD, ZINIS)
    )
    return [
        f"    {READ:<56}{their[READ] / our[READ]:6.2f}",
        f"    {'all after parsing':<56}{replayed:6.2f}",
        f"    {'ZiNis alone (two of theirs / four of ours)':<56}{their[ZINI_ALONE] / our[ZINIS]:6.2f}",
        f"    {SAME_WORK:<56}{their[SAME_WORK] / our[SAME_WORK]:6.2f}",
        f"    {'same work, theirs with Board zini + hzini once more':<56}"
        f"{(their[SAME_WORK] + their[ZINI_ALONE]) / our[SAME_WORK]:6.2f}",
    ]


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
