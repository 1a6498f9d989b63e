"""Browsers in a room of the real site: ASGI, referee and Valkey run; nothing is played by the test but the clicks."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from analysis.multiplayer.laying import Laying, lay
from analysis.multiplayer.server_game import ServerGame
from replays.play.models import Room, RoomPlayer
from tests.analysis.multiplayer.golden import TINY
from tests.e2e.conftest import Visit
from tests.e2e.room_server import FakeRoom
from tests.e2e.site import Site
from tests.e2e.test_rooms import click_cell, connected, pixels, row
from tests.replays.play.referee.conftest import valkey as valkey
from tests.replays.play.rooms.conftest import RunningReferee
from tests.replays.play.rooms.conftest import referee as referee
from tests.services import wait_until

pytestmark = pytest.mark.usefixtures("referee")

#: The board of the room that the tests make: its mines are known to the test alone where the room is sealed.
BOARD = FakeRoom(TINY)
SAFE = [cell for cell, mine in enumerate(lay(TINY).ravel()) if not mine]


def make_room(page: Page, *, sealed: bool) -> None:
    """Fill in the form of the lobby, as a person does."""
    page.fill("#id_name", "Three colours")
    page.locator(".room-form summary").click()
    page.fill("#id_rows", "4")
    page.fill("#id_columns", "6")
    for name, value in (("area", 4), ("area_mines", 3), ("modulus", 101), ("start_number", 7)):
        page.fill(f"#id_{name}", str(value))
    if not sealed:
        page.uncheck("[name=sealed]")
    page.select_option("#id_next_board", "by-owner")
    page.get_by_role("button", name="Create room").click()
    page.wait_for_url(re.compile(r"/play/rooms/[a-z0-9]+/$"))
    connected(page)


_SEALED = pytest.mark.long(beside="tests/e2e/test_real_room.py::test_three_browsers_finish_a_board_and_watch_it")


@pytest.mark.slow(why="three browsers, a referee and Valkey play one whole board: the only test where all of them meet")
@pytest.mark.parametrize("sealed", [False, pytest.param(True, marks=_SEALED)], ids=["open", "sealed"])
def test_three_browsers_finish_a_board_and_watch_it(asgi_site: Site, visit: Visit, *, sealed: bool) -> None:
    ann = visit("/play/rooms/")
    make_room(ann, sealed=sealed)
    address = ann.url.removeprefix(asgi_site.url)
    pages = [ann, visit(address), visit(address)]
    for page in pages[1:]:
        connected(page)
    for page in pages:
        expect(page.locator("[data-room] [data-here]")).to_have_text("3 in the room")  # before anybody has played
    game = ServerGame(lay(TINY))
    number = 0
    for cell in [1, *SAFE]:  # (0, 1) is a mine
        if game.stamp.ravel()[cell]:
            continue
        player = number % 3
        number += 1
        game.open(cell, player + 1)
        click_cell(pages[player], BOARD, cell)
        expected = int(game.score.sum())
        for page in pages:
            expect(page.locator("[data-room] [data-open]")).to_contain_text(f"{expected} of 20")
    for page in pages:
        expect(page.locator("[data-room] [data-result]")).to_contain_text("with")
        expect(page.locator("[data-room] [data-players] tr")).to_have_count(3)
    pictures = [pixels(page, BOARD, *range(TINY.cells)) for page in pages]
    assert pictures[0] == pictures[1] == pictures[2]
    counts = ann.locator("[data-players] tr").evaluate_all(
        "all => all.map(one => ['score', 'blasts'].map(part => Number(one.querySelector(`[data-${part}]`).textContent)))"
    )
    assert sorted(counts) == sorted([int(game.score[one]), int(game.blasts[one])] for one in (1, 2, 3))
    own = [page.locator("[data-players] tr.own").get_attribute("data-player") for page in pages]
    assert sorted(map(str, own)) == ["1", "2", "3"]
    pages[1].get_by_role("link", name="Watch", exact=True).click()
    expect(pages[1].locator("[data-count]")).to_contain_text(f"move {game.number} of {game.number}")
    watched = (
        pages[1]
        .locator("[data-players] tr")
        .evaluate_all(
            "all => all.map(one => ['score', 'blasts'].map(part => Number(one.querySelector(`[data-${part}]`).textContent)))"
        )
    )
    assert sorted(watched) == sorted(counts)
    ann.on("dialog", lambda dialog: dialog.accept())
    ann.get_by_role("button", name="Next game").click()
    for page in (ann, pages[2]):
        expect(page.locator("[data-room] [data-open]")).to_contain_text("0 of ")
        expect(page.locator("[data-room] [data-finished]")).to_be_hidden()
        expect(page.locator("[data-room] [data-here]")).to_have_text(
            "2 in the room"
        )  # on the new board; the third is watching


@pytest.mark.long(beside="tests/e2e/test_real_room.py::test_three_browsers_finish_a_board_and_watch_it")
def test_a_referee_that_restarts(asgi_site: Site, visit: Visit, referee: RunningReferee) -> None:
    room = Room.objects.create(
        name="Friday evening", start_number=Laying().start_number, sealed=False, flags=False, chords=False
    )
    page = visit(room.get_absolute_url())
    connected(page)
    board = FakeRoom(Laying())
    name = page.evaluate("JSON.parse(document.getElementById('room-config').textContent).name_of_you")
    click_cell(page, board, 70)
    expect(row(page, name)).to_be_visible()
    before = page.locator("[data-room] [data-open]").text_content()
    assert before is not None
    assert not before.startswith("0 ")
    referee.stop()
    referee.start()
    click_cell(page, board, 40 * 75 + 40)
    expect(page.locator("[data-room] [data-open]")).not_to_have_text(before, timeout=15_000)


@pytest.mark.long(beside="tests/e2e/test_real_room.py::test_three_browsers_finish_a_board_and_watch_it")
def test_f5_in_a_room_goes_on_as_the_same_player(asgi_site: Site, visit: Visit) -> None:
    page = visit("/play/rooms/")
    make_room(page, sealed=True)
    own = page.locator("[data-players] tr.own")
    game = ServerGame(lay(TINY))
    game.open(SAFE[0], 1)
    click_cell(page, BOARD, SAFE[0])
    page.reload()  # before the answer
    for cell in (SAFE[0], SAFE[-1]):
        connected(page)
        game.open(cell, 1)
        click_cell(page, BOARD, cell)
        expect(own.locator("[data-score]")).to_have_text(str(int(game.score.sum())))
        expect(own).to_have_attribute("data-player", "1")
        page.reload()
    expect(own).to_have_attribute("data-player", "1")
    expect(own.locator("[data-score]")).to_have_text(str(int(game.score.sum())))
    expect(page.locator("[data-players] tr")).to_have_count(1)


@pytest.mark.long(beside="tests/e2e/test_real_room.py::test_three_browsers_finish_a_board_and_watch_it")
def test_an_owner_sends_a_player_away(asgi_site: Site, visit: Visit) -> None:
    ann = visit("/play/rooms/")
    make_room(ann, sealed=True)
    bo = visit(ann.url.removeprefix(asgi_site.url))
    connected(bo)
    click_cell(bo, BOARD, SAFE[0])
    wait_until(RoomPlayer.objects.filter(number=1, hue__isnull=False).exists, what="the player is stored")
    click_cell(ann, BOARD, SAFE[-1])
    own = ann.locator("[data-players] tr.own")
    expect(own).to_have_count(1)
    expect(own.get_by_role("button")).to_have_count(0)
    ann.on("dialog", lambda dialog: dialog.accept())
    ann.locator("[data-players] tr").get_by_text("remove").click()
    expect(bo.locator("[data-room] [data-connection]")).to_have_attribute("data-state", "closed")
