"""A raw line to the socket of single play: every byte that the site sends is kept."""

from __future__ import annotations

import itertools
import socket
import time
from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any, Final, Self, TypeVar

from websockets.client import ClientProtocol
from websockets.frames import OP_BINARY, Frame
from websockets.http11 import Response
from websockets.typing import Origin, Subprotocol
from websockets.uri import parse_uri

from analysis.recording import Kind
from replays.play import wire
from replays.play.sockets.tickets import issue
from replays.play.sockets.visitors import Visitor
from tests.e2e.site import Site

M = TypeVar("M", bound=wire.Message)

Heard = tuple[str, bytes]  # the kind of a message, and its frame
PX: Final = 16
NONCE: Final = bytes(range(16))
_SECONDS: Final = 30
#: Everything that two games on different boards may differ in before the boards part: names of the game, what commits
#: to the secret, and clocks.  All other bytes are compared as they came, with the heads of their frames.
MASKS: Final[dict[type[wire.Message], tuple[str, ...]]] = {
    wire.Game: ("game", "commit", "elapsed_ms"),
    wire.Ping: ("server_ms", "lag_ms"),
}
#: The same of the answer that opens the socket: the proof of the client's random key, and the date.
MASKED_HEADERS: Final = frozenset({"sec-websocket-accept", "date"})
#: Sent by the clock, in between all others; they are compared among themselves.
BY_THE_CLOCK: Final = (wire.Ping,)


class Line:
    """A player of one game, over TCP.

    ``heard``: the frames of the site, masked; ``pings``: those that come by the clock.  ``before_parting``: how many
    frames came before the boards parted; ``parted``: the answer at which they did.
    """

    def __init__(self, site: Site, visitor: Visitor, target: dict[str, Any]) -> None:
        self.site, self.visitor, self.target = site, visitor, target
        self.heard: list[Heard] = []
        self.pings: list[Heard] = []
        self.before_parting = 0
        self.parted: wire.Faces | None = None
        self.game = b""
        self._columns = 0
        self._seq = itertools.count(1)
        self._x = self._y = 0

    def __enter__(self) -> Self:
        self._dial()
        return self

    def __exit__(self, *_error: object) -> None:
        self._socket.close()

    # --- the connection ---

    def _dial(self) -> None:
        self._socket = socket.create_connection(("localhost", self.site.port), _SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._protocol = ClientProtocol(
            parse_uri(self.site.socket_url + "/ws/play/solo/"),
            origin=Origin(self.site.url), subprotocols=[Subprotocol(wire.SUBPROTOCOL)],
        )  # fmt: skip
        self._events: list[Any] = []
        self._raw = bytearray()
        self._protocol.send_request(self._protocol.connect())
        self._flush()
        answer = self._event()
        assert isinstance(answer, Response)
        kept = [(name, value) for name, value in answer.headers.raw_items() if name.lower() not in MASKED_HEADERS]
        self.heard.append(("handshake", repr((answer.status_code, kept)).encode()))
        self._raw.clear()
        self.say(wire.Hello(issue(self.visitor, "solo", self.target), game=self.game))

    def again(self) -> wire.Game:
        """Lose the connection and come back to the game."""
        self._socket.close()
        self._dial()
        return self.hear(wire.Game)

    def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            self._socket.sendall(data)

    def _event(self) -> Any:
        while not self._events:
            data = self._socket.recv(65_536)
            assert data, "the site closed the connection"
            self._raw += data
            self._protocol.receive_data(data)
            self._events += self._protocol.events_received()
        return self._events.pop(0)

    # --- messages ---

    def say(self, message: wire.Message) -> None:
        self._protocol.send_binary(message.encode())
        self._flush()

    def hear(self, kind: type[M]) -> M:
        """The next message of ``kind``; whatever comes before it is kept as well."""
        while True:
            message = self._heard(self._event())
            if isinstance(message, kind):
                return message

    def _heard(self, frame: Frame) -> wire.ServerMessage:
        assert frame.opcode == OP_BINARY, frame
        payload = bytes(frame.data)
        sent = Frame(OP_BINARY, payload).serialize(mask=False)
        assert self._raw.startswith(sent), "a frame that was not written as ours are"
        del self._raw[: len(sent)]
        message = wire.decode_server(payload)
        if type(message) in MASKS:
            sent = Frame(OP_BINARY, _masked(message).encode()).serialize(mask=False)
        (self.pings if isinstance(message, BY_THE_CLOCK) else self.heard).append((type(message).__name__, sent))
        if isinstance(message, wire.Ping):
            self.say(wire.Pong(message.id, time.monotonic_ns() // 1_000_000))
        return message

    # --- playing ---

    def begin(self, settings: int = 0) -> wire.Game:
        self.say(wire.New(PX, settings))
        game = self.hear(wire.Game)
        self.game, self._columns = game.game, game.columns
        self.say(wire.Start(NONCE))
        return game

    def click(self, cell: int, kinds: Iterable[Kind]) -> wire.Faces:
        """Move to the middle of ``cell`` and use buttons there; the answer to it."""
        row, column = divmod(cell, self._columns)
        x, y = column * PX + PX // 2, row * PX + PX // 2
        events = [wire.Event(1, Kind.MOVE, x - self._x, y - self._y)]
        events += [wire.Event(0, kind, 0, 0) for kind in kinds]
        self._x, self._y = x, y
        seq = next(self._seq)
        self.say(wire.Input(seq, tuple(events)))
        answer = self.hear(wire.Faces)
        assert answer.seq == seq
        return answer


def _masked(message: wire.ServerMessage) -> wire.ServerMessage:
    """``message`` with nothing in the fields of ``MASKS``."""
    names = MASKS[type(message)]
    values = {one.name: getattr(message, one.name) for one in fields(message) if one.name in names}
    empty: dict[str, Any] = {
        name: bytes(len(value)) if isinstance(value, bytes) else 0 for name, value in values.items()
    }
    return replace(message, **empty)
