"""RawVF, the reader."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

import numpy as np

from analysis.errors import BadField, Inconsistent, LimitExceeded, excerpt
from analysis.formats.datetimes import parse_datetime
from analysis.formats.notes import Notes, settle_times
from analysis.formats.rawvf.events import parse_events
from analysis.formats.rawvf.options import (
    MAX_OPTIONS,
    OFF,
    ON,
    Options,
    read_count,
    read_options,
    read_seconds,
    read_step_ms,
    read_switch,
)
from analysis.formats.reader import LineReader
from analysis.formats.text import decode, read_name
from analysis.limits import MAX_CELL_PX, MAX_LINE_CHARS, MAX_SIDE
from analysis.recording import Board, Claims, Help, Level, Mode, Recording

_BOM = b"\xef\xbb\xbf"
_MINE = ord("*")
_HEAD_BYTES = MAX_OPTIONS * MAX_LINE_CHARS
_FIRST_LINE = re.compile(rb"\s*[A-Za-z0-9][\w ./+-]*:")
_BOARD_LINE = re.compile(rb"^[ \t]*board:[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)

#: By their words without blanks, hyphens and underscores.
MODES: dict[str, Mode] = {
    "classic": Mode.STANDARD,
    "standard": Mode.STANDARD,
    "normal": Mode.STANDARD,
    "": Mode.STANDARD,
    "upk": Mode.UPK,
    "cheat": Mode.CHEAT,
    "density": Mode.DENSITY,
    "win7": Mode.WIN7,
    "noguess": Mode.NO_GUESS,
    "ng": Mode.NO_GUESS,
    "lucky": Mode.LUCKY,
    "other": Mode.OTHER,
}
_SEPARATORS = re.compile(r"[\s_-]+")

#: Options that change what a click does; a game with one of them is not ranked.
HELPS: Final[dict[str, Help]] = {
    "SuperClick": Help.SUPER_CLICK,
    "SuperFlag": Help.SUPER_FLAG,
    "ElmarTechnique": Help.ELMAR_TECHNIQUE,
}
#: Those that are not replayed: what they did depends on the program.
_NOT_REPLAYED = ("autoflag", "lawnmower", "nonomouse")
_NO_LIVES = frozenset({"none", "n/a", "na", "null", "-"})
_ENDLESS_LIVES = frozenset({"unlimited", "infinite", "endless"})

_LEVELS = {level.value: level for level in Level}
_NO_GUESS_LEVELS = frozenset({"easy", "medium", "hard", "evil"})  # minesweeper.online's, and the draft of revision 7
_MARATHON = "marathon"  # several boards in a row, on one clock

STATUSES = {"won": True, "win": True, "lost": False, "lose": False}
STYLES = {"nf": True, "fl": False}


def recognises(data: bytes) -> bool:
    """Return whether ``data`` looks like RawVF: first line ``name:`` and line ``Board:``, or the format's own label."""
    head = data[:_HEAD_BYTES].removeprefix(_BOM)
    if not _FIRST_LINE.match(head):
        return False
    return head.lstrip()[:13].lower() == b"rawvf_version" or _BOARD_LINE.search(head) is not None


def read(data: bytes) -> Recording:
    """The game that a RawVF file holds.

    Times are exact to the millisecond; ``time_precision_ms`` is 10 if no time has more than two decimals.
    Options that are not used otherwise are in ``extra``.
    Raises ``ReplayError``: ``Truncated``, ``BadField`` (its offset is the number of a line), ``LimitExceeded`` or
    ``Inconsistent``; nothing else.
    """
    data, notes = data.removeprefix(_BOM), Notes()
    lines = LineReader(data)
    options = read_options(lines, notes)
    board = _read_board(lines, options)
    _pass_events_line(lines)
    events, decimals, won = parse_events(data, lines.offset, lines.line)
    settle_times(events, notes)
    helps = _helps(options)
    missing = _not_replayed(options)
    if missing:
        notes.add("help_not_replayed", names=excerpt(", ".join(missing)))
    country = options.text("country")
    player, player_encoding = read_name(options.raw("player"), country)
    level, mode = _level(options, notes), _mode(options, notes, helped=bool(helps or missing))
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
        clock_start_ms=options.claim(read_seconds, "clock_start"),
        helps=helps,
        claims=_claims(options, level, won, compared=not missing),
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
    stated = options.claim(_read_hexadecimal, "player_bytes")
    return options.raw("player") if stated is None else stated


def _read_hexadecimal(value: bytes) -> bytes | None:
    try:
        return bytes.fromhex(value.decode("ascii"))
    except ValueError:  # UnicodeDecodeError is one as well
        return None


def _mode(options: Options, notes: Notes, *, helped: bool) -> Mode:
    level, text = _level_word(options), options.text("mode")
    if not text and level in _NO_GUESS_LEVELS:
        return Mode.NO_GUESS
    mode = MODES.get(_SEPARATORS.sub("", text.lower()))
    if mode is None:
        return notes.unknown_mode(text)
    return Mode.OTHER if mode is Mode.STANDARD and (helped or level == _MARATHON) else mode


def _helps(options: Options) -> Help:
    helps = Help.NONE
    for name, one in HELPS.items():
        if options.switch(name.lower()):
            helps |= one
    return helps


def _not_replayed(options: Options) -> list[str]:
    """Return the names of the options that are on and not replayed, as the file writes them."""
    found = [name for name in _NOT_REPLAYED if options.setting(read_switch, name)]
    if options.setting(_read_lives, "lives"):
        found.append("lives")
    return [option.name for name in found if (option := options.peek(name))]


def _read_lives(value: bytes) -> bool | None:
    """Return whether there is more than one life."""
    word, count = decode(value).lower(), read_count(value)
    if count is not None:
        return count > 1
    return False if word in OFF | _NO_LIVES else True if word in ON | _ENDLESS_LIVES else None


def _read_status(value: bytes) -> bool | None:
    return STATUSES.get(decode(value).lower())


def _read_style(value: bytes) -> bool | None:
    return STYLES.get(decode(value).lower())


def _claims(options: Options, level: Level | None, won: bool | None, *, compared: bool) -> Claims:
    """Return the claims; only the level if the game cannot be ``compared`` with the others."""
    status = options.claim(_read_status, "status")
    claims = Claims(
        time_ms=options.claim(read_seconds, "time"),
        bv=options.claim(read_count, "bbbv", "3bv"),
        bvdone=options.claim(read_count, "solved3bv"),
        win=won if status is None else status,
        lcl=options.claim(read_count, "lclicks", "leftclicks"),
        rcl=options.claim(read_count, "rclicks", "rightclicks"),
        dcl=options.claim(read_count, "dclicks", "doubleclicks"),
        level=level,
        nf=options.claim(_read_style, "style"),
        time_step_ms=read_step_ms(options.raw("time")),
    )
    return claims if compared else Claims(level=level)


def _level_word(options: Options) -> str:
    option = options.get("level")
    return option.word if option else ""


def _level(options: Options, notes: Notes) -> Level | None:
    word = _level_word(options)
    if word == _MARATHON:
        notes.add("marathon")
    elif word and word not in _LEVELS:
        notes.unknown_level(options.text("level"))
    return _LEVELS.get(word)


def _datetime(options: Options, name: str) -> datetime | None:
    """The option as a datetime; in no known form it is ``None``, and its text stays among the others."""
    option = options.peek(name)
    when = None if option is None else parse_datetime(decode(option.value))
    if when is not None:
        options.get(name)
    return when
