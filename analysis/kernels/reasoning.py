"""The rules of ``analysis.deduction`` without their reasons.

A number's set is its undecided cells.  Sets are compared in a window of seven by seven cells round one number, as the
bits of an int64: a number up to two cells away sees nothing outside of it.

Which cells a rule finds does not depend on the order in which it is applied, and what it could find it can still find
when more cells are open.  So every position has one *difficulty*: the most difficult rule without which no safe cell
is found; and so has every board with its first click.  The rules that count layouts are applied by
``analysis.luck.difficulty``: a kernel that called ``odds_of`` would be compiled with all of it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.grid import WALL, steps_around
from analysis.kernels.probability_front import CLOSED, MINE, SAFE, SETTLED, UNDECIDED

# Difficulties; the first is that of a board which the first click solves.
NOTHING, MD1, MD2, NMD3, CASES, COUNT, GUESS = 0, 1, 2, 3, 4, 5, 6
STUCK = -1  # none of the three local rules finds a safe cell
NOT_YET = -2

LEFT, RULE, HARDEST = 0, 1, 2  # slots of the progress: safe cells to open, the rule in use, the hardest that was needed

_WINDOW = 7
_MIDDLE = 3  # of the window


class Walk(NamedTuple):
    """A board on the way from its first click to the end.

    ``grid``: uint8, shape (rows, columns), what is open; ``code``, ``status``: the same framed, as in :func:`reason`;
    ``stack``: room for floods; ``progress``: int64, slots as above.
    """

    grid: NDArray[np.uint8]
    code: NDArray[np.uint8]
    status: NDArray[np.int8]
    stack: NDArray[np.int32]
    progress: NDArray[np.int64]


@njit(cache=True)
def _bits(mask: int) -> int:
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@njit(cache=True)
def _around(code: NDArray[np.uint8], status: NDArray[np.int8], number: int, width: int) -> tuple[int, int]:
    """Mines that a number still needs, and its undecided cells."""
    need, free = int(code[number]), 0
    for step in steps_around(width):
        need -= status[number + step] == MINE
        free += status[number + step] == UNDECIDED
    return need, free


@njit(cache=True)
def _set_of(status: NDArray[np.int8], number: int, down: int, right: int, width: int) -> int:
    """The set of ``number``, which lies ``down`` and ``right`` of the middle, in the window."""
    mask = 0
    for row in range(-1, 2):
        for column in range(-1, 2):
            if status[number + row * width + column] == UNDECIDED:
                mask |= 1 << ((down + row + _MIDDLE) * _WINDOW + right + column + _MIDDLE)
    return mask


@njit(cache=True)
def _decide(status: NDArray[np.int8], middle: int, mask: int, verdict: int, width: int) -> None:
    for place in range(_WINDOW * _WINDOW):
        if mask >> place & 1:
            cell = middle + (place // _WINDOW - _MIDDLE) * width + place % _WINDOW - _MIDDLE
            status[cell] = verdict


@njit(cache=True)
def _md1(code: NDArray[np.uint8], status: NDArray[np.int8], width: int) -> bool:
    """One round over all numbers; returns whether it decided anything."""
    found = False
    for number in range(width, code.size - width):
        if code[number] > 8:
            continue
        need, free = _around(code, status, number, width)
        if free == 0 or 0 < need < free:
            continue
        found = True
        for step in steps_around(width):
            if status[number + step] == UNDECIDED:
                status[number + step] = MINE if need > 0 else SAFE
    return found


@njit(cache=True)
def _sets_near(
    code: NDArray[np.uint8], status: NDArray[np.int8], middle: int, width: int, masks: NDArray[np.int64],
    needs: NDArray[np.int64],
) -> int:  # fmt: skip
    """The sets that overlap the one of ``middle``, itself first; returns how many."""
    needs[0], _ = _around(code, status, middle, width)
    masks[0] = _set_of(status, middle, 0, 0, width)
    count = 1
    row, rows = middle // width, code.size // width
    for down in range(max(-2, 1 - row), min(3, rows - 1 - row)):
        for right in range(max(-2, 1 - middle % width), min(3, width - 1 - middle % width)):
            number = middle + down * width + right
            if code[number] > 8 or number == middle:
                continue
            mask = _set_of(status, number, down, right, width)
            if mask & masks[0]:
                masks[count] = mask
                needs[count], _ = _around(code, status, number, width)
                count += 1
    return count


@njit(cache=True)
def _compare(status: NDArray[np.int8], middle: int, width: int, a: int, b: int, more: int) -> bool:
    """MD(2) on the sets ``a`` and ``b``, where ``a`` needs ``more`` mines than ``b``."""
    only_a, only_b = a & ~b, b & ~a
    if more != _bits(only_a) or only_a | only_b == 0:
        return False
    _decide(status, middle, only_a, MINE, width)
    _decide(status, middle, only_b, SAFE, width)
    return True


@njit(cache=True)
def _md2(
    status: NDArray[np.int8], middle: int, width: int, masks: NDArray[np.int64], needs: NDArray[np.int64], count: int
) -> bool:
    for other in range(1, count):
        more = needs[0] - needs[other]
        if _compare(status, middle, width, masks[0], masks[other], more):
            return True
        if _compare(status, middle, width, masks[other], masks[0], -more):
            return True
    return False


@njit(cache=True)
def _nmd3(
    status: NDArray[np.int8], middle: int, width: int, masks: NDArray[np.int64], needs: NDArray[np.int64], count: int
) -> bool:
    """The set in the middle against every two that overlap it and not each other."""
    for a in range(1, count):
        for c in range(a + 1, count):
            if masks[a] & masks[c]:
                continue
            only, outside = masks[0] & ~(masks[a] | masks[c]), (masks[a] | masks[c]) & ~masks[0]
            if only | outside and needs[0] - needs[a] - needs[c] == _bits(only):
                _decide(status, middle, only, MINE, width)
                _decide(status, middle, outside, SAFE, width)
                return True
    return False


@njit(cache=True)
def _beyond_md1(code: NDArray[np.uint8], status: NDArray[np.int8], width: int, rule: int) -> bool:
    """MD(2) or NMD(3) on every number until one decides something."""
    masks, needs = np.empty(25, np.int64), np.empty(25, np.int64)
    for middle in range(width, code.size - width):
        if code[middle] > 8:
            continue
        count = _sets_near(code, status, middle, width, masks, needs)
        if masks[0] == 0:
            continue
        if rule == MD2 and _md2(status, middle, width, masks, needs, count):
            return True
        if rule == NMD3 and _nmd3(status, middle, width, masks, needs, count):
            return True
    return False


@njit(cache=True)
def reason(code: NDArray[np.uint8], status: NDArray[np.int8], width: int, hardest: int) -> None:
    """Decide all cells that the rules up to ``hardest`` (``NMD3`` at most) decide.

    Parameters
    ----------
    code : uint8, framed: 0 to 8 in open cells, above in all others
    status : int8, framed: ``SETTLED``, ``UNDECIDED``, ``SAFE``, ``MINE``; becomes what was found
    """
    while True:
        while _md1(code, status, width):
            pass
        if hardest >= MD2 and _beyond_md1(code, status, width, int(MD2)):
            continue
        if hardest >= NMD3 and _beyond_md1(code, status, width, int(NMD3)):
            continue
        return


@njit(cache=True)
def _framed(grid: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    rows, columns = grid.shape
    code = np.full((rows + 2, columns + 2), WALL, np.uint8)
    status = np.full((rows + 2, columns + 2), SETTLED, np.int8)
    for row in range(rows):
        for column in range(columns):
            if grid[row, column] <= 8:
                code[row + 1, column + 1] = grid[row, column]
            else:
                status[row + 1, column + 1] = UNDECIDED
    return code.ravel(), status.ravel()


@njit(cache=True)
def difficulty_of_position(grid: NDArray[np.uint8]) -> tuple[int, NDArray[np.int8]]:
    """The most difficult rule without which no safe cell is found: ``MD1`` to ``NMD3``, or ``STUCK``.

    Parameters
    ----------
    grid : uint8, shape (rows, columns): 0 to 8, ``CLOSED`` elsewhere

    Returns
    -------
    difficulty, and int8, framed: the statuses that the rules have found
    """
    width = grid.shape[1] + 2
    code, status = _framed(grid)
    for rule in range(MD1, CASES):
        reason(code, status, width, rule)
        if (status == SAFE).any():
            return rule, status
    return STUCK, status


@njit(cache=True)
def take_over(status: NDArray[np.int8], counted: NDArray[np.int8]) -> bool:
    """Take what counting decided into ``status`` (framed); returns whether a safe cell is new.

    ``counted``: int8, shape (rows, columns), of ``odds_of``.
    """
    rows, columns = counted.shape
    found = False
    for row in range(rows):
        for column in range(columns):
            cell = (row + 1) * (columns + 2) + column + 1
            if status[cell] == UNDECIDED and counted[row, column] in (SAFE, MINE):
                status[cell] = counted[row, column]
                found |= counted[row, column] == SAFE
    return found


@njit(cache=True)
def _flood(
    numbers: NDArray[np.uint8], cell: int, grid: NDArray[np.uint8], code: NDArray[np.uint8], status: NDArray[np.int8],
    stack: NDArray[np.int32],
) -> int:  # fmt: skip
    """Open a framed safe cell, and on from zeros; returns how many cells were opened."""
    width = numbers.shape[1] + 2
    opened = 0
    stack[0] = cell
    height = 1
    code[cell] = numbers[cell // width - 1, cell % width - 1]
    while height > 0:
        height -= 1
        here = stack[height]
        opened += 1
        grid[here // width - 1, here % width - 1] = code[here]
        status[here] = SETTLED
        if code[here] != 0:
            continue
        for step in steps_around(width):
            beside = here + step
            if status[beside] != SETTLED and code[beside] > 8:
                code[beside] = numbers[beside // width - 1, beside % width - 1]  # marked: it enters the stack once
                stack[height] = beside
                height += 1
    return opened


@njit(cache=True)
def begin_board(numbers: NDArray[np.uint8], first: int, mines: int) -> Walk:
    """A board with its first click made.

    Parameters
    ----------
    numbers : uint8, shape (rows, columns), as in ``BoardFacts``
    first : a safe cell, row * columns + column
    mines : of the board
    """
    rows, columns = numbers.shape
    grid = np.full((rows, columns), CLOSED, np.uint8)
    code, status = _framed(grid)
    walk = Walk(grid, code, status, np.empty(code.size, np.int32), np.zeros(3, np.int64))
    opened = _flood(
        numbers, (first // columns + 1) * (columns + 2) + first % columns + 1, grid, code, status, walk.stack
    )
    walk.progress[LEFT], walk.progress[RULE], walk.progress[HARDEST] = rows * columns - mines - opened, MD1, NOTHING
    return walk


@njit(cache=True)
def lead_on(numbers: NDArray[np.uint8], walk: Walk, stages: int) -> int:
    """Let the rules lead on from what is open, in at most so many steps of opening all that is known to be safe.

    Parameters
    ----------
    numbers : as in :func:`begin_board`
    walk : is carried on
    stages : what bounds the time of one call

    Returns
    -------
    the difficulty, which is the most difficult rule that was needed, once all is open; ``STUCK`` where the rules find
    nothing (decide a cell in ``walk.status``, raise ``walk.progress[HARDEST]``, and call again); ``NOT_YET`` if it takes
    more stages
    """
    width = numbers.shape[1] + 2
    grid, code, status, progress = walk.grid, walk.code, walk.status, walk.progress
    for _ in range(stages):
        if progress[LEFT] == 0:
            return int(progress[HARDEST])
        known = (status == SAFE).any()
        reason(code, status, width, progress[RULE])
        safe = np.flatnonzero(status == SAFE)
        if safe.size == 0:
            if progress[RULE] == NMD3:
                return STUCK
            progress[RULE] += 1
            continue
        if not known:
            progress[HARDEST] = max(progress[HARDEST], progress[RULE])
        for cell in safe:
            if status[cell] == SAFE:  # not opened by the flood from another one
                progress[LEFT] -= _flood(numbers, int(cell), grid, code, status, walk.stack)
    return NOT_YET
