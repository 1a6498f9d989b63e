"""MVF before 0.97, which has no header.

======  ========  =====================================================================================
part    size      content
======  ========  =====================================================================================
        1, 1, 2   width, height, mines; only the three classic levels exist
        2 x mines (column, row), both from 0
        1, 1      question marks; 0
        8 x n     records: seconds, hundredths, buttons, x (two bytes), y (two bytes), 0
tail    125       0.8 to 0.96: time (two bytes of seconds, hundredths), name (100, filled with blanks), 22 of checksum
        113       0.76: time, name, 10 digits
        13        0.75 and before: time, 10 digits
======  ========  =====================================================================================

The records are not counted, and a few stray bytes may stand before the tail: the records end where a time falls below
the one before, passes the time of the tail, or where a byte holds what it cannot.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.errors import BadField, LimitExceeded, Truncated
from analysis.formats.mines import read_mines
from analysis.formats.mvf.records import States, events_between
from analysis.formats.notes import Notes
from analysis.formats.reader import ByteReader
from analysis.formats.text import read_name
from analysis.limits import MAX_EVENTS
from analysis.recording import LEVEL_SHAPES, Claims, Level, Recording

CELL_PX = 16
_RECORD_BYTES = 8
_ALL_BUTTONS = 7

# Width, height, mines as they begin a file.
_HEADS: dict[bytes, Level] = {
    bytes([columns, rows, 0, mine_count]): level
    for level, (rows, columns, mine_count) in LEVEL_SHAPES.items()
    if level is not Level.BEGINNER_9X9
}


@dataclass(frozen=True, slots=True)
class _Tail:
    """End of a file of one age: its size, and how much of that is the name."""

    variant: str
    size: int
    name_bytes: int


_WITH_CHECKSUM = _Tail("0.96 or earlier", 125, 100)
_WITH_NAME = _Tail("0.76", 113, 100)
_BARE = _Tail("0.75 or earlier", 13, 0)


def recognises(data: bytes) -> bool:
    """Return whether ``data`` begins with the size of a classic level."""
    return data[:4] in _HEADS


def read_old(data: bytes) -> Recording:
    """The recording of a file without a header; the buttons that are down at the end are released there."""
    reader = ByteReader(data)
    columns, rows, mine_count = reader.u8("width"), reader.u8("height"), reader.u16("mines")
    board = read_mines(reader, rows, columns, mine_count, first=0)
    notes = Notes()
    question_marks = notes.marks(reader.u8("question marks"))
    reader.take(1, "unknown byte")
    tail = _tail_of(data)
    room = reader.remaining - tail.size
    if room < _RECORD_BYTES:
        raise Truncated("records", offset=reader.offset, wanted=_RECORD_BYTES + tail.size)
    last = ByteReader(data, len(data) - tail.size)
    time_ms = last.u16("seconds") * 1000 + last.u8("hundredths") * 10
    player_bytes = last.take(tail.name_bytes, "name").rstrip(b" \0")
    seal = last.rest()
    states = _read_states(reader, room // _RECORD_BYTES, time_ms)
    player, player_encoding = read_name(player_bytes)
    return Recording(
        format="mvf",
        format_variant=tail.variant,
        board=board,
        events=events_between(states),
        cell_px=CELL_PX,
        player=player,
        player_bytes=player_bytes,
        player_encoding=player_encoding,
        software=f"Minesweeper Clone {tail.variant}",
        question_marks=question_marks,
        time_precision_ms=10,
        clock_start_ms=0,
        claims=Claims(time_ms=time_ms, level=board.level),
        findings=tuple(notes.found),
        seal=seal,
    )


def _tail_of(data: bytes) -> _Tail:
    """0.76 and before end in ten digits; the blanks of the name stand before those of 0.76."""
    if not (data[-1:].isdigit() or data[-22:-21].isdigit()):
        return _WITH_CHECKSUM
    return _WITH_NAME if data[-13:-10] == b"   " else _BARE


def _read_states(reader: ByteReader, room: int, last_ms: int) -> States:
    """The states of the records, and one more with all buttons up."""
    offset = reader.offset
    raw = reader.rows(room, _RECORD_BYTES, "records").astype(np.int32)
    time_ms = raw[:, 0] * 1000 + raw[:, 1] * 10
    legal = (raw[:, 1] <= 99) & (raw[:, 2] <= _ALL_BUTTONS) & (raw[:, 7] == 0) & (time_ms <= last_ms)
    legal[1:] &= np.diff(time_ms) >= 0
    count = room if legal.all() else int(legal.argmin())
    if count == 0:
        raise BadField("first record", offset=offset, value=raw[0].astype(np.uint8).tobytes())
    if count > MAX_EVENTS:
        raise LimitExceeded("number of records", limit=MAX_EVENTS, value=count)
    seen = np.append(np.arange(count), count - 1)
    buttons = raw[seen, 2]
    buttons[-1] = 0
    return States(
        time_ms=time_ms[seen],
        x_px=(raw[seen, 3] * 256 + raw[seen, 4]).astype(np.int16).astype(np.int32),
        y_px=(raw[seen, 5] * 256 + raw[seen, 6]).astype(np.int16).astype(np.int32),
        buttons=buttons,
    )
