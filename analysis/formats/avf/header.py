"""AVF, everything before the events: board, checksums, name, stamp."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate

import numpy as np

from analysis.errors import BadField, Inconsistent, LimitExceeded
from analysis.formats.notes import Notes
from analysis.formats.reader import ByteReader
from analysis.kernels.grid import framed_numbers
from analysis.limits import MAX_EVENTS
from analysis.recording import LEVEL_SHAPES, Board, Level

EMPTY_RECORDS = 6  # behind the events; the record count is one less than events and empty records together
SHIFT = 45

LEVELS: dict[int, Level] = {3: Level.BEGINNER, 4: Level.INTERMEDIATE, 5: Level.EXPERT, 6: Level.CUSTOM}
_MARKS_ON, _MARKS_OFF = 0x11, 0x7F

_UNSHIFT = bytes((value + SHIFT) % 256 for value in range(256))

# Text, for Python makes numbers of text twice as fast as of bytes; digits of other scripts are none.  The milliseconds
# of a clock have a sign too many in front: 81 ms are ``081``, 503 ms ``5503``.
_CLOCK = r"(\d\d):(\d\d):(\d\d):\d(\d{2,3})"
_STAMP = re.compile(
    r"\[([0-3])\|(?:W\d+H\d+M\d+\|)?"
    r"(\d{1,2})\.(\d{1,2})\.(\d{4})\." + _CLOCK + r"\|(\d{1,2})\." + _CLOCK + r"\|?(?:HS\|)?"
    r"B(\d{1,5})T(\d{1,5})[.,](\d{1,3})\]",
    re.ASCII,
)


@dataclass(slots=True)
class Stamp:
    """Values of part I; all ``None`` if it cannot be read."""

    level: Level | None = None
    played_at: datetime | None = None
    ended_at: datetime | None = None
    bv: int | None = None
    time_ms: int | None = None


def read_board(reader: ByteReader) -> tuple[Level, Board]:
    offset = reader.offset
    code = reader.u8("level")
    if code not in LEVELS:
        raise BadField("level", offset=offset, value=code)
    level = LEVELS[code]
    if level is Level.CUSTOM:
        columns, rows = reader.u8("width") + 1, reader.u8("height") + 1
        mine_count = reader.u16("mines")
    else:
        rows, columns, mine_count = LEVEL_SHAPES[level]
    return level, _read_mines(reader, rows, columns, mine_count)


def _read_mines(reader: ByteReader, rows: int, columns: int, count: int) -> Board:
    """The board whose ``count`` mines are listed next; sides come from one byte each, so memory is bounded."""
    if count >= rows * columns:
        raise Inconsistent(f"The board has {rows * columns} cells and {count} mines: no safe cell.")
    offset = reader.offset
    places = reader.rows(count, 2, "mines")
    outside = ((places < 1) | (places > (rows, columns))).any(axis=1)
    if outside.any():
        index = int(outside.argmax())
        raise BadField("mine", offset=offset + 2 * index, value=tuple(places[index].tolist()))
    mines = np.zeros((rows, columns), np.uint8)
    mines[tuple(places.T - 1)] = 1
    if np.count_nonzero(mines) < count:
        raise Inconsistent("The mine list names a cell twice.")
    return Board(mines)


def board_checksum(board: Board) -> int:
    """Sum of (number + 1) * x * (y + 1) over all cells; a mine counts as number 9."""
    numbers = framed_numbers(board.mines).reshape(board.rows + 2, -1)[1:-1, 1:-1]
    return int(((numbers + 1) * np.outer(np.arange(1, board.rows + 1), np.arange(board.columns))).sum())


def byte_checksum(raw: bytes) -> int:
    """Sum of position (from 1) times value over the bytes, which is the sum of the sums of all their ends."""
    return sum(accumulate(reversed(raw)))


def unshifted(reader: ByteReader, count: int, what: str) -> bytes:
    """The next ``count`` bytes as they were before the shift."""
    return reader.take(count, what).translate(_UNSHIFT)


def check_digits(reader: ByteReader, expected: int, what: str, notes: Notes) -> None:
    """Pass over the checksum of ``what``.

    A wrong value is only noted: nothing depends on it.  A byte that is no digit is an error, because then the number
    has another length and everything behind it would be read from the wrong place.
    """
    offset = reader.offset
    digits = b"%d" % expected
    stored = unshifted(reader, len(digits), f"{what} checksum")
    if not stored.isdigit():
        raise BadField(f"{what} checksum", offset=offset, value=stored)
    if stored != digits:
        notes.add(f"checksum_{what}", stored=int(stored), expected=expected)


def read_event_count(reader: ByteReader) -> int:
    """Part B as the number of real events, at least 1 and within the limit."""
    offset = reader.offset
    count = int.from_bytes(unshifted(reader, 4, "record count"), "big") - (EMPTY_RECORDS - 1)
    if count < 1:
        raise BadField("record count", offset=offset, value=count + EMPTY_RECORDS - 1)
    if count > MAX_EVENTS:
        raise LimitExceeded("number of events", limit=MAX_EVENTS, value=count)
    return count


def read_question_marks(reader: ByteReader, notes: Notes) -> bool:
    """Part G."""
    return notes.marks(reader.u8("question marks"), on=_MARKS_ON, off=_MARKS_OFF)


def parse_stamp(raw: bytes, clock_start_ms: int, notes: Notes) -> Stamp:
    """Part I; what cannot be read becomes a finding.  Arbiter's clock starts at 1000 ms, FreeSweeper's at 0."""
    match = _STAMP.fullmatch(raw.decode("latin-1"))
    if match is None:
        notes.add("stamp_unreadable")
        return Stamp()
    *numbers, fraction = match.groups()
    level, day, month, year, hour, minute, second, millisecond, end_day, *end_clock, bv, seconds = map(int, numbers)
    played_at = _datetime(year, month, day, hour, minute, second, millisecond)
    ended_at = None
    if played_at is not None:
        # The end has a day but no month: a smaller day lies in the next month.
        months = year * 12 + month - 1 + (end_day < day)
        ended_at = _datetime(months // 12, months % 12 + 1, end_day, *end_clock)
    if played_at is None or ended_at is None:
        notes.add("stamp_date")
    time_ms = seconds * 1000 + int(fraction.ljust(3, "0")) - clock_start_ms
    return Stamp(
        level=LEVELS[level + 3],
        played_at=played_at,
        ended_at=ended_at,
        bv=bv,
        time_ms=time_ms if time_ms >= 0 else None,
    )


def _datetime(
    year: int, month: int, day: int, hour: int, minute: int, second: int, millisecond: int
) -> datetime | None:
    try:
        return datetime(year, month, day, hour, minute, second, millisecond * 1000)  # noqa: DTZ001 - no zone in the file
    except ValueError:
        return None
