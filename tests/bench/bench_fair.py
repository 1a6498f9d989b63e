"""Boards of live games, with and without guesses, and the steps of a live game.

    python -m tests.bench.bench_fair [--boards 300] [--games 30]

The first cell of a board is any cell with equal chances, as for a free first click.  Boards without guesses are searched
from attempt 0, as the server does.  A step is one event passed to ``LiveGame.feed``, in games of bots on Expert boards.
One process; milliseconds a board, microseconds a step.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import math
import sys
import time
from collections.abc import Callable

import numpy as np

from analysis import fair
from analysis.bots import DEMO_PROFILES, play_game
from analysis.fair import Rules
from analysis.live import LiveGame
from analysis.recording import LEVEL_SHAPES, Kind, Level
from replays.play.solo.playing.no_guess import try_boards


def boards(count: int) -> None:
    print(
        f"{'level':14} {'rules':9} {'p50 ms':>8} {'p90':>8} {'p99':>8} {'worst':>8} {'tries p50':>10} {'p99':>6} {'most':>6}"
    )
    for level, (rows, columns, mines) in LEVEL_SHAPES.items():
        for rules in (Rules.WIN7, Rules.NO_GUESS):
            rng = np.random.default_rng(1)
            took, tries = [], []
            for _ in range(count):
                secret, nonce, first = rng.bytes(32), rng.bytes(16), int(rng.integers(rows * columns))
                started = time.perf_counter()
                if rules is Rules.NO_GUESS:
                    _, attempt = try_boards(secret, nonce, (rows, columns, mines), first, 0, math.inf)
                else:
                    fair.board(secret, nonce, rows, columns, mines, rules, first)
                    attempt = 0
                took.append(1_000 * (time.perf_counter() - started))
                tries.append(attempt + 1)
            times = " ".join(f"{value:8.2f}" for value in (*np.percentile(took, [50, 90, 99]), max(took)))
            most = " ".join(f"{value:6.0f}" for value in (np.percentile(tries, 99), max(tries)))
            print(f"{level.value:14} {rules.value:9} {times} {np.median(tries):10.0f} {most}")


def steps(count: int) -> None:
    took: dict[str, list[float]] = {"button": [], "move": []}
    for seed in range(count):
        bot = play_game(DEMO_PROFILES[seed % len(DEMO_PROFILES)], Level.EXPERT, "FL", seed)
        game = LiveGame(bot.board.rows, bot.board.columns, bot.cell_px)
        for event in bot.events.tolist():
            started = time.perf_counter()
            step = game.feed([event])
            if step.needs_board is not None:
                step = game.lay(bot.board)
            sort = "move" if event[3] == Kind.MOVE else "button"
            took[sort].append(1_000_000 * (time.perf_counter() - started))
            if step.result is not None:
                break
    for sort, values in took.items():
        p50, p99 = np.percentile(values, [50, 99])
        print(f"a step with a {sort}: p50 {p50:.1f} µs, p99 {p99:.1f} µs, {len(values)} steps")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--boards", type=int, default=300, help="boards of each level and rules")
    parser.add_argument("--games", type=int, default=30, help="Expert games of bots")
    options = parser.parse_args()
    parts: tuple[tuple[Callable[[int], None], int], ...] = ((boards, options.boards), (steps, options.games))
    with contextlib.redirect_stdout(io.StringIO()):
        for part, _ in parts:
            part(1)  # compiles or loads the kernels
    for part, count in parts:
        part(count)
    return 0


if __name__ == "__main__":
    sys.exit(main())
