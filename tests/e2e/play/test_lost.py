"""A connection that is lost without a word: the player is told within three seconds, and sees which clicks wait."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from replays.play import wire
from tests.analysis.multiplayer.golden import DEFAULT
from tests.e2e.conftest import Visit
from tests.e2e.play.table import CLOSED, PRESSED, GamePage
from tests.e2e.room_server import FakeRoom, Guest
from tests.e2e.site import Site
from tests.e2e.test_rooms import FIRST, MINE_CELL, Enter, click_cell, connected, next_click, pixel, score
from tests.e2e.test_rooms import enter as enter
from tests.e2e.test_rooms import room as room

PENDING = 17
TOLD_MS = 3_000
ROOM_LIGHT = "[data-room] [data-connection]"


class Server:
    """The site of a single game inside the test, which can fall silent."""

    def __init__(self, page: Page) -> None:
        self.sent: list[wire.ClientMessage] = []
        self.sockets: list[WebSocketRoute] = []
        self.silent = False
        ticket = '{"ticket": "t", "socket": "/ws/play/solo/", "name": "Ann"}'
        page.route("**/api/v1/play/tickets/", lambda route: route.fulfill(content_type="application/json", body=ticket))
        page.route_web_socket(re.compile("/ws/play/solo/$"), self._connect)
        page.route_web_socket("**/ws/play/solo/copy/", lambda socket: None)

    def _connect(self, socket: WebSocketRoute) -> None:
        self.sockets.append(socket)
        socket.on_message(self._receive)

    def _receive(self, data: str | bytes) -> None:
        assert isinstance(data, bytes)
        message = wire.decode_client(data)
        self.sent.append(message)
        if isinstance(message, wire.New):
            self.send(wire.Game(bytes(16), bytes(32), 8, 8, 10, "xp", False, 0, 0, b""))

    def send(self, message: wire.ServerMessage) -> None:
        if not self.silent:
            self.sockets[-1].send(message.encode())

    def answer(self) -> None:
        """A message with nothing but how far the site is."""
        seq = max(message.seq for message in self.sent if isinstance(message, wire.Input))
        self.send(wire.Faces(seq, (wire.Face(0, 1),)))


@pytest.fixture
def game(visit: Visit) -> tuple[GamePage, Server]:
    """A game whose clock is in the hands of the test."""
    page = visit("/robots.txt")
    page.clock.install()
    server = Server(page)
    page.goto("/play/beginner/")
    made = GamePage(page)
    made.until("document.querySelector('[data-play]').dataset.commit !== undefined")
    return made, server


@pytest.mark.long(
    beside="tests/e2e/play/test_page.py::test_a_lost_connection_keeps_the_picture_and_sends_what_is_missing"
)
def test_silence_is_told_in_a_single_game(game: tuple[GamePage, Server]) -> None:
    played, server = game
    server.send(wire.Ping(1, 1, 12))
    played.page.clock.run_for(2_000)  # the next ping is due
    expect(played.page.locator("[data-status]")).not_to_contain_text("answering")
    server.send(wire.Ping(2, 2_001, 12))
    played.click(0, 0)
    assert played.face(0, 0) == PRESSED
    played.page.clock.run_for(TOLD_MS)
    expect(played.page.locator("[data-status]")).to_contain_text("isn't answering")
    assert played.face(0, 0) == PENDING, "it looks like an opened cell without a number"
    expect(played.page.locator("[data-counter=lag]")).to_have_text("–")
    server.answer()
    expect(played.page.locator("[data-status]")).to_be_empty()
    assert played.face(0, 0) == 1


@pytest.mark.long(
    beside="tests/e2e/play/test_page.py::test_a_lost_connection_keeps_the_picture_and_sends_what_is_missing"
)
def test_an_answer_that_does_not_come_is_told(game: tuple[GamePage, Server]) -> None:
    """The site is heard, but it owes an answer."""
    played, server = game
    played.click(0, 0)
    for number in range(4):
        server.send(wire.Ping(number + 1, number, 12))
        played.page.clock.run_for(TOLD_MS // 4)
    expect(played.page.locator("[data-status]")).to_contain_text("isn't answering")
    assert played.face(0, 0) == PENDING
    assert played.face(1, 1) == CLOSED


@pytest.mark.long(
    beside="tests/e2e/play/test_page.py::test_a_lost_connection_keeps_the_picture_and_sends_what_is_missing"
)
def test_the_event_of_the_browser_is_told_at_once(game: tuple[GamePage, Server]) -> None:
    played, server = game
    played.page.context.set_offline(True)
    expect(played.page.locator("[data-status]")).to_contain_text("isn't answering")
    played.page.context.set_offline(False)
    server.send(wire.Ping(1, 1, 12))
    expect(played.page.locator("[data-status]")).to_be_empty()


@pytest.mark.long(
    beside="tests/e2e/play/test_page.py::test_a_lost_connection_keeps_the_picture_and_sends_what_is_missing"
)
def test_a_silent_connection_is_given_up_in_the_end(game: tuple[GamePage, Server]) -> None:
    played, server = game
    server.send(wire.Ping(1, 1, 12))
    played.page.wait_for_timeout(50)
    played.page.clock.run_for(20_000)
    played.page.clock.run_for(2_000)
    played.until("document.querySelector('[data-play]').dataset.state === 'open'")
    assert len(server.sockets) >= 2


@pytest.mark.long(
    beside="tests/e2e/play/test_page.py::test_a_lost_connection_keeps_the_picture_and_sends_what_is_missing"
)
def test_silence_is_told_in_a_room(enter: Enter) -> None:
    fake = FakeRoom(DEFAULT)
    page, guest = enter(fake, "Ann", clock=True)
    fake.move(1, FIRST)
    expect(score(page, "Ann")).to_have_text("16")
    click_room(page, fake, guest)
    page.clock.run_for(TOLD_MS)
    expect(page.locator(ROOM_LIGHT)).to_have_attribute("data-state", "quiet")
    expect(page.locator(ROOM_LIGHT)).to_have_text("not responding")
    expect(page.locator("[data-room] [data-note]")).to_contain_text("The server isn't answering")
    expect(page.locator("[data-room] [data-lag]")).to_be_empty()
    guest.release()
    connected(page)


def click_room(page: Page, fake: FakeRoom, guest: Guest) -> None:
    """A click on a mine that nobody hears."""
    guest.holds = True
    closed = pixel(page, fake, MINE_CELL)
    click_cell(page, fake, MINE_CELL)
    next_click(page, guest)
    assert pixel(page, fake, MINE_CELL) == closed, "a mine has blown before the site said so"


@pytest.mark.long(
    beside="tests/e2e/play/test_page.py::test_a_lost_connection_keeps_the_picture_and_sends_what_is_missing"
)
def test_offline_is_told_on_the_real_site(asgi_site: Site, visit: Visit) -> None:
    page = visit("/play/beginner/")
    game = GamePage(page)
    game.until("document.querySelector('[data-play]').dataset.commit !== undefined")
    page.context.set_offline(True)
    expect(page.locator("[data-status]")).to_contain_text("isn't answering", timeout=TOLD_MS)
    page.context.set_offline(False)
    expect(page.locator("[data-status]")).to_be_empty(timeout=15_000)
