"""Rows in the lists of messages, and the codecs of lists that are not plain rows."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum, IntFlag
from typing import Final, NamedTuple

from analysis.recording import Kind
from replays.play.wire.codecs import (
    UINT_MOST,
    Byte,
    Flag,
    Reader,
    Rows,
    Sint,
    Text,
    Uint,
    refuse,
    write_sint,
    write_uint,
)

#: The faces of a cell: 0 to 8, and the codes of ``analysis.kernels.live``.
FACE_BLAST, FACE_CLOSED, FACE_FLAG, FACE_QUESTION = 9, 10, 11, 13
_FACES: Final = frozenset({*range(9), FACE_BLAST, FACE_CLOSED, FACE_FLAG, FACE_QUESTION})
#: What a hand does (``analysis.live.live_game.KINDS``); the other kinds are how file formats say less than that.
EVENT_KINDS: Final = frozenset(map(int, Kind)) - {
    Kind.PREFLAG, Kind.SECOND_PRESS, Kind.LEFT_CHANGE, Kind.RIGHT_CHANGE, Kind.MIDDLE_CHANGE,
}  # fmt: skip
_SMALLEST_FACE: Final = 2
_SMALLEST_EVENT: Final = 4


class Settings(IntFlag):
    QUESTION_MARKS = 1
    LEFT_ALONE_CHORDS = 2
    TOUCH = 4
    COARSE_CLOCK = 8


class MoveKind(IntEnum):
    OPEN = 1
    FLAG = 2
    CHORD = 3
    UNFLAG = 4


class Result(IntEnum):
    WON = 1
    LOST = 2
    GIVEN_UP = 3


class AnswerResult(IntEnum):
    """Results of a player's own click in a room."""

    OPENED = 1
    BLAST = 2
    ALREADY_OPEN = 3
    OUTSIDE = 4
    NOT_ALLOWED = 5
    ROOM_OVER = 6
    TOO_FAST = 7
    FLAGGED = 8


class Event(NamedTuple):
    """A mouse event: milliseconds and pixels since the event before; ``kind`` of ``analysis.recording.Kind``."""

    dt_ms: int
    kind: int
    dx: int
    dy: int


class Face(NamedTuple):
    """A cell and the face that it shows: 0 to 8, or a ``FACE_…``."""

    cell: int
    face: int


class Move(NamedTuple):
    """An accepted move of a room; ``opened``: the cells that changed, of sealed rooms only, in any order."""

    player: int
    kind: int
    cell: int
    opened: tuple[Face, ...] = ()


class PlayerRow(NamedTuple):
    """A player of a room; ``here``: whether a socket is open."""

    player: int
    name: str
    hue: int
    shade: int
    score: int
    blasts: int
    here: bool


class VisitorRow(NamedTuple):
    """A visitor of a room without a cell of the running board; ``plays``: may open cells."""

    name: str
    plays: bool


class CursorRow(NamedTuple):
    """A player and the place where it points, in pixels at 16 px a cell."""

    player: int
    x: int
    y: int


class Events:
    smallest = 1
    word = "list of (dt_ms uint, kind u8, dx sint, dy sint)"

    def read(self, reader: Reader) -> tuple[Event, ...]:
        count = reader.count(_SMALLEST_EVENT)
        sint, events = Sint(), []
        for _ in range(count):
            dt_ms, kind = reader.uint(), reader.byte()
            if kind not in EVENT_KINDS:
                refuse(f"{kind} is no kind of event")
            events.append(Event(dt_ms, kind, sint.read(reader), sint.read(reader)))
        return tuple(events)

    def write(self, out: bytearray, value: Sequence[Event]) -> None:
        write_uint(out, len(value))
        for dt_ms, kind, dx, dy in value:
            write_uint(out, dt_ms)
            if kind not in EVENT_KINDS:
                refuse(f"{kind} is no kind of event")
            out.append(kind)
            write_sint(out, dx)
            write_sint(out, dy)


class RisingFaces:
    """A count and as many faces, cells rising; each cell as its distance from the one before, the first from 0."""

    smallest = 1
    word = "list of (gap uint, face u8)"

    def read(self, reader: Reader) -> tuple[Face, ...]:
        count = reader.count(_SMALLEST_FACE)
        faces: list[Face] = []
        cell = 0
        for place in range(count):
            gap = reader.uint()
            cell += gap
            if (place and gap == 0) or cell > UINT_MOST:
                refuse("the cells do not rise")
            faces.append(Face(cell, _face(reader.byte())))
        return tuple(faces)

    def write(self, out: bytearray, value: Sequence[Face]) -> None:
        write_uint(out, len(value))
        before = -1
        for cell, face in value:
            if cell <= before:
                refuse("the cells do not rise")
            write_uint(out, cell - max(before, 0))
            out.append(_face(face))
            before = cell


class MoveRows:
    """A count and as many moves; with their cells if ``opened``, else without."""

    smallest = 1

    def __init__(self, *, opened: bool) -> None:
        self.opened = opened
        near = ", opened list of (gap sint, face u8)" if opened else ""
        self.word = f"list of (player uint, kind u8, cell uint{near})"
        self._smallest_move = 4 if opened else 3

    def read(self, reader: Reader) -> tuple[Move, ...]:
        kind = Byte(MoveKind.UNFLAG, MoveKind.OPEN)
        moves = []
        for _ in range(reader.count(self._smallest_move)):
            player, what, cell = reader.uint(), kind.read(reader), reader.uint()
            moves.append(Move(player, what, cell, _read_near(reader, cell) if self.opened else ()))
        return tuple(moves)

    def write(self, out: bytearray, value: Sequence[Move]) -> None:
        kind = Byte(MoveKind.UNFLAG, MoveKind.OPEN)
        write_uint(out, len(value))
        for player, what, cell, opened in value:
            write_uint(out, player)
            kind.write(out, what)
            write_uint(out, cell)
            if self.opened:
                _write_near(out, cell, opened)
            elif opened:
                refuse("moves of a history have no cells")


def _read_near(reader: Reader, cell: int) -> tuple[Face, ...]:
    """Faces whose cells are written as differences, the first from ``cell``."""
    faces = []
    for _ in range(reader.count(_SMALLEST_FACE)):
        cell += reader.sint()
        if not 0 <= cell <= UINT_MOST:
            refuse("a cell is outside of every board")
        faces.append(Face(cell, _face(reader.byte())))
    return tuple(faces)


def _write_near(out: bytearray, cell: int, faces: Sequence[Face]) -> None:
    write_uint(out, len(faces))
    for at, face in faces:
        write_sint(out, at - cell)
        out.append(_face(face))
        cell = at


def _face(value: int) -> int:
    if value not in _FACES:
        refuse(f"{value} is no face of a cell")
    return value


VISITOR_ROWS: Final = Rows(VisitorRow, Text(400), Flag())
PLAYER_ROWS: Final = Rows(PlayerRow, Uint(), Text(400), Byte(), Byte(), Uint(), Uint(), Flag())
CURSOR_ROWS: Final = Rows(CursorRow, Uint(), Uint(), Uint())
