"""Positions with known answers: worked examples, and the folder of reference results if it is present."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from analysis.probability import Position
from tests.shared_files import SHARED

ORACLES = SHARED / "solver_oracles"
needs_oracles = pytest.mark.skipif(not ORACLES.is_dir(), reason="the reference answers are not here")

HARD_MINES = {"stuckA": 78, "stuckB": 78}  # all others have 99


def reference_positions() -> list[tuple[Position, NDArray[np.float64]]]:
    """300 positions of Expert games with the probabilities of another program."""
    blocks = [block.split() for block in (ORACLES / "pos300.txt").read_text().split("\n\n") if block.strip()]
    with gzip.open(ORACLES / "pos300_mineprob_dnh.txt.gz", "rt") as file:
        answers = [np.array(line.split(), np.float64) for line in file if line.strip()]
    positions = [Position.of_rows(rows, mines=99) for rows in blocks]
    return [
        (position, answer.reshape(position.numbers.shape)) for position, answer in zip(positions, answers, strict=True)
    ]


def hard_names() -> list[str]:
    names = (path.stem.removeprefix("hard_") for path in ORACLES.glob("hard_*.txt"))
    return sorted(name for name in names if not name.endswith("_mineprob"))


def hard_position(name: str) -> tuple[Position, NDArray[np.float64]]:
    position = Position.of_rows((ORACLES / f"hard_{name}.txt").read_text().split(), HARD_MINES.get(name, 99))
    answer = np.array((ORACLES / f"hard_{name}_mineprob.txt").read_text().split(), np.float64)
    return position, answer.reshape(position.numbers.shape)


def small_positions() -> list[dict[str, Any]]:
    """Small positions with fractions by cell (``prob``, "row,column") and the number of layouts (``configs``)."""
    return list(json.loads((ORACLES / "small_oracle.json").read_text())) if ORACLES.is_dir() else []


def endgames() -> list[dict[str, Any]]:
    """Endgames with flags, the layouts (``configs``) and in how many of them each closed cell is safe (``safe``)."""
    return list(json.loads((ORACLES / "xie_oracle.json").read_text())) if ORACLES.is_dir() else []


def cell_of(text: str) -> tuple[int, int]:
    row, column = text.split(",")
    return int(row), int(column)


def fractions(text: str) -> list[list[Fraction]]:
    """``"0 1/2 / 1 0"``: rows of fractions."""
    return [[Fraction(value) for value in row.split()] for row in text.split(" / ")]


#: Rows, mines, the chance of each cell.  By hand: the small ones are easily listed.
WORKED: dict[str, tuple[str, int, str]] = {
    "a single corner": ("1. ..", 1, "0 1/3 / 1/3 1/3"),
    "two ends of a line": ("1....1", 2, "0 1 0 0 1 0"),
    "one number in two ways": (".... 121. ....", 2, "1/2 0 1/2 0 / 0 0 0 0 / 1/2 0 1/2 0"),
    "only the count tells": ("2.. ... ..2", 3, "0 1/2 0 / 1/2 1 1/2 / 0 1/2 0"),
    "nothing is open": ("... ... ...", 2, "2/9 2/9 2/9 / 2/9 2/9 2/9 / 2/9 2/9 2/9"),
    "no mines at all": ("..", 0, "0 0"),
    "mines everywhere": (".. ..", 4, "1 1 / 1 1"),
    "a 4 and its surroundings": (".4. ... ... ...", 5, "4/5 0 4/5 / 4/5 4/5 4/5 / 1/6 1/6 1/6 / 1/6 1/6 1/6"),
    "two numbers share all": ("....? .3.4? ....?", 5, "1/5 1/5 2/3 1 0 / 1/5 0 2/3 0 0 / 1/5 1/5 2/3 1 0"),
    "a gap between fronts": ("..... .1... .3... .....", 5, "1/45 1/45 1/45 29/120 29/120 / 7/30 0 7/30 29/120 29/120 / "
                             "7/30 0 7/30 29/120 29/120 / 31/45 31/45 31/45 29/120 29/120"),
}  # fmt: skip


def two_numbers_in_the_open(mines: int) -> Position:
    """A 1 and a 2 in one row of a 16x16 board with one closed cell between them."""
    rows = ["................"] * 16
    rows[8] = "......1.2......."
    return Position.of_rows(rows, mines)


def two_numbers_answer(mines: int, cells: int = 256) -> tuple[Fraction, Fraction, Fraction]:
    """The chances beside the 1 only, beside both and beside the 2 only."""
    below = 3 * cells + 7 * mines - 56
    return (
        Fraction(2 * mines - 4, below),
        Fraction(cells - mines - 12, below),
        Fraction(3 * cells + 17 * mines - 76, 15 * cells + 35 * mines - 280),
    )


def board_halves(rng: np.random.Generator, shape: tuple[int, int], mines: int) -> Iterator[Position]:
    """Positions half way through a game that opens safe cells at random, openings included; an endless iterator."""
    from tests.naive_probability import numbers_of

    while True:
        board = np.zeros(shape[0] * shape[1], np.uint8)
        board[rng.choice(board.size, mines, replace=False)] = 1
        board = board.reshape(shape)
        numbers = np.array(numbers_of(board), np.uint8)
        enough = rng.uniform(0.05, 0.95) * (board.size - mines)
        seen = np.zeros(shape, bool)
        for place in rng.permutation(board.size):
            if seen.sum() >= enough:
                break
            if board.flat[place] == 0:
                open_cell(numbers, seen, (int(place) // shape[1], int(place) % shape[1]))
        yield Position(np.where(seen, numbers, 10).astype(np.uint8), mines)


def open_cell(numbers: NDArray[np.uint8], seen: NDArray[np.bool_], cell: tuple[int, int]) -> None:
    """Open a safe cell, and everything around zeros."""
    waiting = [cell]
    while waiting:
        row, column = waiting.pop()
        if seen[row, column]:
            continue
        seen[row, column] = True
        if numbers[row, column] == 0:
            waiting += [
                (r, c)
                for r in range(max(0, row - 1), min(seen.shape[0], row + 2))
                for c in range(max(0, column - 1), min(seen.shape[1], column + 2))
            ]
