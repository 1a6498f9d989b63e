"""The events of AVF files."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.recording import EventArray

# What is wrong with a record.
FINE, BAD_CODE, BAD_HUNDREDTHS, BAD_SECOND = 0, 1, 2, 3


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
