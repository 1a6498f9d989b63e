"""The course of a recorded game: counts, trail of the cursor, and the faces that changed, after every act.

An *act* is an event that is no move.  The rules are those of ``analysis.kernels.click_machine``, whose ``act`` is called here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.click_machine import (
    BLASTS,
    DCE,
    END,
    ISDONE,
    LABEL,
    LCE,
    MARKS,
    MOVE,
    OPEN,
    RCE,
    SAFE_LEFT,
    START,
    SUPER_FLAG,
    act,
    framed_cell,
    fresh_game,
    is_inside,
)
from analysis.kernels.grid import inlined, steps_around
from analysis.recording import EventArray

# Columns of ``Walk.clicks``.
EVENT_PLACE, CELL, CHORD = 0, 1, 2
NEVER = -1  # in ``Walk.opened_by``: no click opened the cell
#: The first slots of the tally, which a walk tells of every act.
COUNTERS = ISDONE + 1


class Walk(NamedTuple):
    """A game of m acts that changed c faces, up to the event that decides it.

    ``tally``: int64, shape (SLOTS,), at the end; ``START`` and ``END`` are places in the events, -1 if that event never
    came; ``UNKNOWN`` counts events of no known kind.
    ``path_px``: length of the trail of the cursor from ``START`` on, in the recording's own pixels; points outside the
    board are skipped.
    ``places``: int32, shape (m,), the place of each act in the events.
    ``held``: uint8, shape (m,), what is held after the act, bits 0 to 6: left, right, middle, left valid, right valid,
    shift, question marks on.
    ``counters``: int32, shape (m, COUNTERS), the first slots of the tally after the act.  ``paths_px``: float64, shape
    (m,), ``path_px`` so far.
    ``changed``: int32, shape (m,), how many faces the act changed.  ``cells``: int32, shape (c,), row * columns + column,
    rising within an act.  ``faces``: uint8, shape (c,), what they show then: ``CLOSED``, ``FLAGGED``, ``QUESTIONED`` or
    ``OPEN`` of ``analysis.kernels.click_machine``.
    ``clicks``: int32, shape (k, 3), every click that opened at least one cell: its place in the events, its cell (row *
    columns + column), and 1 for a chord.  ``opened_by``: int32, shape (rows, columns), the number of the click that
    opened the cell, or ``NEVER``.
    """

    tally: NDArray[np.int64]
    path_px: float
    places: NDArray[np.int32]
    held: NDArray[np.uint8]
    counters: NDArray[np.int32]
    paths_px: NDArray[np.float64]
    changed: NDArray[np.int32]
    cells: NDArray[np.int32]
    faces: NDArray[np.uint8]
    clicks: NDArray[np.int32]
    opened_by: NDArray[np.int32]


@njit(cache=True)
def walk(
    events: EventArray,
    cell_px: int,
    numbers: NDArray[np.uint8],
    opening_id: NDArray[np.int32],
    island_id: NDArray[np.int32],
    settings: int,
) -> Walk:
    """Play the events until one decides the game, and keep what each act changed.

    Time: linear in events, cells and changed faces.

    Parameters
    ----------
    events : EVENT, shape (n,)
    cell_px : size of a cell
    numbers, opening_id, island_id : shape (rows, columns), as in ``BoardFacts``
    settings : as in ``Recording.settings``
    """
    rows, columns = numbers.shape
    width = columns + 2
    tally, board, mouse = fresh_game(numbers, opening_id, island_id, settings)
    most = 0
    for event in range(events.size):
        most += events[event]["kind"] != MOVE
    places, held = np.empty(most, np.int32), np.empty(most, np.uint8)
    counters, paths_px = np.empty((most, COUNTERS), np.int32), np.empty(most, np.float64)
    changed = np.zeros(most, np.int32)
    # An act toggles one cell, flags cells that were never flagged or that an earlier act unflagged (``SUPER_FLAG``), or
    # opens cells that were closed, each of them once.
    room = (most + rows * columns) * (2 if mouse[SUPER_FLAG] else 1)
    cells, faces = np.empty(room, np.int32), np.empty(room, np.uint8)
    clicks, opened_by = np.empty((min(most, rows * columns), 3), np.int32), np.full(rows * columns, NEVER, np.int32)
    shown = board[LABEL].copy()
    count = total = opening = 0
    path_px, last_x, last_y = 0.0, -1.0, -1.0
    for event in range(events.size):
        kind, x, y = events[event]["kind"], int(events[event]["x_px"]), int(events[event]["y_px"])
        inside = is_inside(x, y, cell_px, rows, columns)
        before = total
        if kind != MOVE:
            cell = framed_cell(x, y, cell_px, columns) if inside else 0
            toggles, chords, opens = tally[RCE], tally[DCE], tally[LCE] + tally[DCE]
            act(kind, cell, width, mouse, board, tally)
            if tally[START] < 0 and tally[LCE] > 0:
                tally[START] = event
            if tally[RCE] > toggles:
                total = _keep_toggled(cell, width, board, shown, cells, faces, total)
            elif tally[LCE] + tally[DCE] > opens:
                total = _keep_opened(cell, width, board, shown, cells, total)
                faces[before:total] = OPEN
                clicks[opening, EVENT_PLACE], clicks[opening, CELL] = event, _unframed(cell, width)
                clicks[opening, CHORD] = tally[DCE] - chords
                for change in range(before, total):
                    opened_by[_unframed(cells[change], width)] = opening
                opening += 1
        if inside and tally[START] >= 0:
            if last_x >= 0:
                path_px += np.sqrt((x - last_x) ** 2 + (y - last_y) ** 2)
            last_x, last_y = float(x), float(y)
        if kind != MOVE:
            cells[before:total].sort()
            places[count], held[count] = event, _held(mouse)
            counters[count] = tally[:COUNTERS]
            paths_px[count] = path_px
            changed[count] = total - before
            count += 1
        if tally[BLASTS] > 0 or tally[SAFE_LEFT] == 0:
            tally[END] = event
            break
    for change in range(total):
        cells[change] = _unframed(cells[change], width)
    return Walk(
        tally, path_px, places[:count].copy(), held[:count].copy(), counters[:count].copy(), paths_px[:count].copy(),
        changed[:count].copy(), cells[:total].copy(), faces[:total].copy(), clicks[:opening].copy(),
        opened_by.reshape(rows, columns),
    )  # fmt: skip


@inlined
def _unframed(cell: int, width: int) -> int:
    """The number of a cell of the framed board, which is ``width`` wide, on the board."""
    return (cell // width - 1) * (width - 2) + cell % width - 1


@inlined
def _keep_toggled(
    cell: int, width: int, board: NDArray[np.int32], shown: NDArray[np.int32], cells: NDArray[np.int32],
    faces: NDArray[np.uint8], total: int,
) -> int:  # fmt: skip
    """Append the cells that a right press on ``cell`` has changed: itself, or neighbours; returns the new total."""
    if board[LABEL, cell] != OPEN:
        shown[cell] = board[LABEL, cell]
        cells[total], faces[total] = cell, board[LABEL, cell]
        return total + 1
    for step in steps_around(width):
        beside = cell + step
        if board[LABEL, beside] != shown[beside]:
            shown[beside] = board[LABEL, beside]
            cells[total], faces[total] = beside, board[LABEL, beside]
            total += 1
    return total


@inlined
def _keep_opened(
    cell: int, width: int, board: NDArray[np.int32], shown: NDArray[np.int32], cells: NDArray[np.int32], total: int
) -> int:
    """Append the cells that a click on ``cell`` has opened, which touch it or each other; returns the new total."""
    steps = steps_around(width)
    first = total
    if shown[cell] != OPEN:
        shown[cell] = OPEN
        cells[total] = cell
        total += 1
    else:  # a chord
        for step in steps:
            if board[LABEL, cell + step] == OPEN and shown[cell + step] != OPEN:
                shown[cell + step] = OPEN
                cells[total] = cell + step
                total += 1
    while first < total:
        here = cells[first]
        first += 1
        for step in steps:
            if board[LABEL, here + step] == OPEN and shown[here + step] != OPEN:
                shown[here + step] = OPEN
                cells[total] = here + step
                total += 1
    return total


@inlined
def _held(mouse: NDArray[np.bool_]) -> int:
    """The state of the mouse as bits, that of slot 0 first."""
    bits = 0
    for slot in range(MARKS + 1):
        bits += int(mouse[slot]) << slot
    return bits
