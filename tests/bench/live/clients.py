"""Light WebSocket clients, so that a thousand of them leave the machine to the server that is measured.

They answer pings, note when each batch of moves came, and know of the protocol no more than that; the library that
tests use would take several times the processor.
"""

from __future__ import annotations

import asyncio
import base64
import os
import struct
import time
from dataclasses import dataclass, field
from typing import Any, Final

from replays.play import wire

_MASK: Final = bytes(4)  # of a client every message is masked; with zeros it stays as it is
_PING, _MOVES, _ANSWER, _ROOM, _PLAYERS, _WAIT, _ERROR = 0x88, 0xA2, 0xA3, 0xA1, 0xA6, 0xA9, 0x8F
_HANDSHAKE = (
    "GET /ws/play/room/ HTTP/1.1\r\nHost: localhost:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: {protocol}\r\n"
    "Origin: http://localhost:{port}\r\n\r\n"
)


def uint_at(data: bytes, at: int) -> tuple[int, int]:
    """The LEB128 number at ``at``, and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


@dataclass
class Player(asyncio.Protocol):
    """One socket.

    ``batches``: (epoch, first stamp, last stamp, when) of every MOVES; ``answers``: by own number (result, stamp, when);
    ``sent``: by own number, when; ``rooms``: when a ROOM came.
    """

    port: int
    ticket: str
    session: bytes
    epoch: int = 0
    own: int = 0
    sent: dict[int, float] = field(default_factory=dict)
    answers: dict[int, tuple[int, int, float]] = field(default_factory=dict)
    batches: list[tuple[int, int, int, float]] = field(default_factory=list)
    rooms: list[tuple[int, float]] = field(default_factory=list)
    pictures: list[tuple[int, float]] = field(default_factory=list)
    waits: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    bytes_in: int = 0
    colours: set[tuple[int, int, int, int]] | None = None  # epoch, player, hue, shade: of every PLAYERS, if wanted
    cells: dict[int, tuple[int, int]] = field(default_factory=dict)  # by own number: epoch and cell
    closed: bool = False

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self._data = bytearray()
        self._open = False
        self._began = time.perf_counter()
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(_HANDSHAKE.format(port=self.port, key=key, protocol=wire.SUBPROTOCOL).encode())

    def connection_lost(self, error: Exception | None) -> None:
        self.closed = True

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        self.bytes_in += len(data)
        self._data += data
        if not self._open:
            end = self._data.find(b"\r\n\r\n")
            if end < 0:
                return
            del self._data[: end + 4]
            self._open = True
            self._send(wire.Hello(self.ticket, game=self.session).encode())
        while (frame := self._next()) is not None:
            self._hear(frame, now)

    def _next(self) -> bytes | None:
        data = self._data
        if len(data) < 2:
            return None
        length, at = data[1], 2
        if length == 126:
            if len(data) < 4:
                return None
            length, at = struct.unpack_from("!H", data, 2)[0], 4
        elif length == 127:
            if len(data) < 10:
                return None
            length, at = struct.unpack_from("!Q", data, 2)[0], 10
        if len(data) < at + length:
            return None
        kind, frame = data[0] & 15, bytes(data[at : at + length])
        del data[: at + length]
        if kind == 8:
            self.errors.append(f"closed {struct.unpack_from('!H', frame)[0] if len(frame) > 1 else 0}")
            return b"\x00"
        return frame

    def _hear(self, frame: bytes, now: float) -> None:
        kind = frame[0]
        if kind == _MOVES:
            epoch, at = uint_at(frame, 1)
            first, at = uint_at(frame, at)
            count, _at = uint_at(frame, at)
            self.batches.append((epoch, first, first + count - 1, now))
        elif kind == _ANSWER:
            _epoch, at = uint_at(frame, 1)
            own, at = uint_at(frame, at)
            stamp, _at = uint_at(frame, at + 1)
            self.answers.setdefault(own, (frame[at], stamp, now))
        elif kind == _PING:
            number, _at = uint_at(frame, 1)
            self._send(wire.Pong(number, int(now * 1000)).encode())
        elif kind == _ROOM:
            self.epoch = uint_at(frame, 1)[0]
            self.rooms.append((self.epoch, now))
            self._send_again()
        elif kind in (0xA4, 0xA5):
            self.pictures.append((len(frame), now - self._began))
        elif kind == _PLAYERS and self.colours is not None:
            told = wire.decode_server(frame)
            assert isinstance(told, wire.Players)
            self.colours.update((told.epoch, row.player, row.hue, row.shade) for row in told.players)
        elif kind == _WAIT:
            self.waits.append(wire.decode_server(frame).reason)  # type: ignore[union-attr]  # it is a Wait
        elif kind == _ERROR:
            self.errors.append(repr(wire.decode_server(frame)))

    def click(self, cell: int) -> None:
        """Open ``cell``."""
        self.own += 1
        self.sent[self.own] = time.perf_counter()
        self.cells[self.own] = self.epoch, cell
        self._send(wire.Open(self.own, cell, self.epoch).encode())

    def go_on(self, before: Player) -> None:
        """Take the place of a socket that was lost."""
        self.own, self.sent, self.cells, self.answers = before.own, before.sent, before.cells, before.answers
        self.colours, self.batches = before.colours, before.batches
        self._send_again()

    def _send_again(self) -> None:
        """Send what has no answer, as every client does after ROOM: answers may have been dropped with all else."""
        for own, (epoch, cell) in self.cells.items():
            if own not in self.answers:
                self._send(wire.Open(own, cell, epoch).encode())

    def _send(self, frame: bytes) -> None:
        length = len(frame)
        head = bytes((0x82, 0x80 | length)) if length < 126 else struct.pack("!BBH", 0x82, 0x80 | 126, length)
        self.transport.write(head + _MASK + frame)


async def enter(port: int, ticket: str, session: bytes) -> Player:
    """A player whose socket is connected; its picture comes by itself."""
    loop = asyncio.get_running_loop()
    _transport, player = await loop.create_connection(lambda: Player(port, ticket, session), "localhost", port)
    return player
