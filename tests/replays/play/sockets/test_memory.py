"""Tests of what is left of sockets that are gone."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any

from asgiref.testing import ApplicationCommunicator

from replays.play import wire
from replays.play.sockets.connection import Connection
from replays.play.sockets.tickets import Ticket, issue
from replays.play.sockets.visitors import guest_of


def test_a_socket_that_is_gone_does_not_wait_for_the_garbage_collector() -> None:
    """Web processes look for cycles rarely; at a socket a second they grew by 30 KiB for each."""
    opened: list[weakref.ref[Connection]] = []

    class Weak(Connection):
        purpose = "room"

        async def opened(self, ticket: Ticket, hello: wire.Hello) -> None:
            opened.append(weakref.ref(self))

    async def come_and_go(number: int) -> None:
        make: Any = ApplicationCommunicator  # it has no types
        scope = {
            "type": "websocket", "path": "/", "subprotocols": [wire.SUBPROTOCOL], "headers": [], "client": ("::1", 1),
        }  # fmt: skip
        socket = make(Weak.as_asgi(), scope)
        await socket.send_input({"type": "websocket.connect"})
        assert (await socket.receive_output(10))["type"] == "websocket.accept"
        hello = wire.Hello(issue(guest_of(f"{number:016x}"), "room", {})).encode()
        await socket.send_input({"type": "websocket.receive", "bytes": hello})
        assert (await socket.receive_output(10))["type"] == "websocket.send"  # a ping
        await socket.send_input({"type": "websocket.disconnect", "code": 1001})
        await socket.wait(10)

    async def play() -> list[bool]:
        gc.disable()
        try:
            for number in range(5):
                await come_and_go(number)
            await asyncio.sleep(0)
            return [one() is None for one in opened]
        finally:
            gc.enable()

    assert asyncio.run(play()) == [True] * 5
