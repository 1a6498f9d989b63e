"""The real site with a referee beside it, and clients with real sockets."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import redis
from django.conf import settings
from django.db import connections
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from replays.play import wire
from replays.play.models import Room
from replays.play.referee import bus
from replays.play.referee.loop import Referee
from replays.play.sockets.tickets import issue
from replays.play.sockets.visitors import Visitor, guest_of
from tests.e2e.site import Site, running_site
from tests.replays.play.referee.conftest import a_room as a_room
from tests.replays.play.referee.conftest import valkey as valkey

GUESTS = [guest_of(f"{number:016x}") for number in range(1, 9)]


class RunningReferee:
    """A referee in a thread of its own."""

    def __init__(self, client: redis.Redis) -> None:
        self.client = client
        self.referee: Referee | None = None

    def start(self) -> None:
        self.referee = Referee(self.client)
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._run, name="referee")
        self.thread.start()

    def _run(self) -> None:
        assert self.referee is not None
        try:
            self.referee.run(self.ended)
        finally:
            connections.close_all()

    def stop(self) -> None:
        if self.referee is not None:
            self.ended.set()
            self.thread.join(20)
            self.referee = None

    def kill(self) -> None:
        """End it as if its process had been killed and its lease run out: it says nothing and stores nothing."""
        assert self.referee is not None
        self.referee.end = lambda: None  # type: ignore[method-assign]
        self.stop()
        self.client.delete(bus.lease_key(0))


@pytest.fixture
def referee(transactional_db: None, valkey: redis.Redis) -> Iterator[RunningReferee]:
    client = redis.Redis.from_url(settings.PLAY_BUS_URL, socket_timeout=2)
    made = RunningReferee(client)
    made.start()
    yield made
    made.stop()
    client.close()


@pytest.fixture
def site(referee: RunningReferee) -> Iterator[Site]:
    with running_site() as made:
        yield made


@dataclass
class Client:
    """A player: keeps every message by its type."""

    socket: ClientConnection
    visitor: Visitor
    own: int = 0
    epoch: int = 0
    seen: list[wire.ServerMessage] = field(default_factory=list)

    def click(self, cell: int, kind: type[Any] = wire.Open) -> int:
        """Send a move; returns its own number."""
        self.own += 1
        self.socket.send(kind(self.own, cell, self.epoch).encode())
        return self.own

    def wait(self, kind: type[Any], seconds: float = 20) -> Any:
        """The next message of ``kind``."""
        while True:
            data = self.socket.recv(timeout=seconds)
            assert isinstance(data, bytes)
            message = wire.decode_server(data)
            if isinstance(message, wire.Ping):
                self.socket.send(wire.Pong(message.id, 1).encode())
                continue
            self.seen.append(message)
            if isinstance(message, wire.Room):
                self.epoch = message.epoch
            if isinstance(message, kind):
                return message

    def answer(self, own: int) -> wire.Answer:
        """The answer to the move ``own``."""
        while True:
            found: wire.Answer = self.wait(wire.Answer)
            if found.own == own:
                return found


Enter = Callable[..., Client]


@pytest.fixture
def enter(site: Site) -> Iterator[Enter]:
    """``enter(room, visitor)``: a client that has its picture."""
    opened: list[ClientConnection] = []

    def go(room: Room, visitor: Visitor = GUESTS[0], *, session: bytes = b"", play: bool = True) -> Client:
        socket = connect(
            site.socket_url + "/ws/play/room/", origin=Origin(site.url),
            subprotocols=[Subprotocol(wire.SUBPROTOCOL)], compression=None,
        )  # fmt: skip
        opened.append(socket)
        ticket = issue(visitor, "room", {"room": room.pk, "play": play})
        socket.send(wire.Hello(ticket, game=session).encode())
        client = Client(socket, visitor)
        client.wait(wire.Players)
        return client

    yield go
    for socket in opened:
        socket.close()
