"""The click machine: events in, counts out.  Rules: ``analysis.click_machine``.

The functions share three arrays:

cells : int32, shape (ROWS, framed cells); a row a property of the cells (``analysis.kernels.grid``), see below
mouse : bool, slots below
tally : int64, slots below
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.grid import MINE, WALL, inlined, steps_around
from analysis.recording import Kind

NORMAL_CELL_PX = 16  # the cell size to which paths and points are scaled

# What a cell shows.  The frame counts as open, so that no press on it finds anything to toggle or to open.
CLOSED, FLAGGED, QUESTIONED, OPEN = 0, 1, 2, 3

# Rows of ``cells``.  The last three are not by cell: cells still closed by number of the opening or island, and the
# cells that a flood has yet to look at.
NUMBER, LABEL, OPENING, ISLAND, WAS_FLAGGED, LEFT_OF_OPENING, LEFT_OF_ISLAND, STACK = 0, 1, 2, 3, 4, 5, 6, 7
ROWS = 8

# Slots of the tally.
LCL, RCL, DCL, LCE, RCE, DCE, RCE_STRICT = 0, 1, 2, 3, 4, 5, 6
FLAGS, BVDONE, OPDONE, ISDONE = 7, 8, 9, 10
SAFE_LEFT, BLASTS, START, END, UNKNOWN = 11, 12, 13, 14, 15
SLOTS = 16

# Slots of the mouse: what is held, whether its release is still a click of its own, and the settings, in the order of
# the bits of ``Recording.settings``.
LEFT, RIGHT, MIDDLE, LEFT_VALID, RIGHT_VALID, SHIFT = 0, 1, 2, 3, 4, 5
MARKS, SUPER_CLICK, SUPER_FLAG, ELMAR_TECHNIQUE = 6, 7, 8, 9
MOUSE_SLOTS = 10

# Plain numbers: the compiler takes them as constants.
MOVE = int(Kind.MOVE)
LEFT_PRESS, LEFT_RELEASE = int(Kind.LEFT_PRESS), int(Kind.LEFT_RELEASE)
RIGHT_PRESS, RIGHT_RELEASE = int(Kind.RIGHT_PRESS), int(Kind.RIGHT_RELEASE)
MIDDLE_PRESS, MIDDLE_RELEASE = int(Kind.MIDDLE_PRESS), int(Kind.MIDDLE_RELEASE)
PREFLAG, SECOND_PRESS = int(Kind.PREFLAG), int(Kind.SECOND_PRESS)
LEFT_CHANGE, RIGHT_CHANGE, MIDDLE_CHANGE = int(Kind.LEFT_CHANGE), int(Kind.RIGHT_CHANGE), int(Kind.MIDDLE_CHANGE)
SHIFT_LEFT_PRESS, MARKS_TOGGLE = int(Kind.SHIFT_LEFT_PRESS), int(Kind.MARKS_TOGGLE)


@inlined
def is_inside(x_px: int, y_px: int, cell_px: int, rows: int, columns: int) -> bool:
    return 0 <= x_px < columns * cell_px and 0 <= y_px < rows * cell_px


@inlined
def framed_cell(x_px: int, y_px: int, cell_px: int, columns: int) -> int:
    """Framed index of the cell under a point inside the board."""
    size = np.uint32(cell_px)  # unsigned, for numbers below zero make a division much dearer
    return int(np.uint32(y_px) // size + 1) * (columns + 2) + int(np.uint32(x_px) // size) + 1


@njit(cache=True)
def fresh_game(
    numbers: NDArray[np.uint8], opening_id: NDArray[np.int32], island_id: NDArray[np.int32], settings: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.bool_]]:
    """``tally``, ``cells`` and ``mouse`` before the first event; parameters as in ``analysis.kernels.walk``."""
    tally = np.zeros(SLOTS, np.int64)
    tally[START] = tally[END] = -1
    cells = fresh_cells(numbers, opening_id, island_id, tally)
    mouse = np.zeros(MOUSE_SLOTS, np.bool_)
    for slot in range(MARKS, MOUSE_SLOTS):
        mouse[slot] = (settings >> (slot - MARKS)) & 1
    return tally, cells, mouse


@njit(cache=True)
def fresh_cells(
    numbers: NDArray[np.uint8], opening_id: NDArray[np.int32], island_id: NDArray[np.int32], tally: NDArray[np.int64]
) -> NDArray[np.int32]:
    """``cells`` before the first event; the safe ones among them are put into ``tally``."""
    rows, columns = numbers.shape
    width = columns + 2
    cells = np.zeros((ROWS, (rows + 2) * width), np.int32)  # more than enough for groups: never more than cells
    cells[NUMBER] = WALL
    cells[LABEL] = OPEN
    for row in range(rows):
        for column in range(columns):
            cell = (row + 1) * width + column + 1
            cells[NUMBER, cell] = numbers[row, column]
            cells[LABEL, cell] = CLOSED
            cells[OPENING, cell] = opening_id[row, column]
            cells[ISLAND, cell] = island_id[row, column]
            cells[LEFT_OF_OPENING, opening_id[row, column]] += 1  # group 0 counts the cells of none
            cells[LEFT_OF_ISLAND, island_id[row, column]] += 1
            tally[SAFE_LEFT] += numbers[row, column] != MINE
    return cells


@inlined
def act(
    kind: int, cell: int, width: int, mouse: NDArray[np.bool_], cells: NDArray[np.int32], tally: NDArray[np.int64]
) -> None:
    # For events that state no direction, it follows from which buttons are held.
    if kind == LEFT_CHANGE:
        kind = LEFT_RELEASE if mouse[LEFT] else LEFT_PRESS
    elif kind == RIGHT_CHANGE:
        kind = RIGHT_RELEASE if mouse[RIGHT] else RIGHT_PRESS
    elif kind == MIDDLE_CHANGE:
        kind = MIDDLE_RELEASE if mouse[MIDDLE] else MIDDLE_PRESS

    if kind in (LEFT_PRESS, SHIFT_LEFT_PRESS):
        mouse[LEFT] = mouse[LEFT_VALID] = True
        mouse[SHIFT] |= kind == SHIFT_LEFT_PRESS
        if mouse[ELMAR_TECHNIQUE]:
            _left_release(cell, width, mouse, cells, tally)
    elif kind == LEFT_RELEASE:
        if not mouse[ELMAR_TECHNIQUE]:
            _left_release(cell, width, mouse, cells, tally)
    elif kind == RIGHT_PRESS:
        _right_press(cell, width, mouse, cells, tally)
    elif kind == RIGHT_RELEASE:
        _right_release(cell, width, mouse, cells, tally)
    elif kind == MIDDLE_PRESS:
        mouse[MIDDLE] = True
    elif kind == MIDDLE_RELEASE:  # a chord even if its press was not seen
        mouse[MIDDLE] = False
        _chord(cell, width, cells, tally)
    elif kind == SECOND_PRESS:
        mouse[LEFT] = mouse[RIGHT] = True
    elif kind == PREFLAG:
        if cells[LABEL, cell] == CLOSED:
            _toggle(cell, mouse[MARKS], cells, tally)
    elif kind == MARKS_TOGGLE:
        mouse[MARKS] = not mouse[MARKS]
    else:
        tally[UNKNOWN] += 1


@inlined
def _left_release(
    cell: int, width: int, mouse: NDArray[np.bool_], cells: NDArray[np.int32], tally: NDArray[np.int64]
) -> None:
    chords = mouse[RIGHT] or mouse[SHIFT]
    if mouse[SUPER_CLICK] and mouse[LEFT_VALID]:
        chords |= cells[LABEL, cell] == OPEN and cells[NUMBER, cell] != WALL
    if chords:
        _chord(cell, width, cells, tally)
    elif mouse[LEFT_VALID]:
        tally[LCL] += 1
        if _is_closed(cell, cells):
            _open(cell, width, cells, tally)
            tally[LCE] += 1
    mouse[LEFT] = mouse[LEFT_VALID] = mouse[RIGHT_VALID] = mouse[SHIFT] = False


@inlined
def _right_press(
    cell: int, width: int, mouse: NDArray[np.bool_], cells: NDArray[np.int32], tally: NDArray[np.int64]
) -> None:
    if not mouse[LEFT]:
        counted = cells[LABEL, cell] != OPEN
        if counted:
            _toggle(cell, mouse[MARKS], cells, tally)
        elif mouse[SUPER_FLAG]:
            counted = _flag_around(cell, width, cells, tally)
        mouse[RIGHT_VALID] = not counted
    mouse[RIGHT] = True


@inlined
def _right_release(
    cell: int, width: int, mouse: NDArray[np.bool_], cells: NDArray[np.int32], tally: NDArray[np.int64]
) -> None:
    if mouse[LEFT]:
        _chord(cell, width, cells, tally)
    elif mouse[RIGHT_VALID]:
        tally[RCL] += 1
    mouse[RIGHT] = mouse[LEFT_VALID] = mouse[RIGHT_VALID] = mouse[SHIFT] = False


@inlined
def _toggle(cell: int, marks: bool, cells: NDArray[np.int32], tally: NDArray[np.int64]) -> None:
    """Closed -> flag -> (question mark ->) closed; each step is one effective right click."""
    if cells[LABEL, cell] == CLOSED:
        tally[RCE_STRICT] += _flag(cell, cells, tally)
    elif cells[LABEL, cell] == FLAGGED:
        cells[LABEL, cell] = QUESTIONED if marks else CLOSED
        tally[FLAGS] -= 1
    else:
        cells[LABEL, cell] = CLOSED
    tally[RCL] += 1
    tally[RCE] += 1


@inlined
def _flag(cell: int, cells: NDArray[np.int32], tally: NDArray[np.int64]) -> bool:
    """Flag ``cell``; return whether it is a mine that was never flagged before."""
    cells[LABEL, cell] = FLAGGED
    tally[FLAGS] += 1
    if cells[NUMBER, cell] != MINE or cells[WAS_FLAGGED, cell]:
        return False
    cells[WAS_FLAGGED, cell] = True
    return True


@inlined
def _flag_around(cell: int, width: int, cells: NDArray[np.int32], tally: NDArray[np.int64]) -> bool:
    """Flag the closed neighbours of an open number that has no more of them than mines; return whether one was flagged.

    All of it is one effective right click.
    """
    number = cells[NUMBER, cell]
    if number == 0 or number >= MINE:
        return False
    steps = steps_around(width)
    closed = 0
    for step in steps:
        closed += cells[LABEL, cell + step] != OPEN
    if closed != number:
        return False
    flagged = first = False
    for step in steps:
        if _is_closed(cell + step, cells):
            first |= _flag(cell + step, cells, tally)
            flagged = True
    tally[RCL] += flagged
    tally[RCE] += flagged
    tally[RCE_STRICT] += first
    return flagged


@inlined
def _chord(cell: int, width: int, cells: NDArray[np.int32], tally: NDArray[np.int64]) -> None:
    tally[DCL] += 1
    number = cells[NUMBER, cell]
    if cells[LABEL, cell] != OPEN or number == WALL:
        return
    steps = steps_around(width)
    flags = 0
    for step in steps:
        flags += cells[LABEL, cell + step] == FLAGGED
    if number != 0 and number != flags:
        return
    opened = 0
    for step in steps:  # a mine among them does not spare the others
        if _is_closed(cell + step, cells):
            _open(cell + step, width, cells, tally)
            opened += 1
    if opened > 0:
        tally[DCE] += 1


@inlined
def _is_closed(cell: int, cells: NDArray[np.int32]) -> bool:
    """Closed without a flag; a question mark protects nothing."""
    return bool(cells[LABEL, cell] == CLOSED or cells[LABEL, cell] == QUESTIONED)


@inlined
def _open(cell: int, width: int, cells: NDArray[np.int32], tally: NDArray[np.int64]) -> None:
    """Open a closed cell; from a zero all closed neighbours, on from zeros.  Flags stop the flood and stay.

    A cell is marked open before it enters the stack, so it enters once and the stack never outgrows the board.
    """
    steps = steps_around(width)
    cells[LABEL, cell] = OPEN
    cells[STACK, 0] = cell
    height = 1
    while height > 0:
        height -= 1
        here = cells[STACK, height]
        _count_opened(here, cells, tally)
        if cells[NUMBER, here] != 0:
            continue
        for step in steps:
            if _is_closed(here + step, cells):
                cells[LABEL, here + step] = OPEN
                cells[STACK, height] = here + step
                height += 1


@inlined
def _count_opened(cell: int, cells: NDArray[np.int32], tally: NDArray[np.int64]) -> None:
    if cells[NUMBER, cell] == MINE:
        tally[BLASTS] += 1
        return
    tally[SAFE_LEFT] -= 1
    opening, island = cells[OPENING, cell], cells[ISLAND, cell]
    if opening > 0:
        cells[LEFT_OF_OPENING, opening] -= 1
        complete = cells[LEFT_OF_OPENING, opening] == 0
        tally[OPDONE] += complete
        tally[BVDONE] += complete
    elif island > 0:
        cells[LEFT_OF_ISLAND, island] -= 1
        tally[ISDONE] += cells[LEFT_OF_ISLAND, island] == 0
        tally[BVDONE] += 1
