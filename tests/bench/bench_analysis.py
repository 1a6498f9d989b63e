"""Analysis of real AVF files: this project beside ms_toollib, in one run.

    python -m tests.bench.bench_analysis FOLDER [--rounds 15] [--no-start]
    python -m tests.bench.bench_analysis FOLDER --command [--rounds 3]

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

Each side runs in its own process on the same files, in rounds that take turns; a round goes through every file once.
The figure of a file is its *median over the rounds*, stage by stage; median and p99 are taken over those figures, so what
the machine did in one moment is not held against a file.  A machine that is busy all the time interrupts long work more
often than short work, so a ratio of the best rounds stands beside each ratio of medians.  Peak memory is that of the process, interpreter and libraries
included; beside it stands what it was before the first file.

Cold start: our processes import, read and analyse one file with no compiled kernels on disk; warm: with them; fork: the
same file in a child that was forked afterwards.

``--command`` times whole processes on 200 files of every format in the folder and below: ``python -m analysis``, with
no compiled kernels and with them, and ms_toollib's worker (``tests.bench.oracle``), which leaves RawVF out.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.bench import oracle
from tests.bench.duel import ROOT, SIDES, Stages, Stopwatch, duel, percentile, serve

MODULE = "tests.bench.bench_analysis"
OURS, THEIRS = SIDES
LIBRARIES = {OURS: ("analysis.formats", "analysis.analyse"), THEIRS: ("ms_toollib",)}
COMMAND_FILES = 200
BATCH = 64  # files that our batch analysis takes at once

READ, PARSE = "read the file (page cache)", "parse"
REPLAY, BOARD, ZINI = "clicks, path, progress", "3BV, openings, islands", "ZiNis"
AFTER = "all after parsing"
SAME = "same work"
SAME_STAGES = (PARSE, REPLAY, BOARD, ZINI)
ZINI_AGAIN = "two ZiNis again, from the board"
EVERYTHING = "parse, every statistic, findings, hash"
EVERYTHING_BATCH = f"the same in batches of {BATCH}"


def ours(path: Path) -> Stages:
    """Every stage of our analysis of one file."""
    from analysis import formats
    from analysis.board import board_facts
    from analysis.click_machine import play
    from analysis.zini import zini_counts
    from tests.bench.check_zini_oracle import reference_counts

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
    return watch.stages


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
    return watch.stages


def work_of(side: str) -> Callable[[Path], Stages]:
    return {OURS: ours, THEIRS: theirs}[side]


def serve_side(side: str, paths: list[Path]) -> None:
    """Measure one side as often as requested; the first file and the first round count only for the start."""
    run = work_of(side)
    for module in LIBRARIES[side]:
        importlib.import_module(module)
    before_mb = peak_mb()
    rounds: list[list[Stages]] = []
    batches_s: list[float] = []

    def one_round() -> None:
        stages = [run(path) for path in paths]
        if side == OURS:
            batches_s.append(sum(our_everything(paths, BATCH)))
            for file, spent_s in zip(stages, our_everything(paths, 1), strict=True):
                file[EVERYTHING] = spent_s
        rounds.append(stages)

    def result() -> object:
        return {
            "files": [figures(passes, statistics.median) for passes in zip(*rounds[1:], strict=True)],
            "best": [figures(passes, min) for passes in zip(*rounds[1:], strict=True)],
            "batches_s": batches_s[1:],
            "before_mb": before_mb,
            "peak_mb": peak_mb(),
        }

    serve(one_round, result)


def figures(passes: Sequence[Stages], choose: Callable[[Iterator[float]], float]) -> Stages:
    """The figure of a file, stage by stage, from those of its passes; sums of stages are taken pass by pass."""
    summed = [
        stages
        | {SAME: sum(stages[stage] for stage in SAME_STAGES), AFTER: sum(stages[stage] for stage in SAME_STAGES[1:])}
        for stages in passes
    ]
    return {stage: choose(stages[stage] for stages in summed) for stage in summed[0]}


def peak_mb() -> float:
    """The most memory this process ever had.  ``ru_maxrss`` would count the parent, which it was for a moment."""
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s*(\d+) kB", status.read_text()) if status.is_file() else None
    return int(found[1]) / 1024 if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def start_s(side: str, path: Path) -> tuple[float, float]:
    """Seconds from the first import to the end of the first file, and those of the same file in a forked child."""
    started = time.perf_counter()
    work_of(side)(path)
    first_s = time.perf_counter() - started
    started = time.perf_counter()
    child = os.fork()
    if child == 0:
        work_of(side)(path)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status:
        raise RuntimeError(f"the forked child ended with status {status}")
    return first_s, time.perf_counter() - started


def start_report(path: Path) -> str:
    """A cold and a warm start of ours, and a start of theirs."""
    lines = []
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"NUMBA_CACHE_DIR": cache, "PYTHONPATH": str(ROOT)}
        for name, side in (("cold", OURS), ("warm", OURS), ("any", THEIRS)):
            answer = subprocess.run(
                [sys.executable, "-m", MODULE, str(path), "--start", side],
                cwd=cache,
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
            first_s, forked_s, memory_mb = map(float, answer.stdout.split())
            lines.append(
                f"{name} start of {side}: {first_s:.2f} s until the first file is done, peak {memory_mb:.0f} MB; "
                f"in a forked worker {forked_s * 1e3:.0f} ms"
            )
    return "\n".join(lines)


def side_report(side: str, result: dict[str, Any]) -> str:
    files: list[Stages] = result["files"]
    lines = []
    for name in (SAME, EVERYTHING):
        if name not in files[0]:
            continue
        spent_s = [stages[name] for stages in files]
        median, p99 = statistics.median(spent_s), percentile(spent_s, 0.99)
        lines.append(
            f"{side}, {name}: {sum(spent_s) * 1e3:.1f} ms in all, {len(files) / sum(spent_s):.0f} replays/s, a file: "
            f"median {median * 1e6:.0f} us, p99 {p99 * 1e6:.0f} us = {p99 / median:.1f} x median"
        )
    lines.append(f"{side}: peak memory {result['peak_mb']:.0f} MB, {result['before_mb']:.0f} MB before the first file")
    return "\n".join(lines)


def microseconds(result: dict[str, Any], choice: str) -> Stages:
    """Microseconds a file by stage; ``choice`` is ``files`` (medians of the rounds) or ``best``."""
    files: list[Stages] = result[choice]
    stages = {stage: sum(file[stage] for file in files) / len(files) * 1e6 for stage in files[0]}
    if result["batches_s"]:
        choose = min if choice == "best" else statistics.median
        stages[EVERYTHING_BATCH] = choose(result["batches_s"]) / len(files) * 1e6
    return stages


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


def tables(results: dict[str, dict[str, Any]]) -> str:
    """Microseconds a file by stage, and the ratios: of the medians and of the best rounds."""
    our, their = (microseconds(results[side], "files") for side in SIDES)
    best = compared(*(microseconds(results[side], "best") for side in SIDES))
    lines = [f"{'stage, us a file':<58}{OURS:>11}{THEIRS:>12}"]
    lines += [f"{stage:<58}{our[stage]:>11.1f}{their[stage]:>12.1f}" for stage in (READ, *SAME_STAGES)]
    lines += ["", f"{'compared, us a file':<58}{OURS:>11}{THEIRS:>12}{'ratio':>8}{'of best rounds':>16}"]
    for (name, our_us, their_us), (_, our_best_us, their_best_us) in zip(compared(our, their), best, strict=True):
        ratios = f"{their_us / our_us:8.2f}{their_best_us / our_best_us:16.2f}"
        lines.append(f"{name:<58}{our_us:>11.1f}{their_us:>12.1f}{ratios}")
    return "\n".join(lines)


def command_report(folder: Path, rounds: int) -> str:
    """Seconds of the command and of ms_toollib on the same files: all of the rarer formats, and AVF for the rest."""
    found = sorted(path for path in folder.rglob("*") if path.suffix.lower() in {*oracle.CLASSES, ".rawvf"})
    chosen = sorted(found, key=lambda path: path.suffix.lower() == ".avf")[:COMMAND_FILES]
    theirs = [path for path in chosen if path.suffix.lower() in oracle.CLASSES]
    with tempfile.TemporaryDirectory() as cache:
        spent = {"no compiled kernels": [_command_s(chosen, cache)], "compiled kernels": list[float]()}
        their_s, one_s = list[float](), list[float]()
        for _ in range(rounds):
            spent["compiled kernels"].append(_command_s(chosen, cache))
            one_s.append(_command_s(chosen[-1:], cache))
            began = time.perf_counter()
            answered = sum(answer is not None for answer in oracle.ask(theirs).values())
            their_s.append(time.perf_counter() - began)
    lines = [f"{OURS}, {name}: {statistics.median(s):.2f} s, {len(chosen)} files" for name, s in spent.items()]
    lines.append(f"{OURS}, one of the files: {statistics.median(one_s):.2f} s, which is its start")
    lines.append(f"{THEIRS}: {statistics.median(their_s):.2f} s, {answered} of {len(theirs)} files")
    return "\n".join(lines)


def _command_s(paths: Sequence[Path], cache: str) -> float:
    """Seconds of ``python -m analysis`` with its kernels in the folder ``cache``."""
    command = [sys.executable, "-m", "analysis", "--format", "ndjson", *map(str, paths)]
    began = time.perf_counter()
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "NUMBA_CACHE_DIR": cache}, capture_output=True, text=True, check=False
    )
    spent_s = time.perf_counter() - began
    printed, refused = len(done.stdout.splitlines()), len(done.stderr.splitlines())
    if printed + refused < len(paths) or not printed:
        raise RuntimeError(done.stderr)
    return spent_s


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, help="a folder of .avf files")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument(
        "--no-start", action="store_true", help="leave out the start-up times, which compile everything"
    )
    parser.add_argument("--command", action="store_true", help="time python -m analysis as a whole, on every format")
    parser.add_argument("--side", choices=SIDES, help="internal: serve rounds of one side")
    parser.add_argument("--start", choices=SIDES, help="internal: time one start with the file in place of the folder")
    options = parser.parse_args()
    place = options.folder.resolve()
    if options.start:
        sys.stdout.write("{} {} {}".format(*start_s(options.start, place), peak_mb()))
        return 0
    if options.command:
        sys.stdout.write(command_report(place, options.rounds) + "\n")
        return 0
    paths = sorted(place.glob("*.avf"))
    if not paths:
        parser.error(f"no .avf file in {options.folder}")
    if options.side:
        serve_side(options.side, paths)
        return 0
    results = duel(MODULE, [str(place)], options.rounds)
    size_mb = sum(path.stat().st_size for path in paths) / 1e6
    sys.stdout.write(f"{len(paths)} files, {size_mb:.1f} MB, {options.rounds} rounds in turn; figures are medians\n\n")
    for side in SIDES:
        sys.stdout.write(side_report(side, results[side]) + "\n")
    sys.stdout.write("\n" + tables(results) + "\n\n")
    if not options.no_start:
        sys.stdout.write(start_report(paths[0]) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
