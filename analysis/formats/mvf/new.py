"""MVF with a header, from 0.97 on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from analysis.errors import BadField
from analysis.formats.mines import read_mines
from analysis.formats.mvf.records import FIVE_BYTES, SIX_BYTES, RecordLayout, events_between, read_states
from analysis.formats.notes import Notes, settle_times
from analysis.formats.reader import ByteReader
from analysis.formats.text import decode, read_name
from analysis.limits import MAX_EVENTS
from analysis.recording import Claims, Level, Mode, Recording

PROGRAM = b"\x11Minesweeper Clone"
HACK = b"\x00\x00"

CELL_PX = 16
CHECKSUM_BYTES = 32
_UNKNOWN_BYTES = 3
_HACK_BYTES = 7

LEVELS: dict[int, Level] = {1: Level.BEGINNER, 2: Level.INTERMEDIATE, 3: Level.EXPERT}  # more: custom
MODES: dict[int, Mode] = {1: Mode.STANDARD, 2: Mode.DENSITY, 3: Mode.UPK}  # more: cheat


@dataclass(frozen=True, slots=True)
class Release:
    """Differences between releases that have a header."""

    records: RecordLayout
    has_totals: bool  # 3BV and clicks stand in the header, and its time is in hundredths
    time_precision_ms: int
    mode: Mode | None = None  # of every game, whatever the file says


_RELEASE_0_97 = Release(FIVE_BYTES, has_totals=True, time_precision_ms=10)
_RELEASE_2006 = Release(SIX_BYTES, has_totals=False, time_precision_ms=1)

#: By the last digit of the range of years.
RELEASES: dict[bytes, Release] = {
    b"5": _RELEASE_0_97,
    b"6": _RELEASE_2006,
    b"7": _RELEASE_2006,
    b"8": Release(FIVE_BYTES, has_totals=True, time_precision_ms=10, mode=Mode.UPK),  # the "funny mode" hack
}


def looks_like_hack(data: bytes) -> bool:
    """Return whether ``data`` is a file of the hack of 0.97: two zero bytes, and a date where the date should be."""
    if not data.startswith(HACK) or len(data) < _HACK_BYTES + 9:
        return False
    month, day, century, year, hour, minute, second, level, mode = data[_HACK_BYTES : _HACK_BYTES + 9]
    return (
        1 <= month <= 12
        and 1 <= day <= 31
        and 2004 <= century * 256 + year <= 2100
        and hour < 24
        and minute < 60
        and second < 60
        and 1 <= level <= 4
        and 1 <= mode <= 4
    )


def read_new(data: bytes, *, hacked: bool = False) -> Recording:
    """The recording of a file with a header, or of the hack that has none but the rest."""
    reader, notes = ByteReader(data), Notes()
    if hacked:
        reader.take(_HACK_BYTES, "head")
        release, variant = _RELEASE_0_97, "0.97 (changed)"
    else:
        release, variant = _read_header(reader)
    played_at = _read_datetime(reader, notes)
    level, mode = _read_level(reader, notes), _read_mode(reader, notes)
    claims, extra = _read_claims(reader, level, has_totals=release.has_totals)
    question_marks = notes.marks(reader.u8("question marks"))
    columns, rows, mine_count = reader.u8("width"), reader.u8("height"), reader.u16("mines")
    board = read_mines(reader, rows, columns, mine_count, first=1)
    player_bytes = reader.take(reader.u8("length of the name"), "name")
    key = reader.u16("key")
    count = _read_count(reader)
    states = read_states(reader, count, key, release.records)
    seal = reader.take(CHECKSUM_BYTES, "checksum")
    events = events_between(states)
    settle_times(events, notes)
    player, player_encoding = read_name(player_bytes)
    return Recording(
        format="mvf",
        format_variant=variant,
        board=board,
        events=events,
        cell_px=CELL_PX,
        player=player,
        player_bytes=player_bytes,
        player_encoding=player_encoding,
        software=f"Minesweeper Clone {variant}",
        mode=release.mode or mode,
        question_marks=question_marks,
        played_at=played_at,
        time_precision_ms=release.time_precision_ms,
        clock_start_ms=0,
        claims=claims,
        findings=tuple(notes.found),
        extra=extra,
        seal=seal,
        trailing_bytes=reader.remaining,
    )


def _read_header(reader: ByteReader) -> tuple[Release, str]:
    _, years, _, version = (_read_text(reader, what) for what in ("program", "years", "author", "version"))
    reader.take(_UNKNOWN_BYTES, "unknown bytes")
    release = RELEASES.get(years[-1:])
    if release is None:
        raise BadField("years", offset=len(PROGRAM), value=years)
    return release, decode(version).removeprefix("version ")


def _read_text(reader: ByteReader, what: str) -> bytes:
    return reader.take(reader.u8(f"length of the {what}"), what)


def _read_datetime(reader: ByteReader, notes: Notes) -> datetime | None:
    month, day, year = reader.u8("month"), reader.u8("day"), reader.u16("year")
    hour, minute, second = (reader.u8(what) for what in ("hour", "minute", "second"))
    try:
        return datetime(year, month, day, hour, minute, second)  # noqa: DTZ001 - no zone in the file
    except ValueError:  # 2007 writes day 0 now and then
        notes.add("date")
        return None


def _read_level(reader: ByteReader, notes: Notes) -> Level | None:
    code = reader.u8("level")
    if code == 0:
        notes.unknown_level(code)
        return None
    return LEVELS.get(code, Level.CUSTOM)


def _read_mode(reader: ByteReader, notes: Notes) -> Mode:
    code = reader.u8("mode")
    return MODES.get(code, Mode.CHEAT) if code else notes.unknown_mode(code)


def _read_claims(reader: ByteReader, level: Level | None, *, has_totals: bool) -> tuple[Claims, dict[str, str]]:
    if not has_totals:
        return Claims(time_ms=reader.u24("time"), level=level), {}
    time_ms = reader.u16("seconds") * 1000 + reader.u8("hundredths") * 10
    bv, bvdone = reader.u16("3BV"), reader.u16("solved 3BV")
    lcl, dcl, right_presses = (reader.u16(f"{button} clicks") for button in ("left", "double", "right"))
    claims = Claims(time_ms=time_ms, bv=bv, bvdone=bvdone, win=bv == bvdone, lcl=lcl, dcl=dcl, level=level)
    return claims, {"RightPresses": str(right_presses)}


def _read_count(reader: ByteReader) -> int:
    offset = reader.offset
    count = reader.u24("number of records")
    if not 1 <= count <= MAX_EVENTS:
        raise BadField("number of records", offset=offset, value=count)
    return count
