"""AVF, the replay file of Minesweeper Arbiter, and the FreeSweeper files that share its skeleton.

======  ==========  ===================================================================================
part    size        content
======  ==========  ===================================================================================
        1           minor version (52 = Arbiter 0.52); 0 = FreeSweeper
        4           Arbiter: random, 1 to 31 each; FreeSweeper: release, flags, two unused
        1           level: 3 beginner, 4 intermediate, 5 expert, 6 custom
        0 or 4      custom only: width - 1, height - 1, mines (two bytes)
        2 x mines   (row, column), both from 1
A       digits      board checksum
B       4           number of events + 5, each byte shifted
C       1           country
D, E    1, D        length of the player's name; the name, shifted
F       digits      name checksum
G       1           question marks: 0x11 on, 0x7f off
H, I    1, H        length of the stamp; the stamp, plain text in brackets
J       digits      stamp checksum
K       8 x events  button, x high, seconds low, x low, hundredths, y high, seconds high, y low
L       48          six records of the second 0
M, N    varies      digits and random bytes, not used
O       20          ``cs=``, 16 bytes, CR (FreeSweeper: see ``_read_fractions``)
P       to the end  lines ended by CR: ``RealTime: s.cc``, ``Skin: ...``, the name, the program
======  ==========  ===================================================================================

*Shifted* bytes are stored 45 too low (modulo 256); *digits* are a shifted decimal number without an end mark, so its
length is known only from what it should be.  The clock of Arbiter starts at second 1.

What is forgiven, with a finding: a checksum of the right length but another value; a stamp in another wording; times
that go back; header times and names that contradict each other; points that lie outside on one axis alone.  Everything
else that the table does not allow is an error.

Sources: the readers ``rawvf`` and ``ms_toollib`` and measurements on 8,103 files (Arbiter 0.52.3 and 0.49.5).  The
FreeSweeper variant is described by ``rawvf`` and was never met in a file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.board import numbers
from analysis.errors import BadField, Inconsistent, LimitExceeded, Truncated
from analysis.formats.reader import ByteReader
from analysis.formats.text import decode
from analysis.limits import MAX_EVENTS
from analysis.recording import (
    EVENT,
    LEVEL_SHAPES,
    Board,
    Claims,
    EventArray,
    Finding,
    Kind,
    Level,
    Mode,
    Recording,
)

NAME = "avf"

CELL_PX = 16
EMPTY_RECORDS = 6  # part L; the record count B is one less than events and empty records together
FIRST_VERSION = 35  # the oldest minor version that any reader claims
SHIFT = 45

LEVELS: dict[int, Level] = {3: Level.BEGINNER, 4: Level.INTERMEDIATE, 5: Level.EXPERT, 6: Level.CUSTOM}
COUNTRIES: dict[int, str] = {
    8: "CN", 10: "GB", 12: "FR", 13: "DE", 23: "KR", 29: "PL", 31: "RU", 37: "CN", 41: "US", 69: "JP",
}  # fmt: skip
QUESTION_MARKS: dict[int, bool] = {0x11: True, 0x7F: False}

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

_UNSHIFT = bytes((value + SHIFT) % 256 for value in range(256))
_KIND_OF_CODE = np.zeros(256, np.uint8)
for _code, _kind in KINDS.items():
    _KIND_OF_CODE[_code] = _kind

_LUCKY, _LUCK_LIBRARY, _LUCK_SOLVER = 0x01, 0x08, 0x10  # FreeSweeper's flags

_CLOCK = rb"(\d\d):(\d\d):(\d\d):(\d{3,4})"
_STAMP = re.compile(
    rb"\[([0-3])\|(?:W\d+H\d+M\d+\|)?"
    rb"(\d{1,2})\.(\d{1,2})\.(\d{4})\." + _CLOCK + rb"\|(\d{1,2})\." + _CLOCK + rb"\|?(?:HS\|)?"
    rb"B(\d{1,5})T(\d{1,5})[.,](\d{1,3})\]"
)
_REAL_TIME = re.compile(rb"(\d{1,5})[.,](\d{1,3})\s*")
_ARBITER = re.compile(r"(.*?(\d+(?:\.\d+)+))")

Codes: TypeAlias = NDArray[np.uint8]


@dataclass(slots=True)
class _Stamp:
    """What part I says; nothing if it cannot be read."""

    level: Level | None = None
    played_at: datetime | None = None
    ended_at: datetime | None = None
    bv: int | None = None
    time_ms: int | None = None


@dataclass(slots=True)
class _Footer:
    """Part P."""

    time_ms: int | None = None
    skin: str = ""
    player_bytes: bytes = b""
    program: str = ""


@dataclass(slots=True)
class _Notes:
    """Findings in the order of their discovery."""

    found: list[Finding] = field(default_factory=list)

    def add(self, code: str, text: str) -> None:
        self.found.append(Finding(code, text))


def recognises(data: bytes) -> bool:
    """Whether ``data`` looks like AVF: the level byte, and either the random bytes or FreeSweeper's marks."""
    head = data[:6]
    if len(head) < 6 or head[5] not in LEVELS:
        return False
    if head[0] == 0:
        return b"cs=" in data and re.search(rb"\[[0-3]\|", data) is not None
    return head[0] >= FIRST_VERSION and all(1 <= value <= 31 for value in head[1:5])


def read(data: bytes) -> Recording:
    """The game that an AVF file holds.

    Parameters
    ----------
    data : bytes
        the whole file.

    Returns
    -------
    Recording
        events in units of 10 ms (FreeSweeper: 1 ms); points are kept as they stand, so one outside the board stays
        outside.  ``played_at`` is the local time of the player's computer.

    Raises
    ------
    ReplayError
        ``Truncated``, ``BadField``, ``LimitExceeded`` or ``Inconsistent``; nothing else.
    """
    reader, notes = ByteReader(data), _Notes()
    version = reader.u8("version")
    release, flags = reader.number(1, "release"), reader.number(1, "flags")
    reader.take(2, "head")
    freesweeper = version == 0

    level, board = _read_board(reader)
    _check_digits(reader, _board_checksum(board), "board", notes)
    count = _read_event_count(reader)
    country = reader.u8("country")
    player_bytes = _unshifted(reader, reader.u8("length of the name"), "name")
    _check_digits(reader, _byte_checksum(player_bytes), "name", notes)
    question_marks = _read_question_marks(reader)
    stamp_bytes = reader.take(reader.u8("length of the stamp"), "stamp")
    stamp = _parse_stamp(stamp_bytes, 0 if freesweeper else 1000, notes)
    _check_digits(reader, _byte_checksum(stamp_bytes), "stamp", notes)

    events = _read_events(reader, count)
    _read_empty_records(reader)
    reader.until(b"cs=", "the mark cs=")
    if freesweeper:
        events["time_ms"] += _read_fractions(reader, count)
    reader.take(16, "final checksum")
    footer = _parse_footer(reader, player_bytes)

    _note_contradictions(board, level, events, stamp, footer, player_bytes, notes)
    _settle_times(events, notes)
    software, variant = _program(footer.program, version, release)
    return Recording(
        format=NAME,
        format_variant=variant,
        board=board,
        events=events,
        cell_px=CELL_PX,
        player=decode(player_bytes),
        player_bytes=player_bytes,
        software=software,
        country=COUNTRIES.get(country, ""),
        mode=Mode.LUCKY if freesweeper and flags & _LUCKY else Mode.STANDARD,
        question_marks=question_marks,
        played_at=stamp.played_at,
        ended_at=stamp.ended_at,
        time_precision_ms=1 if freesweeper else 10,
        claims=Claims(
            time_ms=stamp.time_ms if footer.time_ms is None else footer.time_ms,
            bv=stamp.bv,
            level=_claimed_level(level, board),
        ),
        findings=tuple(notes.found),
        extra=_extra(footer, country, flags if freesweeper else 0),
    )


# --- board ------------------------------------------------------------------------------------------------------------


def _read_board(reader: ByteReader) -> tuple[Level, Board]:
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
    if mine_count >= rows * columns:
        raise Inconsistent(f"The board has {rows * columns} cells and {mine_count} mines: no safe cell.")
    return level, Board(_read_mines(reader, rows, columns, mine_count))


def _read_mines(reader: ByteReader, rows: int, columns: int, count: int) -> NDArray[np.uint8]:
    offset = reader.offset
    places = reader.rows(count, 2, "mines").astype(np.intp)
    outside = (places < 1) | (places > (rows, columns))
    if outside.any():
        index = int(outside.any(axis=1).argmax())
        raise BadField("mine", offset=offset + 2 * index, value=tuple(places[index].tolist()))
    mines = np.zeros((rows, columns), np.uint8)
    mines[places[:, 0] - 1, places[:, 1] - 1] = 1
    if np.count_nonzero(mines) != count:
        raise Inconsistent("The mine list names a cell twice.")
    return mines


def _board_checksum(board: Board) -> int:
    """Sum of (number + 1) * x * (y + 1) over all cells; a mine counts as number 9."""
    weights = np.outer(np.arange(1, board.rows + 1), np.arange(board.columns))
    return int(((numbers(board).astype(np.int64) + 1) * weights).sum())


# --- header -----------------------------------------------------------------------------------------------------------


def _byte_checksum(raw: bytes) -> int:
    return sum(index * value for index, value in enumerate(raw, start=1))


def _unshifted(reader: ByteReader, count: int, what: str) -> bytes:
    return reader.take(count, what).translate(_UNSHIFT)


def _check_digits(reader: ByteReader, expected: int, what: str, notes: _Notes) -> None:
    """Pass over the checksum of ``what``.

    A wrong value is only noted: nothing depends on it.  A byte that is no digit is an error, because then the number
    has another length and everything behind it would be read from the wrong place.
    """
    offset = reader.offset
    stored = _unshifted(reader, len(str(expected)), f"{what} checksum")
    if not stored.isdigit():
        raise BadField(f"{what} checksum", offset=offset, value=stored)
    if int(stored) != expected:
        notes.add(f"checksum_{what}", f"The {what} checksum of the file is {int(stored)}, it should be {expected}.")


def _read_event_count(reader: ByteReader) -> int:
    offset = reader.offset
    count = int.from_bytes(_unshifted(reader, 4, "record count"), "big") - (EMPTY_RECORDS - 1)
    if count < 1:
        raise BadField("record count", offset=offset, value=count + EMPTY_RECORDS - 1)
    if count > MAX_EVENTS:
        raise LimitExceeded("number of events", limit=MAX_EVENTS, value=count)
    return count


def _read_question_marks(reader: ByteReader) -> bool:
    offset = reader.offset
    code = reader.u8("question marks")
    if code not in QUESTION_MARKS:
        raise BadField("question marks", offset=offset, value=code)
    return QUESTION_MARKS[code]


def _claimed_level(level: Level, board: Board) -> Level:
    """Arbiter has no code for 9x9 beginner; such a board says custom."""
    return Level.BEGINNER_9X9 if level is Level.CUSTOM and board.level is Level.BEGINNER_9X9 else level


def _parse_stamp(raw: bytes, clock_start_ms: int, notes: _Notes) -> _Stamp:
    match = _STAMP.fullmatch(raw)
    if match is None:
        notes.add("stamp_unreadable", "The time stamp of the file has a wording that is not known.")
        return _Stamp()
    level, day, month, year, *clocks, bv, seconds, fraction = match.groups()
    end_day = clocks.pop(4)
    played_at = _moment(int(year), int(month), int(day), clocks[:4])
    ended_at = None
    if played_at is not None:
        # The end has a day but no month: a smaller day lies in the next month.
        months = int(year) * 12 + int(month) - 1 + (int(end_day) < int(day))
        ended_at = _moment(months // 12, months % 12 + 1, int(end_day), clocks[4:])
    if played_at is None or ended_at is None:
        notes.add("stamp_date", "The time stamp of the file holds a date that does not exist.")
    time_ms = _milliseconds(seconds, fraction) - clock_start_ms
    return _Stamp(
        level=LEVELS[int(level) + 3],
        played_at=played_at,
        ended_at=ended_at,
        bv=int(bv),
        time_ms=time_ms if time_ms >= 0 else None,
    )


def _moment(year: int, month: int, day: int, clock: list[bytes]) -> datetime | None:
    """The moment, or ``None`` if there is no such day or hour.

    The last part of ``clock`` is the milliseconds with a sign too many in front: 81 ms are ``081``, 503 ms ``5503``.
    """
    hour, minute, second = (int(part) for part in clock[:3])
    try:
        return datetime(year, month, day, hour, minute, second, int(clock[3][1:]) * 1000)  # noqa: DTZ001 - no zone in the file
    except ValueError:
        return None


def _milliseconds(seconds: bytes, fraction: bytes) -> int:
    return int(seconds) * 1000 + int(fraction.ljust(3, b"0"))


# --- events -----------------------------------------------------------------------------------------------------------


def _read_events(reader: ByteReader, count: int) -> EventArray:
    """Part K as dtype ``EVENT``, times not yet in order; every field checked."""
    offset = reader.offset
    raw = reader.rows(count, 8, "events")
    code, x_high, second_low, x_low, hundredth, y_high, second_high, y_low = raw.T
    kind = _KIND_OF_CODE[code]
    _reject("button code", kind == 0, code, offset)
    _reject("hundredths", hundredth > 99, hundredth, offset)
    seconds = _word(second_high, second_low)
    _reject("second", seconds == 0, seconds, offset)
    events: EventArray = np.empty(count, EVENT)
    events["time_ms"] = (seconds - 1) * 1000 + hundredth.astype(np.int32) * 10
    # Values from 32768 up become negative: outside the board either way, and no file holds one.
    events["x_px"] = _word(x_high, x_low).astype(np.int16)
    events["y_px"] = _word(y_high, y_low).astype(np.int16)
    events["kind"] = kind
    return events


def _word(high: Codes, low: Codes) -> NDArray[np.int32]:
    return high.astype(np.int32) * 256 + low


def _reject(name: str, wrong: NDArray[np.bool_], values: NDArray[np.generic], offset: int) -> None:
    """Raise ``BadField`` for the first record that is ``wrong``."""
    index = int(wrong.argmax())
    if wrong[index]:
        raise BadField(name, offset=offset + 8 * index, value=values[index].item())


def _read_empty_records(reader: ByteReader) -> None:
    offset = reader.offset
    first = reader.rows(EMPTY_RECORDS, 8, "empty records")[0]
    if first[2] or first[6]:
        raise BadField("record behind the last event", offset=offset, value=first.tobytes())


def _read_fractions(reader: ByteReader, count: int) -> NDArray[np.int32]:
    """FreeSweeper's thousandths: the low half of one byte an event, then one byte more than Arbiter has."""
    offset = reader.offset
    digits = reader.rows(count, 1, "thousandths")[:, 0] & 0x0F
    wrong = digits > 9
    if wrong.any():
        index = int(wrong.argmax())
        raise BadField("thousandths", offset=offset + index, value=int(digits[index]))
    reader.take(1, "thousandths")
    return digits.astype(np.int32)


def _settle_times(events: EventArray, notes: _Notes) -> None:
    """Raise every time to the largest before it; one of 8,103 files steps back by 10 ms."""
    times = np.maximum.accumulate(events["time_ms"])
    late = int(np.count_nonzero(times != events["time_ms"]))
    if late:
        notes.add("time_goes_back", f"{late} events are earlier than the event before; they take its time.")
        events["time_ms"] = times


# --- footer -----------------------------------------------------------------------------------------------------------


def _parse_footer(reader: ByteReader, player_bytes: bytes) -> _Footer:
    reader.until(b"\r", "end of the final checksum")
    footer, text = _Footer(), reader.rest()
    if text.startswith(b"RealTime:"):
        line, _, text = text.partition(b"\r")
        match = _REAL_TIME.fullmatch(line.removeprefix(b"RealTime:").strip())
        footer.time_ms = _milliseconds(match[1], match[2]) if match else None
    if text.startswith(b"Skin:"):
        line, _, text = text.partition(b"\r")
        footer.skin = decode(line.removeprefix(b"Skin:"))
    # The name may hold a CR; its known length protects the program behind it.
    if text.startswith(player_bytes + b"\r"):
        footer.player_bytes, program = player_bytes, text[len(player_bytes) + 1 :]
    else:
        footer.player_bytes, _, program = text.rpartition(b"\r")
    footer.program = decode(program.rstrip(b"\r"), "cp1252")
    if not footer.program:
        raise Truncated("program", offset=reader.offset, wanted=1)
    return footer


def _program(text: str, version: int, release: int) -> tuple[str, str]:
    """Software and its version: ("Minesweeper Arbiter 0.52.3", "0.52.3")."""
    if version == 0:
        return f"FreeSweeper R{release}", f"R{release}"
    match = _ARBITER.match(text)
    return (match[1], match[2]) if match else (text, f"0.{version}")


def _extra(footer: _Footer, country: int, flags: int) -> dict[str, str]:
    extra = {"Skin": footer.skin} if footer.skin else {}
    if country and country not in COUNTRIES:
        extra["CountryCode"] = str(country)
    for name, bit in (("LuckLibrary", _LUCK_LIBRARY), ("LuckSolver", _LUCK_SOLVER)):
        if flags & bit:
            extra[name] = "on"
    return extra


def _note_contradictions(
    board: Board,
    level: Level,
    events: EventArray,
    stamp: _Stamp,
    footer: _Footer,
    player_bytes: bytes,
    notes: _Notes,
) -> None:
    if stamp.level not in (None, level):
        notes.add("stamp_level", f"The level is {level}, but the time stamp says {stamp.level}.")
    if footer.player_bytes != player_bytes:
        notes.add("name_differs", "The name at the end of the file is not the name in its header.")
    if None not in (stamp.time_ms, footer.time_ms) and stamp.time_ms != footer.time_ms:
        notes.add("header_times_differ", "The two times in the header of the file contradict each other.")
    if stamp.time_ms is not None and int(events["time_ms"][-1]) > stamp.time_ms:
        notes.add("header_time_early", "The game goes on after the time that the header states.")
    right = (events["x_px"] < 0) | (events["x_px"] >= board.columns * CELL_PX)
    below = (events["y_px"] < 0) | (events["y_px"] >= board.rows * CELL_PX)
    if (right != below).any():
        notes.add("point_half_outside", "A point lies outside the board on one axis alone, which Arbiter never writes.")
