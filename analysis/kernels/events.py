"""Passes over event records: times that go back, and a form that does not depend on the file."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.click_machine import MOVE, NORMAL_CELL_PX, is_inside
from analysis.recording import EventArray


@njit(cache=True)
def raise_times(events: EventArray) -> int:
    """Give every event that is earlier than one before it the time of that one, in place.

    Parameters
    ----------
    events : dtype EVENT, shape (n,)

    Returns
    -------
    how many were raised
    """
    raised = 0
    if events.size == 0:
        return raised
    latest = events[0]["time_ms"]
    for event in range(events.size):
        if events[event]["time_ms"] < latest:
            events[event]["time_ms"] = latest
            raised += 1
        latest = events[event]["time_ms"]
    return raised


@njit(cache=True)
def canonical_acts(
    events: EventArray, start: int, end: int, cell_px: int, rows: int, columns: int
) -> NDArray[np.int32]:
    """The events up to ``end`` except moves, in a form that does not depend on the file.

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
        inside = is_inside(x, y, cell_px, rows, columns)
        acts[count, 0] = int(events[event]["time_ms"]) - int(events[start]["time_ms"])
        acts[count, 1] = x * NORMAL_CELL_PX // cell_px if inside else columns * NORMAL_CELL_PX
        acts[count, 2] = y * NORMAL_CELL_PX // cell_px if inside else rows * NORMAL_CELL_PX
        acts[count, 3] = kind
        count += 1
    return acts[:count].copy()
