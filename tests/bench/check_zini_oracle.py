"""Compare 3BV, openings, islands, cell counts and ZiNi of random boards with ms_toollib.

    python -m tests.bench.check_zini_oracle --boards 1000

The boards are seeded.  The library aborts the whole process on input that it does not like, so it runs in a worker
process (this file with ``--worker``: one board a line on stdin, one JSON answer a line on stdout).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from analysis.board import board_facts
from analysis.kernels import zini as kernels
from analysis.recording import LEVEL_SHAPES, Board, Level
from analysis.zini import zini_counts

ROOT = Path(__file__).resolve().parents[2]
LEVELS = (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT)
ODD_SHAPES = ((1, 1), (1, 2), (2, 1), (1, 9), (9, 1), (1, 40), (40, 1), (2, 17), (17, 2), (3, 3), (30, 8), (24, 24))
DENSITIES = (0.01, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 0.9)

Numbers = dict[str, int]


def random_board(rng: np.random.Generator, rows: int, columns: int, mine_count: int) -> Board:
    mines = np.zeros(rows * columns, np.uint8)
    mines[rng.permutation(rows * columns)[:mine_count]] = 1
    return Board(mines.reshape(rows, columns))


def level_boards(level: Level, count: int, seed: int = 1) -> list[Board]:
    """``count`` seeded boards of a level."""
    rng = np.random.default_rng(seed)
    return [random_board(rng, *LEVEL_SHAPES[level]) for _ in range(count)]


def odd_boards(seed: int = 2) -> list[Board]:
    """Narrow, tiny, tall and wide boards of every density from 1 % to 90 %, at least one cell of them safe."""
    rng = np.random.default_rng(seed)
    return [
        random_board(rng, rows, columns, min(round(share * rows * columns), rows * columns - 1))
        for rows, columns in ODD_SHAPES
        for share in DENSITIES
    ]


def reference_counts(board: Board) -> tuple[int, int]:
    """``gzini_ref`` and ``hzini_ref`` alone, the two that other programs show."""
    terrain = kernels.terrain_of(board.mines)
    gzini, hzini = kernels.greedy_and_human(terrain, kernels.column_order(terrain), kernels.UNAFFORDABLE)
    return int(gzini), int(hzini)


def ours(board: Board) -> Numbers:
    """Our numbers."""
    facts, counts = board_facts(board), zini_counts(board)
    cells = {f"cell{number}": count for number, count in enumerate(facts.cells)}
    found = {"bv": facts.bv, "op": facts.op, "isl": facts.isl, **cells}
    return found | {"gzini": counts.gzini, "gzini_ref": counts.gzini_ref, "hzini_ref": counts.hzini_ref}


def as_lists(mines: Any) -> list[list[int]]:
    """Mines in the library's notation: -1 a mine, 0 a safe cell."""
    return (-np.asarray(mines).astype(np.int64)).tolist()  # type: ignore[no-any-return]


def theirs(mines: Any) -> Numbers:
    """The library's numbers; it knows one scan order, so the other is that of the transposed board."""
    import ms_toollib  # only the worker loads it

    library: Any = ms_toollib  # its stubs name an argument that cal_zini does not have
    numbers = library.cal_board_numbers(as_lists(mines))
    board = library.Board(numbers)
    cells = {f"cell{number}": getattr(board, f"cell{number}") for number in range(9)}
    found = {"bv": board.bbbv, "op": board.op, "isl": board.isl, **cells}
    return found | {
        "gzini": library.cal_zini(library.cal_board_numbers(as_lists(np.asarray(mines).T))),
        "gzini_ref": library.cal_zini(numbers),
        "hzini_ref": board.hzini,
    }


def work() -> None:
    for line in sys.stdin:
        sys.stdout.write(json.dumps(theirs(json.loads(line))) + "\n")
        sys.stdout.flush()


def ask(boards: Sequence[Board]) -> Iterator[Numbers | None]:
    """The library's numbers by board, in order; ``None`` for a board that it aborts on."""
    waiting = list(boards)
    while waiting:
        worker = subprocess.run(
            [sys.executable, "-m", "tests.bench.check_zini_oracle", "--worker"],
            input="".join(json.dumps(board.mines.tolist()) + "\n" for board in waiting),
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        answers = [json.loads(line) for line in worker.stdout.splitlines()]
        yield from answers
        if worker.returncode == 0:
            if len(answers) != len(waiting):
                raise RuntimeError(f"the worker answered {len(answers)} of {len(waiting)} boards")
            return
        if "Error" in worker.stderr and "panicked" not in worker.stderr:
            raise RuntimeError(worker.stderr)  # a mistake of ours, not an abort of the library
        yield None
        waiting = waiting[len(answers) + 1 :]


def compare(boards: Sequence[Board]) -> tuple[int, list[str]]:
    """Return how many boards the library answered, and every difference in words."""
    answered, differences = 0, []
    for index, (board, expected) in enumerate(zip(boards, ask(boards), strict=True)):
        if expected is None:
            continue
        answered += 1
        found = ours(board)
        differences += [
            f"board {index} ({board.rows}x{board.columns}/{board.mine_count}) {name}: {found[name]}, library {value}"
            for name, value in expected.items()
            if found[name] != value
        ]
    return answered, differences


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--boards", type=int, default=1000, help="boards of each level")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work()
        return 0
    sets = {str(level): level_boards(level, options.boards, options.seed) for level in LEVELS}
    sets["odd shapes"] = odd_boards(options.seed)
    failed = False
    for name, boards in sets.items():
        started = time.perf_counter()
        answered, differences = compare(boards)
        failed |= bool(differences) or answered == 0
        sys.stdout.write(
            f"{name}: {len(boards)} boards, answered {answered}, differences {len(differences)} "
            f"({time.perf_counter() - started:.1f} s)\n"
        )
        sys.stdout.writelines(f"    {difference}\n" for difference in differences[:20])
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
