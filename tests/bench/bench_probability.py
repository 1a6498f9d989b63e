"""Our probabilities against ms_toollib on the same positions of Expert games.

    python -m tests.bench.bench_probability --positions 2000      time, and every chance compared
    python -m tests.bench.bench_probability --games 10000         the worst answer of so many whole games

A round times every position once, so that neither side profits from one that the CPU has just seen; the figure of a
position is its best round.  Both sides start from what their functions take.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.probability import CLOSED, Position
from tests.analysis.probability.oracles import ORACLES, hard_names, hard_position, open_cell
from tests.naive_probability import numbers_of

ROWS, COLUMNS, MINES = 16, 30, 99
Floats = NDArray[np.float64]


def game(rng: np.random.Generator) -> Iterator[Position]:
    """The positions of an Expert game whose first cell is safe: all safe cells at once, else one of the safest."""
    from analysis.probability import probabilities

    board = np.zeros(ROWS * COLUMNS, np.uint8)
    board[1 + rng.choice(board.size - 1, MINES, replace=False)] = 1
    mines = board.reshape(ROWS, COLUMNS)
    numbers, seen = np.array(numbers_of(mines), np.uint8), np.zeros((ROWS, COLUMNS), bool)
    opened = [(0, 0)]
    while opened:
        for cell in opened:
            open_cell(numbers, seen, cell)
        if seen.sum() == board.size - MINES:
            return
        position = Position(np.where(seen, numbers, CLOSED).astype(np.uint8), MINES)
        yield position
        answer = probabilities(position)
        chosen = answer.certain_safe
        if not chosen.any():
            chosen = answer.mine == answer.mine[position.closed].min()
            chosen &= np.cumsum(chosen & position.closed).reshape(chosen.shape) == 1
            chosen &= position.closed
        opened = [] if mines[chosen].any() else [(int(row), int(column)) for row, column in np.argwhere(chosen)]


def positions(count: int, seed: int = 1) -> list[Position]:
    """Positions of games that have begun: between 5 and 95 of 100 safe cells are open."""
    rng = np.random.default_rng(seed)
    few, many = 0.05 * (ROWS * COLUMNS - MINES), 0.95 * (ROWS * COLUMNS - MINES)
    games = (game(rng) for _ in iter(int, 1))
    return list(islice((p for one in games for p in one if few <= (~p.closed).sum() <= many), count))


def best_us(work: Callable[[Any], object], inputs: list[Any], rounds: int) -> Floats:
    """The best time of each input in microseconds."""
    best = np.full(len(inputs), np.inf)
    work(inputs[0])
    for _ in range(rounds):
        for index, value in enumerate(inputs):
            started = time.perf_counter()
            work(value)
            best[index] = min(best[index], time.perf_counter() - started)
    return best * 1e6


def ours(inputs: list[Position], rounds: int) -> tuple[Floats, Floats]:
    from analysis.probability import probabilities

    return best_us(probabilities, inputs, rounds), np.array([probabilities(position).mine for position in inputs])


def theirs(inputs: list[Position], rounds: int) -> tuple[Floats, Floats]:
    import ms_toollib

    library: Any = ms_toollib

    def ask(board: list[list[int]]) -> Any:
        return library.cal_probability_onboard(board, MINES)[0]

    boards = [position.numbers.tolist() for position in inputs]
    return best_us(ask, boards, rounds), np.array([ask(board) for board in boards])


SIDES = {"sweepbook": ours, "ms_toollib": theirs}


def shown(name: str, us: Floats) -> str:
    quantiles = [float(np.percentile(us, share)) for share in (50, 90, 99, 100)]
    return f"{name:<14}" + "".join(f"{value:>11.1f}" for value in (*quantiles, us.mean()))


def compare(count: int, rounds: int) -> int:
    inputs = positions(count)
    codes = np.array([position.numbers for position in inputs])
    found = {side: work(inputs, rounds) for side, work in SIDES.items()}
    print(f"{count} positions of Expert games, us{'median':>8}{'p90':>11}{'p99':>11}{'worst':>11}{'mean':>11}")
    for side, (us, _) in found.items():
        print(shown(side, us))
    ratio = np.median(found["ms_toollib"][0]) / np.median(found["sweepbook"][0])
    closed = codes == CLOSED
    apart = np.abs(found["ms_toollib"][1] - found["sweepbook"][1])[closed].max()
    print(f"ratio of medians {ratio:.1f}; {closed.sum()} chances differ by {apart:.1e} at most")
    return int(apart > 1e-9)


def whole_games(count: int) -> int:
    from analysis.kernels import probability as kernels

    rng, worst, calls, spent = np.random.default_rng(7), 0.0, 0, 0.0
    kernels.odds_of(next(game(rng)).grid(), MINES, False, kernels.MAX_WEIGHTS)  # compiles, or loads what was compiled
    for _ in range(count):
        for position in game(rng):
            started = time.perf_counter()
            kernels.odds_of(position.grid(), MINES, False, kernels.MAX_WEIGHTS)
            took = time.perf_counter() - started
            worst, calls, spent = max(worst, took), calls + 1, spent + took
    print(f"{count} games: {calls} answers, {spent / count * 1e3:.2f} ms a game, the worst {worst * 1e3:.2f} ms")
    return int(worst > 1)


def hard(rounds: int) -> int:
    from analysis.probability import probabilities

    slowest = 0.0
    for name in hard_names() if ORACLES.is_dir() else []:
        us = best_us(probabilities, [hard_position(name)[0]], rounds)
        slowest = max(slowest, float(us.max()))
        print(f"hard position {name:<10}{us.max() / 1e3:>9.2f} ms")
    return int(slowest > 1e6)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--positions", type=int, default=0)
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    failed = whole_games(options.games) if options.games else 0
    if options.positions or not options.games:
        failed |= compare(options.positions or 500, options.rounds) | hard(options.rounds)
    return failed


if __name__ == "__main__":
    sys.exit(main())
