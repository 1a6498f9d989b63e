"""Sockets of the real site, and everything that a client may do wrong."""

from __future__ import annotations

import contextlib
import socket as sockets
import time

import pytest
from django.conf import settings as django_settings
from pytest_django import Settings
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from replays.play import wire
from replays.play.sockets import connection, socket_limits
from replays.play.sockets.socket_limits import CLICKS_A_SECOND, limits_of_process
from replays.play.sockets.tickets import issue
from replays.play.sockets.visitors import Visitor, guest_of
from tests.cases import check_each
from tests.e2e.site import Site
from tests.replays.play.sockets.conftest import GUEST, Dial, Echo, hello, receive
from tests.services import wait_until

ACCOUNT = Visitor(7, "", "owner")
OF_ACCOUNT, OF_ADDRESS = socket_limits.SOCKETS_OF_ACCOUNT, django_settings.PLAY_SOCKETS_OF_ADDRESS


def answers(socket: ClientConnection, own: int = 1) -> bool:
    """Send a move and return whether the socket answers it."""
    socket.send(wire.Open(own, 5).encode())
    answer: wire.Answer = receive(socket, wire.Answer)
    return (answer.own, answer.stamp) == (own, 5)


def end_of(socket: ClientConnection, seconds: float = 20) -> tuple[str, int | None]:
    """The code of the last error, and the close code."""
    code = ""
    with contextlib.suppress(ConnectionClosed):
        while True:
            data = socket.recv(timeout=seconds)
            assert isinstance(data, bytes)
            message = wire.decode_server(data)
            if isinstance(message, wire.Error):
                assert message.fatal
                code = message.code
    return code, socket.close_code


def others_play(dial: Dial) -> None:
    """The process lives."""
    socket = dial()
    hello(socket, guest_of("ffff"))
    assert answers(socket)


def test_hello_click_answer(dial: Dial) -> None:
    socket = dial()
    assert socket.subprotocol == wire.SUBPROTOCOL
    hello(socket)
    assert receive(socket, wire.Wait).reason == "hello Guest 6895 0"
    assert answers(socket)


def test_the_end_is_told_once_and_frees_the_places(dial: Dial) -> None:
    socket = dial()
    hello(socket, ACCOUNT)
    assert answers(socket)
    assert limits_of_process().sockets("account", "account-7") == 1
    socket.close()
    wait_until(lambda: Echo.closed_ones, seconds=60)
    assert Echo.closed_ones == ["owner"]
    assert limits_of_process().sockets("account", "account-7") == 0
    assert limits_of_process().sockets("address", "127.0.0.1") == 0


# --- who may open a socket ---


def test_another_origin(dial: Dial) -> None:
    def is_refused(origin: str | None) -> None:
        with pytest.raises(InvalidStatus) as refused:
            dial(origin=origin)
        assert refused.value.response.status_code == 403

    check_each(
        is_refused, ["http://evil.example", "http://localhost:1", "https://localhost.evil.example", "null", "x", None]
    )
    others_play(dial)


def test_trusted_origins(dial: Dial, settings: Settings) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://play.example", "https://*.club.example"]
    for origin in ("https://play.example", "https://a.club.example"):
        hello(socket := dial(origin=origin))
        assert answers(socket)
    for origin in ("http://play.example", "https://a.play.example", "https://evilclub.example"):
        with pytest.raises(InvalidStatus):
            dial(origin=origin)


def test_another_host(dial: Dial, echo_site: Site) -> None:
    """A page whose name was pointed at this server: origin and host agree, but the site is not called that."""
    with pytest.raises(InvalidStatus):
        dial(
            origin=f"http://rebound.example:{echo_site.port}",
            additional_headers={"Host": f"rebound.example:{echo_site.port}"},
        )


def test_unknown_paths(dial: Dial) -> None:
    def is_refused(path: str) -> None:
        with pytest.raises(InvalidStatus) as refused:
            dial(path)
        assert refused.value.response.status_code == 403

    check_each(is_refused, ["/ws/play/", "/ws/play/room", "/ws/play/room/x/", "/", "/api/v1/", "/ws/play/%ff/"])
    others_play(dial)


@pytest.mark.parametrize("subprotocols", [None, ["sweepbook.play.2"]])
def test_another_subprotocol(dial: Dial, subprotocols: list[str] | None) -> None:
    with pytest.raises(InvalidStatus):
        dial(subprotocols=subprotocols)


# --- tickets ---


def test_a_ticket_opens_one_socket(dial: Dial) -> None:
    said = wire.Hello(issue(GUEST, "room", {})).encode()
    first, second = dial(), dial()
    first.send(said)
    assert answers(first)
    second.send(said)
    assert end_of(second) == ("ticket_used", 4401)
    assert answers(first, 2)


def test_a_ticket_for_something_else(dial: Dial) -> None:
    socket = dial()
    socket.send(wire.Hello(issue(GUEST, "solo", {})).encode())
    assert end_of(socket) == ("ticket_bad", 4401)


def test_an_expired_ticket(dial: Dial, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as earlier:
        now = time.time()
        earlier.setattr("time.time", lambda: now - 61)
        ticket = issue(GUEST, "room", {})
    socket = dial()
    socket.send(wire.Hello(ticket).encode())
    assert end_of(socket) == ("ticket_expired", 4401)


def test_a_forged_ticket(dial: Dial) -> None:
    def is_refused(ticket: str) -> None:
        socket = dial()
        socket.send(wire.Hello(ticket).encode())
        assert end_of(socket) == ("ticket_bad", 4401)

    check_each(is_refused, ["", "x", "a:b:c", "é" * 300])
    others_play(dial)


def test_a_visitor_who_may_not(dial: Dial) -> None:
    socket = dial()
    hello(socket, room="forbidden")
    assert end_of(socket) == ("forbidden", 4403)
    wait_until(lambda: Echo.closed_ones, seconds=60)


# --- the first message ---


def test_no_hello(dial: Dial, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "HELLO_SECONDS", 0.2)
    assert end_of(dial()) == ("no_hello", 4401)


def test_something_else_first(dial: Dial) -> None:
    socket = dial()
    socket.send(wire.Open(1, 1).encode())
    assert end_of(socket) == ("not_now", 4400)


def test_a_second_hello(dial: Dial) -> None:
    socket = dial()
    hello(socket)
    hello(socket)
    assert end_of(socket) == ("not_now", 4400)


# --- messages ---


def test_garbage(dial: Dial) -> None:
    def is_refused(data: bytes | str, is_in: bool) -> None:
        socket = dial()
        if is_in:
            hello(socket)
            receive(socket, wire.Wait)
        socket.send(data)
        assert end_of(socket) == ("bad_message", 4400)

    garbage = [b"", b"\xff", b"\x21", b"\x21\x01\x01\x01\x01", bytes(16_384), "text", ""]
    check_each(is_refused, [(data, is_in) for data in garbage for is_in in (False, True)])
    others_play(dial)


def test_a_message_that_is_too_long(dial: Dial) -> None:
    """The server itself refuses it."""
    socket = dial()
    hello(socket)
    receive(socket, wire.Wait)
    socket.send(bytes(16_385))
    assert end_of(socket)[1] == 1009
    others_play(dial)


def test_a_message_in_endless_parts(dial: Dial) -> None:
    socket = dial()
    hello(socket)
    receive(socket, wire.Wait)
    parts = (bytes(1000) for _ in range(100_000))
    with pytest.raises(ConnectionClosed):
        socket.send(parts)
    assert next(parts, None) is not None  # it was closed long before the end
    assert socket.close_code in (1009, 1006)  # parts that were on their way may reset the connection
    others_play(dial)


def test_a_flood_of_messages(dial: Dial) -> None:
    socket = dial()
    hello(socket)
    receive(socket, wire.Wait)
    with contextlib.suppress(ConnectionClosed):
        for _ in range(1_000_000):
            socket.send(wire.Cursor(0, 0).encode())
    assert end_of(socket) == ("too_many_messages", 4429)
    others_play(dial)


def test_a_flood_of_bytes(dial: Dial) -> None:
    """Few messages, each as large as it may be."""
    socket = dial()
    hello(socket)
    receive(socket, wire.Wait)
    large = wire.Input(1, (wire.Event(0, 1, 0, 0),) * 4_000).encode()
    for _ in range(4):
        socket.send(large)
    others_play(dial)
    socket.send(large)
    assert end_of(socket) == ("too_many_messages", 4429)


def test_a_new_socket_does_not_reset_the_count_of_clicks(dial: Dial) -> None:
    """The count outlives a connection; another site's limiter forgets it at each one."""
    results = []
    for _ in range(3):
        socket = dial()
        hello(socket, ACCOUNT)
        for own in range(CLICKS_A_SECOND):
            socket.send(wire.Open(own, 1).encode())
            results.append(receive(socket, wire.Answer).result)
        socket.close()
    assert results[: 2 * CLICKS_A_SECOND] == [1] * 2 * CLICKS_A_SECOND
    assert 7 in results


def test_a_fault_of_ours_closes_one_socket(dial: Dial, caplog: pytest.LogCaptureFixture) -> None:
    socket, other = dial(), dial()
    hello(socket)
    hello(other)
    socket.send(wire.Leave().encode())
    assert end_of(socket) == ("server_error", 1011)
    assert "a fault of ours" in caplog.text
    assert answers(other)


# --- how many ---


def test_sockets_of_an_account(dial: Dial) -> None:
    for _ in range(OF_ACCOUNT):
        hello(socket := dial(), ACCOUNT)
        assert answers(socket)
    hello(one_more := dial(), ACCOUNT)
    assert end_of(one_more) == ("too_many_sockets", 4429)
    others_play(dial)
    socket.close()
    wait_until(lambda: limits_of_process().sockets("account", "account-7") == OF_ACCOUNT - 1, seconds=60)
    hello(again := dial(), ACCOUNT)
    assert answers(again)


def test_sockets_of_an_address(dial: Dial) -> None:
    for _ in range(OF_ADDRESS):
        dial()
    assert end_of(dial()) == ("too_many_sockets", 4429)


def test_the_address_behind_a_proxy(dial: Dial, settings: Settings) -> None:
    settings.NUM_PROXIES = 1
    for number in range(OF_ADDRESS + 5):
        hello(
            socket := dial(additional_headers={"X-Forwarded-For": f"9.9.9.9, 192.0.2.{number}"}),
            guest_of(f"{number:x}"),
        )
        assert answers(socket)
    for _ in range(OF_ADDRESS):
        dial(additional_headers={"X-Forwarded-For": "10.0.0.1"})
    assert end_of(dial(additional_headers={"X-Forwarded-For": "10.0.0.1"})) == ("too_many_sockets", 4429)


# --- peers that are gone or slow ---


def test_a_connection_that_is_cut_without_a_word(dial: Dial) -> None:
    socket = dial()
    hello(socket)
    receive(socket, wire.Wait)
    # The peer's machine lost power: no close frame.  RST instead of silence, which a test cannot wait out.
    socket.socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    socket.socket.shutdown(sockets.SHUT_RDWR)
    wait_until(lambda: Echo.closed_ones, seconds=60)
    others_play(dial)


def test_half_open(dial: Dial, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection stands, but nobody answers pings."""
    monkeypatch.setattr(connection, "ANSWER_SECONDS", 0.5)
    socket = dial()
    hello(socket)
    assert end_of(socket) == ("no_answer", 4408)
    wait_until(lambda: Echo.closed_ones, seconds=60)


def test_pings_are_measured(dial: Dial, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three within the first second; the second knows how long the first took; so many as are wanted are remembered."""
    monkeypatch.setattr(Echo, "most_differences", 2)
    measured: list[connection.Difference] = []
    monkeypatch.setattr(Echo, "closed", lambda self: _keep(self, measured))
    socket = dial()
    hello(socket)
    for number in (1, 2, 3):
        ping = receive(socket, wire.Ping)
        assert ping.id == number
        assert (ping.lag_ms > 0) == (number > 1)
        socket.send(wire.Pong(number, 1000 * number).encode())
        socket.send(wire.Pong(number, 5).encode())  # answered already
        socket.send(wire.Pong(number + 1, 6).encode())  # not asked yet
    assert answers(socket)
    socket.close()
    wait_until(lambda: measured, seconds=60)
    assert [difference.client_ms for difference in measured] == [2000, 3000]
    assert all(difference.sent_ns < difference.received_ns for difference in measured)


async def _keep(echo: Echo, measured: list[connection.Difference]) -> None:
    measured.extend(echo.differences)


def slow_reader(site: Site) -> sockets.socket:
    """A client with the smallest buffers of the system, which reads only what it is told to."""
    raw = sockets.socket()
    raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    raw.connect(("127.0.0.1", site.port))
    return raw


@pytest.mark.long(
    beside="tests/replays/play/sockets/test_connection.py::test_a_new_socket_does_not_reset_the_count_of_clicks"
)
def test_a_slow_reader_does_not_slow_others(dial: Dial, echo_site: Site) -> None:
    """It asks for 100 MB and reads a kilobyte a second; another plays, and the site keeps 1 MiB of it."""
    slow = dial(sock=slow_reader(echo_site), max_queue=1)
    hello(slow, ACCOUNT)
    receive(slow, wire.Wait)
    slow.send(wire.Cursor(2_000, 50_000).encode())
    other = dial()
    hello(other)
    for own in range(1, 60):
        assert answers(other, own)
    end = time.monotonic() + 2
    while time.monotonic() < end:
        slow.recv(timeout=5)
        assert answers(other, 100)
        time.sleep(0.1)


def test_a_reader_that_falls_behind_gets_a_fresh_picture_and_then_the_end(dial: Dial, echo_site: Site) -> None:
    """Nothing is ever missing from the middle: what was queued is dropped as a whole."""
    socket = dial(sock=slow_reader(echo_site), max_queue=1)
    hello(socket, ACCOUNT)
    receive(socket, wire.Wait)
    for turn in (1, 2):
        socket.send(wire.Cursor(300, 50_000).encode())
        time.sleep(0.3)
        assert receive(socket, wire.Wait).reason == "picture", turn
        assert answers(socket, turn)
    socket.send(wire.Cursor(300, 50_000).encode())
    assert end_of(socket) == ("too_slow", 4408)
