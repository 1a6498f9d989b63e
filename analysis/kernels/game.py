"""The click machine: events in, counts out.  Rules: ``analysis.game``."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.grid import MINE, WALL, steps_around
from analysis.recording import EventArray, Kind

NORMAL_CELL_PX = 16  # the cell size in which paths and points are told

# What a cell shows.  The frame counts as open, so that no press on it finds anything to toggle or to open.
CLOSED, FLAGGED, QUESTIONED, OPEN = 0, 1, 2, 3

# Slots of the tally.
LCL, RCL, DCL, LCE, RCE, DCE, RCE_STRICT = 0, 1, 2, 3, 4, 5, 6
FLAGS, BVDONE, OPDONE, ISDONE = 7, 8, 9, 10
SAFE_LEFT, BLASTS, START, END, UNKNOWN = 11, 12, 13, 14, 15
SLOTS = 16

# Slots of the mouse: what is held, and whether its release is still a click of its own.
LEFT, RIGHT, MIDDLE, LEFT_VALID, RIGHT_VALID, SHIFT, MARKS = 0, 1, 2, 3, 4, 5, 6

# The small steps of the machine are inlined: a call that hands the field over costs more than the step itself.
_step = njit(cache=True, forceinline=True)

# Plain numbers: the compiler takes them as constants.
MOVE = int(Kind.MOVE)
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
    events: EventArray,
    cell_px: int,
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
    events : EVENT, shape (n,)
    cell_px : size of a cell
    numbers, opening_id, island_id : shape (rows, columns), as in ``BoardFacts``
    op : number of openings
    marks : whether question marks are on at the beginning

    Returns
    -------
    int64, shape (SLOTS,); ``START`` and ``END`` are positions in ``events``, -1 if that event never came; ``UNKNOWN``
    counts events of no known kind
    """
    field = _fresh_field(numbers, opening_id, island_id, op)
    tally = field.tally
    mouse = np.zeros(7, np.bool_)
    mouse[MARKS] = marks
    rows, columns = numbers.shape
    for event in range(events.size):
        kind = events[event]["kind"]
        if kind == MOVE:
            continue
        cell = _framed_cell(events[event]["x_px"], events[event]["y_px"], cell_px, rows, columns)
        _act(kind, cell, mouse, field)
        if tally[START] < 0 and tally[LCE] > 0:  # only a left click can open the first cell
            tally[START] = event
        if tally[BLASTS] > 0 or tally[SAFE_LEFT] == 0:
            tally[END] = event
            break
    return tally


@_step
def _framed_cell(x_px: int, y_px: int, cell_px: int, rows: int, columns: int) -> int:
    """Framed index of the cell under a point; 0 outside the board."""
    column = int(x_px) // cell_px  # floor: -1 px is column -1
    row = int(y_px) // cell_px
    if 0 <= row < rows and 0 <= column < columns:
        return (row + 1) * (columns + 2) + column + 1
    return 0


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


@_step
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
        mouse[LEFT] = mouse[RIGHT] = True
    elif kind == PREFLAG:
        if field.label[cell] == CLOSED:
            _toggle(cell, mouse[MARKS], field)
    elif kind == MARKS_TOGGLE:
        mouse[MARKS] = not mouse[MARKS]
    else:
        field.tally[UNKNOWN] += 1


@_step
def _left_release(cell: int, mouse: NDArray[np.bool_], field: Field) -> None:
    if mouse[RIGHT] or mouse[SHIFT]:
        _chord(cell, field)
    elif mouse[LEFT_VALID]:
        field.tally[LCL] += 1
        if _is_closed(cell, field):
            _open(cell, field)
            field.tally[LCE] += 1
    mouse[LEFT] = mouse[LEFT_VALID] = mouse[RIGHT_VALID] = mouse[SHIFT] = False


@_step
def _right_press(cell: int, mouse: NDArray[np.bool_], field: Field) -> None:
    if not mouse[LEFT]:
        on_closed = field.label[cell] != OPEN
        if on_closed:
            _toggle(cell, mouse[MARKS], field)
        mouse[RIGHT_VALID] = not on_closed
    mouse[RIGHT] = True


@_step
def _right_release(cell: int, mouse: NDArray[np.bool_], field: Field) -> None:
    if mouse[LEFT]:
        _chord(cell, field)
    elif mouse[RIGHT_VALID]:
        field.tally[RCL] += 1
    mouse[RIGHT] = mouse[LEFT_VALID] = mouse[RIGHT_VALID] = mouse[SHIFT] = False


@_step
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


@_step
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


@_step
def _is_closed(cell: int, field: Field) -> bool:
    """Closed without a flag; a question mark protects nothing."""
    return bool(field.label[cell] == CLOSED or field.label[cell] == QUESTIONED)


@_step
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


@_step
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
def path_px(events: EventArray, start: int, end: int, right_px: int, bottom_px: int) -> float:
    """Euclidean length of the trail from event ``start`` to event ``end`` in its own pixels.

    Points outside the board are skipped.

    Parameters
    ----------
    events : EVENT, shape (n,)
    start, end : positions, both included
    right_px, bottom_px : the first coordinates outside
    """
    length = 0.0
    last_x = last_y = -1.0
    for event in range(start, end + 1):
        x, y = float(events[event]["x_px"]), float(events[event]["y_px"])
        if not (0 <= x < right_px and 0 <= y < bottom_px):
            continue
        if last_x >= 0:
            length += np.sqrt((x - last_x) ** 2 + (y - last_y) ** 2)
        last_x, last_y = x, y
    return length


@njit(cache=True)
def canonical_acts(
    events: EventArray, start: int, end: int, cell_px: int, rows: int, columns: int
) -> NDArray[np.int32]:
    """The events up to ``end`` that are no moves, told independently of the file.

    Parameters
    ----------
    events : EVENT, shape (n,)
    start, end : positions of the opening and of the deciding event
    cell_px, rows, columns : of the recording

    Returns
    -------
    int32, shape (m, 4): time since the opening in ms, x and y at 16 px a cell, kind.  Every point outside is
    (16 * columns, 16 * rows).
    """
    acts = np.empty((end + 1, 4), np.int32)
    count = 0
    for event in range(end + 1):
        kind = events[event]["kind"]
        if kind == MOVE:
            continue
        x, y = int(events[event]["x_px"]), int(events[event]["y_px"])
        inside = _framed_cell(x, y, cell_px, rows, columns) != 0
        acts[count, 0] = int(events[event]["time_ms"]) - int(events[start]["time_ms"])
        acts[count, 1] = x * NORMAL_CELL_PX // cell_px if inside else columns * NORMAL_CELL_PX
        acts[count, 2] = y * NORMAL_CELL_PX // cell_px if inside else rows * NORMAL_CELL_PX
        acts[count, 3] = kind
        count += 1
    return acts[:count].copy()
