"""RawVF, the writer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

import numpy as np

from analysis.formats.rawvf.options import MAX_OPTIONS
from analysis.formats.rawvf.parse import HELPS
from analysis.formats.rawvf.words import MOUSE_CODES
from analysis.formats.text import clean
from analysis.limits import MAX_LINE_CHARS
from analysis.recording import Board, EventArray, Level, Mode, Recording

REVISION = "Rev6"
_BLOCK_EVENTS = 1 << 15  # an event is 9 bytes and its line, while it is made, hundreds

_MODE_WORDS = {Mode.STANDARD: "Classic", Mode.UPK: "UPK"}  # the others as they are, with a capital
_POINT_STARTS = [""] * (max(MOUSE_CODES.values()) + 1)
for _code, _kind in MOUSE_CODES.items():
    _POINT_STARTS[_kind] = f" {_code} ("

# Names that the reader uses itself, in small letters: no further header field may take one.  The two datetimes are
# free while the recording has none, so that a datetime in no known form survives.
RESERVED = frozenset(
    {
        "rawvf_version",
        "program",
        "version",
        "player",
        "player_bytes",
        "country",
        "level",
        "width",
        "height",
        "mines",
        "squaresize",
        "mode",
        "marks",
        "questionmarks",
        "superclick",
        "superflag",
        "elmartechnique",
        "time",
        "clock_start",
        "bbbv",
        "3bv",
        "solved3bv",
        "lclicks",
        "leftclicks",
        "rclicks",
        "rightclicks",
        "dclicks",
        "doubleclicks",
        "status",
        "style",
        "board",
        "events",
    }
)


def write(recording: Recording) -> bytes:
    """``recording`` as a RawVF file.

    The bytes are UTF-8 with LF; :func:`read` gives back the board, the events, and every header field except ``format``,
    ``format_variant`` and ``findings``.  Control characters in texts become U+FFFD and a text that would make a line
    too long is cut, so no text can break the file.
    """
    head = [*_options(recording), "Board:", *_board_lines(recording.board), "Events:", ""]
    return b"".join(["\n".join(head).encode(), *_event_blocks(recording)])


def _options(recording: Recording) -> Iterator[str]:
    board = recording.board
    yield f"RawVF_Version: {REVISION}"
    yield from _text_line("Program", recording.software)
    yield from _text_line("Player", recording.player)
    yield from _player_bytes_line(recording)
    yield from _text_line("Country", recording.country)
    yield from _datetime_line("Timestamp", recording.played_at)
    yield from _datetime_line("Ended", recording.ended_at)
    if recording.claims.level is not None:
        yield f"Level: {_capital(recording.claims.level)}"
    yield f"Width: {board.columns}"
    yield f"Height: {board.rows}"
    yield f"Mines: {board.mine_count}"
    yield f"SquareSize: {recording.cell_px}"
    yield from _claim_lines(recording)
    yield f"Mode: {_MODE_WORDS.get(recording.mode, _capital(recording.mode))}"
    yield f"Marks: {'On' if recording.question_marks else 'Off'}"
    yield from (f"{name}: On" for name, one in HELPS.items() if one in recording.helps)
    yield from _extra_lines(recording)


def _capital(word: Level | Mode) -> str:
    return word.value.capitalize()


def _claim_lines(recording: Recording) -> Iterator[str]:
    claims = recording.claims
    if claims.time_ms is not None:
        yield f"Time: {_in_steps(claims.time_ms, claims.time_step_ms)}"
    if recording.clock_start_ms is not None:
        yield f"Clock_Start: {_thousandths(recording.clock_start_ms)}"
    counts = {
        "BBBV": claims.bv,
        "Solved3BV": claims.bvdone,
        "LClicks": claims.lcl,
        "RClicks": claims.rcl,
        "DClicks": claims.dcl,
    }
    for name, count in counts.items():
        if count is not None:
            yield f"{name}: {count}"
    if claims.win is not None:
        yield f"Status: {'Won' if claims.win else 'Lost'}"
    if claims.nf is not None:
        yield f"Style: {'NF' if claims.nf else 'FL'}"


def _text_line(name: str, text: str) -> Iterator[str]:
    """``name: text``, or nothing for an empty text."""
    value = clean(text)
    room = MAX_LINE_CHARS - len(name.encode()) - len(": ")
    if len(value.encode()) > room:
        value = clean(value.encode()[:room].decode(errors="ignore"))
    if value:
        yield f"{name}: {value}"


def _player_bytes_line(recording: Recording) -> Iterator[str]:
    raw = recording.player_bytes
    if raw and raw != clean(recording.player).encode():
        line = f"Player_Bytes: {raw.hex()}"
        if len(line) <= MAX_LINE_CHARS:
            yield line


def _datetime_line(name: str, when: datetime | None) -> Iterator[str]:
    if when is not None:
        yield f"{name}: {when.isoformat()}"


def _extra_lines(recording: Recording) -> Iterator[str]:
    """The further header fields whose names can stand in an option line, each name once."""
    taken = set(RESERVED)
    taken.update(name for name, when in (("timestamp", recording.played_at), ("ended", recording.ended_at)) if when)
    room = MAX_OPTIONS - len(RESERVED)
    for name, value in recording.extra.items():
        key = name.lower()
        if room and name and key not in taken and ":" not in name and name == clean(name):
            taken.add(key)
            room -= 1
            yield from _text_line(name, value)


def _board_lines(board: Board) -> list[str]:
    signs = np.where(board.mines, ord("*"), ord("0")).astype(np.uint8)
    return [row.tobytes().decode("ascii") for row in signs]


def _event_blocks(recording: Recording) -> Iterator[bytes]:
    """One line an event, many in a block; two decimals where the recording is no more precise than that."""
    hundredths = recording.time_precision_ms == 10 and not np.any(recording.events["time_ms"] % 10)
    digits = _hundredths if hundredths else _thousandths
    for begin in range(0, len(recording.events), _BLOCK_EVENTS):
        yield _event_lines(recording.events[begin : begin + _BLOCK_EVENTS], digits)


def _event_lines(events: EventArray, digits: Callable[[int], str]) -> bytes:
    starts = _POINT_STARTS
    times = map(digits, events["time_ms"].tolist())
    points = zip(times, events["x_px"].tolist(), events["y_px"].tolist(), events["kind"].tolist(), strict=True)
    return "".join([f"{time}{starts[kind]}{x_px} {y_px})\n" for time, x_px, y_px, kind in points]).encode()


def _hundredths(time_ms: int) -> str:
    sign, size = ("-", -time_ms) if time_ms < 0 else ("", time_ms)
    return f"{sign}{size // 1000}.{size % 1000 // 10:02d}"


def _in_steps(time_ms: int, step_ms: int) -> str:
    """Return seconds with the decimals of the step: one that is read as exact could differ from the game."""
    return _thousandths(time_ms)[: {1000: -4, 100: -2, 10: -1}.get(step_ms)]


def _thousandths(time_ms: int) -> str:
    sign, size = ("-", -time_ms) if time_ms < 0 else ("", time_ms)
    return f"{sign}{size // 1000}.{size % 1000:03d}"
