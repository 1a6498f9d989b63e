"""Clicks and seconds of a newcomer in Chromium: to a first game, to a film, to an account with the games of the guest.

    make bench-newcomer

It runs under pytest for the site and the browser of ``tests/e2e``, and only prints.  Seconds are those of the browser and
the site: nobody reads or thinks.  Clicks on boards are counted apart from those on pages.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from players.models import User
from replays.play.models import LiveGame
from tests.conftest import PASSWORD
from tests.e2e.conftest import Visit
from tests.e2e.conftest import browser as browser
from tests.e2e.conftest import tolerated as tolerated
from tests.e2e.conftest import visit as visit
from tests.e2e.demo_pages import demo_pages
from tests.e2e.play.table import GamePage
from tests.e2e.play.test_solo import worker as worker
from tests.e2e.site import Site
from tests.e2e.test_first_view import asgi_site as asgi_site
from tests.e2e.test_first_view import static_root as static_root
from tests.replays.conftest import store as store
from tests.replays.play.conftest import _handed_in_at_once as _handed_in_at_once
from tests.services import wait_until

pytestmark = pytest.mark.usefixtures("worker")
_GAMES = 60
_PLAYED = 3


@dataclass
class Way:
    """A way through the site: its clicks on pages and on boards, and when it began."""

    name: str
    clicks: int = 0
    on_boards: int = 0
    begun: float = field(default_factory=time.perf_counter)

    def click(self, place: Locator) -> None:
        place.click()
        self.clicks += 1

    def arrived(self, where: str) -> None:
        seconds = time.perf_counter() - self.begun
        boards = f", {self.on_boards} on boards" if self.on_boards else ""
        sys.stdout.write(f"{self.name}, {where}: {self.clicks} clicks{boards}, {seconds:.2f} s\n")


def _open(page: Page) -> None:
    """Go home in a browser that has nothing of the site yet."""
    page.goto("/", wait_until="commit")


def _lose(game: GamePage, way: Way) -> None:
    """Click cell after cell until the game is over."""
    for cell in range(game.rows * game.columns):
        game.click(*divmod(cell, game.columns))
        way.on_boards += 1
        game.page.wait_for_timeout(50)  # the answer
        if game.page.locator("[data-result]").text_content():
            return
    raise AssertionError("a game with every cell clicked is not over")


@pytest.mark.parametrize("width", [1280, 390], ids=["desktop", "phone"])
def test_newcomer(asgi_site: Site, visit: Visit, owner: User, store: Path, width: int) -> None:
    demo_pages(owner, _GAMES, 0)
    sys.stdout.write("\n")
    screen = {"width": width, "height": 844}

    page = visit("about:blank", **screen)
    way = Way(f"{width} px, home to a first game")
    _open(page)
    expect(page.locator("[data-try][data-ready]")).to_be_visible()
    way.arrived("the board on the home page can be clicked")
    way.click(page.get_by_role("link", name="Play now"))
    GamePage(page)
    way.arrived("the board of a game can be clicked")

    page = visit("about:blank", **screen)
    way = Way(f"{width} px, home to a film")
    _open(page)
    expect(page.locator("[data-hero][data-loaded]")).to_have_attribute("data-state", "playing")
    way.arrived("the record plays on the home page")
    way.click(page.locator("[data-hero]").get_by_role("link", name="Watch"))
    expect(page.locator("[data-film]")).to_have_attribute("data-state", "playing")
    way.arrived("it plays on its own page")

    page = visit("about:blank", **screen)
    way = Way(f"{width} px, home to an account")
    _open(page)
    way.click(page.get_by_role("link", name="Play now"))
    game = GamePage(page)
    for number in range(_PLAYED):
        if number:
            way.click(page.locator("[data-restart]:visible").first)
            expect(page.locator("[data-result]")).to_be_empty()
        _lose(game, way)
    expect(page.locator("[data-game]")).to_have_count(_PLAYED)
    wait_until(lambda: LiveGame.objects.exclude(result="").count() == _PLAYED, what="the stored games")
    way.arrived(f"{_PLAYED} games are over")
    save = page.get_by_role("region", name="Save your games")
    if width < 761:
        way.click(page.get_by_role("button", name="Save your games"))
    expect(save).to_contain_text("Your games so far come along unranked; the next ones count.")
    save.get_by_label("Username").fill("newcomer")
    way.click(save.get_by_role("button", name="Sign up"))
    expect(page.locator("[name=username]")).to_have_value("newcomer")
    for name in ("password1", "password2"):
        page.fill(f"[name={name}]", PASSWORD)
    way.click(page.locator("main form button"))
    page.wait_for_url("**/play/beginner/")
    expect(page.locator("[data-games] [data-game]")).to_have_count(_PLAYED)
    way.arrived("the games are there")
    user = User.objects.get(username="newcomer")
    assert LiveGame.objects.filter(user=user).count() == _PLAYED
    assert not LiveGame.objects.filter(user=user, replay__ranked=True).exists()
