"""Boards that chance does not lay: of a forger who puts the mines where they cost no time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from math import comb
from typing import Final

import numpy as np

from analysis.recording import Board, Finding, Level

#: A finding is less likely than this on a board of chance.
_RARE: Final = 1e-6
#: The largest 3BV that is as rare, of 3 and 4 million boards; on Beginner even a single click is more likely.
_RARE_3BV: Final = {Level.INTERMEDIATE: 20, Level.EXPERT: 89}
#: Both ends of two halves, which decide the two others, and of four quadrants.
_TESTS: Final = 12


def board_findings(board: Board, bv: int) -> Iterator[Finding]:
    """Yield ``unlikely_board`` for a board of a level that is less likely than one in a million."""
    if board.level is Level.CUSTOM:
        return
    if bv <= _RARE_3BV.get(board.level, 0):
        yield Finding("unlikely_board", {"bv": bv})
        return
    for part, count, cells in _parts(board):
        least, most = _likely(board.mines.size, board.mine_count, cells)
        if not least <= count <= most:
            yield Finding("unlikely_board", {"count": count, "mines": board.mine_count, "part": part})
            return


def _parts(board: Board) -> Iterator[tuple[str, int, int]]:
    """Yield name, mines and cells of each half and quadrant."""
    rows, columns = ((slice(0, size // 2), slice(size // 2, size)) for size in board.mines.shape)
    whole = slice(None)
    halves = [*product(rows, (whole,)), *product((whole,), columns)]
    for name, parts in (("half", halves), ("quarter", list(product(rows, columns)))):
        for part in parts:
            mines = board.mines[part]
            yield name, int(np.count_nonzero(mines)), mines.size


@cache
def _likely(cells: int, mines: int, part: int) -> tuple[int, int]:
    """Return the least and the most mines in ``part`` of the cells that are not too rare (hypergeometric)."""
    counts = range(max(0, mines - (cells - part)), min(part, mines) + 1)
    ways = [comb(part, count) * comb(cells - part, mines - count) for count in counts]
    limit = int(comb(cells, mines) * _RARE / _TESTS)
    below = above = 0
    least, most = 0, len(ways) - 1
    while (below := below + ways[least]) < limit:
        least += 1
    while (above := above + ways[most]) < limit:
        most -= 1
    return counts[least], counts[most]
