"""RMV, the replay file of Vienna MineSweeper, in two versions.

::

    4, 2        "*rmv", version 1 or 2
                sizes of the parts below (``analysis.formats.rmv.header``)
    result      version 1 only: a line of text, of which only the 3BV stands nowhere else
    version     the program, its release, its authors
    player      count, then length and bytes of each: name, nickname, country, token
    4           when the board was made, in seconds since 1970
    board       width, height, mines (two bytes), mines as (column, row) from 0
    preflags    count, (column, row): flags that stood before the first event
    properties  one byte each: question marks, NF, mode, level; version 1: whether texts are UTF-8; version 2: 3BV (low,
                high byte), size of a cell
    extension   version 2 only: count, then length and bytes of key and value of each
    events      ``analysis.formats.rmv.events``
    checksum    the seal, of which nothing is known

The press that opens the first cell is not stored: a left release that comes first gets one, at its own time and place.
Preflags become events at the corner of their cells, at the time of the first event.  The token is a secret of the
player's and is left in the file.

Texts of version 2 are UTF-8, as are those of version 1 that say so; others are a guess, and so are those that break the
promise (a finding).

Sources: the specification ``rmv_spec``, the readers ``ms_toollib`` and ``rawvf``, measurements on 17 files.
"""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from analysis.errors import BadField
from analysis.formats.mines import Places, read_mines, read_places
from analysis.formats.notes import Notes, settle_times
from analysis.formats.reader import ByteReader
from analysis.formats.rmv.events import Mouse, read_mouse
from analysis.formats.rmv.header import (
    MAGIC,
    Properties,
    Sizes,
    Texts,
    note_program,
    note_result,
    read_properties,
    read_sizes,
    read_texts,
    within,
)
from analysis.formats.text import decode
from analysis.recording import EVENT, Board, Claims, EventArray, Kind, Recording

NAME = "rmv"


def recognises(data: bytes) -> bool:
    return data.startswith(MAGIC)


def read(data: bytes) -> Recording:
    """The game that an RMV file holds.

    The result is precise to 1 ms; ``played_at`` is when the board was made.
    Raises ``ReplayError``: ``Truncated``, ``BadField``, ``LimitExceeded`` or ``Inconsistent``; nothing else.
    """
    reader, notes = ByteReader(data), Notes()
    sizes = read_sizes(reader)
    texts = read_texts(reader, sizes)
    made_at = reader.u32("time stamp")
    board, preflags = _read_board(reader, sizes)
    properties = read_properties(reader, sizes, texts, notes)
    mouse = read_mouse(data, reader.offset, sizes)
    if len(data) not in (sizes.stated_bytes, sizes.stated_bytes + sizes.missing_bytes):
        notes.add("file_size", stated_bytes=sizes.stated_bytes, actual_bytes=len(data))
    note_program(sizes, texts, notes)
    note_result(texts, mouse.time_ms, made_at, notes)
    if mouse.repeated_ms != mouse.time_ms:
        notes.add("header_times_differ", first_ms=mouse.time_ms, second_ms=mouse.repeated_ms)
    events = _with_beginning(mouse.events, preflags, properties.cell_px)
    settle_times(events, notes)
    return Recording(
        format=NAME,
        format_variant=texts.release,
        board=board,
        events=events,
        cell_px=properties.cell_px,
        player=properties.player,
        player_bytes=texts.player_bytes,
        player_encoding=properties.player_encoding,
        software=texts.software,
        country=properties.country,
        mode=properties.mode,
        question_marks=properties.question_marks,
        played_at=datetime.fromtimestamp(made_at, UTC) if made_at else None,
        claims=_claims(properties, texts, mouse),
        findings=tuple(notes.found),
        extra=properties.extra,
        seal=data[mouse.end_offset : mouse.end_offset + sizes.checksum],
        trailing_bytes=len(data) - mouse.end_offset - sizes.checksum,
        code_texts=(decode(texts.nickname), decode(texts.token)),
    )


def _read_board(reader: ByteReader, sizes: Sizes) -> tuple[Board, Places]:
    """The board and the cells of the flags that stood before the first event."""
    with within(reader, sizes.board - 4, "board"):
        columns, rows, mine_count = reader.u8("width"), reader.u8("height"), reader.u16("mines")
        board = read_mines(reader, rows, columns, mine_count, first=0)
    with within(reader, sizes.preflags, "preflags"):
        count = reader.u16("number of preflags") if sizes.preflags else 0
        if count > rows * columns:
            raise BadField("number of preflags", offset=reader.offset - 2, value=count)
        return board, read_places(reader, rows, columns, count, "preflag", first=0)


def _with_beginning(events: EventArray, preflags: Places, cell_px: int) -> EventArray:
    """The events behind the preflags, and behind the press that the first release needs."""
    extra = len(preflags)
    pressed = bool(len(events)) and events["kind"][0] == Kind.LEFT_RELEASE
    whole: EventArray = np.zeros(extra + pressed + len(events), EVENT)
    whole[extra + pressed :] = events
    if pressed:
        whole[extra] = events[0]
        whole["kind"][extra] = Kind.LEFT_PRESS
    whole["kind"][:extra] = Kind.PREFLAG
    whole["time_ms"][:extra] = events["time_ms"][0] if len(events) else 0
    # A cell of 255 px in column 255 lies at 65025 px, beyond what a point can hold.
    corners = np.minimum(preflags * cell_px, np.iinfo(np.int16).max)
    whole["y_px"][:extra] = corners[:, 0]
    whole["x_px"][:extra] = corners[:, 1]
    return whole


def _claims(properties: Properties, texts: Texts, mouse: Mouse) -> Claims:
    return Claims(
        time_ms=mouse.time_ms,
        bv=properties.bv if properties.bv is not None else texts.bv,
        win=mouse.won,
        level=properties.level,
        nf=properties.nf,
    )
