"""A player at the socket of single play, without a network: what a browser sends, and what it is told."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Self, TypeVar

from asgiref.testing import ApplicationCommunicator

from analysis.recording import Board, Kind
from config.http.protocols import Arrival, ServerEnd
from replays.play import wire
from replays.play.sockets.connection import Connection
from replays.play.sockets.tickets import issue
from replays.play.sockets.visitors import Visitor
from replays.play.solo.playing.registry import registry_of_loop
from replays.play.solo.solo_consumer import SoloConsumer

T = TypeVar("T")
PX = 16
_TEST_SECONDS = 40  # a test that hangs fails
NONCE = bytes(range(16))
EXPERT = {"level": "expert", "rules": "xp"}
Row = tuple[int, int, int, int]  # time_ms, x, y, kind


def run(work: Callable[[], Awaitable[T]]) -> T:
    """``work()`` in a loop of its own; games that have ended are stored when it returns."""

    async def whole() -> T:
        try:
            return await work()
        finally:
            await registry_of_loop().settle()

    return asyncio.run(asyncio.wait_for(whole(), _TEST_SECONDS))


class SoloSocket:
    """A socket with its hello said; ``arrival``: what a kernel tells of its messages."""

    consumer: type[Connection] = SoloConsumer

    def __init__(
        self, visitor: Visitor, target: dict[str, Any] = EXPERT, game: bytes = b"", arrival: Arrival | None = None
    ) -> None:
        self.visitor, self.target, self._hello_game = visitor, target, game
        self.server_end = ServerEnd()
        scope = {
            "type": "websocket", "path": "/ws/play/solo/", "subprotocols": [wire.SUBPROTOCOL], "headers": [],
            "client": ("127.0.0.1", 1), "extensions": {"server_end": self.server_end} | ({"arrival": arrival} if arrival else {}),
        }  # fmt: skip
        make: Any = ApplicationCommunicator  # it has no types
        self.socket: Any = make(self.consumer.as_asgi(), scope)
        self.heard: list[wire.ServerMessage] = []

    async def __aenter__(self) -> Self:
        await self.socket.send_input({"type": "websocket.connect"})
        assert (await self.socket.receive_output(5))["type"] == "websocket.accept"
        ticket = issue(self.visitor, "solo", self.target)
        await self.say(wire.Hello(ticket, game=self._hello_game))
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.socket.send_input({"type": "websocket.disconnect", "code": 1001})
        await self.socket.wait(5)

    async def say(self, message: wire.Message) -> None:
        await self.socket.send_input({"type": "websocket.receive", "bytes": message.encode()})

    async def hear(self, timeout: float = 5.0) -> wire.ServerMessage:
        """The next message that is no ping."""
        while True:
            event = await self.socket.receive_output(timeout)
            if event["type"] == "websocket.close":
                raise ConnectionError(event["code"])
            message = wire.decode_server(event["bytes"])
            if isinstance(message, wire.Ping):
                await self.say(wire.Pong(message.id, time.monotonic_ns() // 1_000_000))
                continue
            self.heard.append(message)
            return message

    async def close_code(self) -> int:
        """The code with which the server closes the socket."""
        while True:
            try:
                await self.hear()
            except ConnectionError as error:
                return int(error.args[0])


class SoloPlayer(SoloSocket):
    """A player of single games.  ``shown``: the faces of the cells; ``began``: when the clock of its events began."""

    def __init__(
        self, visitor: Visitor, target: dict[str, Any] = EXPERT, game: bytes = b"", arrival: Arrival | None = None
    ) -> None:
        super().__init__(visitor, target, game, arrival)
        self.game: wire.Game | None = None
        self.shown: dict[int, int] = {}
        self._reset()

    def _reset(self) -> None:
        self.seq = itertools.count(1)
        self._last = (0, 0, 0)
        self.began = time.monotonic()

    async def hear(self, timeout: float = 5.0) -> wire.ServerMessage:
        """The next message that is no ping; what it shows is remembered."""
        message = await super().hear(timeout)
        if isinstance(message, wire.Faces):
            self.shown.update(message.faces)
        return message

    async def wait_for(self, kind: type[T], timeout: float = 10.0) -> T:
        """The next message of a kind; others are kept in ``heard``."""
        while True:
            message = await self.hear(timeout)
            if isinstance(message, kind):
                return message
            assert not (kind is wire.Faces and isinstance(message, wire.Over)), message

    async def begin(self, settings: int = 0, nonce: bytes = NONCE, device: str = "") -> wire.Game:
        """A fresh game, to which the nonce has been sent."""
        self._reset()
        await self.say(wire.New(PX, settings, device))
        self.game = await self.wait_for(wire.Game)
        self.began = time.monotonic()
        self.shown = {}
        await self.say(wire.Start(nonce))
        return self.game

    @property
    def now_ms(self) -> int:
        """The honest clock of the events."""
        return int((time.monotonic() - self.began) * 1000)

    async def send(self, rows: Iterable[Row]) -> int:
        """Send events; returns the number of the message."""
        events, (at, x, y) = [], self._last
        for time_ms, to_x, to_y, kind in rows:
            events.append(wire.Event(time_ms - at, kind, to_x - x, to_y - y))
            at, x, y = time_ms, to_x, to_y
        self._last = at, x, y
        seq = next(self.seq)
        await self.say(wire.Input(seq, tuple(events)))
        return seq

    async def click(self, cell: int, columns: int = 30, *, at_ms: int | None = None) -> int:
        """A left click in the middle of a cell, now or at a time."""
        return await self.send(click_rows(cell, columns, self.now_ms if at_ms is None else at_ms))

    async def flag(self, cell: int, columns: int = 30) -> int:
        """A right click in the middle of a cell, now; it ends no game."""
        rows = click_rows(cell, columns, self.now_ms)[1:]
        kinds = (Kind.RIGHT_PRESS, Kind.RIGHT_RELEASE)
        return await self.send((at, x, y, kind) for (at, x, y, _left), kind in zip(rows, kinds, strict=True))

    async def win(self, board: Board, *, first: int = 0, pause_ms: int = 0) -> None:
        """Open all safe cells of ``board``, ``first`` before the others."""
        columns = board.columns
        safe = [cell for cell, mine in enumerate(board.mines.ravel().tolist()) if not mine]
        for cell in [first, *safe]:
            if self.shown.get(cell, 10) == 10:
                if pause_ms:
                    await asyncio.sleep(pause_ms / 1000)
                await self.click(cell, columns)
                if isinstance(await self.wait_for(wire.Faces), wire.Faces) and self._is_done(safe):
                    return

    def _is_done(self, safe: Sequence[int]) -> bool:
        return all(self.shown.get(cell, 10) < 9 for cell in safe)


def click_rows(cell: int, columns: int, at_ms: int) -> list[Row]:
    """Move, press and release of a left click."""
    row, column = divmod(cell, columns)
    x, y = column * PX + PX // 2, row * PX + PX // 2
    return [(at_ms, x, y, kind) for kind in (Kind.MOVE, Kind.LEFT_PRESS, Kind.LEFT_RELEASE)]
