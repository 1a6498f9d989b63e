from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from replays.play.wire.codecs import LONG_MOST, Blob, Fixed, Text, Uint, refuse
from replays.play.wire.message import Message
from replays.play.wire.rows import Event, Events

U: TypeAlias = Annotated[int, Uint()]
Long: TypeAlias = Annotated[int, Uint(LONG_MOST)]

#: A longer message of a client is refused (``--ws-max-size`` of the server).
MAX_CLIENT_BYTES: Final = 16 * 1024


@dataclass(frozen=True, slots=True)
class Hello(Message):
    """The first message: the ticket, and in rooms the newest epoch and number that are known (0 and 0: none).

    ``game``: the 16 bytes of the single game to go on with; in rooms 16 random bytes that the page keeps as long as it
    counts its own moves, so that moves which are sent again after a reconnect are not played twice; else empty.
    """

    type_byte = 0x01
    ticket: Annotated[str, Text(1_000)]
    epoch: U = 0
    number: U = 0
    game: Annotated[bytes, Blob(16)] = b""

    def __post_init__(self) -> None:
        if len(self.game) not in (0, 16):
            refuse("a game is named by 16 bytes")


@dataclass(frozen=True, slots=True)
class Pong(Message):
    """The answer to a ``Ping``, at once; ``client_ms``: the client's clock, whole milliseconds since any moment."""

    type_byte = 0x08
    id: U
    client_ms: Long


@dataclass(frozen=True, slots=True)
class New(Message):
    """A new single game; ``settings`` of ``Settings``; ``device``: short JSON."""

    type_byte = 0x11
    cell_px: U
    settings: U
    device: Annotated[str, Text(2_000)] = ""


@dataclass(frozen=True, slots=True)
class Start(Message):
    type_byte = 0x12
    nonce: Annotated[bytes, Fixed(16)]


@dataclass(frozen=True, slots=True)
class Input(Message):
    """``seq`` counts from 1."""

    type_byte = 0x13
    seq: U
    events: Annotated[tuple[Event, ...], Events()]


@dataclass(frozen=True, slots=True)
class Leave(Message):
    type_byte = 0x14


@dataclass(frozen=True, slots=True)
class Copy(Message):
    """An ``Input`` of a game once more, over a second socket; only when it arrives matters."""

    type_byte = 0x15
    game: Annotated[bytes, Fixed(16)]
    seq: U
    events: Annotated[tuple[Event, ...], Events()]


@dataclass(frozen=True, slots=True)
class Open(Message):
    """A click of a room; ``own``: 1, 2, 3 …, repeated in the answer; ``epoch``: of the board that was seen."""

    type_byte = 0x21
    own: U
    cell: U
    epoch: U = 0


@dataclass(frozen=True, slots=True)
class Flag(Message):
    """A flag is set, or taken away where one stands."""

    type_byte = 0x22
    own: U
    cell: U
    epoch: U = 0


@dataclass(frozen=True, slots=True)
class Chord(Message):
    type_byte = 0x23
    own: U
    cell: U
    epoch: U = 0


@dataclass(frozen=True, slots=True)
class Cursor(Message):
    """The place where the player points, in pixels at 16 px a cell."""

    type_byte = 0x24
    x: U
    y: U


@dataclass(frozen=True, slots=True)
class Resync(Message):
    type_byte = 0x25


ClientMessage: TypeAlias = Hello | Pong | New | Start | Input | Leave | Copy | Open | Flag | Chord | Cursor | Resync
_KINDS: Final[tuple[type[ClientMessage], ...]] = (
    Hello, Pong, New, Start, Input, Leave, Copy, Open, Flag, Chord, Cursor, Resync,
)  # fmt: skip
CLIENT_KINDS: Final = {kind.type_byte: kind for kind in _KINDS}


def decode_client(data: bytes) -> ClientMessage:
    """The message of a client; raises ``WireError`` for everything else."""
    if not 0 < len(data) <= MAX_CLIENT_BYTES:
        refuse(f"{len(data)} bytes are no message")
    kind = CLIENT_KINDS.get(data[0])
    if kind is None:
        refuse(f"the type {data[0]:#04x} is unknown")
    return kind.read(data)
