"""Many players on one board: laying by areas, covers, moves.  Rules: ``analysis.multiplayer``.

Boards are framed (``analysis.kernels.grid``).  What is counted per game stands in slots of one array, see below.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.grid import MINE, steps_around

# What the laying of a board came to.
LAID, DELTA_ZERO, DELTA_CYCLE, TOO_LONG = 0, 1, 2, 3

# Columns of the trace of a laying, one row a cell: the cell and the one it changed its label with (row and column
# each), the multiplier, delta before, delta after, and how many multiplications lie between.
ROW, COLUMN, OTHER_ROW, OTHER_COLUMN, FIBONACCI, BEFORE, AFTER, MULTIPLICATIONS = 0, 1, 2, 3, 4, 5, 6, 7
TRACE_COLUMNS = 8

# Kinds of moves.
OPEN, FLAG, CHORD = 0, 1, 2

# Answers to moves.  Those up to FLAG_TAKEN are accepted: they take a stamp.
OPENED, BLAST, FLAG_SET, FLAG_TAKEN = 0, 1, 2, 3
ALREADY_OPEN, OUTSIDE, FLAGGED, NO_CHORD, NOT_ALLOWED, OVER = 4, 5, 6, 7, 8, 9

# Slots of ``counts``: the last stamp, safe cells still closed; and of the last move: cells opened, flags set or taken
# away, mines blown.
NUMBER, SAFE_LEFT, OPENED_CELLS, CHANGED_FLAGS, BLOWN = 0, 1, 2, 3, 4
COUNTS = 5


@njit(cache=True)
def lay_areas(
    mines: NDArray[np.uint8],
    area: int,
    area_mines: int,
    modulus: int,
    delta: int,
    budget: int,
    first: int,
    trace: NDArray[np.int64],
) -> tuple[int, int, int]:
    """Lay the mines of a board, area by area.

    Parameters
    ----------
    mines : uint8, shape (rows, columns); written
    area, area_mines, modulus : as in ``Laying``
    delta : the start number mod ``modulus``
    budget : multiplications allowed in all
    first, trace : int64, shape (n, TRACE_COLUMNS); the steps ``first`` to ``first + n - 1`` are written into it, and
        the laying ends after the last of them; with no rows, the whole board is laid

    Returns
    -------
    what it came to (``LAID`` …), steps done, multiplications done
    """
    rows, columns = mines.shape
    label = np.empty(min(area, rows) * min(area, columns), np.int32)
    f1, f2 = 1, 2
    step = 0
    multiplications = 0
    for top in range(0, rows, area):
        height = min(area, rows - top)
        for left in range(0, columns, area):
            width = min(area, columns - left)
            cells = height * width
            for cell in range(cells):
                label[cell] = cell
            for cell in range(cells):
                f1, f2 = f2, f1 + f2
                if f2 >= modulus:
                    f2 -= modulus
                before = delta
                tries = 0
                while True:
                    delta = delta * f1 % modulus
                    tries += 1
                    if delta > cells:
                        break
                    if delta == 0:
                        return DELTA_ZERO, step, multiplications + tries
                    if tries > cells:  # more values than there are from 1 to ``cells``: one came twice
                        return DELTA_CYCLE, step, multiplications + tries
                multiplications += tries
                if multiplications > budget:
                    return TOO_LONG, step, multiplications
                row, column = delta % height, delta // height % width
                other = row * width + column
                label[cell], label[other] = label[other], label[cell]
                if trace.shape[0] > 0:
                    if step >= first:
                        line = trace[step - first]
                        line[ROW], line[COLUMN] = top + cell // width, left + cell % width
                        line[OTHER_ROW], line[OTHER_COLUMN] = top + row, left + column
                        line[FIBONACCI], line[BEFORE], line[AFTER], line[MULTIPLICATIONS] = f1, before, delta, tries
                    if step + 1 == first + trace.shape[0]:
                        return LAID, step + 1, multiplications
                step += 1
            wanted = cells * area_mines // (area * area)
            for row in range(height):
                for column in range(width):
                    mines[top + row, left + column] = label[row * width + column] < wanted
    return LAID, step, multiplications


@njit(cache=True)
def unframe(cells: NDArray[np.int32], count: int, width: int) -> None:
    """Turn the first ``count`` framed indices into row * columns + column, in place."""
    for place in range(count):
        row = cells[place] // width
        cells[place] -= width + 2 * row - 1


@njit(cache=True)
def _open_cell(
    cell: int,
    player: int,
    owner: NDArray[np.uint16],
    stamp: NDArray[np.uint32],
    flag: NDArray[np.uint16],
    counts: NDArray[np.int64],
    opened: NDArray[np.int32],
    unflagged: NDArray[np.int32],
) -> None:
    owner[cell] = player
    stamp[cell] = counts[NUMBER]
    opened[counts[OPENED_CELLS]] = cell
    counts[OPENED_CELLS] += 1
    if flag[cell] != 0:
        flag[cell] = 0
        unflagged[counts[CHANGED_FLAGS]] = cell
        counts[CHANGED_FLAGS] += 1


@njit(cache=True)
def _open_cover(
    cell: int,
    player: int,
    number: NDArray[np.uint8],
    width: int,
    owner: NDArray[np.uint16],
    stamp: NDArray[np.uint32],
    flag: NDArray[np.uint16],
    counts: NDArray[np.int64],
    opened: NDArray[np.int32],
    unflagged: NDArray[np.int32],
) -> None:
    """Open what is closed in the cover of the closed ``cell``, and count it; the frame has a stamp, so it is open."""
    place = counts[OPENED_CELLS]
    _open_cell(cell, player, owner, stamp, flag, counts, opened, unflagged)
    if number[cell] == MINE:
        counts[BLOWN] += 1
        return
    steps = steps_around(width)
    if number[cell] != 0:
        for step in steps:
            if number[cell + step] == 0 and stamp[cell + step] == 0:
                _open_cell(cell + step, player, owner, stamp, flag, counts, opened, unflagged)
    while place < counts[OPENED_CELLS]:
        middle = opened[place]
        place += 1
        if number[middle] != 0:
            continue
        for step in steps:
            if stamp[middle + step] == 0:
                _open_cell(middle + step, player, owner, stamp, flag, counts, opened, unflagged)


@njit(cache=True)
def _can_chord(
    cell: int,
    number: NDArray[np.uint8],
    width: int,
    stamp: NDArray[np.uint32],
    flag: NDArray[np.uint16],
) -> bool:
    """Return whether flags and shown mines around the open ``cell`` add up to its number and a neighbour is closed."""
    if number[cell] == 0 or number[cell] >= MINE:
        return False
    known = 0
    waiting = False
    for step in steps_around(width):
        beside = cell + step
        if flag[beside] != 0 or (number[beside] == MINE and stamp[beside] != 0):
            known += 1
        elif stamp[beside] == 0:
            waiting = True
    return waiting and known == number[cell]


@njit(cache=True)
def move(
    cell: int,
    player: int,
    kind: int,
    flags_allowed: bool,
    chords_allowed: bool,
    number: NDArray[np.uint8],
    width: int,
    owner: NDArray[np.uint16],
    stamp: NDArray[np.uint32],
    flag: NDArray[np.uint16],
    score: NDArray[np.int64],
    blasts: NDArray[np.int64],
    counts: NDArray[np.int64],
    opened: NDArray[np.int32],
    changed: NDArray[np.int32],
) -> int:
    """Decide one move.

    Parameters
    ----------
    cell : row * columns + column
    player : 1 …, an index of ``score`` and ``blasts``
    kind : ``OPEN``, ``FLAG``, ``CHORD``
    number, owner, stamp, flag : framed; 0 is closed, no flag
    width : cells in a framed row
    score, blasts : int64, by player
    counts : int64, slots above
    opened, changed : int32, one for each cell of the board; written with the cells that this move opened, and whose
        flags it set or took away, ``counts`` says how many; row * columns + column

    Returns
    -------
    the answer (``OPENED`` …)
    """
    counts[OPENED_CELLS] = counts[CHANGED_FLAGS] = counts[BLOWN] = 0
    columns = width - 2
    if cell < 0 or cell >= opened.size:
        return OUTSIDE
    if counts[SAFE_LEFT] == 0:
        return OVER
    place = (cell // columns + 1) * width + cell % columns + 1
    if kind == FLAG:
        if not flags_allowed:
            return NOT_ALLOWED
        if stamp[place] != 0:
            return ALREADY_OPEN
        counts[NUMBER] += 1
        counts[CHANGED_FLAGS] = 1
        changed[0] = cell
        if flag[place] != 0:
            flag[place] = 0
            return FLAG_TAKEN
        flag[place] = player
        return FLAG_SET
    if kind == CHORD:
        if not chords_allowed:
            return NOT_ALLOWED
        if stamp[place] == 0 or not _can_chord(place, number, width, stamp, flag):
            return NO_CHORD
        counts[NUMBER] += 1
        # Which neighbours are flagged is read before the first flood, for a flood takes flags away.
        beside = np.empty(8, np.int64)
        waiting = 0
        for step in steps_around(width):
            if stamp[place + step] == 0 and flag[place + step] == 0:
                beside[waiting] = place + step
                waiting += 1
        for index in range(waiting):
            if stamp[beside[index]] == 0:
                _open_cover(beside[index], player, number, width, owner, stamp, flag, counts, opened, changed)
    else:
        if stamp[place] != 0:
            return ALREADY_OPEN
        if flag[place] != 0:
            return FLAGGED
        counts[NUMBER] += 1
        _open_cover(place, player, number, width, owner, stamp, flag, counts, opened, changed)
    safe = counts[OPENED_CELLS] - counts[BLOWN]
    counts[SAFE_LEFT] -= safe
    score[player] += safe
    blasts[player] += counts[BLOWN]
    unframe(opened, counts[OPENED_CELLS], width)
    unframe(changed, counts[CHANGED_FLAGS], width)
    return BLAST if counts[BLOWN] > 0 else OPENED


@njit(cache=True)
def replay(
    cells: NDArray[np.int32],
    players: NDArray[np.uint16],
    kinds: NDArray[np.uint8],
    flags_allowed: bool,
    chords_allowed: bool,
    number: NDArray[np.uint8],
    width: int,
    owner: NDArray[np.uint16],
    stamp: NDArray[np.uint32],
    flag: NDArray[np.uint16],
    score: NDArray[np.int64],
    blasts: NDArray[np.int64],
    counts: NDArray[np.int64],
    opened: NDArray[np.int32],
    changed: NDArray[np.int32],
) -> NDArray[np.uint8]:
    """Decide moves one after the other, as :func:`move`; their answers."""
    answers = np.empty(cells.size, np.uint8)
    for index in range(cells.size):
        answers[index] = move(
            int(cells[index]),
            int(players[index]),
            int(kinds[index]),
            flags_allowed,
            chords_allowed,
            number,
            width,
            owner,
            stamp,
            flag,
            score,
            blasts,
            counts,
            opened,
            changed,
        )
    return answers
