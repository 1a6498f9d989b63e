"""The loops of the AVF reader."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.grid import framed_numbers
from analysis.recording import EventArray

# What is wrong with a record or a mine.
FINE, BAD_CODE, BAD_HUNDREDTHS, BAD_SECOND, BAD_MINE, MINE_TWICE = 0, 1, 2, 3, 4, 5


@njit(cache=True)
def decode_events(
    raw: NDArray[np.uint8], kind_of_code: NDArray[np.uint8], right_px: int, bottom_px: int, events: EventArray
) -> tuple[int, int, bool]:
    """Decode records of eight bytes: button, x high, second low, x low, hundredths, y high, second high, y low.

    Parameters
    ----------
    raw : uint8, shape (n, 8)
    kind_of_code : uint8, shape (256,), 0 for a code that does not exist
    right_px, bottom_px : the first coordinates outside the board
    events : dtype EVENT, shape (n,), filled here

    Returns
    -------
    what is wrong with the first bad record (``FINE`` if none is); its index; whether a point lies outside the board on
    one axis alone
    """
    half_outside = False
    for event in range(raw.shape[0]):
        record = raw[event]
        second = np.int32(record[6]) * 256 + np.int32(record[2])
        kind = kind_of_code[record[0]]
        if kind == 0:
            return BAD_CODE, event, half_outside
        if record[4] > 99:
            return BAD_HUNDREDTHS, event, half_outside
        if second == 0:
            return BAD_SECOND, event, half_outside
        events[event]["time_ms"] = (second - 1) * 1000 + np.int32(record[4]) * 10
        # Values from 32768 up become negative: outside the board either way, and no file holds one.
        x_px = (np.int32(record[1]) << 8) | np.int32(record[3])
        y_px = (np.int32(record[5]) << 8) | np.int32(record[7])
        half_outside |= (x_px >= right_px) != (y_px >= bottom_px)
        events[event]["x_px"] = np.int16(x_px)
        events[event]["y_px"] = np.int16(y_px)
        events[event]["kind"] = kind
    return FINE, 0, half_outside


@njit(cache=True)
def lay_mines(places: NDArray[np.uint8], mines: NDArray[np.uint8]) -> tuple[int, int]:
    """Put the listed mines on the board.

    Parameters
    ----------
    places : uint8, shape (n, 2): (row, column), both from 1
    mines : uint8, shape (rows, columns), all 0; 1 = mine afterwards

    Returns
    -------
    what is wrong with the first bad place (``FINE``, ``BAD_MINE`` outside the board, ``MINE_TWICE``), and its index
    """
    rows, columns = mines.shape
    for place in range(places.shape[0]):
        row, column = int(places[place, 0]) - 1, int(places[place, 1]) - 1
        if not (0 <= row < rows and 0 <= column < columns):
            return BAD_MINE, place
        if mines[row, column]:
            return MINE_TWICE, place
        mines[row, column] = 1
    return FINE, 0


@njit(cache=True)
def board_checksum(mines: NDArray[np.uint8]) -> int:
    """Sum of (number + 1) * x * (y + 1) over all cells of ``mines`` (uint8, 1 = mine); a mine counts as number 9."""
    rows, columns = mines.shape
    number = framed_numbers(mines)
    total = 0
    for row in range(rows):
        for column in range(columns):
            total += (int(number[(row + 1) * (columns + 2) + column + 1]) + 1) * column * (row + 1)
    return total
