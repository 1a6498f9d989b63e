"""Our ZiNi and board numbers against ms_toollib on the same random boards, each side in a process of its own.

    python -m tests.bench.bench_zini --boards 1000

A round times every board once, so that neither side profits from a board that the CPU has just seen; the figure of a
board is its best round, the figure of a level the median of its boards.  Both sides start from what their functions
take: an array of mines here, a list of lists of numbers there.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from analysis.recording import Board
from tests.bench.check_zini_oracle import LEVELS, as_lists, level_boards

ROOT = Path(__file__).resolve().parents[2]
Medians = dict[str, dict[str, float]]

FIRST_CALLS = """
import time
started = time.perf_counter()
import numpy
from analysis.recording import Board
from analysis import board, zini
imported = time.perf_counter()
small = Board(numpy.eye(8, dtype=numpy.uint8))
board.board_facts(small), zini.zini_counts(small)
print(imported - started, time.perf_counter() - imported)
"""


def median_us(work: Callable[[Any], object], inputs: list[Any], rounds: int) -> float:
    """Median over ``inputs`` of the best time of ``work``, in microseconds."""
    work(inputs[0])
    best = [float("inf")] * len(inputs)
    for _ in range(rounds):
        for index, value in enumerate(inputs):
            started = time.perf_counter()
            work(value)
            best[index] = min(best[index], time.perf_counter() - started)
    return statistics.median(best) * 1e6


def ours(boards: int, rounds: int) -> Medians:
    from analysis.board import board_facts
    from analysis.zini import gzini_ref, hzini_ref, zini_counts

    def same_two(board: Board) -> tuple[int, int]:
        return gzini_ref(board), hzini_ref(board)

    jobs: dict[str, Callable[[Any], object]] = {
        "all four ZiNis": zini_counts,
        "the same two, one by one": same_two,
        "board numbers": board_facts,
    }
    return {level: {job: median_us(jobs[job], level_boards(level, boards), rounds) for job in jobs} for level in LEVELS}


def theirs(boards: int, rounds: int) -> Medians:
    import ms_toollib

    library: Any = ms_toollib

    def two(numbers: list[list[int]]) -> tuple[int, int]:
        board = library.Board(numbers)
        return board.zini, board.hzini

    def facts(numbers: list[list[int]]) -> tuple[int, ...]:
        board = library.Board(numbers)
        return (board.bbbv, board.op, board.isl, *(getattr(board, f"cell{number}") for number in range(9)))

    medians: Medians = {}
    for level in LEVELS:
        inputs = [library.cal_board_numbers(as_lists(board.mines)) for board in level_boards(level, boards)]
        medians[level] = {
            "two ZiNis": median_us(two, inputs, rounds),
            "board numbers": median_us(facts, inputs, rounds),
        }
    return medians


SIDES: dict[str, Callable[[int, int], Medians]] = {"sweepbook": ours, "ms_toollib": theirs}


def in_own_process(side: str, boards: int, rounds: int) -> Medians:
    command = [sys.executable, "-m", "tests.bench.bench_zini", "--boards", str(boards), "--rounds", str(rounds)]
    answer = subprocess.run([*command, "--side", side], cwd=ROOT, capture_output=True, text=True, check=True)
    medians: Medians = json.loads(answer.stdout)
    return medians


def start_seconds() -> list[tuple[str, float, float]]:
    """Seconds of the import and of the first calls: without compiled kernels on disk, then with them."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"NUMBA_CACHE_DIR": cache}
        rows = []
        for name in ("cold", "warm"):
            answer = subprocess.run(
                [sys.executable, "-c", FIRST_CALLS],
                cwd=ROOT,
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
            imported, called = map(float, answer.stdout.split())
            rows.append((name, imported, called))
        return rows


def large_boards() -> dict[str, Board]:
    """The largest boards: random ones of several densities, and patterns meant to hurt."""
    rng = np.random.default_rng(3)
    side = np.arange(255)
    boards = {f"{share:.0%} mines": (rng.random((255, 255)) < share) for share in (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.9)}
    one_mine, full = np.zeros((255, 255), bool), np.ones((255, 255), bool)
    one_mine[254, 254], full[100, 100] = True, False
    rooms = np.zeros((255, 255), bool)
    rooms[3::4] = rooms[:, 3::4] = True
    stripes = np.zeros((255, 255), bool)
    stripes[:, 3::4] = True
    dots = np.zeros((255, 255), bool)
    dots[1::3, 1::3] = True
    boards |= {"one mine": one_mine, "one safe cell": full, "checkers": (side[:, None] + side) % 2 == 1}
    boards |= {"rooms": rooms, "stripes": stripes, "stripes across": stripes.T, "dots": dots}
    return {name: Board(mines.astype(np.uint8)) for name, mines in boards.items()}


def large_report() -> str:
    from analysis.board import board_facts
    from analysis.zini import rzini, zini_counts

    lines = [f"{'255x255, ms':<20}{'board numbers':>14}{'four ZiNis':>14}{'random ZiNi':>14}"]
    for name, board in large_boards().items():
        board_facts(board), zini_counts(board)
        times = []
        for work in (board_facts, zini_counts, rzini):
            started = time.perf_counter()
            work(board)
            times.append((time.perf_counter() - started) * 1e3)
        lines.append(f"{name:<20}{times[0]:>14.2f}{times[1]:>14.2f}{times[2]:>14.0f}")
    return "\n".join(lines)


def report(results: dict[str, Medians]) -> str:
    lines = [f"{'median us a board':<14}{'work':<28}{'sweepbook':>10}{'ms_toollib':>12}{'ratio':>8}"]
    for level, jobs in results["sweepbook"].items():
        for job, us in jobs.items():
            library_us = results["ms_toollib"][level]["board numbers" if job == "board numbers" else "two ZiNis"]
            lines.append(f"{level:<14}{job:<28}{us:>13.2f}{library_us:>12.2f}{library_us / us:>8.2f}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--boards", type=int, default=1000, help="boards of each level")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--side", choices=tuple(SIDES), help="measure one side and print JSON")
    options = parser.parse_args()
    if options.side:
        sys.stdout.write(json.dumps(SIDES[options.side](options.boards, options.rounds)))
        return 0
    results = {side: in_own_process(side, options.boards, options.rounds) for side in SIDES}
    sys.stdout.write(report(results) + "\n\n" + large_report() + "\n\n")
    for name, imported, called in start_seconds():
        sys.stdout.write(f"{name} start: import {imported:.2f} s, first board facts and ZiNis {called:.2f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
