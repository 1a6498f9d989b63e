"""Messages between web processes and the referee through Valkey: names of keys, and the packing of entries.

Web process -> referee: the stream of the shard.  The order of its entries is the order of the moves.
Referee -> web process: pub/sub.  ``room_channel`` carries what everybody in a room gets, ``web_channel`` what one web
process requested, ``ALL_WEBS`` what concerns every web process.  What is lost there is noticed by its numbering.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final, NamedTuple, TypeAlias

import msgpack

#: One referee decides all rooms.  More streams are made by raising this and starting more referees.
SHARDS: Final = 1
ALL_WEBS: Final = "play:webs"
#: The one field of an entry.
FIELD: Final = b"e"

RoomId: TypeAlias = int
Connection: TypeAlias = int


def shard_of(room: RoomId) -> int:
    return room % SHARDS


def stream_key(shard: int) -> str:
    return f"play:stream:{shard}"


def name_key(shard: int) -> str:
    """A random name, set once; gone when the server has lost its data, and the stream with them."""
    return f"play:stream:{shard}:name"


def lease_key(shard: int) -> str:
    return f"play:referee:{shard}"


def room_channel(room: RoomId) -> str:
    return f"play:room:{room}"


def web_channel(web: str) -> str:
    return f"play:web:{web}"


class Entry(IntEnum):
    MOVES = 1
    JOIN = 2  # a connection enters a room and wants its picture
    LEAVE = 3
    PICTURE = 4  # connections that want a fresh picture
    PRESENT = 5  # all connections of a web process in a room, and the last move that it has seen
    ALIVE = 6  # the web process lives
    COMMAND = 7  # of the owner


class Command(IntEnum):
    """Commands that the owner of a room may give."""

    RESTART = 1
    CLOSE = 2
    MUTE = 3
    UNMUTE = 4
    KICK = 5


class Visitor(NamedTuple):
    """The person behind a connection, known from its ticket, never from a message.

    ``key``: ``account-`` and the account or ``guest-`` and the guest.  ``session``: a page that counts its own moves.
    """

    key: str
    name: str
    may_play: bool
    session: str


class SentMove(NamedTuple):
    """A move on its way to the referee; ``visitor``: its place in the list of the entry."""

    connection: Connection
    visitor: int
    own: int
    epoch: int
    kind: int
    cell: int


class Notice(IntEnum):
    PICTURE = 1  # room, epoch, number, sequence, {connection: ROOM frame}, frames that all of them get
    REFUSE = 2  # room, connections, code of the error, close code (0: stays open)
    TAKEOVER = 3  # a referee begins: name everybody who is here, and send unanswered moves again
    PAUSED = 4
    RESUMED = 5


class Batch(NamedTuple):
    """Moves, frames and answers of a room within some milliseconds.

    ``sequence`` rises by one with each batch of a room; ``first`` to ``number`` are its moves, none if ``first`` is
    ``number + 1``.  ``frames`` go to everybody; ``answers``: of each web process [connection, frame, connection, …].
    """

    fence: int
    sequence: int
    epoch: int
    first: int
    number: int
    frames: list[bytes]
    answers: dict[str, list[Any]]


def pack(values: Any) -> bytes:
    packed: bytes = msgpack.packb(values)
    return packed


def unpack(data: bytes) -> Any:
    """Unpack the result of :func:`pack`; keys of maps may be connections, which are integers."""
    return msgpack.unpackb(data, strict_map_key=False)


def entry(kind: Entry, room: RoomId, web: str, *body: Any) -> dict[bytes, bytes]:
    return {FIELD: pack([int(kind), room, web, *body])}
