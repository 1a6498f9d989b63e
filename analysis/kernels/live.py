"""The click machine step by step: admitting events, and playing those that were admitted.  Rules: ``analysis.live``."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.click_machine import (
    BLASTS,
    CLOSED,
    DCE,
    END,
    FLAGGED,
    LABEL,
    LCE,
    MOVE,
    NUMBER,
    OPEN,
    RCE,
    SAFE_LEFT,
    START,
    act,
    framed_cell,
    is_inside,
)
from analysis.kernels.grid import MINE, inlined
from analysis.kernels.probability_front import CLOSED as SHOWN_CLOSED
from analysis.kernels.probability_front import FLAG as SHOWN_FLAG
from analysis.limits import MAX_TIME_MS
from analysis.recording import EventArray

# What is wrong with an event.
FINE, TIME, TIME_GOES_BACK, POINT, KIND, TOO_MANY_BUTTONS, TOO_MANY_MOVES = range(7)

WINDOW_MS = 1_000
MAX_BUTTONS, MAX_MOVES = 60, 2_000  # within any WINDOW_MS; hands stay far below, and mice at a thousand moves
LOWEST_PX, HIGHEST_PX = -32768, 32767

# Slots of the window: its first event, and how many of its events are buttons and moves.
FIRST, BUTTONS, MOVES = 0, 1, 2

SHOWN_QUESTION = 13  # beside the codes of a position: a question mark, and an open mine
SHOWN_BLAST = MINE


@njit(cache=True)
def admit(
    table: NDArray[np.int64],
    events: EventArray,
    count: int,
    window: NDArray[np.int64],
    kinds: NDArray[np.bool_],
) -> int:
    """Check events and put them behind the ``count`` that are there.

    Parameters
    ----------
    table : int64, shape (n, 4): time_ms, x_px, y_px, kind
    events : EVENT with room for them
    count : how many are there
    window : int64, shape (3,): those of the last ``WINDOW_MS``; moved on if all events are admitted
    kinds : whether a kind is admitted

    Returns
    -------
    ``FINE``, or what is wrong with the first event that is wrong
    """
    first, buttons, moves = window[FIRST], window[BUTTONS], window[MOVES]
    last_ms = int(events[count - 1]["time_ms"]) if count else 0
    for row in range(table.shape[0]):
        time_ms, x, y, kind = table[row]
        if not 0 <= time_ms <= MAX_TIME_MS:
            return TIME
        if time_ms < last_ms:
            return TIME_GOES_BACK
        if not (LOWEST_PX <= x <= HIGHEST_PX and LOWEST_PX <= y <= HIGHEST_PX):
            return POINT
        if not 0 <= kind < kinds.size or not kinds[kind]:
            return KIND
        event = count + row
        events[event]["time_ms"], events[event]["kind"] = time_ms, kind
        events[event]["x_px"], events[event]["y_px"] = x, y
        if kind == MOVE:
            moves += 1
        else:
            buttons += 1
        while int(events[first]["time_ms"]) <= time_ms - WINDOW_MS:
            if events[first]["kind"] == MOVE:
                moves -= 1
            else:
                buttons -= 1
            first += 1
        if buttons > MAX_BUTTONS:
            return TOO_MANY_BUTTONS
        if moves > MAX_MOVES:
            return TOO_MANY_MOVES
        last_ms = time_ms
    window[FIRST], window[BUTTONS], window[MOVES] = first, buttons, moves
    return FINE


@njit(cache=True)
def advance(
    events: EventArray,
    begin: int,
    end: int,
    cell_px: int,
    board_known: bool,
    mouse: NDArray[np.bool_],
    cells: NDArray[np.int32],
    tally: NDArray[np.int64],
    shown: NDArray[np.uint8],
) -> tuple[int, NDArray[np.int32], NDArray[np.uint8]]:
    """Play ``events[begin:end]``, up to the event that decides the game, or that opens the first cell of a board that
    is not known.

    Parameters
    ----------
    events : EVENT
    cell_px : size of a cell
    board_known : else ``cells`` are those of any board, and no cell of it comes into ``shown``
    mouse, cells, tally : the state of the game (``analysis.kernels.click_machine``)
    shown : uint8, shape (rows, columns), brought up to date; a number 0 to 8, ``SHOWN_BLAST``,
        ``SHOWN_CLOSED``, ``SHOWN_FLAG`` or ``SHOWN_QUESTION``

    Returns
    -------
    stop : the first event that was not played
    changed : int32, row * columns + column of every cell that looks different now, rising
    faces : uint8, what they show
    """
    rows, columns = shown.shape
    before = tally[LCE] + tally[RCE] + tally[DCE]
    stop = begin
    while stop < end:
        kind, x, y = events[stop]["kind"], int(events[stop]["x_px"]), int(events[stop]["y_px"])
        if kind != MOVE:
            cell = framed_cell(x, y, cell_px, columns) if is_inside(x, y, cell_px, rows, columns) else 0
            act(kind, cell, columns + 2, mouse, cells, tally)
            if tally[START] < 0 and tally[LCE] > 0:
                tally[START] = stop
            if tally[BLASTS] > 0 or tally[SAFE_LEFT] == 0:
                tally[END] = stop
        stop += 1
        if tally[END] >= 0 or (tally[START] >= 0 and not board_known):
            break
    if tally[LCE] + tally[RCE] + tally[DCE] == before:  # every change counts as effective
        return stop, np.empty(0, np.int32), np.empty(0, np.uint8)
    changed = np.empty(rows * columns, np.int32)
    faces = np.empty(rows * columns, np.uint8)
    count = _compare(board_known, cells, shown, changed, faces)
    return stop, changed[:count].copy(), faces[:count].copy()


@inlined
def _compare(
    board_known: bool,
    cells: NDArray[np.int32],
    shown: NDArray[np.uint8],
    changed: NDArray[np.int32],
    faces: NDArray[np.uint8],
) -> int:
    """Bring ``shown`` up to date; returns how many cells changed."""
    rows, columns = shown.shape
    count = 0
    for row in range(rows):
        for column in range(columns):
            cell = (row + 1) * (columns + 2) + column + 1
            face = _face_of(cells[LABEL, cell], cells[NUMBER, cell])
            if face != shown[row, column] and (board_known or cells[LABEL, cell] != OPEN):
                shown[row, column] = face
                changed[count] = row * columns + column
                faces[count] = face
                count += 1
    return count


@inlined
def _face_of(label: int, number: int) -> int:
    if label == OPEN:
        return number
    if label == CLOSED:
        return SHOWN_CLOSED
    return SHOWN_FLAG if label == FLAGGED else SHOWN_QUESTION
