"""Analysis of real AVF files: this project beside ms_toollib, in one run.

    python -m tests.bench.bench_analysis FOLDER [--rounds 15]

The work that both do, called the *same work*: parse the file, replay every event (clicks, effective clicks, solved 3BV,
path), 3BV, openings, islands, greedy and human ZiNi.  Where they differ, the difference is to our disadvantage or shown
by itself:

- The bytes are in memory before the clock starts: ours as ``bytes``, theirs in its object, whose constructor has read
  the file.  What reading costs is a stage of its own and no part of the same work.
- Ours computes two readings of each ZiNi, so four, theirs two.  A second ratio has two on both sides.
- ``analyse`` of ms_toollib contains its ZiNis.  What ``Board(...).zini`` and ``.hzini`` cost by themselves is timed too,
  for the ratio of ZiNis alone; ``parse`` + ``analyse`` + ``Board`` ZiNis together make one more ratio.
- Every statistic of the registry, findings and the hash of the game are ours alone: further passes, by file and in
  batches, that include the same work.

A round goes through every file once with each side; which begins alternates, and the first round only warms up.  The
figure of a file is its *median over the rounds*, stage by stage; median and p99 are taken over those figures, so what
the machine did in one moment is not held against a file.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.bench.check_zini_oracle import reference_counts

OURS, THEIRS = "sweepbook", "ms_toollib"
BATCH = 64  # files that our batch analysis takes at once

READ, PARSE = "read the file (page cache)", "parse"
REPLAY, BOARD, ZINI = "clicks, path, progress", "3BV, openings, islands", "ZiNis"
AFTER = "all after parsing"
SAME = "same work"
SAME_STAGES = (PARSE, REPLAY, BOARD, ZINI)
ZINI_AGAIN = "two ZiNis again, from the board"
EVERYTHING = "parse, every statistic, findings, hash"
EVERYTHING_BATCH = f"the same in batches of {BATCH}"

#: Seconds by stage.
Stages = dict[str, float]


class Stopwatch:
    """Seconds by stage, with the sums of stages."""

    def __init__(self) -> None:
        self._stages: Stages = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        """End ``stage``, which began when the one before it ended."""
        now = time.perf_counter()
        self._stages[stage] = now - self._last
        self._last = now

    def restart(self) -> None:
        """Discard the time since the last lap."""
        self._last = time.perf_counter()

    def stages(self) -> Stages:
        """All of them."""
        same = [self._stages[stage] for stage in SAME_STAGES]
        return self._stages | {SAME: sum(same), AFTER: sum(same[1:])}


def ours(path: Path) -> Stages:
    """Every stage of our analysis of one file."""
    from analysis import formats
    from analysis.board import board_facts
    from analysis.click_machine import play
    from analysis.zini import zini_counts

    watch = Stopwatch()
    data = path.read_bytes()
    watch.lap(READ)
    recording = formats.read(data)
    watch.lap(PARSE)
    facts = board_facts(recording.board)
    watch.lap(BOARD)
    play(recording, facts)
    watch.lap(REPLAY)
    zini_counts(recording.board)
    watch.lap(ZINI)
    reference_counts(recording.board)
    watch.lap(ZINI_AGAIN)
    return watch.stages()


def our_everything(paths: Sequence[Path], at_once: int) -> list[float]:
    """Seconds of parsing and analysing all files, ``at_once`` together; one figure for each time."""
    from analysis import formats
    from analysis.analyse import analyse_many

    spent_s = []
    for first in range(0, len(paths), at_once):
        batch = [path.read_bytes() for path in paths[first : first + at_once]]
        started = time.perf_counter()
        analyse_many([formats.read(data) for data in batch])
        spent_s.append(time.perf_counter() - started)
    return spent_s


def theirs(path: Path) -> Stages:
    """The same work by ms_toollib; ZiNi belongs to its board object too, which takes the numbers of the cells."""
    import ms_toollib

    watch = Stopwatch()
    video: Any = ms_toollib.AvfVideo(str(path))
    watch.lap(READ)
    video.parse()
    watch.lap(PARSE)
    video.analyse()
    video.current_time = 1e8  # seconds; the library clamps it to the last event
    _ = (video.left, video.right, video.double, video.lce, video.rce, video.dce, video.path, video.bbbv_solved)
    watch.lap(REPLAY)
    _ = (video.bbbv, video.op, video.isl)
    watch.lap(BOARD)
    _ = (video.zini, video.hzini)
    watch.lap(ZINI)
    numbers = video.board
    watch.restart()
    board: Any = ms_toollib.Board(numbers)
    _ = (board.zini, board.hzini)
    watch.lap(ZINI_AGAIN)
    return watch.stages()


def measure(paths: Sequence[Path], rounds: int) -> tuple[list[Stages], list[Stages], float]:
    """The figures of each file, ours and theirs, and the median seconds of our batches over all files."""
    passes: dict[str, list[list[Stages]]] = {OURS: [], THEIRS: []}
    batches_s = []
    for number in range(rounds + 1):
        for side in (OURS, THEIRS) if number % 2 else (THEIRS, OURS):
            passes[side].append([(ours if side == OURS else theirs)(path) for path in paths])
            if side == OURS:
                batches_s.append(sum(our_everything(paths, BATCH)))
                for file, spent_s in zip(passes[OURS][-1], our_everything(paths, 1), strict=True):
                    file[EVERYTHING] = spent_s
    our, their = ([figures(of_file) for of_file in zip(*found[1:], strict=True)] for found in passes.values())
    return our, their, statistics.median(batches_s[1:])


def figures(passes: Sequence[Stages]) -> Stages:
    """The figure of a file, stage by stage, from those of its passes."""
    return {stage: statistics.median(stages[stage] for stages in passes) for stage in passes[0]}


def side_report(side: str, files: Sequence[Stages]) -> str:
    lines = []
    for name in (SAME, EVERYTHING):
        if name in files[0]:
            spent_s = sorted(stages[name] for stages in files)
            median, p99 = statistics.median(spent_s), spent_s[math.ceil(0.99 * len(spent_s)) - 1]
            lines.append(
                f"{side}, {name}: {sum(spent_s) * 1e3:.1f} ms in all, {len(files) / sum(spent_s):.0f} replays/s, a file: "
                f"median {median * 1e6:.0f} us, p99 {p99 * 1e6:.0f} us = {p99 / median:.1f} x median"
            )
    return "\n".join(lines)


def microseconds(files: Sequence[Stages]) -> Stages:
    """Microseconds a file by stage."""
    return {stage: sum(file[stage] for file in files) / len(files) * 1e6 for stage in files[0]}


def compared(our: Stages, their: Stages) -> list[tuple[str, float, float]]:
    """Return the names of the stages that both do, each with our time and theirs."""
    our_two = our[SAME] - our[ZINI] + our[ZINI_AGAIN]
    return [
        (f"{SAME} (ours: four ZiNis, theirs: two)", our[SAME], their[SAME]),
        (f"{SAME}, two ZiNis on both sides", our_two, their[SAME]),
        (f"{SAME} and reading the file", our[SAME] + our[READ], their[SAME] + their[READ]),
        (f"{SAME} and Board zini + hzini of theirs", our[SAME], their[SAME] + their[ZINI_AGAIN]),
        (PARSE, our[PARSE], their[PARSE]),
        (AFTER, our[AFTER], their[AFTER]),
        ("ZiNis alone (ours: four, theirs: two)", our[ZINI], their[ZINI_AGAIN]),
        ("ZiNis alone, two on both sides", our[ZINI_AGAIN], their[ZINI_AGAIN]),
        (f"{EVERYTHING} | {SAME}", our[EVERYTHING], their[SAME]),
        (f"{EVERYTHING_BATCH} | {SAME}", our[EVERYTHING_BATCH], their[SAME]),
    ]


def tables(our: Stages, their: Stages) -> str:
    """Microseconds a file by stage, and the ratios."""
    lines = [f"{'stage, us a file':<58}{OURS:>11}{THEIRS:>12}"]
    lines += [f"{stage:<58}{our[stage]:>11.1f}{their[stage]:>12.1f}" for stage in (READ, *SAME_STAGES)]
    lines += ["", f"{'compared, us a file':<58}{OURS:>11}{THEIRS:>12}{'ratio':>8}"]
    for name, our_us, their_us in compared(our, their):
        lines.append(f"{name:<58}{our_us:>11.1f}{their_us:>12.1f}{their_us / our_us:8.2f}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, help="a folder of .avf files")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    paths = sorted(options.folder.glob("*.avf"))
    if not paths:
        parser.error(f"no .avf file in {options.folder}")
    our, their, batches_s = measure(paths, options.rounds)
    size_mb = sum(path.stat().st_size for path in paths) / 1e6
    sys.stdout.write(f"{len(paths)} files, {size_mb:.1f} MB, {options.rounds} rounds in turn; figures are medians\n\n")
    sys.stdout.write(f"{side_report(OURS, our)}\n{side_report(THEIRS, their)}\n\n")
    our_us = microseconds(our) | {EVERYTHING_BATCH: batches_s / len(paths) * 1e6}
    sys.stdout.write(tables(our_us, microseconds(their)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
