"""AVF, the events: records of eight bytes, all read at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analysis.errors import BadField
from analysis.formats.avf.header import EMPTY_RECORDS
from analysis.formats.notes import Notes
from analysis.formats.reader import ByteReader
from analysis.kernels import avf as kernels
from analysis.recording import EVENT, Board, EventArray, Kind

CELL_PX = 16
_TICK_MS = 10  # Arbiter's precision

#: Button codes.  The low seven bits are the flags of Windows mouse events; 0x80 marks a release that came after the
#: cursor had left the board.
KINDS: dict[int, Kind] = {
    1: Kind.MOVE,
    3: Kind.LEFT_PRESS,
    5: Kind.LEFT_RELEASE,
    9: Kind.RIGHT_PRESS,
    11: Kind.SHIFT_LEFT_PRESS,
    17: Kind.RIGHT_RELEASE,
    21: Kind.LEFT_RELEASE,
    33: Kind.MIDDLE_PRESS,
    65: Kind.MIDDLE_RELEASE,
    145: Kind.RIGHT_RELEASE,
    193: Kind.MIDDLE_RELEASE,
}

_KIND_OF_CODE = np.zeros(256, np.uint8)
for _code, _kind in KINDS.items():
    _KIND_OF_CODE[_code] = _kind


_FAULTS = {
    kernels.BAD_CODE: ("button code", 0),
    kernels.BAD_HUNDREDTHS: ("hundredths", 4),
    kernels.BAD_SECOND: ("second", 2),
}


def read_events(reader: ByteReader, count: int, board: Board, notes: Notes) -> EventArray:
    """Part K as dtype ``EVENT``, times not yet in order; every field checked."""
    offset = reader.offset
    raw = reader.rows(count, 8, "events")
    events: EventArray = np.empty(count, EVENT)
    fault, index, half_outside = kernels.decode_events(
        raw, _KIND_OF_CODE, board.columns * CELL_PX, board.rows * CELL_PX, events
    )
    if fault != kernels.FINE:
        name, column = _FAULTS[fault]
        raise BadField(name, offset=offset + 8 * index, value=int(raw[index, column]))
    if half_outside:
        notes.add("point_half_outside")
    return events


def lower_times_before_start(events: EventArray, notes: Notes) -> None:
    """Set the events before the first at 0 to 0 where they stand one tick later.

    Arbiter's clock starts at 0 with the first opening, and what came before stands at 0 too.  One of 8,103 files has the
    press of its first click at 0.01 and the release at 0.00; its header counts from the release.
    """
    times = events["time_ms"]
    start = int((times == 0).argmax())
    if start and times[start] == 0 and (times[:start] <= _TICK_MS).all():
        times[:start] = 0
        notes.add("time_goes_back", early=start)


def read_empty_records(reader: ByteReader) -> None:
    """Part L: the record behind the last event has the second 0, or the count was wrong."""
    offset = reader.offset
    first = reader.take(EMPTY_RECORDS * 8, "empty records")[:8]
    if first[2] or first[6]:
        raise BadField("record behind the last event", offset=offset, value=first)


def read_fractions(reader: ByteReader, count: int) -> NDArray[np.int32]:
    """FreeSweeper's thousandths: the low half of one byte an event, then one byte more than Arbiter has."""
    offset = reader.offset
    digits = reader.rows(count, 1, "thousandths")[:, 0] & 0x0F
    wrong = digits > 9
    if wrong.any():
        index = int(wrong.argmax())
        raise BadField("thousandths", offset=offset + index, value=int(digits[index]))
    reader.take(1, "thousandths")
    return digits.astype(np.int32)
