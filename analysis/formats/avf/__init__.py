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
M, N    varies      digits; random bytes below 32 and a CR
O       20          ``cs=``, the seal of 16 bytes, CR (FreeSweeper: see ``read_fractions``)
P       to the end  lines ended by CR: ``RealTime: s.cc``, ``Skin: ...``, the name, the program
======  ==========  ===================================================================================

*Shifted* bytes are stored 45 too low (modulo 256); *digits* are a shifted decimal number without an end, so its
length is known only from what it should be.  The clock of Arbiter starts at second 1.

What is forgiven, with a finding: a checksum of the right length but another value; a stamp in another wording; times
that go back; header times and names that contradict each other; points that lie outside on one axis alone; parts M, N
and a program line that Arbiter does not write.  Everything
else that the table does not allow is an error.

Sources: the readers ``rawvf`` and ``ms_toollib`` and measurements on 8,103 files (Arbiter 0.52.3 and 0.49.5).  The
FreeSweeper variant is described by ``rawvf`` and was never met in a file.
"""

from __future__ import annotations

import re

from analysis.errors import excerpt
from analysis.formats.avf.events import (
    CELL_PX,
    lower_times_before_start,
    read_empty_records,
    read_events,
    read_fractions,
)
from analysis.formats.avf.footer import Footer, parse_footer, program
from analysis.formats.avf.header import (
    LEVELS,
    Stamp,
    board_checksum,
    byte_checksum,
    check_digits,
    parse_stamp,
    read_board,
    read_event_count,
    read_question_marks,
    unshifted,
)
from analysis.formats.notes import Notes, settle_times
from analysis.formats.reader import ByteReader
from analysis.formats.text import read_name
from analysis.recording import Claims, EventArray, Level, Mode, Recording

NAME = "avf"

FIRST_VERSION = 35  # the oldest minor version that any reader claims

COUNTRIES: dict[int, str] = {
    8: "CN", 10: "GB", 12: "FR", 13: "DE", 23: "KR", 29: "PL", 31: "RU", 37: "CN", 41: "US", 69: "JP",
}  # fmt: skip

_FILLER = re.compile(rb"\d{15,40}[\x00-\x1f]{1,20}\r")  # parts M and N; 21 to 31 and 5 to 14 in 8,103 files

_LUCKY, _LUCK_LIBRARY, _LUCK_SOLVER = 0x01, 0x08, 0x10  # FreeSweeper's flags


def recognises(data: bytes) -> bool:
    """Return whether ``data`` looks like AVF: the level byte, and the random bytes or FreeSweeper's fixed bytes."""
    head = data[:6]
    if len(head) < 6 or head[5] not in LEVELS:
        return False
    if head[0] == 0:
        return b"cs=" in data and re.search(rb"\[[0-3]\|", data) is not None
    return head[0] >= FIRST_VERSION and all(1 <= value <= 31 for value in head[1:5])


def read(data: bytes) -> Recording:
    """The game that an AVF file holds.

    Events are in units of 10 ms (FreeSweeper: 1 ms); points are not changed, so one may be outside the board.
    ``played_at`` is the local time of the player's computer.
    Raises ``ReplayError``: ``Truncated``, ``BadField``, ``LimitExceeded`` or ``Inconsistent``; nothing else.
    """
    reader, notes = ByteReader(data), Notes()
    version, release, flags = reader.take(5, "head")[:3]
    freesweeper = version == 0

    level, board = read_board(reader)
    check_digits(reader, board_checksum(board), "board", notes)
    count = read_event_count(reader)
    country_byte = reader.u8("country")
    player_bytes = unshifted(reader, reader.u8("length of the name"), "name")
    check_digits(reader, byte_checksum(player_bytes), "name", notes)
    question_marks = read_question_marks(reader, notes)
    stamp_bytes = reader.take(reader.u8("length of the stamp"), "stamp")
    stamp = parse_stamp(stamp_bytes, 0 if freesweeper else 1000, notes)
    check_digits(reader, byte_checksum(stamp_bytes), "stamp", notes)

    events = read_events(reader, count, board, notes)
    read_empty_records(reader)
    filler = reader.until(b"cs=", "the mark cs=")
    if freesweeper:
        events["time_ms"] += read_fractions(reader, count)
    seal = reader.take(16, "final checksum")
    footer = parse_footer(reader, player_bytes)
    if not freesweeper:
        _note_unlike_arbiter(version, filler, footer, notes)

    _note_contradictions(level, events, stamp, footer, player_bytes, notes)
    lower_times_before_start(events, notes)
    settle_times(events, notes)
    country = COUNTRIES.get(country_byte, "")
    player, player_encoding = read_name(player_bytes, country)
    software, variant = program(footer.program, version, release)
    return Recording(
        format=NAME,
        format_variant=variant,
        board=board,
        events=events,
        cell_px=CELL_PX,
        player=player,
        player_bytes=player_bytes,
        player_encoding=player_encoding,
        software=software,
        country=country,
        mode=Mode.LUCKY if freesweeper and flags & _LUCKY else Mode.STANDARD,
        question_marks=question_marks,
        played_at=stamp.played_at,
        ended_at=stamp.ended_at,
        time_precision_ms=1 if freesweeper else 10,
        claims=Claims(
            time_ms=stamp.time_ms if footer.time_ms is None else footer.time_ms,
            bv=stamp.bv,
            level=level,
        ),
        findings=tuple(notes.found),
        extra=_extra(footer, country_byte, flags if freesweeper else 0),
        seal=seal,
        trailing_bytes=0 if freesweeper else footer.extra_bytes,
    )


def _extra(footer: Footer, country: int, flags: int) -> dict[str, str]:
    extra = {"Skin": footer.skin} if footer.skin else {}
    if country and country not in COUNTRIES:
        extra["CountryCode"] = str(country)
    for name, bit in (("LuckLibrary", _LUCK_LIBRARY), ("LuckSolver", _LUCK_SOLVER)):
        if flags & bit:
            extra[name] = "on"
    return extra


def _note_unlike_arbiter(version: int, filler: bytes, footer: Footer, notes: Notes) -> None:
    """Note what Arbiter writes in every file and this one lacks; nothing is read from it."""
    if not _FILLER.fullmatch(filler):
        notes.add("filler")
    if not footer.is_arbiters:
        notes.add("program_line")
    elif not footer.program.startswith(f"Minesweeper Arbiter 0.{version}"):
        notes.add("version_byte", version=version, program=excerpt(footer.program))


def _note_contradictions(
    level: Level,
    events: EventArray,
    stamp: Stamp,
    footer: Footer,
    player_bytes: bytes,
    notes: Notes,
) -> None:
    if stamp.level not in (None, level):
        notes.add("stamp_level", level=level, stamp=stamp.level)
    if footer.player_bytes != player_bytes:
        notes.add("name_differs")
    if stamp.time_ms is not None and footer.time_ms is not None and stamp.time_ms != footer.time_ms:
        notes.add("header_times_differ", first_ms=stamp.time_ms, second_ms=footer.time_ms)
    if stamp.time_ms is not None and int(events["time_ms"][-1]) > stamp.time_ms:
        notes.add("header_time_early")
