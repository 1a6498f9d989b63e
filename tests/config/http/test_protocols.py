"""The end of the web server: no request is lost, and everybody is told, also beside one who reads nothing."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from typing import Any

import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.sync.client import connect

from config.http import protocols
from config.http.protocols import EVENTS_PATH, Arrival, RequestProtocol, SocketProtocol
from tests.services import wait_until

STALL_S = 0.3
#: More than a socket of this machine takes up for somebody who reads nothing.
MUCH = bytes(64 * 1024 * 1024)


_HANDSHAKE = b"""GET /much HTTP/1.1\r
Host: localhost\r
Connection: Upgrade\r
Upgrade: websocket\r
Sec-WebSocket-Version: 13\r
Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r
\r
"""
#: 1000, under a mask of zeros.
_CLOSING_FRAME = bytes([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE8])


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answers requests; sends at ``/much`` more than fits on the way, and reads on meanwhile, as sockets of live play do."""
    if scope["type"] == "http" and scope["path"] == EVENTS_PATH:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"id: 1\n\n", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass
        return
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})
        return
    await receive()
    await send({"type": "websocket.accept"})
    if scope["path"] == "/outlasts":
        scope["extensions"]["server_end"].outlasts = lambda _seconds: True
    if scope["path"] == "/arrivals":
        await tell_arrivals(scope["extensions"]["arrival"], receive, send)
        return
    sending = asyncio.create_task(send({"type": "websocket.send", "bytes": MUCH if scope["path"] == "/much" else b"x"}))
    while (await receive())["type"] != "websocket.disconnect":
        pass
    sending.cancel()


async def tell_arrivals(arrival: Arrival, receive: Any, send: Any) -> None:
    """Tell of each message when it came; the server is busy for a while after each."""
    while (await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": str(arrival.ns)})
        time.sleep(STALL_S)


class Running:
    """A server in a thread, with what its thread ended with."""

    def __init__(self) -> None:
        config = uvicorn.Config(
            application, port=0, http=RequestProtocol, ws=SocketProtocol, ws_ping_interval=0, lifespan="off", log_level="critical",
            timeout_graceful_shutdown=60, timeout_keep_alive=60, loop="uvloop",
        )  # fmt: skip
        self.server = uvicorn.Server(config)
        self.failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        wait_until(lambda: self.server.started, seconds=30, what="the server")
        self.port = self.server.servers[0].sockets[0].getsockname()[1]

    def stop(self) -> None:
        self.server.should_exit = True
        self._thread.join(30)

    @property
    def listens(self) -> bool:
        return any(server.sockets for server in self.server.servers)

    @property
    def ended(self) -> bool:
        return not self._thread.is_alive()

    @property
    def waiting_bytes(self) -> int:
        """Number of bytes that are left to send."""
        return sum(one.get_write_buffer_size() for one in self._transports)

    @property
    def closing(self) -> int:
        """Number of sockets that are closing."""
        return sum(one.is_closing() for one in self._transports)

    @property
    def _transports(self) -> list[asyncio.Transport]:
        return [one.transport for one in list(self.server.server_state.connections) if one.transport is not None]

    def _run(self) -> None:
        try:
            self.server.run()
        except Exception as error:  # kept for the test
            self.failure = error


@pytest.fixture
def running() -> Iterator[Running]:
    site = Running()
    yield site
    site.stop()


def test_events_do_not_hold_the_end_up(running: Running) -> None:
    """The server would wait a minute for them; their program connects to the next one."""
    with closing(HTTPConnection("127.0.0.1", running.port, timeout=30)) as listener:
        listener.request("GET", EVENTS_PATH)
        answer = listener.getresponse()
        assert answer.readline() == b"id: 1\n"
        running.server.should_exit = True
        wait_until(lambda: running.ended, seconds=30, what="the end")
    assert running.failure is None


def test_the_end_is_told_to_everybody_else(running: Running) -> None:
    with closing(socket.socket()) as silent, connect(f"ws://127.0.0.1:{running.port}/") as other:
        assert other.recv() == b"x"
        silent.connect(("127.0.0.1", running.port))
        silent.sendall(_HANDSHAKE)
        wait_until(lambda: running.waiting_bytes, seconds=30, what="bytes that nobody reads")
        silent.sendall(_CLOSING_FRAME)
        wait_until(lambda: running.closing == 1, seconds=30, what="a socket that is closing")
        running.server.should_exit = True
        with pytest.raises(ConnectionClosed) as closed:
            other.recv(timeout=30)
    running.stop()
    assert running.failure is None
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == CloseCode.SERVICE_RESTART


def test_a_socket_that_the_application_keeps_outlasts_the_server(running: Running) -> None:
    """The others are told to connect again; the server ends with the last of those that stayed."""
    address = f"ws://127.0.0.1:{running.port}/"
    with connect(f"{address}outlasts") as kept, connect(address) as other:
        assert kept.recv() == other.recv() == b"x"
        running.server.should_exit = True
        with pytest.raises(ConnectionClosed):
            other.recv(timeout=30)
        kept.ping().wait(30)
        assert len(running.server.server_state.connections) == 1
    running.stop()
    assert running.ended
    assert running.failure is None


@pytest.mark.parametrize("before", [0, 1])
def test_a_request_on_its_way_is_answered_while_the_server_ends(running: Running, before: int) -> None:
    """On a new connection, and on one that has been used."""
    with closing(HTTPConnection("127.0.0.1", running.port, timeout=30)) as visitor:
        visitor.connect()
        for _ in range(before):
            visitor.request("GET", "/")
            visitor.getresponse().read()
        wait_until(lambda: len(running.server.server_state.connections) == 1, seconds=30, what="a connection")
        running.server.should_exit = True
        wait_until(lambda: not running.listens, seconds=30, what="the end")
        visitor.request("GET", "/")
        answer = visitor.getresponse()
        assert (answer.status, answer.read()) == (200, b"ok")
        assert visitor.sock.recv(1) == b"", "it is not kept for more requests"
    running.stop()
    assert running.failure is None


@pytest.mark.parametrize(
    ("sent", "answer"),
    [(b"", b""), (b"GET / HT", b""), (_HANDSHAKE, b""), (b"\x16\x03\x01\r\n\r\n", b"HTTP/1.1 400")],
    ids=["nothing", "half", "socket", "no-http"],
)
def test_nothing_else_holds_up_the_end(
    running: Running, sent: bytes, answer: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """A connection that asks nothing or half of something, a socket that comes too late, and what is no request."""
    with closing(socket.create_connection(("127.0.0.1", running.port))) as visitor:
        wait_until(lambda: len(running.server.server_state.connections) == 1, seconds=30, what="a connection")
        running.server.should_exit = True
        wait_until(lambda: not running.listens, seconds=30, what="the end")
        visitor.sendall(sent)
        running.stop()
        visitor.settimeout(30)
        assert visitor.recv(len(answer) or 1) == answer
    assert running.ended
    assert running.failure is None
    assert [record.getMessage() for record in caplog.records if record.name == "asyncio"] == []


def test_the_arrival_of_a_message_is_that_at_the_kernel(running: Running) -> None:
    """However late the server reads it, and never before it was sent."""
    with connect(f"ws://127.0.0.1:{running.port}/arrivals") as client:
        for _ in range(3):
            client.send(b"x")
            client.recv()  # and then the server is busy
            time.sleep(0.05)
            sent_ns = time.monotonic_ns()
            client.send(b"y")
            arrived_ns = int(client.recv())
            assert time.monotonic_ns() - sent_ns > 150_000_000
            assert sent_ns <= arrived_ns <= sent_ns + 100_000_000
            time.sleep(STALL_S)


# --- slow senders -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"])
def test_a_head_that_never_ends_is_closed(running: Running, monkeypatch: pytest.MonkeyPatch, first: bytes) -> None:
    """A byte now and then, as the first request or a later one: nothing else would close it without a proxy."""
    monkeypatch.setattr(protocols, "HEAD_SECONDS", 0.5)
    with socket.create_connection(("127.0.0.1", running.port), timeout=20) as sock:
        if first:
            sock.sendall(first)
            assert sock.recv(4096).startswith(b"HTTP/1.1 200")
        sock.settimeout(0.05)
        until = time.monotonic() + 20
        sock.sendall(b"GET /slow HTTP/1.1\r\nX-Slow: ")
        while time.monotonic() < until and not is_closed(sock):
            pass
        assert time.monotonic() < until, "it is open for as long as it likes"


def is_closed(sock: socket.socket) -> bool:
    """Send one more byte of the head, and look for the end."""
    try:
        sock.sendall(b"x")
        return sock.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


def test_a_request_that_is_answered_for_long_and_a_socket_stay_open(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocols, "HEAD_SECONDS", 0.2)
    events = HTTPConnection("127.0.0.1", running.port, timeout=20)
    with connect(f"ws://127.0.0.1:{running.port}/") as websocket, closing(events):
        events.request("GET", EVENTS_PATH)
        answer = events.getresponse()
        time.sleep(0.6)
        assert answer.read1() == b"id: 1\n\n"
        assert websocket.recv(timeout=20) == b"x"
        websocket.send(b"still here")
