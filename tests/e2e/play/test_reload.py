"""A page that is loaded again in the middle of a game goes on with it: F5, a tab that is closed or killed and opened anew."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pytest
from playwright.sync_api import Dialog, Error, Page, expect

from analysis.recording import Board
from players.models import User
from replays.play import wire
from replays.play.models import LiveGame
from replays.play.sockets.connection import CONNECT_AGAIN, refuse
from replays.play.solo.solo_consumer import SoloConsumer
from tests.e2e.conftest import Visit, sign_in
from tests.e2e.play.table import CLOSED, FLAG, GamePage
from tests.e2e.play.test_solo import _SOCKETS, board_of_running_game, cells_to_open
from tests.e2e.play.test_solo import worker as worker
from tests.e2e.site import Site
from tests.effort import amount
from tests.replays.conftest import store as store
from tests.replays.play.conftest import _handed_in_at_once as _handed_in_at_once
from tests.services import wait_until

pytestmark = pytest.mark.usefixtures("worker")

_FAST: Final = "tests/e2e/play/test_reload.py::test_f5_goes_on_with_the_game"
LATER = pytest.mark.long(beside=_FAST)
PHONE: Final[dict[str, Any]] = {
    "width": 390,
    "height": 844,
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 3,
}
TRIES: Final = amount(long=20, usual=2)
MOST_SECONDS: Final = 5.0
MOST_CLOCK_ERROR_MS: Final = 10
MOST_END_ERROR_MS: Final = 150  # between the clocks of page and site, with what a busy machine adds on the way
#: When the game began by the clock of the page, in ms since 1970.
_BEGAN: Final = """() => {
  const [kept] = Object.keys(localStorage).filter((name) => name.startsWith("play-running")).map((name) => JSON.parse(localStorage[name]));
  return kept.zero + kept.begun;
}"""
_SMALL: Final = "/play/custom/?rows=8&columns=8&mines=6"


@pytest.fixture(autouse=True)
def _many_tickets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading pages again and again takes more tickets than people do."""
    monkeypatch.setattr("replays.play.tickets_api.TICKET_LIMIT._rate", "10000/minute")


def _f5(page: Page) -> Page:
    page.reload()
    return page


def _closed_and_reopened(page: Page) -> Page:
    context, address = page.context, page.url
    page.close()
    return _opened(context.new_page(), address)


def _killed(page: Page) -> Page:
    """The process of the tab ends without a word, as a phone ends it."""
    context, address = page.context, page.url
    with page.expect_event("crash"), pytest.raises(Error):
        page.goto("chrome://kill")
    page.close()
    return _opened(context.new_page(), address)


def _opened(page: Page, address: str) -> Page:
    page.goto(address)
    return page


WAYS: Final[dict[str, Callable[[Page], Page]]] = {"F5": _f5, "reopened": _closed_and_reopened, "killed": _killed}


def began(page: Page) -> GamePage:
    """The page, once its game has come."""
    game = GamePage(page)
    game.until("document.querySelector('[data-play]').dataset.commit !== undefined")
    return game


def tap(game: GamePage, row: int, column: int) -> None:
    game.page.touchscreen.tap(*game.centre(row, column))


def deaf(visit: Visit, address: str) -> GamePage:
    """A page on which :func:`deafen` can be called."""
    page = visit("/robots.txt")
    page.add_init_script(_SOCKETS)
    page.goto(address)
    return began(page)


def deafen(game: GamePage) -> None:
    """Let the page hear nothing more, as if it were left before the answers come."""
    game.page.evaluate("for (const socket of sockets) socket.onmessage = null")


def answered(game: GamePage, row: int, column: int) -> None:
    wait_until(lambda: game.face(row, column) < CLOSED, what="the answer")


def ended_game() -> LiveGame:
    """The newest game, once its end is in the database."""
    wait_until(lambda: not LiveGame.objects.filter(state=LiveGame.State.PLAYING).exists(), what="the end")
    return LiveGame.objects.latest("created_at")


def mine_of(board: Board) -> tuple[int, int]:
    row, column = np.argwhere(board.mines)[0].tolist()
    return row, column


def test_f5_goes_on_with_the_game(asgi_site: Site, visit: Visit) -> None:
    game = began(visit("/play/intermediate/"))
    game.click(3, 3)
    answered(game, 3, 3)
    board = board_of_running_game(game)
    row, column = mine_of(board)
    game.click(row, column, "right")
    wait_until(lambda: game.face(row, column) == FLAG, what="the flag")
    before, commit = game.faces(), LiveGame.objects.get().commit
    game = began(_f5(game.page))
    expect(game.page.locator("[data-play]")).to_have_attribute("data-commit", commit)
    wait_until(lambda: game.faces() == before, what="the picture of before")
    expect(game.counter("split")).to_have_text("1 + 1 + 0")
    game.click(row, column, "right")
    game.click(row, column)
    expect(game.page.locator("[data-result]")).to_contain_text("Lost")
    ended = ended_game()
    assert ended.result == LiveGame.Result.LOST
    assert ended.time_ms is not None
    assert abs(ended.time_ms - (ended.client_span_ms or 0)) <= MOST_END_ERROR_MS
    _f5(game.page)
    expect(game.page.locator("[data-play]")).not_to_have_attribute("data-commit", commit)


# --- the first and the last click -------------------------------------------------------------------------------------

_EACH_WAY = [pytest.param("F5"), pytest.param("reopened", marks=LATER), pytest.param("killed", marks=LATER)]


@LATER
@pytest.mark.parametrize("way", WAYS)
def test_the_first_click_is_not_lost(asgi_site: Site, visit: Visit, way: str) -> None:
    """The page is left before the answer."""
    game = began(visit("/play/expert/"))
    game.click(8, 15)
    page = WAYS[way](game.page)
    game = began(page)
    answered(game, 8, 15)
    board = board_of_running_game(game)
    assert page.locator("[data-play]").get_attribute("data-commit") == LiveGame.objects.get().commit
    game.click(*mine_of(board))
    expect(page.locator("[data-result]")).to_contain_text("Lost")


@pytest.mark.long(beside="tests/e2e/play/test_reload.py::test_f5_goes_on_with_the_game")
@pytest.mark.parametrize("way", _EACH_WAY)
def test_the_last_click_shows_its_result(asgi_site: Site, visit: Visit, way: str) -> None:
    game = deaf(visit, _SMALL)
    game.click(0, 0)
    answered(game, 0, 0)
    board = board_of_running_game(game)
    deafen(game)
    for cell in cells_to_open(board):
        game.click(*divmod(cell, 8))
    page = WAYS[way](game.page)
    line = page.locator("[data-result]")
    expect(line).to_contain_text("Won")
    ended = ended_game()
    assert ended.time_ms is not None
    expect(page.locator("[data-counter=time]")).to_have_text(f"{ended.time_ms / 1000:.3f}")
    expect(page.locator("[data-watch]")).to_have_attribute("href", f"/play/games/{ended.pk}/")
    expect(page.locator(f'[data-games] li[data-game="{ended.pk}"]')).to_have_count(1)
    expect(page.locator("[data-session=wins]")).to_have_text("1")
    shown = GamePage(page).faces()
    assert [[face == FLAG for face in row] for row in shown] == board.mines.tolist()
    page.keyboard.press("r")
    began(page).click(0, 0)
    wait_until(lambda: LiveGame.objects.count() == 2, what="the next game")


@LATER
def test_a_win_that_was_hardly_seen_is_shown_again(asgi_site: Site, visit: Visit) -> None:
    game = began(visit(_SMALL))
    game.click(0, 0)
    answered(game, 0, 0)
    for cell in cells_to_open(board_of_running_game(game)):
        game.click(*divmod(cell, 8))
    expect(game.page.locator("[data-result]")).to_contain_text("Won")
    page = _f5(game.page)
    expect(page.locator("[data-result]")).to_contain_text("Won")
    expect(page.locator("[data-session=wins]")).to_have_text("1")
    page = _f5(page)  # it was seen now
    began(page)
    expect(page.locator("[data-result]")).to_be_empty()


@LATER
def test_a_lost_game_says_how_far_it_was(asgi_site: Site, visit: Visit) -> None:
    game = deaf(visit, "/play/beginner/")
    game.click(0, 0)
    answered(game, 0, 0)
    board = board_of_running_game(game)
    deafen(game)
    game.click(*mine_of(board))
    page = _f5(game.page)
    line = page.locator("[data-result]")
    expect(line).to_contain_text("Lost")
    ended = ended_game()
    expect(line).to_contain_text(f"{ended.counts['bvdone']} / {ended.bv} 3BV")


# --- what was not sent, what was held, what was lost ------------------------------------------------------------------


@LATER
def test_clicks_that_were_not_sent_are_sent_now(asgi_site: Site, visit: Visit) -> None:
    game = began(visit("/play/intermediate/"))
    game.click(3, 3)
    answered(game, 3, 3)
    row, column = mine_of(board_of_running_game(game))
    game.page.evaluate("WebSocket.prototype.send = () => {}")
    game.click(row, column, "right")
    game.move(0, 0)
    game.page.wait_for_timeout(250)  # moves are sent by themselves
    game = began(_f5(game.page))
    wait_until(lambda: game.face(row, column) == FLAG, what="the flag")
    game.click(row, column, "right")
    wait_until(lambda: game.face(row, column) == CLOSED, what="the flag is taken back")


@LATER
def test_a_button_that_was_held_is_let_go(asgi_site: Site, visit: Visit) -> None:
    """With the right button down, a left click would chord."""
    game = began(visit("/play/intermediate/"))
    game.click(3, 3)
    answered(game, 3, 3)
    board = board_of_running_game(game)
    row, column = mine_of(board)
    game.move(row, column)
    game.press(row, column, "right")
    wait_until(lambda: game.face(row, column) == FLAG, what="the flag")
    game.page.wait_for_timeout(200)
    game = began(_f5(game.page))
    faces = game.faces()
    row, column = next((r, c) for r, c in np.argwhere(~board.mines).tolist() if faces[r][c] == CLOSED)
    game.click(row, column)
    answered(game, row, column)


@LATER
def test_a_game_that_ended_meanwhile_is_told(asgi_site: Site, visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.play.solo.playing.registry.GRACE_SECONDS", 0.6)
    game = began(visit("/play/beginner/"))
    game.click(0, 0)
    answered(game, 0, 0)
    board_of_running_game(game)
    page = game.page
    page.goto("/robots.txt")
    wait_until(lambda: LiveGame.objects.filter(reason="disconnected").exists(), what="the end")
    page.goto("/play/beginner/")
    expect(page.locator("[data-result]")).to_contain_text("wasn't restored in time")
    page.keyboard.press("r")
    began(page).click(0, 0)
    answered(game, 0, 0)


@LATER
@pytest.mark.parametrize("answer", ["no_game", "elsewhere"])
def test_another_process_of_the_site_sends_the_page_on(
    asgi_site: Site, visit: Visit, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    """It does not know of the game yet, or knows that another process has it."""
    game = began(visit("/play/beginner/"))
    game.click(0, 0)
    answered(game, 0, 0)
    board_of_running_game(game)
    go_on, asked = SoloConsumer._go_on, list[uuid.UUID]()

    async def elsewhere(self: SoloConsumer, game_id: uuid.UUID) -> None:
        asked.append(game_id)
        if len(asked) > 2:
            await go_on(self, game_id)
        elif answer == "elsewhere":
            refuse(CONNECT_AGAIN, "elsewhere", "Elsewhere.")
        else:
            self.send_now(wire.Error(False, "no_game", "None."))

    monkeypatch.setattr(SoloConsumer, "_go_on", elsewhere)
    commit = _commit(game.page)
    page = _f5(game.page)
    game = began(page)
    answered(game, 0, 0)
    assert _commit(page) == commit
    assert len(asked) == 3
    game.click(*mine_of(board_of_running_game(game)))
    expect(page.locator("[data-result]")).to_contain_text("Lost")


# --- other tabs, other people -----------------------------------------------------------------------------------------


@LATER
def test_a_second_tab_has_a_game_of_its_own(asgi_site: Site, visit: Visit) -> None:
    first = began(visit("/play/beginner/"))
    first.click(0, 0)
    answered(first, 0, 0)
    board_of_running_game(first)
    second = began(_opened(first.page.context.new_page(), first.page.url))
    assert {face for row in second.faces() for face in row} == {CLOSED}
    second.click(7, 7)
    answered(second, 7, 7)
    wait_until(lambda: LiveGame.objects.filter(state="playing").count() == 2, what="two games")
    commits = [one.page.locator("[data-play]").get_attribute("data-commit") for one in (first, second)]
    again = [began(_f5(one.page)) for one in (first, second)]
    assert [one.page.locator("[data-play]").get_attribute("data-commit") for one in again] == commits
    expect(first.page.locator("[data-status]")).to_be_empty()


@LATER
def test_nobody_else_goes_on_with_a_game(asgi_site: Site, visit: Visit) -> None:
    """Not even with all that the player's browser keeps."""
    player = began(visit("/play/beginner/"))
    player.click(0, 0)
    answered(player, 0, 0)
    board_of_running_game(player)
    kept = player.page.evaluate("({ ...localStorage })")
    thief = visit("/robots.txt")
    thief.evaluate("(kept) => Object.assign(localStorage, kept)", kept)
    thief.goto("/play/beginner/")
    other = began(thief)
    assert {face for row in other.faces() for face in row} == {CLOSED}
    other.click(7, 7)
    answered(other, 7, 7)
    player.click(*mine_of(board_of_running_game(player)), "right")
    assert LiveGame.objects.filter(state="playing", commit=_commit(player.page)).exists()
    assert _commit(thief) != _commit(player.page)


def _commit(page: Page) -> str | None:
    return page.locator("[data-play]").get_attribute("data-commit")


@LATER
def test_a_ranked_game_asks_before_it_is_left(asgi_site: Site, visit: Visit, owner: User) -> None:
    page = visit("/")
    sign_in(page, owner)
    page.goto("/play/beginner/")
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    game = began(page)
    game.move(1, 1)
    _f5(page)  # nothing was begun
    assert asked == []
    game = began(page)
    game.click(0, 0)
    answered(game, 0, 0)
    page.evaluate("setTimeout(() => location.reload())")
    while not asked:
        page.wait_for_timeout(20)
    assert asked == ["beforeunload"]
    game.click(*mine_of(board_of_running_game(game)))
    expect(page.locator("[data-result]")).to_contain_text("Lost")
    _f5(page)
    assert asked == ["beforeunload"]


# --- the walk ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Try:
    """Seconds until the game went on, by how much the page's clock was wrong then, and by how much it was in the end."""

    seconds: float
    clock_ms: float
    end_ms: float


def _walk(visit: Visit, way: str, number: int, options: dict[str, Any]) -> Try:
    click = tap if options else GamePage.click
    game = began(visit("/play/intermediate/", **options))
    click(game, 7, 7)
    if number % 2:
        answered(game, 7, 7)
        game.page.wait_for_timeout(300 * (number % 5))
    else:
        wait_until(lambda: game.page.evaluate("Object.keys(localStorage).length > 0"), what="the click")
    began_ms = game.page.evaluate(_BEGAN)
    left = time.monotonic()
    page = WAYS[way](game.page)
    game = began(page)
    answered(game, 7, 7)
    seconds = time.monotonic() - left
    row, column = mine_of(board_of_running_game(game))
    clock_ms = game.page.evaluate(_BEGAN) - began_ms
    if options:
        page.get_by_role("button", name="Open").click()
    click(game, row, column)
    expect(page.locator("[data-result]")).to_contain_text("Lost")
    ended = ended_game()
    assert ended.server_span_us is not None
    assert ended.client_span_ms is not None
    assert ended.reason != "clock"
    page.context.close()
    return Try(seconds, clock_ms, ended.server_span_us / 1000 - ended.client_span_ms)


@LATER
@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_the_walk(asgi_site: Site, visit: Visit, options: dict[str, Any]) -> None:
    """Each way in turn, half of them before the first answer."""
    tries = [_walk(visit, list(WAYS)[number % len(WAYS)], number, options) for number in range(TRIES)]
    assert max(one.seconds for one in tries) <= MOST_SECONDS
    assert max(abs(one.clock_ms) for one in tries) <= MOST_CLOCK_ERROR_MS
    assert max(abs(one.end_ms) for one in tries) <= MOST_END_ERROR_MS
