"""Whole games on the real site: pages, socket, database; the mouse is the browser's."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect
from pytest_django import Settings

from analysis import fair
from analysis.board import board_facts
from analysis.bots.hand import CELL_PX, Hand
from analysis.bots.profiles import DEMO_PROFILES
from analysis.recording import Board, Kind, Level
from players.models import User
from replays.models import Replay
from replays.play.models import LiveGame
from replays.play.sockets import socket_limits
from replays.play.solo import solo_consumer
from replays.upload.processing.queue import ANALYSE
from replays.upload.processing.services import analyse_replays
from tests.conftest import PASSWORD
from tests.e2e.conftest import Visit, sign_in
from tests.e2e.play.table import CLOSED, FLAG, GamePage
from tests.e2e.site import Site
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.play.conftest import _handed_in_at_once  # noqa: F401 - a fixture
from tests.replays.sent_tasks import on_task
from tests.services import wait_until

pytestmark = pytest.mark.usefixtures("worker")


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch, store: Path) -> Iterator[None]:  # noqa: F811 - the fixture
    """Replays are analysed where they are queued; counts of sockets and games begin anew."""
    on_task(monkeypatch, ANALYSE, analyse_replays)
    solo_consumer._new_games.cache_clear()
    yield
    socket_limits.limits_of_process.cache_clear()


def board_of_running_game(game: GamePage) -> Board:
    """The board, from the database: a game is stored within a second of its first opened cell."""
    deadline = time.monotonic() + 20
    while (found := LiveGame.objects.filter(state=LiveGame.State.PLAYING).first()) is None:
        assert time.monotonic() < deadline, "the game was not stored"
        game.page.wait_for_timeout(50)
    secret, nonce = bytes(found.secret), bytes(found.nonce)
    assert found.first_cell is not None
    return fair.board(
        secret, nonce, found.rows, found.columns, found.mines, fair.Rules(found.rules), found.first_cell, found.attempt
    )


def cells_to_open(board: Board) -> list[int]:
    """Return a cell of each opening, and then every number that no opening opens."""
    facts = board_facts(board)
    openings = [
        int(np.argmax(facts.opening_id.ravel() * (facts.numbers.ravel() == 0) == one))
        for one in range(1, int(facts.opening_id.max()) + 1)
    ]
    return [*openings, *np.flatnonzero(facts.island_id.ravel() > 0).tolist()]


def win(game: GamePage, board: Board) -> int:
    """Click each opening and each other number once, by the hand of a bot; returns the number of clicks.

    It knows the mines and so need not think, but it is no faster than the fastest people.
    """
    cells = cells_to_open(board)
    quick = replace(DEMO_PROFILES[0], pace=0.6, press_ms=30)
    hand = Hand(quick, np.random.default_rng(5), board.rows, board.columns, cells[0])
    for cell in cells:
        hand.point_at(cell)
        hand.click(Kind.LEFT_PRESS, Kind.LEFT_RELEASE)
        hand.wait(60)
    begin = time.monotonic()
    scale = game.cell_px / CELL_PX
    for event in hand.events():
        rest = begin + int(event["time_ms"]) / 1000 - time.monotonic()
        if rest > 0:
            time.sleep(rest)
        kind = {Kind.MOVE: "moved", Kind.LEFT_PRESS: "pressed", Kind.LEFT_RELEASE: "released"}[Kind(event["kind"])]
        x, y = game.left + (int(event["x_px"]) + 0.5) * scale, game.top + (int(event["y_px"]) + 0.5) * scale
        game.mouse(kind, x, y, "none" if kind == "moved" else "left")
    return len(cells)


def test_a_newcomer_finishes_a_game_within_three_clicks_and_keeps_it(asgi_site: Site, visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("link", name="Play now").click()  # 1
    game = GamePage(page)
    game.click(0, 0)  # 2: the game runs
    row, column = np.argwhere(board_of_running_game(game).mines)[0].tolist()
    game.click(row, column)  # 3: and is over
    expect(page.locator("[data-result]")).to_contain_text("Lost")
    expect(page.locator("[data-games] li")).to_have_count(1)
    name = LiveGame.objects.get().pk
    page.locator(".play-ranked").get_by_role("link", name="Sign up").click()
    for field, value in (("username", "newcomer"), ("password1", PASSWORD), ("password2", PASSWORD)):
        page.fill(f"[name={field}]", value)
    page.click("main form button")
    page.wait_for_url("**/play/beginner/")
    expect(page.locator(f'[data-games] li[data-game="{name}"]')).to_have_count(1)
    assert LiveGame.objects.get(pk=name).user == User.objects.get(username="newcomer")


@pytest.mark.long(
    beside="tests/e2e/play/test_solo.py::test_a_newcomer_finishes_a_game_within_three_clicks_and_keeps_it"
)
def test_an_expert_game_from_the_first_click_to_its_line_on_the_board(
    settings: Settings, asgi_site: Site, visit: Visit, owner: User
) -> None:
    settings.PROVISIONAL_LIMITS = [("expert", "time", "<", 600)]  # however slowly the machine clicks
    page = visit("/", width=1400)
    sign_in(page, owner)
    page.goto("/play/expert/")
    game = GamePage(page)
    game.click(8, 15)
    clicks = win(game, board_of_running_game(game))
    line = page.locator("[data-result]")
    expect(line).to_contain_text("Won", timeout=20_000)
    expect(line).to_contain_text("Under review: a world-class result", timeout=30_000)
    expect(line.locator(".pb")).to_have_attribute("title", "Your first PB")
    expect(page.locator("[data-watch]")).to_have_attribute("href", Replay.objects.get().get_absolute_url())
    replay = Replay.objects.get()
    assert (replay.ranked, replay.level, replay.evidence) == (True, Level.EXPERT, Replay.Evidence.HERE)
    assert Replay.objects.filter(lcl=clicks + 1).exists()
    shown = page.locator("[data-counter=time]").inner_text()
    expect(page.locator("[data-games] li b").first).to_have_text(shown)
    page.goto("/leaderboards/expert/time/")
    place = page.locator("tbody tr").first
    expect(place).to_contain_text(shown)
    page.goto(f"/play/games/{LiveGame.objects.get().pk}/")
    page.get_by_role("link", name="Verify").click()
    expect(page.locator("[data-answer]")).to_contain_text("matches the commitment")


#: Makes the sockets of the page known to the test, but for those of copies.
_SOCKETS = """
const Real = WebSocket;
window.sockets = [];
window.WebSocket = class extends Real { constructor(...given) { super(...given); if (!this.url.endsWith("/copy/")) sockets.push(this); } };
"""


@pytest.mark.long(
    beside="tests/e2e/play/test_solo.py::test_a_newcomer_finishes_a_game_within_three_clicks_and_keeps_it"
)
def test_a_connection_lost_before_the_first_click(asgi_site: Site, visit: Visit) -> None:
    """The site forgets games that have not begun; the page asks for another one."""
    page = visit("/")
    page.add_init_script(_SOCKETS)
    page.goto("/play/beginner/")
    game = GamePage(page)
    game.until("document.querySelector('[data-play]').dataset.commit !== undefined")
    commit = page.locator("[data-play]").get_attribute("data-commit")
    page.evaluate("sockets.at(-1).close()")
    expect(page.locator("[data-play]")).not_to_have_attribute("data-commit", commit or "")
    game.click(3, 3)
    board_of_running_game(game)
    wait_until(lambda: game.face(3, 3) < CLOSED, what="the answer")
    expect(page.locator("[data-status]")).to_be_empty()
    expect(page.locator("[data-play]")).to_have_attribute("data-commit", LiveGame.objects.get().commit)


@pytest.mark.long(
    beside="tests/e2e/play/test_solo.py::test_a_newcomer_finishes_a_game_within_three_clicks_and_keeps_it"
)
def test_restarts_and_a_lost_connection(asgi_site: Site, visit: Visit) -> None:
    """Ten restarts in a row, then a game that survives the end of its socket."""
    page = visit("/")
    page.add_init_script(_SOCKETS)
    page.goto("/play/intermediate/")
    game = GamePage(page)
    for _ in range(10):
        game.page.keyboard.press("r")
        game.click(3, 3)
    wait_until(lambda: game.face(3, 3) < CLOSED, what="the answer")
    commit = page.locator("[data-play]").get_attribute("data-commit")
    page.evaluate("sockets.at(-1).close()")
    expect(page.locator("[data-status]")).to_contain_text("board is kept")
    game.click(15, 15, "right")
    game.until("document.querySelector('[data-play]').dataset.state === 'open'")
    game.click(15, 14, "right")
    expect(page.locator("[data-status]")).to_be_empty()
    expect(page.locator("[data-play]")).to_have_attribute("data-commit", commit or "")
    wait_until(lambda: (game.face(15, 15), game.face(15, 14)) == (FLAG, FLAG))
    board = board_of_running_game(game)
    row, column = next((r, c) for r, c in np.argwhere(board.mines).tolist() if (r, c) not in {(15, 15), (15, 14)})
    game.click(row, column)
    expect(page.locator("[data-result]")).to_contain_text("Lost")
