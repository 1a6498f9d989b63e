"""The click machine: button events in, counts out.  Rules: ``analysis.game``."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.grid import MINE, WALL, steps_around
from analysis.recording import Kind

# What a cell shows.  The frame counts as open, so that no press on it finds anything to toggle or to open.
CLOSED, FLAGGED, QUESTIONED, OPEN = 0, 1, 2, 3

# Slots of the tally.
LCL, RCL, DCL, LCE, RCE, DCE, RCE_STRICT = 0, 1, 2, 3, 4, 5, 6
FLAGS, BVDONE, OPDONE, ISDONE = 7, 8, 9, 10
SAFE_LEFT, BLASTS, START, END = 11, 12, 13, 14
SLOTS = 15

# Slots of the mouse: what is held, and whether its release is still a click of its own.
LEFT, RIGHT, MIDDLE, LEFT_VALID, RIGHT_VALID, SHIFT, MARKS = 0, 1, 2, 3, 4, 5, 6

# Plain numbers: the compiler takes them as constants.
LEFT_PRESS, LEFT_RELEASE = int(Kind.LEFT_PRESS), int(Kind.LEFT_RELEASE)
RIGHT_PRESS, RIGHT_RELEASE = int(Kind.RIGHT_PRESS), int(Kind.RIGHT_RELEASE)
MIDDLE_PRESS, MIDDLE_RELEASE = int(Kind.MIDDLE_PRESS), int(Kind.MIDDLE_RELEASE)
PREFLAG, SECOND_PRESS = int(Kind.PREFLAG), int(Kind.SECOND_PRESS)
LEFT_CHANGE, RIGHT_CHANGE, MIDDLE_CHANGE = int(Kind.LEFT_CHANGE), int(Kind.RIGHT_CHANGE), int(Kind.MIDDLE_CHANGE)
SHIFT_LEFT_PRESS, MARKS_TOGGLE = int(Kind.SHIFT_LEFT_PRESS), int(Kind.MARKS_TOGGLE)


class Field(NamedTuple):
    """The board in play, as framed flat arrays (``analysis.kernels.grid``)."""

    width: int  # cells in a framed row
    number: NDArray[np.uint8]
    label: NDArray[np.uint8]
    group: NDArray[np.int32]  # 1..op: zero cell of that opening; above: cell of island (group - op); 0: neither
    closed_in_group: NDArray[np.int64]
    op: int
    flagged_once: NDArray[np.bool_]
    stack: NDArray[np.int32]
    tally: NDArray[np.int64]


@njit(cache=True)
def replay(
    kind: NDArray[np.uint8],
    cell: NDArray[np.int32],
    numbers: NDArray[np.uint8],
    opening_id: NDArray[np.int32],
    island_id: NDArray[np.int32],
    op: int,
    marks: bool,
) -> NDArray[np.int64]:
    """Play the button events until one decides the game.

    Time: linear in events plus cells; every cell is opened once and a chord looks at eight.

    Parameters
    ----------
    kind : uint8, one an event, values of ``Kind``
    cell : int32, same shape, framed index of the cell under the cursor; 0 outside the board
    numbers, opening_id, island_id : shape (rows, columns), as in ``BoardFacts``
    op : number of openings
    marks : whether question marks are on at the beginning

    Returns
    -------
    int64, shape (SLOTS,); ``START`` and ``END`` are positions in ``kind``, -1 if the event never came
    """
    field = _fresh_field(numbers, opening_id, island_id, op)
    mouse = np.zeros(7, np.bool_)
    mouse[MARKS] = marks
    for event in range(kind.size):
        _act(kind[event], cell[event], mouse, field)
        if field.tally[START] < 0 and field.tally[LCE] > 0:  # only a left click can open the first cell
            field.tally[START] = event
        if field.tally[BLASTS] > 0 or field.tally[SAFE_LEFT] == 0:
            field.tally[END] = event
            break
    return field.tally


@njit(cache=True)
def _fresh_field(
    numbers: NDArray[np.uint8], opening_id: NDArray[np.int32], island_id: NDArray[np.int32], op: int
) -> Field:
    rows, columns = numbers.shape
    width = columns + 2
    size = (rows + 2) * width
    number = np.full(size, WALL, np.uint8)
    label = np.full(size, OPEN, np.uint8)
    group = np.zeros(size, np.int32)
    closed_in_group = np.zeros(size + 1, np.int64)  # never more groups than cells
    tally = np.zeros(SLOTS, np.int64)
    tally[START] = tally[END] = -1
    for row in range(rows):
        for column in range(columns):
            cell = (row + 1) * width + column + 1
            number[cell] = numbers[row, column]
            label[cell] = CLOSED
            tally[SAFE_LEFT] += numbers[row, column] != MINE
            if opening_id[row, column] > 0:
                group[cell] = opening_id[row, column]
            elif island_id[row, column] > 0:
                group[cell] = op + island_id[row, column]
            closed_in_group[group[cell]] += 1
    flagged_once = np.zeros(size, np.bool_)
    stack = np.empty(size, np.int32)
    return Field(width, number, label, group, closed_in_group, op, flagged_once, stack, tally)


@njit(cache=True, forceinline=True)
def _act(kind: int, cell: int, mouse: NDArray[np.bool_], field: Field) -> None:
    # Events that do not say which way the button went are told by what is held.
    if kind == LEFT_CHANGE:
        kind = LEFT_RELEASE if mouse[LEFT] else LEFT_PRESS
    elif kind == RIGHT_CHANGE:
        kind = RIGHT_RELEASE if mouse[RIGHT] else RIGHT_PRESS
    elif kind == MIDDLE_CHANGE:
        kind = MIDDLE_RELEASE if mouse[MIDDLE] else MIDDLE_PRESS

    if kind in (LEFT_PRESS, SHIFT_LEFT_PRESS):
        mouse[LEFT] = mouse[LEFT_VALID] = True
        mouse[SHIFT] |= kind == SHIFT_LEFT_PRESS
    elif kind == LEFT_RELEASE:
        _left_release(cell, mouse, field)
    elif kind == RIGHT_PRESS:
        _right_press(cell, mouse, field)
    elif kind == RIGHT_RELEASE:
        _right_release(cell, mouse, field)
    elif kind == MIDDLE_PRESS:
        mouse[MIDDLE] = True
    elif kind == MIDDLE_RELEASE:  # a chord even if its press was not seen
        mouse[MIDDLE] = False
        _chord(cell, field)
    elif kind == SECOND_PRESS:
        mouse[LEFT_VALID] |= not mouse[LEFT]
        mouse[LEFT] = mouse[RIGHT] = True
    elif kind == PREFLAG:
        if field.label[cell] == CLOSED:
            _toggle(cell, mouse[MARKS], field)
    elif kind == MARKS_TOGGLE:
        mouse[MARKS] = not mouse[MARKS]


@njit(cache=True, forceinline=True)
def _left_release(cell: int, mouse: NDArray[np.bool_], field: Field) -> None:
    if mouse[RIGHT] or mouse[SHIFT]:
        _chord(cell, field)
    elif mouse[LEFT_VALID]:
        field.tally[LCL] += 1
        if _is_closed(cell, field):
            _open(cell, field)
            field.tally[LCE] += 1
    mouse[LEFT] = mouse[LEFT_VALID] = mouse[RIGHT_VALID] = mouse[SHIFT] = False


@njit(cache=True, forceinline=True)
def _right_press(cell: int, mouse: NDArray[np.bool_], field: Field) -> None:
    if not mouse[LEFT]:
        on_closed = field.label[cell] != OPEN
        if on_closed:
            _toggle(cell, mouse[MARKS], field)
        mouse[RIGHT_VALID] = not on_closed
    mouse[RIGHT] = True


@njit(cache=True, forceinline=True)
def _right_release(cell: int, mouse: NDArray[np.bool_], field: Field) -> None:
    if mouse[LEFT]:
        _chord(cell, field)
    elif mouse[RIGHT_VALID]:
        field.tally[RCL] += 1
    mouse[RIGHT] = mouse[LEFT_VALID] = mouse[RIGHT_VALID] = mouse[SHIFT] = False


@njit(cache=True, forceinline=True)
def _toggle(cell: int, marks: bool, field: Field) -> None:
    """Closed -> flag -> (question mark ->) closed; each step is one effective right click."""
    tally, label = field.tally, field.label
    if label[cell] == CLOSED:
        label[cell] = FLAGGED
        tally[FLAGS] += 1
        if field.number[cell] == MINE and not field.flagged_once[cell]:
            field.flagged_once[cell] = True
            tally[RCE_STRICT] += 1
    elif label[cell] == FLAGGED:
        label[cell] = QUESTIONED if marks else CLOSED
        tally[FLAGS] -= 1
    else:
        label[cell] = CLOSED
    tally[RCL] += 1
    tally[RCE] += 1


@njit(cache=True, forceinline=True)
def _chord(cell: int, field: Field) -> None:
    field.tally[DCL] += 1
    number = field.number[cell]
    if field.label[cell] != OPEN or number == WALL:
        return
    steps = steps_around(field.width)
    flags = 0
    for step in steps:
        flags += field.label[cell + step] == FLAGGED
    if number != 0 and number != flags:
        return
    opened = 0
    for step in steps:  # a mine among them does not spare the others
        if _is_closed(cell + step, field):
            _open(cell + step, field)
            opened += 1
    if opened > 0:
        field.tally[DCE] += 1


@njit(cache=True, forceinline=True)
def _is_closed(cell: int, field: Field) -> bool:
    """Closed without a flag; a question mark protects nothing."""
    return bool(field.label[cell] == CLOSED or field.label[cell] == QUESTIONED)


@njit(cache=True, forceinline=True)
def _open(cell: int, field: Field) -> None:
    """Open a closed cell; from a zero all closed neighbours, on from zeros.  Flags stop the flood and stay.

    A cell is marked open before it enters the stack, so it enters once and the stack never outgrows the board.
    """
    label, stack = field.label, field.stack
    steps = steps_around(field.width)
    label[cell] = OPEN
    stack[0] = cell
    height = 1
    while height > 0:
        height -= 1
        here = stack[height]
        _count_opened(here, field)
        if field.number[here] != 0:
            continue
        for step in steps:
            if _is_closed(here + step, field):
                label[here + step] = OPEN
                stack[height] = here + step
                height += 1


@njit(cache=True, forceinline=True)
def _count_opened(cell: int, field: Field) -> None:
    tally = field.tally
    if field.number[cell] == MINE:
        tally[BLASTS] += 1
        return
    tally[SAFE_LEFT] -= 1
    group = field.group[cell]
    if group == 0:
        return
    field.closed_in_group[group] -= 1
    complete = field.closed_in_group[group] == 0
    if group > field.op:
        tally[BVDONE] += 1
        tally[ISDONE] += complete
    elif complete:
        tally[BVDONE] += 1
        tally[OPDONE] += 1


@njit(cache=True)
def path_px(x_px: NDArray[np.int16], y_px: NDArray[np.int16], right_px: int, bottom_px: int) -> float:
    """Euclidean length of a trail in its own pixels; points outside (0, 0)..(right_px, bottom_px) are skipped.

    Parameters
    ----------
    x_px, y_px : int16, shape (n,)
    right_px, bottom_px : the first coordinates outside
    """
    length = 0.0
    last = -1
    for point in range(x_px.size):
        if not (0 <= x_px[point] < right_px and 0 <= y_px[point] < bottom_px):
            continue
        if last >= 0:
            dx = float(x_px[point]) - float(x_px[last])
            dy = float(y_px[point]) - float(y_px[last])
            length += np.sqrt(dx * dx + dy * dy)
        last = point
    return length
