"""The solver on the boards that other programs have played, game by game.

    python -m tests.bench.bench_solver                           Expert, XP: 20,000 boards, every anchor
    python -m tests.bench.bench_solver --rules w7 --level int    another file of boards
    python -m tests.bench.bench_solver --fresh 100000            boards of our own
    python -m tests.bench.bench_solver --ablation --boards 4000  what each part brings and costs
    python -m tests.bench.bench_solver --starts --boards 2000    first cells compared

Differences are on the same boards: *only we* and *only they* count the games that one of the two won, and McNemar's
test asks whether they could be equal.  Intervals are of 95 %.  Milliseconds a game are the median of the means of five
runs, one process, with nothing else to do if the machine allows.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis.recording import Board, Level
from analysis.solver import Options, Rules, Solver, Strength, generate, start_of
from tests.shared_files import SHARED

LEVELS = {"exp": Level.EXPERT, "int": Level.INTERMEDIATE, "beg": Level.BEGINNER_9X9}
RULES = {"xp": Rules.XP, "w7": Rules.WIN7}
FILES = {
    ("exp", "xp"): "exp_xp_00", ("exp", "w7"): "exp_w7_33", ("int", "xp"): "int_xp_00",
    ("int", "w7"): "int_w7_22", ("beg", "xp"): "beg_xp_00", ("beg", "w7"): "beg_w7_22",
}  # fmt: skip
TIMED_RUNS, TIMED_GAMES = 5, 400
WITHOUT_FILES = 2_000  # boards of our own where those of other programs are missing
Z = 1.959964

#: What each part adds to the one before it.
TIERS: tuple[tuple[str, Options], ...] = (
    ("two rules, random guesses", Options(Strength.CAREFUL)),
    ("exact certain cells, random guesses", Options(Strength.EXACT)),
    ("+ the safest cell", Options(Strength.SAFEST)),
    ("+ perfect endgames", Options(Strength.SAFEST, endgames=True, pocket_layouts=0)),
    ("+ pockets apart", Options(Strength.SAFEST, endgames=True)),
    ("+ one guess ahead", Options(Strength.FAR)),
    ("+ the fitted chance to win", Options(Strength.FULL)),
)


@dataclass(frozen=True)
class Wilson:
    """An interval for a share, in percent."""

    low: float
    high: float

    @classmethod
    def of(cls, wins: int, games: int) -> Wilson:
        share, z2 = wins / games, Z * Z
        middle = (share + z2 / (2 * games)) / (1 + z2 / games)
        reach = Z * math.sqrt(share * (1 - share) / games + z2 / (4 * games * games)) / (1 + z2 / games)
        return cls(100 * (middle - reach), 100 * (middle + reach))

    def __str__(self) -> str:
        return f"[{self.low:.2f}, {self.high:.2f}]"


def mcnemar(only_we: int, only_they: int) -> float:
    """The chance of a split at least as uneven if both won equally often (normal, with continuity correction)."""
    games = only_we + only_they
    if games == 0:
        return 1.0
    return math.erfc(max(abs(only_we - only_they) - 1, 0) / math.sqrt(2 * games))


def play_all(mines: NDArray[np.uint8], options: Options, rules: Rules, start: tuple[int, int]) -> NDArray[np.int64]:
    """A row a game: won, guesses, opened cells."""
    solver = Solver(options)
    games = (solver.play(Board(board), start, rules) for board in mines)
    return np.array([(game.won, game.guesses, game.opened) for game in games], np.int64)


def results(
    mines: NDArray[np.uint8], options: Options, rules: Rules, start: tuple[int, int], jobs: int
) -> NDArray[np.int64]:
    work = partial(play_all, options=options, rules=rules, start=start)
    if jobs == 1:
        return work(mines)
    with ProcessPoolExecutor(jobs) as pool:
        return np.concatenate(list(pool.map(work, np.array_split(mines, 4 * jobs))))


def ms_a_game(mines: NDArray[np.uint8], options: Options, rules: Rules, start: tuple[int, int]) -> float:
    """Median of the means of several runs, each over the same boards."""
    boards = [Board(board) for board in mines[:TIMED_GAMES]]
    solver, means = Solver(options), []
    solver.play(boards[0], start, rules)
    for _ in range(TIMED_RUNS):
        started = time.perf_counter()
        for board in boards:
            solver.play(board, start, rules)
        means.append((time.perf_counter() - started) * 1e3 / len(boards))
    return statistics.median(means)


def shared_file(level: str, rules: str) -> Path:
    """Return the path of the boards that other programs have played; the file may be missing."""
    return SHARED / "solver_boards" / f"{FILES[level, rules]}.npz"


def shared_boards(path: Path) -> tuple[NDArray[np.uint8], dict[str, NDArray[np.bool_]]]:
    """The boards, and by anchor which of the first of them it won."""
    with np.load(path) as file:
        rows, columns, _ = (int(side) for side in file["shape"])
        mines = np.unpackbits(file["mines"], axis=1)[:, : rows * columns].reshape(-1, rows, columns)
        anchors = {name[4:]: file[name].astype(bool) for name in file.files if name.startswith("won_")}
    return mines, anchors


def fresh_boards(level: str, rules: str, count: int, seed: int, start: tuple[int, int]) -> NDArray[np.uint8]:
    """Boards of our own, none of which was used to fit or tune anything if ``seed`` is left alone."""
    return np.array([generate(LEVELS[level], RULES[rules], seed + index, start=start).mines for index in range(count)])


def report(name: str, played: NDArray[np.int64], to_open: int) -> None:
    games, wins = len(played), int(played[:, 0].sum())
    explored = np.histogram(played[played[:, 0] == 0, 2] / to_open, bins=10, range=(0, 1))[0]
    print(f"{name}: won {wins} of {games} = {100 * wins / games:.2f} % {Wilson.of(wins, games)}", flush=True)
    print(
        f"  guesses a game {played[:, 1].mean():.2f}; part of the board open in lost games, by tenths: {explored.tolist()}"
    )


def compare(won: NDArray[np.bool_], anchors: dict[str, NDArray[np.bool_]]) -> None:
    for name, theirs in anchors.items():
        count = min(len(won), len(theirs))
        ours, other = won[:count], theirs[:count]
        only_we, only_they = int((ours & ~other).sum()), int((other & ~ours).sum())
        difference = (only_we - only_they) / count
        reach = Z * math.sqrt(max((only_we + only_they) / count - difference**2, 0) / count)
        print(
            f"  {name:18} {100 * other.mean():.2f} % of the first {count} where we won {100 * ours.mean():.2f} %: "
            f"{100 * difference:+.2f} ± {100 * reach:.2f}; only we {only_we}, only they {only_they}, "
            f"McNemar p = {mcnemar(only_we, only_they):.2g}"
        )


def ablation(mines: NDArray[np.uint8], rules: Rules, start: tuple[int, int], jobs: int) -> None:
    before: NDArray[np.int64] | None = None
    for name, options in TIERS:
        won = results(mines, options, rules, start, jobs)[:, 0]
        change = (
            ""
            if before is None
            else f" {100 * (won - before).mean():+.2f} ± {100 * Z * (won - before).std() / math.sqrt(len(won)):.2f}"
        )
        cost = ms_a_game(mines, options, rules, start)
        print(f"{name:40} {100 * won.mean():.2f} %{change}  {cost:.2f} ms a game", flush=True)
        before = won


def starts(level: str, rules: str, count: int, jobs: int) -> None:
    """Win rates by first cell: those of one eighth of the board near a corner."""
    for row in range(5):
        shares = []
        for column in range(row, 5):
            mines = fresh_boards(level, rules, count, 90_000_000, (row, column))
            won = results(mines, Options(), RULES[rules], (row, column), jobs)[:, 0]
            shares.append(f"({row},{column}) {100 * won.mean():.1f}")
        print("  ".join(shares), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--boards", type=int, default=20_000, help="the first so many shared boards")
    parser.add_argument("--rules", choices=tuple(RULES), default="xp")
    parser.add_argument("--level", choices=tuple(LEVELS), default="exp")
    parser.add_argument("--strength", choices=[strength.value for strength in Strength], default=Strength.FULL.value)
    parser.add_argument("--fresh", type=int, default=0, help="so many boards of our own instead")
    parser.add_argument("--seed", type=int, default=1_000_000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--ablation", action="store_true")
    parser.add_argument("--starts", action="store_true")
    given = parser.parse_args()
    level, rules = LEVELS[given.level], RULES[given.rules]
    start, options = start_of(level, rules), Options(Strength(given.strength))
    if given.starts:
        starts(given.level, given.rules, given.boards, given.jobs)
        return 0
    anchors: dict[str, NDArray[np.bool_]] = {}
    path, fresh = shared_file(given.level, given.rules), given.fresh
    if not fresh and not path.exists():
        fresh = min(given.boards, WITHOUT_FILES)
        print(f"{path} is not here: nobody to compare with. Playing {fresh} boards of our own.", flush=True)
    if fresh:
        mines = fresh_boards(given.level, given.rules, fresh, given.seed, start)
    else:
        mines, anchors = shared_boards(path)
        mines = mines[: given.boards]
    if given.ablation:
        ablation(mines, rules, start, given.jobs)
        return 0
    to_open = mines[0].size - int(mines[0].sum())
    played = results(mines, options, rules, start, given.jobs)
    report(f"{given.level} {given.rules} {options.strength}, first cell {start}", played, to_open)
    compare(played[:, 0].astype(bool), anchors)
    print(f"  {ms_a_game(mines, options, rules, start):.2f} ms a game")
    return 0


if __name__ == "__main__":
    sys.exit(main())
