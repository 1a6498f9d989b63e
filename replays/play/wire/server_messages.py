from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from replays.play.wire.codecs import LONG_MOST, Blob, Byte, Fixed, Flag, Text, Uint, refuse
from replays.play.wire.message import Message
from replays.play.wire.rows import (
    CURSOR_ROWS,
    PLAYER_ROWS,
    VISITOR_ROWS,
    CursorRow,
    Face,
    Move,
    MoveRows,
    PlayerRow,
    RisingFaces,
    VisitorRow,
)

U: TypeAlias = Annotated[int, Uint()]
Long: TypeAlias = Annotated[int, Uint(LONG_MOST)]
U8: TypeAlias = Annotated[int, Byte()]
Bool: TypeAlias = Annotated[bool, Flag()]
Code: TypeAlias = Annotated[str, Text(100)]
Cells: TypeAlias = Annotated[bytes, Blob(1 << 20)]


@dataclass(frozen=True, slots=True)
class Ping(Message):
    """Asks for a ``Pong``; ``server_ms``: the server's clock, milliseconds since any moment.

    ``lag_ms``: the round trip of the newest ping that was answered, to be shown; 0 before.
    """

    type_byte = 0x88
    id: U
    server_ms: Long
    lag_ms: U


@dataclass(frozen=True, slots=True)
class Error(Message):
    """Something was refused; ``fatal``: the socket closes.  Pages translate by ``code``; ``message`` is English."""

    type_byte = 0x8F
    fatal: Bool
    code: Code
    message: Annotated[str, Text(1_000)]


@dataclass(frozen=True, slots=True)
class Game(Message):
    """A single game waits for its first click, or goes on (``resumed``).

    ``shown``: the faces of all cells, row by row, a byte each, packed by ``wire.pack``; empty if all are closed.
    """

    type_byte = 0x91
    game: Annotated[bytes, Fixed(16)]
    commit: Annotated[bytes, Fixed(32)]
    rows: U
    columns: U
    mines: U
    rules: Code
    resumed: Bool
    last_seq: U
    elapsed_ms: U
    shown: Cells


@dataclass(frozen=True, slots=True)
class Faces(Message):
    """The cells that the ``Input`` number ``seq`` has changed."""

    type_byte = 0x92
    seq: U
    faces: Annotated[tuple[Face, ...], RisingFaces()]


@dataclass(frozen=True, slots=True)
class Over(Message):
    """The game has ended; ``result`` of ``Result``.  With ``secret``, ``nonce`` and ``attempt`` anybody can draw the board again.

    ``mines``: a bit a cell, row by row, the highest bit of a byte first.  ``bv``, ``bv_done``: the 3BV of the board and how
    much of it was solved, which no message before this one may tell.
    """

    type_byte = 0x93
    result: U8
    time_ms: U
    ranked: Bool
    reason: Code
    secret: Annotated[bytes, Fixed(32)]
    nonce: Annotated[bytes, Fixed(16)]
    attempt: U
    mines: Cells
    client_ms: U
    server_ms: U
    jitter_ms: U
    bv: U
    bv_done: U


@dataclass(frozen=True, slots=True)
class Stored(Message):
    """The game is a replay now, or has been refused (``replay`` 0)."""

    type_byte = 0x94
    game: Annotated[bytes, Fixed(16)]
    replay: Long
    url: Annotated[str, Text(1_000)]
    rank: U
    best: Bool
    before_ms: U


@dataclass(frozen=True, slots=True)
class Working(Message):
    """A board that needs no guess is being looked for; without a count, which would tell of boards that nobody sees."""

    type_byte = 0x95


@dataclass(frozen=True, slots=True)
class Room(Message):
    """The board of a room; ``you``: the player's own number, 0 without one; ``start`` is 0 in a sealed room."""

    type_byte = 0xA1
    epoch: U
    number: U
    you: U
    sealed: Bool
    flags: Bool
    chords: Bool
    coop: Bool
    rows: U
    columns: U
    area: U
    area_mines: U
    modulus: U
    start: Long
    mines: U
    server_ms: Long
    name: Annotated[str, Text(400)]


@dataclass(frozen=True, slots=True)
class Moves(Message):
    """Accepted moves, numbered from ``first`` without a gap."""

    type_byte = 0xA2
    epoch: U
    first: U
    moves: Annotated[tuple[Move, ...], MoveRows(opened=True)]


@dataclass(frozen=True, slots=True)
class Answer(Message):
    """The result of the own click ``own``; ``result`` of ``AnswerResult``; ``stamp``: its number, 0 if refused."""

    type_byte = 0xA3
    epoch: U
    own: U
    result: U8
    stamp: U


@dataclass(frozen=True, slots=True)
class History(Message):
    """All moves of an open room up to ``number``, the first has number 1."""

    type_byte = 0xA4
    epoch: U
    number: U
    moves: Annotated[tuple[Move, ...], MoveRows(opened=False)]


@dataclass(frozen=True, slots=True)
class Snapshot(Message):
    """The board of a sealed room after move ``number``: faces (a byte a cell) and owners (two, the lower first), both packed."""

    type_byte = 0xA5
    epoch: U
    number: U
    shown: Cells
    owner: Cells


@dataclass(frozen=True, slots=True)
class Players(Message):
    """Players that are new or have changed; after ``Room`` all of them."""

    type_byte = 0xA6
    epoch: U
    players: Annotated[tuple[PlayerRow, ...], PLAYER_ROWS]


@dataclass(frozen=True, slots=True)
class Finished(Message):
    """The board is done; the next begins in ``next_in_ms`` (0: none)."""

    type_byte = 0xA7
    epoch: U
    elapsed_ms: U
    next_in_ms: U


@dataclass(frozen=True, slots=True)
class Cursors(Message):
    """The places where players point, the receiver too."""

    type_byte = 0xA8
    cursors: Annotated[tuple[CursorRow, ...], CURSOR_ROWS]


@dataclass(frozen=True, slots=True)
class Wait(Message):
    """Nothing can be played for now: ``room_lost`` or ``paused``."""

    type_byte = 0xA9
    reason: Code


@dataclass(frozen=True, slots=True)
class Here(Message):
    """Number of visitors who have the room open, whether they have played or not."""

    type_byte = 0xAB
    here: U


@dataclass(frozen=True, slots=True)
class Visitors(Message):
    """Visitors who have the room open and no cell of the running board yet; the first ones of many."""

    type_byte = 0xAC
    visitors: Annotated[tuple[VisitorRow, ...], VISITOR_ROWS]


ServerMessage: TypeAlias = (
    Ping | Error | Game | Faces | Over | Stored | Working
    | Room | Moves | Answer | History | Snapshot | Players | Finished | Cursors | Wait | Here
    | Visitors
)  # fmt: skip
_KINDS: Final[tuple[type[ServerMessage], ...]] = (
    Ping, Error, Game, Faces, Over, Stored, Working,
    Room, Moves, Answer, History, Snapshot, Players, Finished, Cursors, Wait, Here,
    Visitors,
)  # fmt: skip
SERVER_KINDS: Final = {kind.type_byte: kind for kind in _KINDS}


def decode_server(data: bytes) -> ServerMessage:
    """The message of the server; raises ``WireError`` for everything else."""
    kind = SERVER_KINDS.get(data[0]) if data else None
    if kind is None:
        refuse("the type is unknown")
    return kind.read(data)
