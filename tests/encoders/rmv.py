"""Writes RMV, so that a test has files whose content it knows.  Shares no code with the reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np

from analysis.recording import Board, Kind
from tests.encoders.seals import seal_of

CODES = {
    Kind.MOVE: 1,
    Kind.LEFT_PRESS: 2,
    Kind.LEFT_RELEASE: 3,
    Kind.RIGHT_PRESS: 4,
    Kind.RIGHT_RELEASE: 5,
    Kind.MIDDLE_PRESS: 6,
    Kind.MIDDLE_RELEASE: 7,
}
PLAYED_AT = datetime(2024, 11, 14, 21, 55, 52, tzinfo=UTC)
PROGRAMS = {
    1: b"Vienna Minesweeper - Home Edition - Release 3.0.2H Copyright (C) 2008-2013 Christoph Nikolaus Marx.",
    2: b"Vienna Minesweeper - Release 5.0.0b4 Copyright (C) 2008-2024 Christoph Nikolaus Marx.",
}
WON, LOST, OTHER = 16, 15, 17


@dataclass
class Game:
    """Content of a file.  ``properties`` are those of the version; see :func:`default_properties`."""

    board: Board
    events: Sequence[tuple[int, int, int, int]]
    end: tuple[int, int] = (WON, 1_900)
    players: tuple[bytes, ...] = (b"Ann", b"annie", b"Poland", b"42")
    preflags: Sequence[tuple[int, int]] = ()  # (row, column)
    properties: bytes | None = None
    extension: Sequence[tuple[bytes, bytes]] = ((b"vsweep_skin_fname", b"24px.bmp"),)
    program: bytes | None = None  # by default the one of the version
    made_at: datetime = PLAYED_AT
    bv: int = 128  # of the result; that of version 2 stands in the properties
    shown: bytes = field(default=b"\x12\x00\x01")  # a board event that stands before every mouse event


def default_properties(version: int) -> bytes:
    """No question marks, flags used, standard rules, custom board; UTF-8, or 3BV 300 and cells of 24 px."""
    return bytes([0, 0, 0, 3, 1]) if version == 1 else bytes([0, 0, 0, 3, 300 & 255, 300 >> 8, 24])


def encode(game: Game, version: int, **replaced: bytes) -> bytes:
    """The file of ``game``; a part that is replaced keeps its old size in the header."""
    made = parts(game, version)
    sizes = header(made, version)
    return b"*rmv" + version.to_bytes(2, "big") + b"".join({"sizes": sizes, **made, **replaced}.values())


def parts(game: Game, version: int) -> dict[str, bytes]:
    """The parts behind the sizes by name, in their order."""
    board = game.board
    mines = [(int(row), int(column)) for row, column in np.argwhere(board.mines)]
    size = bytes([board.columns, board.rows]) + board.mine_count.to_bytes(2, "big")
    made = {
        "result": result_text(game),
        "version": PROGRAMS[version] if game.program is None else game.program,
        "player": counted(game.players),
        "board": int(game.made_at.timestamp()).to_bytes(4, "big") + size + cells(mines),
        "preflags": len(game.preflags).to_bytes(2, "big") + cells(game.preflags) if game.preflags else b"",
        "properties": default_properties(version) if game.properties is None else game.properties,
        "extension": len(game.extension).to_bytes(2, "big") + b"".join(map(pair, game.extension)),
        "events": event_part(game, version),
    }
    del made["extension" if version == 1 else "result"]
    return {**made, "checksum": seal_of(made.values(), 18)}


def result_text(game: Game) -> bytes:
    """The line of version 1 that repeats what stands elsewhere, and the 3BV."""
    name, nickname = (*game.players, b"", b"")[:2]
    end_ms = game.end[1]
    score = b"%d.%02d" % (end_ms // 1000, end_ms % 1000 // 10)
    made_at = int(game.made_at.timestamp())
    texts = (score, name, nickname, game.bv, made_at)
    return b"\nLEVEL:Custom#SCORE:%s#NAME:%s#NICK:%s#3BV:%d#NF:0#TIMESTAMP:%d#\n" % texts


def header(made: dict[str, bytes], version: int) -> bytes:
    """The sizes of the parts; version 2 states two bytes less than the file has."""
    sizes = {name: len(part) for name, part in made.items()}
    wide = {"events": 4}
    listed = b"".join(size.to_bytes(wide.get(name, 2), "big") for name, size in sizes.items())
    whole = 6 + 4 + len(listed) + sum(sizes.values())
    if version == 1:
        return whole.to_bytes(4, "big") + listed
    return b"\x01\x05" + whole.to_bytes(4, "big") + listed


def counted(texts: Sequence[bytes]) -> bytes:
    return len(texts).to_bytes(2, "big") + b"".join(bytes([len(text)]) + text for text in texts)


def pair(texts: tuple[bytes, bytes]) -> bytes:
    return b"".join(bytes([len(text)]) + text for text in texts)


def cells(places: Sequence[tuple[int, int]]) -> bytes:
    return b"".join(bytes([column, row]) for row, column in places)


def event_part(game: Game, version: int) -> bytes:
    """The events, each behind a board event; version 2 writes short moves as steps where it can."""
    stored: list[bytes] = []
    before: tuple[int, int, int] | None = None
    for time_ms, x_px, y_px, kind in game.events:
        stored.append(game.shown + mouse(time_ms, x_px, y_px, kind, version, before))
        before = (time_ms, x_px, y_px)
    code, end_ms = game.end
    end = end_ms.to_bytes(3, "big")
    return b"".join(stored) + bytes([code]) + end + b"\x00\xff" + end


def mouse(time_ms: int, x_px: int, y_px: int, kind: int, version: int, before: tuple[int, int, int] | None) -> bytes:
    """One mouse event."""
    if version == 2 and kind == Kind.MOVE and before is not None:
        step_ms, step_x, step_y = time_ms - before[0], x_px - before[1], y_px - before[2]
        if 0 <= step_ms <= 255 and -8 <= step_x <= 7 and -8 <= step_y <= 7:
            return bytes([28, step_ms, (step_x & 15) << 4 | step_y & 15])
    left, above = (12, 56) if version == 1 else (0, 0)
    point = b"".join(value.to_bytes(2, "big", signed=version == 2) for value in (x_px + left, y_px + above))
    return bytes([CODES[Kind(kind)]]) + time_ms.to_bytes(3, "big") + b"\x01" + point
