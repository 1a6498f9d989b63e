"""Sockets of the real site, and everything that a client may do wrong."""

from __future__ import annotations

from replays.play import wire
from tests.replays.play.sockets.conftest import Dial, hello, receive


def test_hello_click_answer(dial: Dial) -> None:
    socket = dial()
    assert socket.subprotocol == wire.SUBPROTOCOL
    hello(socket)
    assert receive(socket, wire.Wait).reason == "hello Guest 6895 0"
    socket.send(wire.Open(1, 77).encode())
    assert receive(socket, wire.Answer) == wire.Answer(0, 1, 1, 77)
