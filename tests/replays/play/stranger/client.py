"""A player of single games and one of rooms."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import time
import urllib.parse
import urllib.request
import uuid
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http.cookiejar import CookieJar
from typing import Any, ClassVar, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

from tests.replays.play.stranger import wire
from tests.replays.play.stranger.board import (
    CLOSED,
    FLAG,
    MINE,
    around,
    bits,
    commitment,
    deduce,
    lay,
    placed,
    unpack,
)
from tests.replays.play.stranger.wire import Answer, Closed, Error, Event, Faces, Game, Message, Over, Ping

LEFT, LEFT_UP, RIGHT, RIGHT_UP, MIDDLE, MIDDLE_UP = 2, 3, 4, 5, 6, 7
WON, LOST, GIVEN_UP = 1, 2, 3


M = TypeVar("M", bound=Message)
Hear = Callable[[Message], Awaitable[None]]


class Site:
    """A visitor of the site: a guest with a cookie, or an account with an API token."""

    def __init__(self, base: str, token: str = "") -> None:
        """Keep cookies from one ticket to the next."""
        self.base, self.token = base.rstrip("/"), token
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def ticket(self, **wanted: str | int) -> dict[str, Any]:
        """Ask for a ticket."""
        return self.post("/api/v1/play/tickets/", wanted)

    def make_room(self, **wanted: str | int | bool) -> str:
        """Make a room, and return its name in URLs."""
        return str(self.post("/api/v1/play/rooms/", wanted)["slug"])

    def ended(self, game: bytes) -> dict[str, Any]:
        """Ask what became of a game."""
        return self.load(f"{self.base}/api/v1/play/games/{uuid.UUID(bytes=game)}/")

    def laying(self, room: wire.Room) -> set[int]:
        """Ask where the mines of an open room are."""
        names = ("rows", "columns", "area", "area_mines", "modulus")
        query = {name: getattr(room, name) for name in names} | {"start_number": room.start, "steps": 0}
        board = self.load(f"{self.base}/api/v1/play/laying/?{urllib.parse.urlencode(query)}")["board"]
        return {cell for cell, sign in enumerate("".join(board)) if sign == "*"}

    def post(self, path: str, wanted: dict[str, Any]) -> dict[str, Any]:
        """Send JSON; a refusal is urllib's HTTPError."""
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        return self.load(urllib.request.Request(self.base + path, json.dumps(wanted).encode(), headers))  # noqa: S310

    def load(self, request: urllib.request.Request | str) -> dict[str, Any]:
        """Return an answer in JSON."""
        with self.opener.open(request, timeout=10) as answer:
            return dict(json.load(answer))


class Line:
    """A socket: answers pings, tells `hear` each message and keeps it for `expect`."""

    lines: ClassVar[list[Line]] = []

    def __init__(self, socket: ClientConnection, hear: Hear) -> None:
        """Begin to read."""
        self.socket, self.hear = socket, hear
        self.inbox: asyncio.Queue[Message] = asyncio.Queue()
        self.reader = asyncio.create_task(self.read())
        self.lines.append(self)

    @classmethod
    async def open(cls, site: Site, path: str, hear: Hear, origin: str = "") -> Line:
        """Connect; the site's own pings make those of the library needless."""
        return cls(
            await connect(
                "ws" + site.base.removeprefix("http") + path,
                origin=Origin(origin or site.base),
                subprotocols=[Subprotocol("sweepbook.play.1")],
                max_size=4 << 20,
                ping_interval=None,
                open_timeout=10,
                close_timeout=2,
            ),
            hear,
        )

    async def read(self) -> None:
        """Read until the socket is closed, and tell so even if a message cannot be read."""
        try:
            async for data in self.socket:
                message = wire.decode(data if isinstance(data, bytes) else data.encode())
                if isinstance(message, Ping):
                    # What came before a close is still to be read when nothing can be sent any more.
                    with suppress(ConnectionClosed):
                        await self.send(wire.Pong(message.id, int(time.monotonic() * 1000)))
                if message is not None:
                    await self.hear(message)
                    self.inbox.put_nowait(message)
        except ConnectionClosed:
            pass
        except Exception as error:
            self.inbox.put_nowait(Closed(1002, repr(error)))
            raise
        self.inbox.put_nowait(Closed(self.socket.close_code or 1006, self.socket.close_reason or ""))

    @classmethod
    async def close_all(cls) -> None:
        """Close all sockets that were opened, and raise what went wrong in their readers."""
        lines, cls.lines = cls.lines, []
        await asyncio.gather(*(line.close() for line in lines))

    def drop(self) -> None:
        """Lose the connection, without a word."""
        self.socket.transport.abort()

    async def close(self) -> None:
        """Close the socket."""
        await self.socket.close()
        await self.reader

    async def send(self, message: Message) -> None:
        """Send a message."""
        await self.socket.send(wire.encode(message))

    async def expect(self, *kinds: type[M], within: float = 10) -> M:
        """Return the next message of these kinds; others are passed over."""
        async with asyncio.timeout(within):
            while not isinstance(message := await self.inbox.get(), kinds):
                if isinstance(message, Closed):
                    self.inbox.put_nowait(message)
                    raise ConnectionError(f"closed with {message.code} {message.reason}")
        return message


class Refused(Exception):
    """An `Error` of the site that leaves the socket open."""


class Solo:
    """A player of single games, with one socket at a time."""

    def __init__(self, site: Site, **shape: str | int) -> None:
        """Keep the shape, to ask for tickets with."""
        self.site, self.shape = site, shape
        self.game: Game | None = None
        self.over: Over | None = None

    async def connect(self, game: bytes = b"") -> None:
        """Open a socket and say `Hello`."""
        ticket = await asyncio.to_thread(self.site.ticket, purpose="solo", **self.shape)
        self.line = await Line.open(self.site, ticket["socket"], self.hear)
        await self.line.send(wire.Hello(ticket["ticket"], 0, 0, game))

    async def hear(self, message: Message) -> None:
        """Follow the game."""
        if isinstance(message, Game):
            if self.game is None or self.game.game != message.game:
                self.begun, self.told_ms, self.at, self.nonce = time.monotonic(), 0, (0, 0), secrets.token_bytes(16)
                self.log: list[wire.Input] = []
                self.first, self.played, self.over = -1, 0, None
            self.game = message
            self.last_seq = message.last_seq
            self.faces = list(unpack(message.shown)) if message.shown else [CLOSED] * (message.rows * message.columns)
        elif isinstance(message, Faces):
            self.played = message.seq
            for cell, face in placed(message.faces):
                self.faces[cell] = face
        elif isinstance(message, Over):
            self.over = message

    async def begin(self, cell_px: int = 16, settings: int = 0) -> Game:
        """Start a new game."""
        code = ""
        for _ in range(6):
            await self.line.send(wire.New(cell_px, settings, '{"browser":"stranger"}'))
            answer = await self.line.expect(Game, Error)
            if isinstance(answer, Game):
                self.cell_px = cell_px
                await self.line.send(wire.Start(self.nonce))
                return answer
            if isinstance(answer, Error):
                code = answer.code
            await asyncio.sleep(1)
        raise Refused(code)

    async def resume(self) -> None:
        """Go on with the game on a new socket, and send what the site has not got."""
        assert self.game
        await self.connect(self.game.game)
        if isinstance(answer := await self.line.expect(Game, Error), Error):
            raise Refused(answer.code)
        if self.last_seq == 0:
            await self.line.send(wire.Start(self.nonce))
        self.played = self.last_seq
        for message in self.log[self.last_seq :]:
            await self.line.send(message)

    def input(self, cell: int, *kinds: int, ahead_ms: int = 0) -> wire.Input:
        """Return the next `Input`, all of it at the middle of a cell, and keep it in case it gets lost."""
        assert self.game
        row, column = divmod(cell, self.game.columns)
        point = column * self.cell_px + self.cell_px // 2, row * self.cell_px + self.cell_px // 2
        events = []
        for kind in kinds:
            now = int((time.monotonic() - self.begun) * 1000) + ahead_ms
            events.append(Event(now - self.told_ms, kind, point[0] - self.at[0], point[1] - self.at[1]))
            self.told_ms, self.at = now, point
        self.log.append(wire.Input(len(self.log) + 1, tuple(events)))
        return self.log[-1]

    async def settle(self) -> None:
        """Wait until the last `Input` has been played, and for `Over` if that has decided the game."""
        assert self.game
        while self.over is None and self.played < len(self.log):
            await self.line.expect(Faces, Over, within=30)
        decided = MINE in self.faces or sum(face > MINE for face in self.faces) == self.game.mines
        while decided and self.over is None:
            await self.line.expect(Over)

    async def act(self, cell: int, *kinds: int) -> None:
        """Press and release, and wait for what it does."""
        await self.line.send(self.input(cell, *kinds))
        await self.settle()
        # More than 60 presses and releases within a second end the game.
        await asyncio.sleep(0.04)

    async def click(self, cell: int) -> None:
        """Open a cell."""
        if self.first < 0 and self.faces[cell] != FLAG:
            self.first = cell
        await self.act(cell, LEFT, LEFT_UP)

    async def play(self) -> Over:
        """Open what is certainly safe, else a random cell, until the game is over."""
        assert self.game
        while self.over is None:
            safe, mines = deduce(self.faces, self.game.rows, self.game.columns)
            closed = [cell for cell, face in enumerate(self.faces) if face > MINE and cell not in mines]
            cell = min(safe) if safe else random.choice(closed)
            if self.faces[cell] == FLAG:
                await self.act(cell, RIGHT, RIGHT_UP)
            await self.click(cell)
        return self.over

    def honest(self) -> bool:
        """Tell whether the site kept its commitment and the board is the one that was drawn."""
        assert self.game
        assert self.over
        return (
            commitment(self.game.game, self.over.secret) == self.game.commit
            and self.over.nonce == self.nonce
            and lay(self.game, self.over, self.first) == bits(self.over.mines)
        )


class InRoom:
    """A player of a room."""

    def __init__(self, site: Site, slug: str) -> None:
        """Begin without a picture."""
        self.site, self.slug, self.page = site, slug, secrets.token_bytes(16)
        self.epoch = self.newest = self.own = self.you = 0
        self.whole = False
        self.early: list[wire.Moves] = []
        self.waiting: dict[int, wire.Open | wire.Flag | wire.Chord] = {}
        self.owners: dict[int, int] = {}
        self.players: dict[int, wire.PlayerRow] = {}

    async def join(self) -> None:
        """Open a socket and wait for the picture."""
        ticket = await asyncio.to_thread(self.site.ticket, purpose="room", room=self.slug)
        self.line = await Line.open(self.site, ticket["socket"], self.hear)
        await self.line.send(wire.Hello(ticket["ticket"], self.epoch, self.newest, self.page))
        await self.line.expect(wire.Players)

    async def hear(self, message: Message) -> None:
        """Follow the board."""
        if isinstance(message, wire.Room):
            self.waiting = {own: move for own, move in self.waiting.items() if move.epoch == message.epoch}
            self.room, self.epoch, self.you, self.whole, self.early = message, message.epoch, message.you, False, []
            self.newest, self.owners, self.players = 0, {}, {}
            self.faces = [CLOSED] * (message.rows * message.columns)
            self.mines = set() if message.sealed else await asyncio.to_thread(self.site.laying, message)
            for move in self.waiting.values():
                await self.line.send(move)
        elif not isinstance(message, Answer) and getattr(message, "epoch", self.epoch) != self.epoch:
            return
        elif isinstance(message, wire.Snapshot | wire.History):
            if isinstance(message, wire.Snapshot):
                self.faces = list(unpack(message.shown))
            else:
                for old in message.moves:
                    self.apply(wire.Move(old.player, old.kind, old.cell, ()))
            self.newest, self.whole = message.number, True
            for moves in self.early:
                await self.follow(moves)
        elif isinstance(message, wire.Moves):
            if self.whole:
                await self.follow(message)
            else:
                self.early.append(message)
        elif isinstance(message, wire.Players):
            self.players |= {row.player: row for row in message.players}
        elif isinstance(message, Answer):
            self.waiting.pop(message.own, None)
            self.you = self.owners.get(message.stamp, self.you)

    async def follow(self, message: wire.Moves) -> None:
        """Play moves that are new; a gap calls for a fresh picture."""
        if message.first > self.newest + 1:
            self.whole = False
            await self.line.send(wire.Resync())
            return
        for move in message.moves[self.newest + 1 - message.first :]:
            self.newest += 1
            self.owners[self.newest] = move.player
            self.apply(move)

    def apply(self, move: wire.Move) -> None:
        """Play a move: a sealed room tells what it opens, else the mines are known."""
        if self.room.sealed:
            for cell, face in placed(move.opened, move.cell):
                self.faces[cell] = face
            return
        todo = [move.cell]
        while todo:
            if self.faces[cell := todo.pop()] == CLOSED:
                near = around(cell, self.room.rows, self.room.columns)
                self.faces[cell] = MINE if cell in self.mines else self.count(cell)
                if self.faces[cell] == 0:
                    todo += near
                elif cell == move.cell and cell not in self.mines:
                    todo += [n for n in near if n not in self.mines and self.count(n) == 0]

    def count(self, cell: int) -> int:
        """Count the mines around a cell of an open room."""
        return len(self.mines.intersection(around(cell, self.room.rows, self.room.columns)))

    async def act(self, kind: type[wire.Open] | type[wire.Flag] | type[wire.Chord], cell: int) -> Answer:
        """Click at a cell and return the answer."""
        self.own += 1
        move = self.waiting[self.own] = kind(self.own, cell, self.epoch)
        await self.line.send(move)
        while (answer := await self.line.expect(Answer)).own != move.own:
            pass
        return answer
