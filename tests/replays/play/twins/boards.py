"""Boards for twins: two that agree on everything that is open, and differ elsewhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

Mines = NDArray[np.uint8]


def drawn(rng: np.random.Generator, shape: tuple[int, int, int], first: int, *, opens: bool) -> Mines:
    """Mines anywhere but in the cell ``first``, or (``opens``) around it."""
    rows, columns, mines = shape
    free = [
        cell for cell in range(rows * columns) if cell != first and not (opens and cell in around(first, rows, columns))
    ]
    board = np.zeros(rows * columns, np.uint8)
    board[rng.choice(free, mines, replace=False)] = 1
    return board.reshape(rows, columns)


def around(cell: int, rows: int, columns: int) -> list[int]:
    """The neighbours of a cell."""
    row, column = divmod(cell, columns)
    return [
        r * columns + c
        for r in range(max(0, row - 1), min(rows, row + 2))
        for c in range(max(0, column - 1), min(columns, column + 2))
        if (r, c) != (row, column)
    ]


def number(mines: Mines, cell: int) -> int:
    """Return the number that an open cell shows."""
    flat = mines.ravel()
    return sum(bool(flat[one]) for one in around(cell, *mines.shape))


def flood(mines: Mines, cell: int, is_open: set[int], flags: set[int] | None = None) -> set[int]:
    """The cells that a click on a safe cell opens."""
    found, todo = set(), [cell]
    while todo:
        one = todo.pop()
        if one in found or one in is_open or one in (flags or ()):
            continue
        found.add(one)
        if number(mines, one) == 0:
            todo += around(one, *mines.shape)
    return found


def twin(rng: np.random.Generator, mines: Mines, is_open: Collection[int]) -> Mines:
    """Another board on which the open cells say the same.

    Closed cells that touch the same open cells are alike to who plays, so mines may change places among them: far from
    what is open, and at its edge.
    """
    alike: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for cell in range(mines.size):
        if cell not in is_open:
            alike[tuple(one for one in around(cell, *mines.shape) if one in is_open)].append(cell)
    flat = mines.ravel().copy()
    for cells in alike.values():
        flat[cells] = rng.permutation(flat[cells])
    return flat.reshape(mines.shape)


def parting(first: Mines, second: Mines, is_open: Collection[int]) -> Iterator[int]:
    """Closed cells that are safe on the first board and a mine on the second."""
    for cell in np.flatnonzero(second.ravel() > first.ravel()).tolist():
        if cell not in is_open:
            yield cell
