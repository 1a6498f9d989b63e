"""EVF, everything before the events."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np

from analysis.errors import BadField, Inconsistent, LimitExceeded
from analysis.formats.datetimes import from_microseconds
from analysis.formats.notes import Notes
from analysis.formats.reader import ByteReader
from analysis.limits import MAX_SIDE, MAX_TEXT_BYTES
from analysis.recording import Board, Mode

_CONVERTED = 0x08
_LARGEST_BOARD_PX = 32_767  # a point outside stands one pixel behind the board, and has 16 bits

MODES: dict[int, Mode] = {
    0: Mode.STANDARD,
    1: Mode.UPK,
    2: Mode.CHEAT,
    3: Mode.DENSITY,
    4: Mode.WIN7,
    5: Mode.NO_GUESS,
    **dict.fromkeys(range(6, 17), Mode.OTHER),  # rule sets without a name here
    65_535: Mode.OTHER,
}

_LAST_POSSIBLE_MODE = 255  # modes are numbered from 0 on

_OLD_TEXTS = ("software", "player", "race", "unique_id", "begin", "end", "country")
_NEW_TEXTS = ("software", "player", "race", "unique_id")
_CONVERTED_TEXTS = ("software", "converter", "encoding", "player", "race", "unique_id")


@dataclass(frozen=True, slots=True)
class Layout:
    """Differences between versions.

    ``tells_nf``: whether writers fill in the NF bit.  ``last_code``: the highest code of a mouse event.
    """

    version: int
    has_settings: bool
    time_bytes: int
    texts: tuple[str, ...]
    tells_nf: bool
    last_code: int
    steps: bool = False  # events are steps from one to the next, and the header has datetimes in binary


LAYOUTS: dict[int, Layout] = {
    0: Layout(0, has_settings=False, time_bytes=3, texts=_OLD_TEXTS, tells_nf=False, last_code=9),
    1: Layout(1, has_settings=False, time_bytes=3, texts=_OLD_TEXTS, tells_nf=True, last_code=9),
    2: Layout(2, has_settings=False, time_bytes=3, texts=(*_OLD_TEXTS, "device"), tells_nf=False, last_code=9),
    3: Layout(3, has_settings=True, time_bytes=3, texts=(*_OLD_TEXTS, "device"), tells_nf=True, last_code=12),
    4: Layout(4, has_settings=True, time_bytes=4, texts=_NEW_TEXTS, tells_nf=True, last_code=12, steps=True),
}


@dataclass(frozen=True, slots=True)
class Size:
    """The shape of the board as the header states it."""

    rows: int
    columns: int
    mine_count: int
    cell_px: int


@dataclass(frozen=True, slots=True)
class Header:
    """The header; ``texts`` holds the bytes of each text by its name, ``country`` always among them."""

    layout: Layout
    summary: int
    board: Board
    cell_px: int
    mode: Mode
    bv: int
    time_ms: int
    texts: dict[str, bytes]
    begin: datetime | None
    end: datetime | None

    @property
    def converted(self) -> bool:
        """Whether the file says that it was made from one of another format; only version 4 can say so."""
        return self.layout.steps and bool(self.summary & _CONVERTED)


def recognises(data: bytes) -> bool:
    """Return whether ``data`` begins with a known version, a possible board and a mode that exists or may come."""
    layout = LAYOUTS.get(data[0]) if data else None
    fixed = 12 if layout and layout.has_settings else 11
    if layout is None or len(data) < fixed:
        return False
    reader = ByteReader(data, fixed - 9)
    rows, columns, mine_count = reader.u8("rows"), reader.u8("columns"), reader.u16("mines")
    cell_px, mode = reader.u8("size of a cell"), reader.u16("mode")
    return mine_count < rows * columns and cell_px > 0 and (mode in MODES or mode <= _LAST_POSSIBLE_MODE)


def read_header(reader: ByteReader, layout: Layout, notes: Notes) -> Header:
    """The header in the form of one version, whatever the version byte says."""
    reader.take(1, "version")
    summary = reader.u8("summary")
    if layout.has_settings:
        reader.take(1, "settings")
    size = _read_size(reader)
    mode = _read_mode(reader, notes)
    bv, time_ms = reader.u16("3BV"), reader.number(layout.time_bytes, "time")
    country = reader.take(2, "country") if layout.steps else b""
    begin = _read_datetime(reader, "start", notes) if layout.steps else None
    end = _read_datetime(reader, "end", notes) if layout.steps else None
    names = _CONVERTED_TEXTS if layout.steps and summary & _CONVERTED else layout.texts
    texts = {"country": country, **{name: _read_text(reader, name) for name in names}}
    if layout.steps:
        reader.take(reader.u16("length of the device"), "device")
    board = _read_board(reader, size)
    if layout.steps:
        for _ in range(reader.u16("number of metrics")):
            _read_text(reader, "metric")
    return Header(layout, summary, board, size.cell_px, mode, bv, time_ms, texts, begin, end)


def _read_size(reader: ByteReader) -> Size:
    rows, columns, mine_count = reader.u8("rows"), reader.u8("columns"), reader.u16("mines")
    offset = reader.offset
    cell_px = reader.u8("size of a cell")
    for name, side in (("rows", rows), ("columns", columns)):
        if side == 0:
            raise LimitExceeded(name, limit=MAX_SIDE, value=side)
        if side * cell_px > _LARGEST_BOARD_PX:
            raise LimitExceeded(f"size of the board in pixels ({name})", limit=_LARGEST_BOARD_PX, value=side * cell_px)
    if cell_px == 0:
        raise BadField("size of a cell", offset=offset, value=cell_px)
    return Size(rows, columns, mine_count, cell_px)


def _read_mode(reader: ByteReader, notes: Notes) -> Mode:
    code = reader.u16("mode")
    return MODES[code] if code in MODES else notes.unknown_mode(code)


def _read_datetime(reader: ByteReader, what: str, notes: Notes) -> datetime | None:
    microseconds = reader.u64(what)
    when = from_microseconds(microseconds) if microseconds else None
    if microseconds and when is None:
        notes.add("date")
    return when


def _read_text(reader: ByteReader, what: str) -> bytes:
    text = reader.until(b"\0", what)
    if len(text) > MAX_TEXT_BYTES:
        raise LimitExceeded(f"length of the text {what}", limit=MAX_TEXT_BYTES, value=len(text))
    return text


def _read_board(reader: ByteReader, size: Size) -> Board:
    cells = size.rows * size.columns
    packed = np.frombuffer(reader.take((cells + 7) // 8, "board"), np.uint8)
    bits = np.unpackbits(packed)
    if bits[cells:].any():
        raise Inconsistent("The board has mines behind its last cell.")
    found = int(np.count_nonzero(bits))
    if found != size.mine_count:
        raise Inconsistent(f"The file states {size.mine_count} mines, its board has {found}.")
    return Board(bits[:cells].reshape(size.rows, size.columns).copy())
