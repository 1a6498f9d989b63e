"""Probabilities by their definition: all layouts are tried.  The slow twin of ``analysis.probability``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from analysis.probability import CLOSED, FLAG, Position

Cell = tuple[int, int]
MAX_CLOSED = 20  # 2**20 subsets are the most that a test can wait for


@dataclass(frozen=True)
class NaiveAnswer:
    """``mine``: chance by closed cell; ``frontier``: chance by mines among the closed cells that numbers see."""

    layouts: int
    mine: dict[Cell, Fraction]
    frontier: dict[int, Fraction]


def around(position: Position, cell: Cell) -> list[Cell]:
    return [
        (row, column)
        for row in range(max(0, cell[0] - 1), min(position.rows, cell[0] + 2))
        for column in range(max(0, cell[1] - 1), min(position.columns, cell[1] + 2))
        if (row, column) != cell
    ]


def naive_layouts(position: Position, *, trust_flags: bool = False) -> Iterator[frozenset[Cell]]:
    """Every set of mines that agrees with the position."""
    codes = {(int(row), int(column)): int(code) for (row, column), code in np.ndenumerate(position.numbers)}
    flagged = [cell for cell, code in codes.items() if code == FLAG and trust_flags]
    closed = [cell for cell, code in codes.items() if code in (CLOSED, FLAG) and cell not in flagged]
    assert len(closed) <= MAX_CLOSED
    numbers = {cell: code for cell, code in codes.items() if code <= 8}
    if position.mines < len(flagged):
        return
    for chosen in combinations(closed, position.mines - len(flagged)):
        mines = frozenset(chosen) | frozenset(flagged)
        if all(len(mines.intersection(around(position, cell))) == number for cell, number in numbers.items()):
            yield mines


def naive_answer(position: Position, *, trust_flags: bool = False) -> NaiveAnswer | None:
    """The probabilities, or ``None`` if no layout agrees."""
    layouts = list(naive_layouts(position, trust_flags=trust_flags))
    if not layouts:
        return None
    numbers = [(int(row), int(column)) for row, column in np.argwhere(position.numbers <= 8)]
    closed = [(int(row), int(column)) for row, column in np.argwhere(position.closed)]
    seen = {cell for number in numbers for cell in around(position, number)}
    on_front = Counter(len(mines & seen) for mines in layouts)
    return NaiveAnswer(
        layouts=len(layouts),
        mine={cell: Fraction(sum(cell in mines for mines in layouts), len(layouts)) for cell in closed},
        frontier={mines: Fraction(count, len(layouts)) for mines, count in on_front.items()},
    )


def numbers_of(mines: NDArray[np.uint8]) -> list[list[int]]:
    """The number of mines around every cell."""
    rows, columns = mines.shape
    return [
        [int(mines[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2].sum()) for column in range(columns)]
        for row in range(rows)
    ]


def random_position(rng: np.random.Generator, max_closed: int = MAX_CLOSED, flags: Sequence[str] = ()) -> Position:
    """A position that has a layout: a random board with some safe cells open, not always those a game could open.

    ``flags``: ``"right"`` puts some on mines, ``"wrong"`` some on other closed cells.
    """
    while True:
        rows, columns = (int(side) for side in rng.integers(1, 8, 2))
        mines = (rng.random((rows, columns)) < rng.choice([0.1, 0.2, 0.4, 0.7])).astype(np.uint8)
        codes = np.array(numbers_of(mines), np.uint8)
        closed = (mines == 1) | (rng.random((rows, columns)) < rng.choice([0.1, 0.3, 0.6]))
        if 0 < closed.sum() <= max_closed:
            break
    codes[closed] = CLOSED
    if "right" in flags:
        codes[(mines == 1) & (rng.random((rows, columns)) < 0.3)] = FLAG
    if "wrong" in flags:
        codes[closed & (rng.random((rows, columns)) < 0.2)] = FLAG
    return Position(codes, int(mines.sum()))
