"""Whole games on the real site: Expert by fingers on a phone, Beginner by keys alone."""

from __future__ import annotations

import sys
import time

import numpy as np
import pytest
from playwright.sync_api import expect

from replays.play.models import LiveGame
from tests.e2e.conftest import Visit
from tests.e2e.play.table import CLOSED, FLAG, GamePage
from tests.e2e.play.test_solo import board_of_running_game, cells_to_open
from tests.e2e.play.test_solo import worker as worker
from tests.e2e.play.test_touch import PHONE, tap
from tests.e2e.site import Site
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.play.conftest import _handed_in_at_once  # noqa: F401 - a fixture
from tests.services import wait_until

LONG_PRESS_SECONDS = 0.3  # a little less than LONG_PRESS_MS of touch.js

pytestmark = pytest.mark.usefixtures("worker")


def won(game: GamePage, clicks: int) -> None:
    """Check the end of a game, on the page and in the database; tell how long it took (``pytest -s``)."""
    expect(game.page.locator("[data-result]")).to_contain_text("Won")
    time_text = game.counter("time").inner_text()
    expect(game.page.locator("[data-game] b")).to_have_text(time_text)
    expect(game.counter("clicks")).to_have_text(str(clicks))
    # The answer to the last click comes before its writer has stored the game.
    wait_until(lambda: LiveGame.objects.get().result == "won", what="the stored result")
    sys.stdout.write(f"{LiveGame.objects.get().level}: {clicks} clicks, {time_text} s on the clock\n")


def closed(game: GamePage, cells: list[int]) -> list[tuple[int, int]]:
    faces = game.faces()
    places = [divmod(cell, game.columns) for cell in cells]
    return [(row, column) for row, column in places if faces[row][column] == CLOSED]


def open_by_finger(game: GamePage, row: int, column: int) -> int:
    """Tap a closed cell, and return how many clicks it took: a tap that a busy machine draws out is a long press, which flags."""
    begun = time.monotonic()
    tap(game, row, column)
    if time.monotonic() - begun < LONG_PRESS_SECONDS or game.face(row, column) != FLAG:
        return 1
    tap(game, row, column, hold_ms=500)
    return 2 + open_by_finger(game, row, column)


@pytest.mark.long(beside="tests/e2e/play/test_touch.py::test_a_tap_and_a_long_press")
def test_expert_by_fingers(asgi_site: Site, visit: Visit) -> None:
    page = visit("/play/expert/", **PHONE)
    game = GamePage(page)
    assert game.turned
    first = open_by_finger(game, 8, 15)
    board = board_of_running_game(game)
    wait_until(lambda: game.face(8, 15) < CLOSED, what="the answer")
    cells = closed(game, cells_to_open(board))
    mines = np.argwhere(board.mines).tolist()[:3]
    tap(game, mines[0][0], mines[0][1], hold_ms=500)
    page.get_by_role("button", name="Flag").tap()
    for mine in mines[1:]:
        tap(game, *mine)
    page.get_by_role("button", name="Open").tap()
    expect(game.counter("mines")).to_have_text("096")
    won(game, first + len(mines) + sum(open_by_finger(game, *cell) for cell in cells))


@pytest.mark.long(beside="tests/e2e/play/test_keys.py::test_a_game_by_keyboard_alone")
def test_beginner_by_keys(asgi_site: Site, visit: Visit) -> None:
    page = visit("/play/beginner/")
    game = GamePage(page)
    page.keyboard.press("ArrowDown")  # the cursor is in the middle
    page.keyboard.press("Enter")
    board = board_of_running_game(game)
    wait_until(lambda: game.face(4, 4) < CLOSED, what="the answer")
    here = (4, 4)
    cells = closed(game, cells_to_open(board))
    for row, column in cells:
        down, right = row - here[0], column - here[1]
        ways = ["ArrowDown" if down > 0 else "ArrowUp"] * abs(down) + [
            "ArrowRight" if right > 0 else "ArrowLeft"
        ] * abs(right)
        for key in [*ways, "Enter"]:
            page.keyboard.press(key)
        page.wait_for_timeout(50)  # more than 30 clicks in a second are refused as no hand's
        here = (row, column)
    won(game, 1 + len(cells))
