"""EVF, the events.

Before version 4 they are records of eight bytes: code, time in ms (3), x (2), y (2).  A code 0 ends them and a checksum
of 32 bytes follows, or 255, and none does.  In version 4 they are steps:

========  ==========  =====================================================================================
code      size        content
========  ==========  =====================================================================================
1-12      5           mouse: ms since the event before, steps in x and y (two bytes each, signed); the first
                      is absolute and must be 1, 2, 4 or 8
81-83, 99 1           the state of the game: ms
100-121   3           what the program showed: ms, row, column
200       11          a metric: ms, index (2), number (8)
201       varies      a metric: ms, index (2), text ended by 0
255       2           a pause: ms before the next event
0         2, n        the end; the length of the checksum, the checksum
========  ==========  =====================================================================================

The codes of mouse events are the numbers of :class:`analysis.recording.Kind`.  A point outside the board stands at
(columns, rows) times the size of a cell, never beyond.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.errors import BadField, LimitExceeded, Truncated
from analysis.formats.evf.header import Header
from analysis.formats.reader import ByteReader
from analysis.limits import MAX_EVENTS, MAX_TIME_MS
from analysis.recording import EVENT, EventArray, Kind

Bytes: TypeAlias = NDArray[np.uint8]

CHECKSUM_BYTES = 32
_RECORD_BYTES = 8
_SHORTEST_MOUSE_EVENT = 6
_WITH_CHECKSUM, _WITHOUT_CHECKSUM = 0, 255

_MOVE, _LEFT_PRESS, _RIGHT_PRESS, _PREFLAG = (
    int(kind) for kind in (Kind.MOVE, Kind.LEFT_PRESS, Kind.RIGHT_PRESS, Kind.PREFLAG)
)
_OK, _ENDS_EARLY, _BAD_CODE, _BAD_POINT, _BAD_TIME, _FULL = range(6)
_FAULTS = {_BAD_CODE: "code of the event", _BAD_POINT: "point of the event", _BAD_TIME: "time of the event"}


@dataclass(frozen=True, slots=True)
class Ending:
    """Part after the events: the seal (empty if the file has none), and the number of bytes after it."""

    seal: bytes
    trailing_bytes: int


def read_events(data: bytes, offset: int, header: Header) -> tuple[EventArray, Ending]:
    """The mouse events, times not yet in order, and what follows them; ``offset`` is where they begin.

    Raises ``Truncated``: no end is there, or not the whole checksum; ``BadField``: a code outside the table, a point
    outside the range, a time beyond a day; ``LimitExceeded``: too many events.
    """
    limits_px = np.array([header.board.columns, header.board.rows], np.int64) * header.cell_px
    if header.layout.steps:
        return _read_steps(data, offset, limits_px)
    return _read_records(data, offset, limits_px, header.layout.last_code)


def _read_records(data: bytes, offset: int, limits_px: NDArray[np.int64], last_code: int) -> tuple[EventArray, Ending]:
    codes = np.frombuffer(data, np.uint8)[offset::_RECORD_BYTES]
    ends = np.flatnonzero((codes == _WITH_CHECKSUM) | (codes == _WITHOUT_CHECKSUM))
    if not ends.size:
        raise Truncated("end of the events", offset=len(data), wanted=1)
    count = int(ends[0])
    if count > MAX_EVENTS:
        raise LimitExceeded("number of events", limit=MAX_EVENTS, value=count)
    reader = ByteReader(data, offset)
    raw = reader.rows(count, _RECORD_BYTES, "events")
    has_seal = reader.u8("end of the events") == _WITH_CHECKSUM
    seal = reader.take(CHECKSUM_BYTES, "checksum") if has_seal else b""
    wide = raw.astype(np.int32)
    times = wide[:, 1] << 16 | wide[:, 2] << 8 | wide[:, 3]
    points = np.stack((wide[:, 4] << 8 | wide[:, 5], wide[:, 6] << 8 | wide[:, 7]), axis=1)
    _reject("code of the event", raw[:, 0] > last_code, raw, offset)
    _reject("point of the event", np.any(points > limits_px, axis=1), raw, offset)
    events: EventArray = np.empty(count, EVENT)
    events["time_ms"] = times  # three bytes reach 16,777 s, far below a day
    events["x_px"] = points[:, 0]
    events["y_px"] = points[:, 1]
    events["kind"] = raw[:, 0]
    return events, Ending(seal, reader.remaining)


def _reject(name: str, wrong: NDArray[np.bool_], raw: Bytes, offset: int) -> None:
    """Raise ``BadField`` for the first record that is ``wrong``."""
    if wrong.any():
        index = int(wrong.argmax())
        raise BadField(name, offset=offset + index * _RECORD_BYTES, value=raw[index].tobytes())


def _read_steps(data: bytes, offset: int, limits_px: NDArray[np.int64]) -> tuple[EventArray, Ending]:
    capacity = min((len(data) - offset) // _SHORTEST_MOUSE_EVENT + 1, MAX_EVENTS)
    fields = np.empty((capacity, 4), np.int32)
    raw = np.frombuffer(data, np.uint8)
    count, fault, at = scan(raw, offset, limits_px, fields)
    if fault == _FULL:
        raise LimitExceeded("number of events", limit=MAX_EVENTS, value=MAX_EVENTS + 1)
    if fault == _ENDS_EARLY:
        raise Truncated("event", offset=int(at), wanted=1)
    if fault != _OK:
        raise BadField(_FAULTS[fault], offset=int(at), value=int(raw[at]))
    reader = ByteReader(data, int(at))
    seal = reader.take(reader.u16("length of the checksum"), "checksum")
    events: EventArray = np.empty(count, EVENT)
    for column, name in enumerate(("time_ms", "x_px", "y_px", "kind")):
        events[name] = fields[:count, column]
    return events, Ending(seal, reader.remaining)


@njit(cache=True)
def scan(raw: Bytes, offset: int, limits_px: NDArray[np.int64], fields: NDArray[np.int32]) -> tuple[int, int, int]:
    """Read the events of version 4.

    Parameters
    ----------
    raw : uint8, the file
    offset : int, where the first event begins
    limits_px : int64, shape (2,), the largest x and y
    fields : int32, shape (capacity, 4), receives time_ms, x, y and the code

    Returns
    -------
    count : mouse events found
    fault : 0, or what is wrong
    at : where the event with the fault begins, else what follows the end
    """
    count, at, time_ms, x, y = 0, offset, 0, 0, 0
    while at < raw.size:
        code = int(raw[at])
        if code == 0:
            return count, _OK, at + 1
        size = size_of(raw, at)
        if size == 0:
            return count, _BAD_CODE, at
        if size < 0 or at + size > raw.size:
            return count, _ENDS_EARLY, at
        if code == 255:
            time_ms += u16(raw, at + 1)
        else:
            time_ms += int(raw[at + 1])
        time_ms &= 0xFFFFFFFF  # a converter writes a step back as a wrap around 32 bits
        if code <= 12:
            if count == 0:
                if not may_begin(code):
                    return count, _BAD_CODE, at
                x, y = u16(raw, at + 2), u16(raw, at + 4)
            else:
                x += i16(raw, at + 2)
                y += i16(raw, at + 4)
            if not (0 <= x <= limits_px[0] and 0 <= y <= limits_px[1]):
                return count, _BAD_POINT, at
            if time_ms > MAX_TIME_MS:
                return count, _BAD_TIME, at
            if count == fields.shape[0]:
                return count, _FULL, at
            fields[count, 0], fields[count, 1], fields[count, 2], fields[count, 3] = time_ms, x, y, code
            count += 1
        at += size
    return count, _ENDS_EARLY, at


@njit(cache=True)
def size_of(raw: Bytes, at: int) -> int:
    """Bytes of the event at ``at``, its code among them; 0 if there is no such code, -1 if its text has no end."""
    code = int(raw[at])
    if 1 <= code <= 12:
        return 6
    if 81 <= code <= 83 or code == 99:
        return 2
    if 100 <= code <= 108 or code in (110, 111, 114, 115, 116, 118, 120, 121):
        return 4
    if code == 200:
        return 12
    if code == 255:
        return 3
    if code != 201:
        return 0
    end = at + 4
    while end < raw.size and raw[end] != 0:
        end += 1
    return end + 1 - at if end < raw.size else -1


@njit(cache=True)
def may_begin(code: int) -> bool:
    """Return whether a file may begin with this mouse event: a move, a press or a flag from before."""
    return code in (_MOVE, _LEFT_PRESS, _RIGHT_PRESS, _PREFLAG)


@njit(cache=True)
def u16(raw: Bytes, at: int) -> int:
    """Two bytes as a number."""
    return int(raw[at]) << 8 | int(raw[at + 1])


@njit(cache=True)
def i16(raw: Bytes, at: int) -> int:
    """Two bytes as a signed number."""
    value = u16(raw, at)
    return value - 65536 if value >= 32768 else value
