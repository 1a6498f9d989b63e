"""The messages, a line each as in the tables of the document."""

# ruff: noqa: E701, E702

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, dataclass_transform, get_args, get_origin, get_type_hints

U8 = Annotated[int, "u8"]
UInt = Annotated[int, "uint"]
Long = Annotated[int, "long"]
SInt = Annotated[int, "sint"]
Sixteen = Annotated[bytes, 16]
ThirtyTwo = Annotated[bytes, 32]


class BadMessage(Exception):
    """A frame that the document does not allow."""


@dataclass_transform(frozen_default=True)
class Fields:
    """Fields that are written in their order; every subclass is a frozen dataclass."""

    def __init_subclass__(cls, **options: int) -> None:
        """Make the subclass a dataclass."""
        super().__init_subclass__()
        dataclass(frozen=True)(cls)


class Message(Fields):
    """A message; `number` is the byte that names its type, 0 for what never is on the wire."""

    def __init_subclass__(cls, number: int = 0) -> None:
        """Remember which class the byte names."""
        super().__init_subclass__()
        TYPES[number] = cls
        NUMBERS[cls] = number


TYPES: dict[int, type[Message]] = {}
NUMBERS: dict[type[Message], int] = {}


# fmt: off
class Event(Fields): dt_ms: UInt; kind: U8; dx: SInt; dy: SInt
class Face(Fields): gap: UInt; face: U8
class Changed(Fields): gap: SInt; face: U8
class Move(Fields): player: UInt; kind: U8; cell: UInt; opened: tuple[Changed, ...]
class OldMove(Fields): player: UInt; kind: U8; cell: UInt
class PlayerRow(Fields): player: UInt; name: str; hue: U8; shade: U8; score: UInt; blasts: UInt; here: bool
class Pointer(Fields): player: UInt; x: UInt; y: UInt


class Hello(Message, number=0x01): ticket: str; epoch: UInt; number: UInt; game: bytes
class Pong(Message, number=0x08): id: UInt; client_ms: Long
class New(Message, number=0x11): cell_px: UInt; settings: UInt; device: str
class Start(Message, number=0x12): nonce: Sixteen
class Input(Message, number=0x13): seq: UInt; events: tuple[Event, ...]
class Leave(Message, number=0x14): pass
class Copy(Message, number=0x15): game: Sixteen; seq: UInt; events: tuple[Event, ...]
class Open(Message, number=0x21): own: UInt; cell: UInt; epoch: UInt
class Flag(Message, number=0x22): own: UInt; cell: UInt; epoch: UInt
class Chord(Message, number=0x23): own: UInt; cell: UInt; epoch: UInt
class Cursor(Message, number=0x24): x: UInt; y: UInt
class Resync(Message, number=0x25): pass
class Ping(Message, number=0x88): id: UInt; server_ms: Long; lag_ms: UInt
class Error(Message, number=0x8F): fatal: bool; code: str; message: str
class Game(Message, number=0x91):
    game: Sixteen; commit: ThirtyTwo; rows: UInt; columns: UInt; mines: UInt; rules: str
    resumed: bool; last_seq: UInt; elapsed_ms: UInt; shown: bytes
class Faces(Message, number=0x92): seq: UInt; faces: tuple[Face, ...]
class Over(Message, number=0x93):
    result: U8; time_ms: UInt; ranked: bool; reason: str; secret: ThirtyTwo; nonce: Sixteen; attempt: UInt
    mines: bytes; client_ms: UInt; server_ms: UInt; jitter_ms: UInt; bv: UInt; bv_done: UInt
class Stored(Message, number=0x94): game: Sixteen; replay: Long; url: str; rank: UInt; best: bool; before_ms: UInt
class Working(Message, number=0x95): pass
class Room(Message, number=0xA1):
    epoch: UInt; number: UInt; you: UInt; sealed: bool; flags: bool; chords: bool; coop: bool; rows: UInt
    columns: UInt; area: UInt; area_mines: UInt; modulus: UInt; start: Long; mines: UInt; server_ms: Long; name: str
class Moves(Message, number=0xA2): epoch: UInt; first: UInt; moves: tuple[Move, ...]
class Answer(Message, number=0xA3): epoch: UInt; own: UInt; result: U8; stamp: UInt
class History(Message, number=0xA4): epoch: UInt; number: UInt; moves: tuple[OldMove, ...]
class Snapshot(Message, number=0xA5): epoch: UInt; number: UInt; shown: bytes; owner: bytes
class Players(Message, number=0xA6): epoch: UInt; players: tuple[PlayerRow, ...]
class Finished(Message, number=0xA7): epoch: UInt; elapsed_ms: UInt; next_in_ms: UInt
class Cursors(Message, number=0xA8): cursors: tuple[Pointer, ...]
class Wait(Message, number=0xA9): reason: str
class Here(Message, number=0xAB): here: UInt
class Closed(Message): code: int; reason: str
# fmt: on


FORMS: dict[type[Fields], tuple[Any, ...]] = {}


def forms(cls: type[Fields]) -> tuple[Any, ...]:
    """Return how the fields of a class are written."""
    if cls not in FORMS:
        FORMS[cls] = tuple(get_type_hints(cls, include_extras=True).values())
    return FORMS[cls]


def leb(value: int) -> bytes:
    """Return a whole number in LEB128."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def write(form: Any, value: Any) -> bytes:
    """Return one field as bytes."""
    if get_origin(form) is tuple:
        return leb(len(value)) + b"".join(map(write_fields, value))
    if form is bool or form == U8:
        return bytes([value])
    if form is str or form is bytes:
        raw: bytes = value.encode() if form is str else value
        return leb(len(raw)) + raw
    if get_args(form)[0] is bytes:
        if len(value) != form.__metadata__[0]:
            raise BadMessage("wrong length")
        return bytes(value)
    whole = (value << 1 if value >= 0 else (-value << 1) - 1) if form == SInt else value
    if not 0 <= whole < (1 << 53 if form == Long else 1 << 32):
        raise BadMessage("out of range")
    return leb(whole)


def write_fields(row: Fields) -> bytes:
    """Return all fields of a row."""
    return b"".join(write(form, getattr(row, name)) for name, form in zip(vars(row), forms(type(row)), strict=True))


def encode(message: Message) -> bytes:
    """Return the frame of a message."""
    return bytes([NUMBERS[type(message)]]) + write_fields(message)


class Frame:
    """The bytes of a frame that are still to be read."""

    def __init__(self, data: bytes) -> None:
        """Begin at the first byte."""
        self.data, self.at = data, 0

    def take(self, count: int) -> bytes:
        """Return the next bytes."""
        piece = self.data[self.at : self.at + count]
        if len(piece) != count:
            raise BadMessage("cut off")
        self.at += count
        return piece

    def whole(self, most_bytes: int, below: int) -> int:
        """Return the next LEB128 number."""
        value = 0
        for place in range(most_bytes):
            byte = self.take(1)[0]
            value |= (byte & 127) << 7 * place
            if byte < 128:
                if value >= below or (place and not byte):
                    break
                return value
        raise BadMessage("not a number")

    def read(self, form: Any) -> Any:
        """Return the next field."""
        if get_origin(form) is tuple:
            row = get_args(form)[0]
            return tuple(self.read_fields(row) for _ in range(self.whole(5, 1 << 32)))
        if form is bool or form == U8:
            byte = self.take(1)[0]
            if form is bool and byte > 1:
                raise BadMessage("not a bool")
            return bool(byte) if form is bool else byte
        if form is str or form is bytes:
            raw = self.take(self.whole(5, 1 << 32))
            return raw.decode() if form is str else raw
        if get_args(form)[0] is bytes:
            return self.take(form.__metadata__[0])
        if form == Long:
            return self.whole(8, 1 << 53)
        whole = self.whole(5, 1 << 32)
        return (whole >> 1) ^ -(whole & 1) if form == SInt else whole

    def read_fields(self, cls: type[Any]) -> Any:
        """Return the next row."""
        return cls(*[self.read(form) for form in forms(cls)])


def decode(data: bytes) -> Message | None:
    """Return the message of a frame, None if its type is not known."""
    frame = Frame(data)
    cls = TYPES.get(frame.take(1)[0] or 256)
    if cls is None:
        return None
    message: Message = frame.read_fields(cls)
    if frame.at != len(data):
        raise BadMessage("bytes left over")
    return message
