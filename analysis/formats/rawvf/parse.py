"""RawVF, the reader."""

from __future__ import annotations

import re
from datetime import datetime

import numpy as np

from analysis.errors import BadField, Inconsistent, LimitExceeded
from analysis.formats.datetimes import parse_datetime
from analysis.formats.notes import Notes, settle_times
from analysis.formats.rawvf.events import parse_events
from analysis.formats.rawvf.options import MAX_OPTIONS, ON, Options, read_options
from analysis.formats.reader import LineReader
from analysis.formats.text import decode, read_name
from analysis.limits import MAX_CELL_PX, MAX_LINE_CHARS, MAX_SIDE
from analysis.recording import Board, Claims, Level, Mode, Recording

_BOM = b"\xef\xbb\xbf"
_MINE = ord("*")
_HEAD_BYTES = MAX_OPTIONS * MAX_LINE_CHARS
_FIRST_LINE = re.compile(rb"\s*[A-Za-z0-9][\w ./+-]*:")
_BOARD_LINE = re.compile(rb"^[ \t]*board:[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)

MODES: dict[str, Mode] = {
    "classic": Mode.STANDARD,
    "standard": Mode.STANDARD,
    "normal": Mode.STANDARD,
    "": Mode.STANDARD,
    "upk": Mode.UPK,
    "cheat": Mode.CHEAT,
    "density": Mode.DENSITY,
    "win7": Mode.WIN7,
    "no-guess": Mode.NO_GUESS,
    "lucky": Mode.LUCKY,
    "other": Mode.OTHER,
}
#: Helps that change what a click does; a game with one of them is not ranked.
HELPS = ("autoflag", "lawnmower", "elmartechnique", "nonomouse", "superclick", "superflag")

STATUSES = {"won": True, "win": True, "lost": False}


def recognises(data: bytes) -> bool:
    """Return whether ``data`` looks like RawVF: first line ``name:`` and line ``Board:``, or the format's own label."""
    head = data[:_HEAD_BYTES].removeprefix(_BOM)
    if not _FIRST_LINE.match(head):
        return False
    return head.lstrip()[:13].lower() == b"rawvf_version" or _BOARD_LINE.search(head) is not None


def read(data: bytes) -> Recording:
    """The game that a RawVF file holds.

    Parameters
    ----------
    data : bytes
        the whole file.

    Returns
    -------
    Recording
        times exact to the millisecond; ``time_precision_ms`` is 10 if no time has more than two decimals.  Options
        that are not used otherwise are in ``extra``.

    Raises
    ------
    ReplayError
        ``Truncated``, ``BadField`` (its offset is the number of a line), ``LimitExceeded`` or ``Inconsistent``;
        nothing else.
    """
    data, notes = data.removeprefix(_BOM), Notes()
    lines = LineReader(data)
    options = read_options(lines)
    board = _read_board(lines, options)
    _pass_events_line(lines)
    events, decimals, won = parse_events(data, lines.offset, lines.line)
    settle_times(events, notes)
    mode = _mode(options, notes)
    country = options.text("country")
    player, player_encoding = read_name(options.raw("player"), country)
    return Recording(
        format="rawvf",
        format_variant=options.text("rawvf_version"),
        board=board,
        events=events,
        cell_px=_cell_px(options),
        player=player,
        player_bytes=_player_bytes(options),
        player_encoding=player_encoding,
        software=f"{options.text('program')} {options.text('version')}".strip(),
        country=country,
        mode=mode,
        question_marks=options.switch("marks", "questionmarks"),
        played_at=_datetime(options, "timestamp"),
        ended_at=_datetime(options, "ended"),
        time_precision_ms=10 if len(events) and decimals <= 2 else 1,
        clock_start_ms=options.milliseconds("clock_start"),
        claims=_claims(options, won),
        findings=tuple(notes.found),
        extra=options.others(),  # last: the options that were not read above
    )


def _read_board(lines: LineReader, options: Options) -> Board:
    rows, columns, mine_count = (options.demanded(name) for name in ("Height", "Width", "Mines"))
    for name, side in (("Height", rows), ("Width", columns)):
        if not 1 <= side <= MAX_SIDE:
            raise LimitExceeded(name, limit=MAX_SIDE, value=side)
    cells = bytearray()
    for row in range(rows):
        line = lines.next(f"board line {row + 1}")
        if len(line) != columns:
            raise BadField(f"board line {row + 1}", offset=lines.line, value=line.decode("latin-1"))
        cells += line
    mines = (np.frombuffer(cells, np.uint8) == _MINE).astype(np.uint8).reshape(rows, columns)
    found = int(np.count_nonzero(mines))
    if found != mine_count:
        raise Inconsistent(f"The file states {mine_count} mines, its board has {found}.")
    return Board(mines)


def _pass_events_line(lines: LineReader) -> None:
    """Pass over blank lines and ``Events:``; without that line the events begin at once (FreeSweeper writes so)."""
    lines.skip_blank()
    while not lines.at_end:
        line, offset = lines.line, lines.offset
        text = lines.next("events")
        if text.lower() == b"events:":
            return
        if text:
            lines.line, lines.offset = line, offset
            return


def _cell_px(options: Options) -> int:
    cell_px = options.count("squaresize")
    if cell_px is None:
        return 16
    if not 1 <= cell_px <= MAX_CELL_PX:
        raise LimitExceeded("SquareSize", limit=MAX_CELL_PX, value=cell_px)
    return cell_px


def _player_bytes(options: Options) -> bytes:
    option = options.get("player_bytes")
    if option is None:
        return options.raw("player")
    try:
        return bytes.fromhex(option.value.decode("ascii"))
    except ValueError:  # UnicodeDecodeError is one as well
        raise option.bad() from None


def _mode(options: Options, notes: Notes) -> Mode:
    word = options.text("mode").lower()
    mode = MODES.get(word)
    if mode is None:
        text = f"We don't recognise the mode {word}, so we count the game under “other rules”."
        notes.add("mode_unknown", text)
        return Mode.OTHER
    if mode is Mode.STANDARD and (any(_is_on(options, name) for name in HELPS) or _has_lives(options)):
        return Mode.OTHER
    return mode


def _is_on(options: Options, name: str) -> bool:
    option = options.peek(name)
    return option is not None and option.word in ON


def _has_lives(options: Options) -> bool:
    option = options.peek("lives")
    return option is not None and option.word not in {"", "0", "1"}


def _claims(options: Options, won: bool | None) -> Claims:
    status, style = options.text("status").lower(), options.text("style").lower()
    return Claims(
        time_ms=options.milliseconds("time"),
        bv=options.count("bbbv", "3bv"),
        bvdone=options.count("solved3bv"),
        win=STATUSES.get(status, won),
        lcl=options.count("lclicks", "leftclicks"),
        rcl=options.count("rclicks", "rightclicks"),
        dcl=options.count("dclicks", "doubleclicks"),
        level=_level(options),
        nf={"nf": True, "fl": False}.get(style),
    )


def _level(options: Options) -> Level | None:
    option = options.get("level")
    if option is None:
        return None
    try:
        return Level(option.word)
    except ValueError:  # "marathon", say: several boards in a row
        raise option.bad() from None


def _datetime(options: Options, name: str) -> datetime | None:
    """The option as a datetime; in no known form it is ``None``, and its text stays among the others."""
    option = options.peek(name)
    when = None if option is None else parse_datetime(decode(option.value))
    if when is not None:
        options.get(name)
    return when
