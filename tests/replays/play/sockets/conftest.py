"""The real site with a consumer that answers, and clients that say whatever they like."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.urls import path
from pytest_django import Settings
from websockets.sync.client import ClientConnection, connect

from players.models import User
from replays.play import wire
from replays.play.sockets import tickets
from replays.play.sockets.connection import Connection, refuse
from replays.play.sockets.tickets import Ticket, issue
from replays.play.sockets.visitors import Visitor, guest_of
from tests.e2e.site import Site, running_site

GUEST = guest_of("0123456789abcdef")
Dial = Callable[..., ClientConnection]


class Echo(Connection):
    """Repeats what a player clicked, and fails when asked to."""

    purpose = "room"
    closed_ones: list[str] = []

    async def opened(self, ticket: Ticket, hello: wire.Hello) -> None:
        if ticket.target.get("room") == "forbidden":
            refuse(4403, "forbidden", "Not you.")
        await self.send(wire.Wait(f"hello {ticket.visitor.name} {hello.epoch}"))

    async def received(self, message: wire.ClientMessage) -> None:
        if isinstance(message, wire.Open):
            allowed = self.may_click()
            await self.send(wire.Answer(0, message.own, 1 if allowed else 7, message.cell))
        elif isinstance(message, wire.Cursor):  # so many frames of so many bytes
            frame = wire.Snapshot(0, 0, bytes(message.y), b"").encode()
            for _ in range(message.x):
                self.send_now(frame)
        elif isinstance(message, wire.Leave):
            raise ZeroDivisionError("a fault of ours")

    async def resync(self) -> None:
        await self.send(wire.Wait("picture"))

    async def closed(self) -> None:
        self.closed_ones.append(self.ticket.visitor.name)


@pytest.fixture
def echo_routes(monkeypatch: pytest.MonkeyPatch) -> None:
    """``Echo`` at ``/ws/play/room/`` and nothing else."""
    echo: Any = Echo.as_asgi()
    monkeypatch.setattr("replays.play.routing.websocket_urlpatterns", [path("ws/play/room/", echo)])
    monkeypatch.setitem(tickets.TARGETS, "room", lambda values, visitor: dict(values))
    monkeypatch.setattr(Echo, "closed_ones", [])


@pytest.fixture
def echo_site(settings: Settings, transactional_db: None, echo_routes: None) -> Iterator[Site]:
    """The site with the routes of ``echo_routes``, and an account."""
    User.objects.create(pk=7, username="owner")
    with running_site() as site:
        yield site


@pytest.fixture
def dial(echo_site: Site) -> Iterator[Dial]:
    """``dial()``: a socket without a hello; ``dial(path, origin=…, subprotocols=…)``."""
    opened: list[ClientConnection] = []

    def go(where: str = "/ws/play/room/", **options: Any) -> ClientConnection:
        given = {"origin": echo_site.url, "subprotocols": [wire.SUBPROTOCOL], "compression": None} | options
        socket = connect(echo_site.socket_url + where, **given)
        opened.append(socket)
        return socket

    yield go
    for socket in opened:
        socket.close()


def hello(socket: ClientConnection, visitor: Visitor = GUEST, **target: Any) -> None:
    """Say hello with a fresh ticket."""
    socket.send(wire.Hello(issue(visitor, "room", target)).encode())


def receive(socket: ClientConnection, kind: type[wire.Message], seconds: float = 20) -> Any:
    """The next message of ``kind``; others are passed over, pings without an answer."""
    while True:
        data = socket.recv(timeout=seconds)
        assert isinstance(data, bytes)
        message = wire.decode_server(data)
        if isinstance(message, kind):
            return message
