"""Clicks that opened cells, and the faces of the board after any number of events.  Rules: ``analysis.click_machine``."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.click_machine import (
    BLASTS,
    CLOSED,
    DCE,
    FLAGGED,
    LABEL,
    LCE,
    MOVE,
    NUMBER,
    OPEN,
    SAFE_LEFT,
    STACK,
    act,
    framed_cell,
    fresh_game,
    is_inside,
)
from analysis.kernels.grid import MINE, WALL, inlined, steps_around
from analysis.kernels.probability_front import CLOSED as SHOWN_CLOSED
from analysis.kernels.probability_front import FLAG as SHOWN_FLAG
from analysis.recording import EventArray

NEVER = -1  # instead of the click that opened a cell

# Columns of the table of clicks.
EVENT_PLACE, CELL, CHORD = 0, 1, 2
COLUMNS = 3

SHOWN_QUESTION = 13  # beside the codes of a position: a question mark, and an open mine
SHOWN_BLAST = MINE


@njit(cache=True)
def opening_clicks(
    events: EventArray,
    cell_px: int,
    numbers: NDArray[np.uint8],
    opening_id: NDArray[np.int32],
    island_id: NDArray[np.int32],
    settings: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Every click that opened at least one cell, and which click opened which cell.

    Time: linear in events plus cells.

    Parameters
    ----------
    events : EVENT, shape (n,)
    cell_px : size of a cell
    numbers, opening_id, island_id : shape (rows, columns), as in ``BoardFacts``
    settings : as in ``Recording.settings``

    Returns
    -------
    clicks : int32, shape (m, COLUMNS): place in ``events``, cell (row * columns + column), 1 for a chord
    opened_by : int32, shape (rows, columns): number of the click, or ``NEVER``
    """
    rows, columns = numbers.shape
    width = columns + 2
    tally, cells, mouse = fresh_game(numbers, opening_id, island_id, settings)
    clicks = np.empty((rows * columns, COLUMNS), np.int32)  # each opens a cell, so there are no more of them
    opened_by = np.full((rows, columns), NEVER, np.int32)
    count = 0
    for event in range(events.size):
        kind, x, y = events[event]["kind"], int(events[event]["x_px"]), int(events[event]["y_px"])
        if kind == MOVE:
            continue
        inside = is_inside(x, y, cell_px, rows, columns)
        cell = framed_cell(x, y, cell_px, columns) if inside else 0
        lefts, chords = tally[LCE], tally[DCE]
        act(kind, cell, width, mouse, cells, tally)
        if tally[LCE] == lefts and tally[DCE] == chords:
            continue
        clicks[count, EVENT_PLACE] = event
        clicks[count, CELL] = (cell // width - 1) * columns + cell % width - 1
        clicks[count, CHORD] = tally[DCE] > chords
        _note_opened(cell, tally[DCE] > chords, count, width, cells, opened_by)
        count += 1
        if tally[BLASTS] > 0 or tally[SAFE_LEFT] == 0:
            break
    return clicks[:count].copy(), opened_by


@inlined
def _note_opened(
    cell: int, chord: bool, click: int, width: int, cells: NDArray[np.int32], opened_by: NDArray[np.int32]
) -> None:
    """Set ``opened_by`` of the cells that the click on ``cell`` has just opened.

    It floods from the click as the game did, over open cells that no click is noted for: each is seen once.
    """
    steps = steps_around(width)
    height = 0
    if chord:
        for step in steps:
            height = _push_opened(cell + step, click, height, width, cells, opened_by)
    else:
        height = _push_opened(cell, click, height, width, cells, opened_by)
    while height > 0:
        height -= 1
        here = cells[STACK, height]
        if cells[NUMBER, here] == 0:
            for step in steps:
                height = _push_opened(here + step, click, height, width, cells, opened_by)


@inlined
def _push_opened(
    cell: int, click: int, height: int, width: int, cells: NDArray[np.int32], opened_by: NDArray[np.int32]
) -> int:
    """Note ``cell`` and put it on the stack, if it is open and not noted; the new height of the stack."""
    if cells[NUMBER, cell] == WALL or cells[LABEL, cell] != OPEN:
        return height
    row, column = cell // width - 1, cell % width - 1
    if opened_by[row, column] != NEVER:
        return height
    opened_by[row, column] = click
    cells[STACK, height] = cell
    return height + 1


@njit(cache=True)
def shown_after(
    events: EventArray,
    count: int,
    cell_px: int,
    numbers: NDArray[np.uint8],
    opening_id: NDArray[np.int32],
    island_id: NDArray[np.int32],
    settings: int,
) -> NDArray[np.uint8]:
    """The board as it looks when the first ``count`` events are played (none behind the deciding one is).

    Parameters as in :func:`opening_clicks`.

    Returns
    -------
    uint8, shape (rows, columns): 0 to 8, ``SHOWN_BLAST`` for an open mine, ``SHOWN_CLOSED``, ``SHOWN_FLAG``,
    ``SHOWN_QUESTION``
    """
    rows, columns = numbers.shape
    width = columns + 2
    tally, cells, mouse = fresh_game(numbers, opening_id, island_id, settings)
    for event in range(min(count, events.size)):
        kind, x, y = events[event]["kind"], int(events[event]["x_px"]), int(events[event]["y_px"])
        if kind != MOVE:
            cell = framed_cell(x, y, cell_px, columns) if is_inside(x, y, cell_px, rows, columns) else 0
            act(kind, cell, width, mouse, cells, tally)
            if tally[BLASTS] > 0 or tally[SAFE_LEFT] == 0:
                break
    shown = np.empty((rows, columns), np.uint8)
    for row in range(rows):
        for column in range(columns):
            cell = (row + 1) * width + column + 1
            shown[row, column] = face_of(cells[LABEL, cell], cells[NUMBER, cell])
    return shown


@inlined
def face_of(label: int, number: int) -> int:
    """Return the face of a cell, as a code of :func:`shown_after`."""
    if label == OPEN:
        return number
    if label == CLOSED:
        return SHOWN_CLOSED
    return SHOWN_FLAG if label == FLAGGED else SHOWN_QUESTION
