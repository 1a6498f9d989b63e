"""The loops of the AVF reader."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.grid import framed_numbers
from analysis.recording import EventArray

# What is wrong with a record.
FINE, BAD_CODE, BAD_HUNDREDTHS, BAD_SECOND = 0, 1, 2, 3


@njit(cache=True)
def decode_events(raw: NDArray[np.uint8], kind_of_code: NDArray[np.uint8], events: EventArray) -> tuple[int, int]:
    """Decode records of eight bytes: button, x high, second low, x low, hundredths, y high, second high, y low.

    Parameters
    ----------
    raw : uint8, shape (n, 8)
    kind_of_code : uint8, shape (256,), 0 for a code that does not exist
    events : dtype EVENT, shape (n,), filled here

    Returns
    -------
    what is wrong with the first bad record (``FINE`` if none is), and its index
    """
    for event in range(raw.shape[0]):
        record = raw[event]
        second = np.int32(record[6]) * 256 + np.int32(record[2])
        kind = kind_of_code[record[0]]
        if kind == 0:
            return BAD_CODE, event
        if record[4] > 99:
            return BAD_HUNDREDTHS, event
        if second == 0:
            return BAD_SECOND, event
        events[event]["time_ms"] = (second - 1) * 1000 + np.int32(record[4]) * 10
        # Values from 32768 up become negative: outside the board either way, and no file holds one.
        events[event]["x_px"] = np.int16((np.int32(record[1]) << 8) | np.int32(record[3]))
        events[event]["y_px"] = np.int16((np.int32(record[5]) << 8) | np.int32(record[7]))
        events[event]["kind"] = kind
    return FINE, 0


@njit(cache=True)
def half_outside(events: EventArray, right_px: int, bottom_px: int) -> bool:
    """Whether a point lies outside the board (``right_px`` by ``bottom_px``) on one axis alone."""
    for event in range(events.size):
        x_px, y_px = events[event]["x_px"], events[event]["y_px"]
        beside = x_px < 0 or x_px >= right_px
        below = y_px < 0 or y_px >= bottom_px
        if beside != below:
            return True
    return False


@njit(cache=True)
def board_checksum(mines: NDArray[np.uint8]) -> int:
    """Sum of (number + 1) * x * (y + 1) over all cells of ``mines`` (uint8, 1 = mine); a mine counts as number 9."""
    rows, columns = mines.shape
    number = framed_numbers(mines)
    total = 0
    for row in range(rows):
        for column in range(columns):
            total += (np.int64(number[(row + 1) * (columns + 2) + column + 1]) + 1) * column * (row + 1)
    return total
