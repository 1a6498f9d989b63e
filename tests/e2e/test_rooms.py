"""Rooms in browsers: several players, repair, own clicks that are refused, new boards, lost connections, other names."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import parse_qs

import numpy as np
import pytest
from django.test import Client
from playwright.sync_api import Dialog, Locator, Page, Route, expect
from pytest_django import Settings

from analysis.multiplayer.laying import Laying, lay
from analysis.multiplayer.server_game import MoveKind, Rules, ServerGame
from players.models import User
from replays.play import wire
from replays.play.models import Room
from tests.analysis.multiplayer.golden import DEFAULT, TINY, cell_of
from tests.e2e.conftest import Visit, sign_in
from tests.e2e.looks import seen_troubles
from tests.e2e.room_server import FakeRoom, Guest
from tests.services import wait_until

#: On the default board: a zero, and a number between its opening and another (``repair`` and ``divergence`` of the golden values).
FIRST, OTHER, BETWEEN = (cell_of(DEFAULT, place) for place in ([0, 70], [4, 69], [3, 69]))
MINE_CELL = cell_of(DEFAULT, [0, 1])

Enter = Callable[..., tuple[Page, Guest]]
M = TypeVar("M")


@pytest.fixture
def room(transactional_db: None, settings: Settings) -> Room:
    settings.PLAY_BUS_URL = "redis://127.0.0.1:1/0"  # pages ask only whether there is one
    return Room.objects.create(name="Friday evening", sealed=False, flags=False, chords=False)


@pytest.fixture
def enter(visit: Visit, room: Room) -> Enter:
    """``enter(fake, "Ann")``: a page in the room, connected."""

    def go(
        fake: FakeRoom, name: str, *, player: int | None = None, clock: bool = False, **options: Any
    ) -> tuple[Page, Guest]:
        page = visit("/tools/", **options)
        if clock:
            page.clock.install()
        guest = fake.join(page, name, player=player)
        page.goto(room.get_absolute_url())
        connected(page)
        return page, guest

    return go


def connected(page: Page) -> None:
    expect(page.locator("[data-room] [data-connection]")).to_have_attribute("data-state", "open")


def row(page: Page, name: str) -> Locator:
    return page.locator("[data-players] tr").filter(has_text=name)


def score(page: Page, name: str) -> Locator:
    return row(page, name).locator("[data-score]")


def click_cell(page: Page, fake: FakeRoom, cell: int, button: str = "left") -> None:
    """Click a cell on the canvas, with the whole board on the screen."""
    if page.locator("[data-zoom=whole]").is_visible():
        page.locator("[data-zoom=whole]").click()
    box = page.locator("[data-room] [data-board]").bounding_box()
    assert box is not None
    rows, columns = fake.laying.rows, fake.laying.columns
    size = min(72, int(min(box["width"] / columns, box["height"] / rows)))
    left = box["x"] + (box["width"] - size * columns) / 2
    top = box["y"] + (box["height"] - size * rows) / 2
    at = (left + (cell % columns + 0.5) * size, top + (cell // columns + 0.5) * size)
    page.mouse.click(*at, button=button)  # type: ignore[arg-type]


def pixels(page: Page, fake: FakeRoom, *cells: int) -> list[list[int]]:
    """The colours of cells on the canvas, each near its upper left corner."""
    page.locator("[data-zoom=whole]").click()
    page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    return page.evaluate(  # type: ignore[no-any-return]
        """([rows, columns, cells]) => {
            const canvas = document.querySelector("[data-cells]");
            const size = Math.min(72, Math.floor(Math.min(canvas.width / columns, canvas.height / rows)));
            return cells.map((cell) => {
                const x = (canvas.width - size * columns) / 2 + ((cell % columns) + 0.22) * size;
                const y = (canvas.height - size * rows) / 2 + (Math.floor(cell / columns) + 0.22) * size;
                return [...canvas.getContext("2d").getImageData(Math.round(x), Math.round(y), 1, 1).data];
            });
        }""",
        [fake.laying.rows, fake.laying.columns, cells],
    )


def pixel(page: Page, fake: FakeRoom, cell: int) -> list[int]:
    """The colour of one cell."""
    return pixels(page, fake, cell)[0]


@pytest.mark.long(beside="tests/e2e/test_real_room.py::test_three_browsers_finish_a_board_and_watch_it")
def test_three_players_in_three_colours(enter: Enter) -> None:
    fake = FakeRoom(DEFAULT)
    pages = [enter(fake, name)[0] for name in ("Ann", "Bo", "李")]
    for number, cell in enumerate((FIRST, OTHER, MINE_CELL)):
        click_cell(pages[number], fake, cell)
    for page in pages:
        expect(score(page, "Ann")).to_have_text("16")
        expect(score(page, "Bo")).to_have_text("7")
        expect(row(page, "李").locator("[data-blasts]")).to_have_text("1")
        expect(page.locator("[data-room] [data-here]")).to_have_text("3 in the room")
        expect(page.locator("[data-room] [data-open]")).to_have_text("23 of 4571, 0%")
    seen = [pixels(page, fake, FIRST, OTHER, MINE_CELL) for page in pages]
    assert seen[0] == seen[1] == seen[2]
    assert len({tuple(colour) for colour in seen[0]}) == 3
    swatches = pages[0].locator("[data-players] .tile").evaluate_all("all => all.map(one => one.style.backgroundColor)")
    assert len(set(swatches)) == 3


@pytest.mark.long(beside="tests/e2e/test_real_room.py::test_three_browsers_finish_a_board_and_watch_it")
def test_a_page_is_connected_when_its_board_is_there(visit: Visit, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A click before that would be lost: the socket is open, and the room still to be read from the database."""
    fake = FakeRoom(DEFAULT)
    monkeypatch.setattr(fake, "welcome", lambda guest: None)
    page = visit("/tools/")
    guest = fake.join(page, "Ann")
    page.goto(room.get_absolute_url())
    newest(page, guest, wire.Hello)
    light = page.locator("[data-room] [data-connection]")
    expect(light).to_have_text("connecting")
    monkeypatch.undo()
    fake.welcome(guest)
    connected(page)
    click_cell(page, fake, FIRST)
    expect(score(page, "Ann")).to_have_text("16")


@pytest.mark.long(beside="tests/e2e/test_real_room.py::test_three_browsers_finish_a_board_and_watch_it")
def test_a_delayed_page_repairs_its_colours(enter: Enter) -> None:
    """The golden repair: both messages arrive in the wrong order, and two shared cells change their owner."""
    fake = FakeRoom(DEFAULT)
    ann, _ = enter(fake, "Ann")
    late, guest = enter(fake, "Late", player=0)
    guest.holds = True
    fake.move(1, FIRST)
    fake.move(2, OTHER)
    second = guest.held.pop()
    assert guest.socket is not None
    guest.socket.send(second)  # the move 2 overtakes the move 1
    expect(late.locator("[data-room] [data-open]")).to_have_text("9 of 4571, 0%")
    shared = pixel(late, fake, BETWEEN)
    guest.release()
    expect(late.locator("[data-room] [data-open]")).to_have_text("23 of 4571, 0%")
    repaired = pixels(late, fake, BETWEEN, OTHER)
    assert repaired[0] != shared
    assert repaired == pixels(ann, fake, BETWEEN, OTHER)
    asked = [one for one in guest.sent if isinstance(one, wire.Resync)]
    assert len(asked) == 1  # a gap in the numbers, once


_SEALED = pytest.param(True, marks=pytest.mark.long(beside="tests/e2e/test_rooms.py::test_the_end_of_a_board"))


@pytest.mark.long(beside="tests/e2e/test_rooms.py::test_the_end_of_a_board")
@pytest.mark.parametrize("sealed", [False, _SEALED])
def test_the_first_number_that_opens_more_tells_the_rule(enter: Enter, *, sealed: bool) -> None:
    """A click on a zero tells nothing; one on a number lights what it opened besides, once, and moves nothing."""
    fake = FakeRoom(DEFAULT, sealed=sealed)
    page, guest = enter(fake, "Ann")
    notice = page.locator("[data-zeros]")
    page.evaluate(WATCH_LIGHT)
    zero = next(cell for cell in np.flatnonzero(fake.game.numbers.ravel() == 0).tolist() if far(cell, BETWEEN))
    click_cell(page, fake, zero)
    expect(page.locator("[data-room] [data-open]")).not_to_contain_text("0 of")
    expect(notice).to_be_hidden()
    box = page.locator("[data-room] [data-board]").bounding_box()
    click_cell(page, fake, BETWEEN)
    expect(notice).to_be_visible()
    opened = fake.game.stamp.ravel() == 2
    lit = set(page.evaluate("window.litCells"))
    assert lit == {cell for cell in np.flatnonzero(opened).tolist() if cell != BETWEEN}
    assert len(lit) == 22
    expect(page.locator("[data-zeros-said]")).to_have_text(str(notice.locator("p").text_content()))
    assert page.locator("[data-room] [data-board]").bounding_box() == box
    if sealed:  # what both kinds of rooms look like
        assert list(seen_troubles(page)) == []
    notice.get_by_role("button", name="Got it").click()
    expect(notice).to_be_hidden()
    expect(page.locator("[data-room] [data-board]")).to_be_focused()
    guest.send(wire.Here(1))  # the room is heard again
    connected(page)
    click_cell(page, fake, next_number(fake))
    expect(page.locator("[data-room] [data-open]")).to_have_text(
        re.compile(rf"^{int((fake.game.stamp > 0).sum())} of ")
    )
    expect(notice).to_be_hidden()


#: Keeps the cells that are lit, by watching the method of all boards.
WATCH_LIGHT = """async () => {
    const { RoomBoard } = await import("/static/play/room/board/board.js");
    const { light } = RoomBoard.prototype;
    RoomBoard.prototype.light = function (cells, ms) { window.litCells = [...cells]; light.call(this, cells, ms); };
}"""


def far(cell: int, other: int) -> bool:
    """Return whether two cells of the default board are far apart."""
    return abs(cell // DEFAULT.columns - other // DEFAULT.columns) > DEFAULT.rows // 2


def next_number(fake: FakeRoom) -> int:
    """A closed number beside a closed zero, neither of them seen by any opened cell."""
    closed = fake.game.stamp == 0
    for row, column in np.argwhere(closed & (fake.game.numbers > 0) & (fake.game.numbers < 9)).tolist():
        around = (slice(max(row - 1, 0), row + 2), slice(max(column - 1, 0), column + 2))
        if closed[around].all() and (fake.game.numbers[around] == 0).any():
            return fake.game.cell(row, column)
    raise AssertionError("no such number")


@pytest.mark.long(beside="tests/e2e/test_rooms.py::test_the_end_of_a_board")
def test_a_refused_click_is_undone(enter: Enter) -> None:
    """The golden divergence: a click on an open cell of which this page has not heard opens 23 cells, and 7 close again."""
    fake = FakeRoom(DEFAULT)
    page, guest = enter(fake, "Late")
    fake.answers = False
    guest.holds = True
    fake.move(2, FIRST)
    closed = pixel(page, fake, OTHER)
    click_cell(page, fake, BETWEEN)
    own = next_click(page, guest)
    other, first = pixels(page, fake, OTHER, FIRST)
    assert other != closed  # case 3: open at once …
    assert other == first  # … and in nobody's colour
    guest.holds = False
    guest.send(wire.Answer(fake.epoch, own, int(wire.AnswerResult.ALREADY_OPEN), 0))
    expect(page.locator("[data-room] [data-said]")).to_have_text("This cell is already open.")
    assert pixel(page, fake, OTHER) == closed
    guest.release()
    expect(page.locator("[data-room] [data-open]")).to_have_text("16 of 4571, 0%")
    other, between = pixels(page, fake, OTHER, BETWEEN)
    assert other == closed
    assert between != closed


def newest(page: Page, guest: Guest, kind: type[M]) -> M:
    """The newest message of a kind, as soon as one has arrived."""
    for _ in range(200):
        messages = [one for one in guest.sent if isinstance(one, kind)]
        if messages:
            return messages[-1]
        page.wait_for_timeout(50)
    raise AssertionError(f"no {kind.__name__} has arrived")


def next_click(page: Page, guest: Guest) -> int:
    """The own number of the newest click that has arrived."""
    return newest(page, guest, wire.Open).own


@pytest.mark.long(beside="tests/e2e/test_real_room.py::test_three_browsers_finish_a_board_and_watch_it")
def test_late_messages_do_not_reach_the_next_board(enter: Enter) -> None:
    fake = FakeRoom(DEFAULT)
    page, guest = enter(fake, "Ann")
    fake.move(1, FIRST)
    expect(score(page, "Ann")).to_have_text("16")
    late = wire.Moves(fake.epoch, 2, (wire.Move(1, 1, OTHER),))
    fake.restart(Laying(start_number=99))
    expect(page.locator("[data-room] [data-epoch]")).to_have_text("2")
    guest.send(late)
    guest.send(wire.Answer(1, 1, 1, 2))
    fake.move(1, FIRST)
    size = int(fake.game.score[1])
    safe = int((fake.game.numbers != 9).sum())
    expect(page.locator("[data-room] [data-open]")).to_have_text(f"{size} of {safe}, {100 * size // safe}%")


@pytest.mark.long(beside="tests/e2e/test_real_room.py::test_three_browsers_finish_a_board_and_watch_it")
def test_a_sealed_room_with_flags_and_chords(enter: Enter) -> None:
    """Nothing opens before the answer, the browser never gets the mines, and a joiner gets the picture."""
    fake = FakeRoom(TINY, sealed=True, rules=Rules(flags=True, chords=True))
    ann, guest = enter(fake, "Ann")
    guest.holds = True
    before = pixel(ann, fake, 0)
    click_cell(ann, fake, 0)
    next_click(ann, guest)
    assert pixel(ann, fake, 0) == before
    guest.release()
    expect(score(ann, "Ann")).to_have_text("1")
    click_cell(ann, fake, 1, "right")  # the mine (0, 1)
    click_cell(ann, fake, 0)  # a chord: (1, 0), which touches an opening, and (1, 1)
    expect(score(ann, "Ann")).to_have_text("9")
    assert fake.game.score[1] == 9
    bo, _ = enter(fake, "Bo")
    expect(score(bo, "Ann")).to_have_text("9")
    assert pixels(bo, fake, *range(8)) == pixels(ann, fake, *range(8))
    assert pixel(bo, fake, 1) != before or fake.game.flags.ravel()[1] == 1
    assert [type(one) for one in guest.sent if not isinstance(one, wire.Cursor)] == [
        wire.Hello, wire.Open, wire.Flag, wire.Chord,
    ]  # fmt: skip


@pytest.mark.long(beside="tests/e2e/test_rooms.py::test_the_end_of_a_board")
def test_a_spectator_sends_nothing(enter: Enter, room: Room) -> None:
    room.guests = False
    room.save()
    fake = FakeRoom(DEFAULT)
    fake.move(1, FIRST)
    page, guest = enter(fake, "Guest 1", player=0)
    expect(page.locator("[data-room] [data-open]")).to_have_text("16 of 4571, 0%")
    expect(page.get_by_text("sign in to play")).to_be_visible()
    click_cell(page, fake, OTHER)
    expect(page.locator("[data-room] [data-said]")).to_contain_text("Sign in")
    assert [type(one) for one in guest.sent] == [wire.Hello]


@pytest.mark.long(beside="tests/e2e/test_real_room.py::test_three_browsers_finish_a_board_and_watch_it")
def test_names_are_text(enter: Enter, room: Room) -> None:
    nasty = "<img src=x onerror=document.title='x'>&lt;"
    room.name = "<b>Room</b>"
    room.save()
    fake = FakeRoom(DEFAULT)
    page, _ = enter(fake, nasty)
    fake.move(1, FIRST)
    expect(row(page, "img").locator("bdi")).to_have_text(nasty)
    expect(page.locator("h1")).to_have_text("<b>Room</b>")
    expect(page.locator("[data-players] img")).to_have_count(0)
    page.locator("[data-room] [data-board]").focus()
    page.keyboard.press("ArrowRight")
    assert page.title().startswith("<b>Room</b>")


@pytest.mark.long(beside="tests/e2e/test_real_room.py::test_three_browsers_finish_a_board_and_watch_it")
def test_a_lost_connection_keeps_the_picture_and_comes_back(enter: Enter) -> None:
    fake = FakeRoom(DEFAULT)
    page, guest = enter(fake, "Ann")
    fake.move(1, FIRST)
    expect(score(page, "Ann")).to_have_text("16")
    assert guest.socket is not None
    guest.socket.close(code=1012)
    expect(page.locator("[data-room] [data-connection]")).to_have_attribute("data-state", "waiting")
    expect(score(page, "Ann")).to_have_text("16")
    fake.game.move(OTHER, 2, MoveKind.OPEN)
    fake.history.append(wire.Move(2, 1, OTHER))
    connected(page)
    expect(page.locator("[data-room] [data-open]")).to_have_text("23 of 4571, 0%")
    hellos = [one for one in guest.sent if isinstance(one, wire.Hello)]
    assert [(one.epoch, one.number) for one in hellos] == [(0, 0), (1, 1)]


@pytest.mark.long(beside="tests/e2e/test_real_room.py::test_three_browsers_finish_a_board_and_watch_it")
def test_a_click_in_flight_when_the_connection_is_lost(enter: Enter) -> None:
    """Its answer never came: the page sends it again with the same number, and it is played once."""
    fake = FakeRoom(TINY, sealed=True)
    page, guest = enter(fake, "Ann")
    guest.holds = True
    click_cell(page, fake, 0)
    own = next_click(page, guest)
    assert guest.socket is not None
    guest.held.clear()  # the move and its answer are lost
    guest.holds = False
    guest.socket.close(code=1012)
    expect(score(page, "Ann")).to_have_text("1")
    clicks = [one for one in guest.sent if isinstance(one, wire.Open)]
    assert [(one.own, one.cell) for one in clicks] == [(own, 0), (own, 0)]
    assert fake.game.number == 1
    hellos = [one for one in guest.sent if isinstance(one, wire.Hello)]
    assert len({one.game for one in hellos}) == 1
    assert [len(one.game) for one in hellos] == [16, 16]


@pytest.mark.long(beside="tests/e2e/test_rooms.py::test_the_end_of_a_board")
def test_the_socket_of_another_window_ends_this_one(enter: Enter) -> None:
    fake = FakeRoom(DEFAULT)
    page, guest = enter(fake, "Ann")
    assert guest.socket is not None
    guest.socket.close(code=4409)
    expect(page.locator("[data-room] [data-note]")).to_contain_text("another window")
    expect(page.locator("[data-room] [data-connection]")).to_have_attribute("data-state", "closed")


@pytest.mark.long(beside="tests/e2e/test_real_room.py::test_three_browsers_finish_a_board_and_watch_it")
def test_played_by_keyboard_alone(enter: Enter) -> None:
    fake = FakeRoom(TINY)
    page, _ = enter(fake, "Ann")
    board = page.locator("[data-room] [data-board]")
    board.focus()
    page.keyboard.press("ArrowDown")  # the cell of the keyboard begins in the middle
    for _ in range(6):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Home")
    expect(page.locator("[data-room] [data-said]")).to_have_text("row 1, column 1: closed")
    page.keyboard.press("Enter")
    expect(page.locator("[data-room] [data-said]")).to_have_text("row 1, column 1: 1, Ann")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.locator("[data-room] [data-said]")).to_have_text("You hit a mine.")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-room] [data-said]")).to_have_text("row 1, column 2: exploded mine, Ann")


def test_the_end_of_a_board(enter: Enter, room: Room) -> None:
    fake = FakeRoom(TINY)
    page, guest = enter(fake, "Ann")
    for cell, mine in enumerate(lay(TINY).ravel()):
        if not mine:
            fake.move(1, cell)
    guest.send(wire.Finished(fake.epoch, 83_000, 5_000))
    expect(page.locator("[data-room] [data-result]")).to_have_text("Ann wins with 20 cells in 1:23")
    expect(page.get_by_role("link", name="Watch", exact=True)).to_have_attribute(
        "href", f"{room.get_absolute_url()}watch/1/"
    )
    places = page.locator("[data-players] .rk")
    expect(places).to_have_text(["1"])
    finished = pixel(page, fake, 0)
    fake.restart(Laying(rows=4, columns=6, area=4, area_mines=3, modulus=101, start_number=8))
    expect(page.locator("[data-room] [data-next]")).to_contain_text("next game")
    assert pixel(page, fake, 0) == finished  # the finished board stays …
    expect(score(page, "Ann")).to_have_text("20")
    click_cell(page, fake, 0)
    expect(page.locator("[data-room] [data-said]")).to_contain_text("over")
    page.get_by_role("button", name="Play again").click()  # … until the visitor asks for the next
    expect(page.locator("[data-room] [data-finished]")).to_be_hidden()
    assert pixel(page, fake, 0) != finished
    assert [one for one in guest.sent if isinstance(one, wire.Open)] == []


@pytest.mark.long(beside="tests/e2e/test_rooms.py::test_the_end_of_a_board")
def test_a_finished_board_goes_when_somebody_starts_the_next(enter: Enter) -> None:
    fake = FakeRoom(TINY)
    page, guest = enter(fake, "Ann")
    fake.move(1, 0)
    guest.send(wire.Finished(fake.epoch, 83_000, 1))
    fake.restart(Laying(rows=4, columns=6, area=4, area_mines=3, modulus=101, start_number=8))
    expect(page.locator("[data-room] [data-next]")).to_contain_text("next game")
    expect(page.locator("[data-room] [data-epoch]")).to_have_text("1")
    fake.move(1, 0)
    expect(page.locator("[data-room] [data-epoch]")).to_have_text("2")
    expect(page.locator("[data-room] [data-finished]")).to_be_hidden()


@pytest.mark.long(beside="tests/e2e/test_rooms.py::test_the_end_of_a_board")
def test_visitors_without_a_cell_are_named(enter: Enter) -> None:
    fake = FakeRoom(TINY)
    page, guest = enter(fake, "Ann", player=0)
    guest.send(wire.Here(3))
    guest.send(wire.Visitors((wire.VisitorRow("Ann", plays=True), wire.VisitorRow("<b>Bo</b>", plays=False))))
    expect(page.locator("[data-visitors] li")).to_have_text(["AAnnyouno cells yet", "<<b>Bo</b>watching", "and 1 more"])


@pytest.mark.long(beside="tests/e2e/test_rooms.py::test_the_end_of_a_board")
def test_the_invite_link_is_copied_and_readable(enter: Enter, room: Room, settings: Settings) -> None:
    fake = FakeRoom(TINY)
    page, _ = enter(fake, "Ann")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    link = page.url
    assert link.endswith(room.get_absolute_url())
    expect(page.get_by_label("Invite link")).to_have_value(f"{settings.SITE_URL}{room.get_absolute_url()}")
    page.get_by_role("button", name="Invite").click()
    expect(page.locator("[data-room] [data-shared]")).to_have_text("Link copied")
    assert page.evaluate("navigator.clipboard.readText()") == link


@pytest.mark.long(beside="tests/e2e/test_real_room.py::test_three_browsers_finish_a_board_and_watch_it")
def test_a_phone_taps_and_drags(enter: Enter) -> None:
    fake = FakeRoom(DEFAULT)
    page, guest = enter(fake, "Ann", width=390, height=844, has_touch=True, is_mobile=True)
    board = page.locator("[data-room] [data-board]")
    box = board.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert next_click(page, guest) == 1
    before = page.evaluate("document.querySelector('[data-cells]').toDataURL()")
    touch = page.context.new_cdp_session(page)
    x, y = box["x"] + 200, box["y"] + 200
    for kind, dx in (("touchStart", 0), ("touchMove", 40), ("touchMove", 90)):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x + dx, "y": y}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    wait_until(
        lambda: page.evaluate("document.querySelector('[data-cells]').toDataURL()") != before, what="the moved board"
    )
    assert len([one for one in guest.sent if isinstance(one, wire.Open)]) == 1  # a drag opens nothing
    expect(page.locator("[data-touch-help]")).to_be_visible()
    expect(page.locator("[data-mouse-help]")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.long(beside="tests/e2e/test_real_room.py::test_three_browsers_finish_a_board_and_watch_it")
def test_a_tap_flags_in_flag_mode(enter: Enter, room: Room) -> None:
    room.sealed = room.flags = True
    room.save()
    fake = FakeRoom(TINY, sealed=True, rules=Rules(flags=True, chords=True))
    page, guest = enter(fake, "Ann", width=390, height=844, has_touch=True, is_mobile=True)
    box = page.locator("[data-room] [data-board]").bounding_box()
    assert box is not None
    for mode in ("Flag", "Open"):
        page.get_by_role("button", name=mode, exact=True).tap()
        page.touchscreen.tap(box["x"] + box["width"] / 2 - 20, box["y"] + box["height"] / 2 - 20)
        expect(page.locator("[data-room] [data-said]")).to_have_text("There's a flag here." if mode == "Open" else "")
    assert [type(one) for one in guest.sent if not isinstance(one, wire.Cursor)] == [wire.Hello, wire.Flag]


@pytest.mark.long(beside="tests/e2e/test_real_room.py::test_three_browsers_finish_a_board_and_watch_it")
def test_rooms_in_chinese(enter: Enter) -> None:
    fake = FakeRoom(DEFAULT)
    page, _ = enter(fake, "李")
    page.get_by_role("banner").get_by_role("button", name="中文").click()
    connected(page)
    expect(page.locator("[data-room] [data-connection]")).to_have_text("已连接")
    expect(page.locator("#players-title")).to_have_text("玩家")
    click_cell(page, fake, FIRST)
    expect(row(page, "李").locator("[data-remark]")).to_have_text("你")


@pytest.mark.long(beside="tests/e2e/test_real_room.py::test_three_browsers_finish_a_board_and_watch_it")
def test_pages_without_the_bus_say_so(client: Client, db: None, settings: Settings) -> None:
    settings.PLAY_BUS_URL = ""
    room = Room.objects.create(name="Quiet")
    for address in ("/play/rooms/", room.get_absolute_url()):
        assert "Rooms aren't available right now" in client.get(address).content.decode()


@pytest.mark.long(beside="tests/e2e/test_rooms.py::test_the_end_of_a_board")
def test_a_finished_game_is_the_server_s(enter: Enter) -> None:
    """A thousand random clicks of five players: the browser's scores are those of ``ServerGame``."""
    fake = FakeRoom(DEFAULT)
    draw = 12_345
    for _ in range(1_000):
        draws = []
        for _part in range(3):
            draw = (1_103_515_245 * draw + 12_345) % 2**31
            draws.append(draw >> 8)
        fake.move(draws[2] % 5 + 1, draws[0] % 75 * 75 + draws[1] % 75)
    assert isinstance(fake.game, ServerGame)
    page, _ = enter(fake, "Ann")
    expect(page.locator("[data-room] [data-open]")).to_have_text("2933 of 4571, 64%")
    found = page.locator("[data-players] tr").evaluate_all(
        "all => all.map(one => [Number(one.dataset.player), ...['score', 'blasts'].map(part => Number(one.querySelector(`[data-${part}]`).textContent))])"
    )
    assert found == [[4, 802, 38], [2, 652, 35], [3, 505, 33], [5, 495, 19], [1, 479, 27]]


@pytest.mark.long(beside="tests/e2e/test_rooms.py::test_the_form_of_a_new_room")
def test_what_the_owner_does(visit: Visit, room: Room, owner: User) -> None:
    """The commands go to the room's address, with the token of the form and after a question."""
    room.owner = owner
    room.save()
    fake = FakeRoom(DEFAULT)
    page = visit("/tools/")
    fake.join(page, "Ann")
    fake.guests.append(Guest(2, "Bo"))
    fake.move(1, FIRST)
    fake.move(2, OTHER)
    sign_in(page, owner)
    sent: list[dict[str, list[str]]] = []

    def take(route: Route) -> None:
        assert route.request.headers["x-csrftoken"]
        sent.append(parse_qs(route.request.post_data or "") or {"form": [route.request.post_data or ""]})
        route.fulfill(status=204)

    page.route("**/command/", take)
    asked: list[str] = []

    def agree(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.accept()

    page.on("dialog", agree)
    page.goto(room.get_absolute_url())
    connected(page)
    row(page, "Bo").get_by_role("button", name="Block Bo").click()
    expect(row(page, "Bo").get_by_text("unblock")).to_be_visible()
    row(page, "Bo").get_by_text("unblock").click()
    expect(row(page, "Bo").get_by_text("block", exact=True)).to_be_visible()
    row(page, "Bo").get_by_text("remove").click()
    expect(row(page, "Ann").get_by_role("button")).to_have_count(0)  # nothing against oneself
    page.get_by_role("button", name="Next game").click()
    page.get_by_role("button", name="Close room").click()
    page.wait_for_url("**/play/rooms/")
    assert [(one["do"], one.get("player")) for one in sent] == [
        (["mute"], ["2"]), (["unmute"], ["2"]), (["kick"], ["2"]), (["restart"], None), (["close"], None),
    ]  # fmt: skip
    assert len(asked) == 3
    assert "Bo" in asked[0]


@pytest.mark.long(beside="tests/e2e/test_rooms.py::test_the_form_of_a_new_room")
def test_only_the_owner_has_controls(enter: Enter) -> None:
    fake = FakeRoom(DEFAULT)
    fake.move(1, FIRST)
    page, _ = enter(fake, "Ann")
    expect(score(page, "Ann")).to_have_text("16")
    for name in ("Close room", "Next game", "Block Ann"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)


def test_the_form_of_a_new_room(room: Room, visit: Visit) -> None:
    page = visit("/play/rooms/")
    flags = page.locator("[name=flags]")
    page.locator(".room-form summary").click()
    expect(page.locator("[name=sealed]")).to_be_checked()
    expect(flags).to_be_checked()
    expect(page.locator(".room-form")).to_contain_text("every browser knows where the mines are")
    page.locator("[name=sealed]").uncheck()
    expect(flags).to_be_disabled()
    expect(flags).not_to_be_checked()
    page.get_by_role("button", name="300 × 300").click()
    expect(page.locator("#id_rows")).to_have_value("300")
    expect(page.locator(".room-form [data-density]")).to_have_text("about 16875 mines, 18.8% of the cells")


@pytest.mark.long(beside="tests/e2e/test_real_room.py::test_three_browsers_finish_a_board_and_watch_it")
def test_the_first_view_is_small(enter: Enter) -> None:
    """HTML, styles and scripts of a room have at most 70 KB compressed, comments and white space included."""
    fake = FakeRoom(DEFAULT)
    page, _ = enter(fake, "Ann")
    sizes: dict[str, int] = {}
    page.on(
        "response",
        lambda response: sizes.update({response.url: len(gzip.compress(response.body()))}) if response.ok else None,
    )
    page.reload()
    connected(page)
    page.wait_for_load_state("networkidle")
    assert len(sizes) > 15
    assert sum(sizes.values()) <= 70 * 1024, sizes


@pytest.mark.long(beside="tests/e2e/test_real_room.py::test_three_browsers_finish_a_board_and_watch_it")
def test_nothing_is_cut_and_axe_finds_nothing_serious(enter: Enter) -> None:
    fake = FakeRoom(DEFAULT)
    page, guest = enter(fake, "Ann")
    fake.move(1, FIRST)
    guest.send(wire.Finished(fake.epoch, 83_000, 5_000))
    expect(page.locator("[data-room] [data-result]")).to_be_visible()
    assert list(seen_troubles(page)) == []
