"""RMV, the events: a code and what belongs to it.

======  ======  ==========================================================================================
code    size    content
======  ======  ==========================================================================================
0       4       version 1: a time stamp
1-7     8       move, left press and release, right, middle: time (3), buttons held after it, x (2), y (2)
28      2       version 2: move: ms since the mouse event before, steps in x and y (four bits each, signed)
9-14    2       what the program showed: column, row
18-27   2       the same
15-17   3       the end, and its time: lost, won, other
======  ======  ==========================================================================================

Behind the end stand two bytes of no use, and its time again.  Points of version 1 count from the corner of the window, 12 px left of the
board and 56 above it; those of version 2 from the board, and are signed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.errors import BadField, LimitExceeded, Truncated
from analysis.formats.reader import ByteReader
from analysis.formats.rmv.header import Sizes
from analysis.limits import MAX_EVENTS
from analysis.recording import EVENT, EventArray, Kind

Bytes: TypeAlias = NDArray[np.uint8]

#: Where the board begins in the points of each version.
ORIGINS: dict[int, tuple[int, int]] = {1: (12, 56), 2: (0, 0)}

_KIND_OF_CODE = np.array(
    [
        0,
        Kind.MOVE,
        Kind.LEFT_PRESS,
        Kind.LEFT_RELEASE,
        Kind.RIGHT_PRESS,
        Kind.RIGHT_RELEASE,
        Kind.MIDDLE_PRESS,
        Kind.MIDDLE_RELEASE,
    ],
    np.uint8,
)
_SHORTEST_MOUSE_EVENT = 3
_WON = 16

_OK, _ENDS_EARLY, _BAD_CODE, _BAD_POINT, _FULL = range(5)


@dataclass(frozen=True, slots=True)
class Mouse:
    """The mouse events, times not yet in order, what the end event says, and where the part of the events ends."""

    events: EventArray
    time_ms: int
    won: bool
    repeated_ms: int  # the time of the end once more, in the last bytes of the part
    end_offset: int


def read_mouse(data: bytes, offset: int, sizes: Sizes) -> Mouse:
    """The events of the file; ``offset`` is where they begin.

    Raises ``Truncated``: the events, or the checksum behind them, do not fit into the file; or no end event is among
    them; ``BadField``: a code outside the table, a step before any point, or a point beyond 16 bits; ``LimitExceeded``:
    too many events.
    """
    ByteReader(data, offset).need(sizes.events + sizes.checksum, "events and checksum")
    capacity = min(sizes.events // _SHORTEST_MOUSE_EVENT + 1, MAX_EVENTS)
    fields = np.empty((capacity, 4), np.int32)
    raw = np.frombuffer(data, np.uint8, count=sizes.events, offset=offset)
    count, fault, at, end_code, end_ms = scan(raw, sizes.version, fields)
    if fault == _FULL:
        raise LimitExceeded("number of events", limit=MAX_EVENTS, value=MAX_EVENTS + 1)
    if fault == _ENDS_EARLY:
        raise Truncated("event", offset=offset + int(at), wanted=1)
    if fault != _OK:
        name = "code of the event" if fault == _BAD_CODE else "point of the event"
        raise BadField(name, offset=offset + int(at), value=int(raw[at]))
    return Mouse(
        events=_events(fields[:count], ORIGINS[sizes.version]),
        time_ms=int(end_ms),
        won=int(end_code) == _WON,
        repeated_ms=int.from_bytes(raw[-3:].tobytes(), "big"),
        end_offset=offset + sizes.events,
    )


def _events(fields: NDArray[np.int32], origin: tuple[int, int]) -> EventArray:
    events: EventArray = np.empty(len(fields), EVENT)
    events["time_ms"] = fields[:, 0]
    # Only a point far outside can reach the end of 16 bits, and it stays outside there.
    lowest = np.iinfo(np.int16).min
    events["x_px"] = np.maximum(fields[:, 1] - origin[0], lowest)
    events["y_px"] = np.maximum(fields[:, 2] - origin[1], lowest)
    events["kind"] = _KIND_OF_CODE[fields[:, 3]]
    return events


@njit(cache=True)
def scan(raw: Bytes, version: int, fields: NDArray[np.int32]) -> tuple[int, int, int, int, int]:
    """Read events up to the end event.

    Parameters
    ----------
    raw : uint8, the events
    version : 1 or 2
    fields : int32, shape (capacity, 4), receives time_ms, x, y and the code

    Returns
    -------
    count : mouse events found
    fault : 0, or what is wrong
    at : where the event with the fault begins
    end_code, end_ms : the end event
    """
    count, at, time_ms, x, y = 0, 0, 0, 0, 0
    while at < raw.size:
        code = int(raw[at])
        size = size_of(code, version)
        if size == 0 or (code == 28 and count == 0):
            return count, _BAD_CODE, at, 0, 0
        if at + size > raw.size:
            return count, _ENDS_EARLY, at, 0, 0
        if 15 <= code <= 17:
            return count, _OK, at, code, u24(raw, at + 1)
        if 1 <= code <= 7 or code == 28:
            if code == 28:
                time_ms += int(raw[at + 1])
                x += half(raw[at + 2] >> 4)
                y += half(raw[at + 2] & 15)
            else:
                time_ms = u24(raw, at + 1)
                x, y = i16(raw, at + 5), i16(raw, at + 7)
            if not (-32768 <= x <= 32767 and -32768 <= y <= 32767):
                return count, _BAD_POINT, at, 0, 0
            if count == fields.shape[0]:
                return count, _FULL, at, 0, 0
            fields[count, 0], fields[count, 1], fields[count, 2] = time_ms, x, y
            fields[count, 3] = 1 if code == 28 else code
            count += 1
        at += size
    return count, _ENDS_EARLY, at, 0, 0


@njit(cache=True)
def size_of(code: int, version: int) -> int:
    """Bytes of an event, its code among them; 0 if there is no such code in this version."""
    if 1 <= code <= 7:
        return 9
    if 9 <= code <= 14 or 18 <= code <= 27:
        return 3
    if 15 <= code <= 17:
        return 4
    if code == 0 and version == 1:
        return 5
    if code == 28 and version == 2:
        return 3
    return 0


@njit(cache=True)
def u24(raw: Bytes, at: int) -> int:
    """Three bytes as a number."""
    return int(raw[at]) << 16 | int(raw[at + 1]) << 8 | int(raw[at + 2])


@njit(cache=True)
def i16(raw: Bytes, at: int) -> int:
    """Two bytes as a signed number."""
    value = int(raw[at]) << 8 | int(raw[at + 1])
    return value - 65536 if value >= 32768 else value


@njit(cache=True)
def half(value: int) -> int:
    """Four bits as a signed number."""
    return int(value) - 16 if value >= 8 else int(value)
