"""Our ZiNi and board numbers against ms_toollib on the same random boards, each side in a process of its own.

    python -m tests.bench.bench_zini --boards 1000

The sides take turns; a round times every board once, so that neither side profits from a board that the CPU has just
seen.  The figure of a board is its median over the rounds, the figure of a level the median of its boards.  Both sides
start from what their functions take: an array of mines here, a list of lists of the numbers of the cells there (ours
computes those numbers within the time).  *All four* compares our four ZiNis with their two, *the same two* the two
readings that both know.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from analysis.recording import Board, Level
from tests.bench.check_zini_oracle import LEVELS, as_lists, level_boards
from tests.bench.duel import ROOT, SIDES, duel, serve

OURS, THEIRS = SIDES
FOUR, TWO, NUMBERS = "all four ZiNis (theirs: two)", "the same two ZiNis", "board numbers"
Medians = dict[Level, dict[str, float]]

FIRST_CALLS = """
import time
started = time.perf_counter()
import numpy
from analysis.recording import Board, Level
from analysis import board, zini
imported = time.perf_counter()
small = Board(numpy.eye(8, dtype=numpy.uint8))
board.board_facts(small), zini.zini_counts(small)
print(imported - started, time.perf_counter() - imported)
"""


def jobs_of(side: str) -> tuple[dict[str, Callable[[Any], object]], Callable[[Board], object]]:
    """The functions of a side that are timed, by name, and the function that makes their input of a board."""
    if side == OURS:
        from analysis.board import board_facts
        from analysis.zini import zini_counts
        from tests.bench.check_zini_oracle import reference_counts

        return {FOUR: zini_counts, TWO: reference_counts, NUMBERS: board_facts}, lambda board: board
    import ms_toollib

    library: Any = ms_toollib

    def two(numbers: list[list[int]]) -> tuple[int, int]:
        board = library.Board(numbers)
        return board.zini, board.hzini

    def facts(numbers: list[list[int]]) -> tuple[int, ...]:
        board = library.Board(numbers)
        return (board.bbbv, board.op, board.isl, *(getattr(board, f"cell{number}") for number in range(9)))

    return {TWO: two, NUMBERS: facts}, lambda board: library.cal_board_numbers(as_lists(board.mines))


def serve_side(side: str, boards: int) -> None:
    """Measure one side as often as requested; the first round warms up."""
    jobs, prepared = jobs_of(side)
    inputs = {level: [prepared(board) for board in level_boards(level, boards)] for level in LEVELS}
    rounds: dict[tuple[Level, str], list[list[float]]] = {(level, job): [] for level in LEVELS for job in jobs}

    def one_round() -> None:
        for (level, job), passes in rounds.items():
            passes.append([seconds(jobs[job], value) for value in inputs[level]])

    def result() -> Medians:
        figures: Medians = {level: {} for level in LEVELS}
        for (level, job), passes in rounds.items():
            by_board = [statistics.median(spent_s) for spent_s in zip(*passes[1:], strict=True)]
            figures[level][job] = statistics.median(by_board) * 1e6
        return figures

    serve(one_round, result)


def seconds(work: Callable[[Any], object], value: object) -> float:
    started = time.perf_counter()
    work(value)
    return time.perf_counter() - started


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
    """The largest boards: random ones of several densities, and patterns that are slow for ZiNi."""
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
    our, their = (results[side] for side in SIDES)
    lines = [f"{'median us a board':<14}{'work':<34}{OURS:>12}{THEIRS:>12}{'ratio':>8}"]
    for level in LEVELS:
        for job, us in our[level].items():
            their_us = their[level][NUMBERS if job == NUMBERS else TWO]
            lines.append(f"{level:<14}{job:<34}{us:>12.2f}{their_us:>12.2f}{their_us / us:>8.2f}")
    for job in (FOUR, TWO):
        our_us, their_us = (
            sum(figures[level][name] for level in LEVELS) for figures, name in ((our, job), (their, TWO))
        )
        lines.append(f"{'all levels':<14}{job:<34}{our_us:>12.2f}{their_us:>12.2f}{their_us / our_us:>8.2f}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--boards", type=int, default=1000, help="boards of each level")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--side", choices=SIDES, help="internal: serve rounds of one side")
    options = parser.parse_args()
    if options.side:
        serve_side(options.side, options.boards)
        return 0
    results = duel("tests.bench.bench_zini", ["--boards", str(options.boards)], options.rounds)
    sys.stdout.write(report(results) + "\n\n" + large_report() + "\n\n")
    for name, imported, called in start_seconds():
        sys.stdout.write(f"{name} start: import {imported:.2f} s, first board facts and ZiNis {called:.2f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
