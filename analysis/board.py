"""Properties of a board that depend on its mines alone: numbers, 3BV, openings, islands.

Definitions: the community's data page (see the ``Board`` rows of ``analysis.statistics``).  Groups are joined over
sides and corners.  Every function is linear in the number of cells.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.kernels import board as kernels
from analysis.kernels.grid import MINE as MINE  # the value of a mine in ``numbers``
from analysis.recording import Board


@dataclass(frozen=True, slots=True, eq=False)
class BoardFacts:
    """Properties that depend on the mines alone.

    ``bv``, ``op``, ``isl``: 3BV, openings, islands; ``cells[n]``: safe cells that show n (nine entries).
    ``numbers``: uint8, shape (rows, columns); mines hold ``MINE``.
    ``opening_id``: int32, same shape; 1..op in the zero cells, 0 elsewhere (the border of an opening included).
    ``island_id``: int32, same shape; 1..isl in the cells of islands, 0 elsewhere.
    Groups are numbered in row-major order of their first cells.  The arrays are read-only.
    """

    bv: int
    op: int
    isl: int
    cells: tuple[int, ...]
    numbers: NDArray[np.uint8]
    opening_id: NDArray[np.int32]
    island_id: NDArray[np.int32]

    def __post_init__(self) -> None:
        for array in (self.numbers, self.opening_id, self.island_id):
            array.setflags(write=False)


def board_facts(board: Board) -> BoardFacts:
    number, opening, island, shown, op, isl, bv = kernels.survey(board.mines)
    return BoardFacts(
        bv=int(bv),
        op=int(op),
        isl=int(isl),
        cells=tuple(shown[:MINE].tolist()),
        numbers=number,
        opening_id=opening,
        island_id=island,
    )
