"""The viewer in a browser."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from analysis.recording import Level
from replays.models import Replay
from tests.e2e.conftest import Visit
from tests.e2e.test_browser import put
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file

pytestmark = pytest.mark.usefixtures("store")


def opened(visit: Visit, game: Replay, **options: object) -> Page:
    page = visit(game.get_absolute_url(), **options)
    expect(page.locator("[data-film][data-odds=ready]")).to_have_count(1)
    return page


def test_look(visit: Visit) -> None:
    data = Path(os.environ["LOOK"]).read_bytes() if "LOOK" in os.environ else game_file(1, Level.EXPERT)
    game = put(data)
    page = opened(visit, game)
    page.screenshot(path="/tmp/look1.png")
    page.evaluate("document.querySelector('[data-film]').viewer.seek(20000)")
    page.wait_for_timeout(400)
    page.screenshot(path="/tmp/look2.png")
    for layer in ("odds", "bv"):
        page.evaluate(f"document.querySelector('[data-layer={layer}]').click()")
    page.locator("[data-do=next]").click()
    page.wait_for_timeout(700)
    page.screenshot(path="/tmp/look3.png")
    page.locator("[data-do=toggle]").click()
    page.wait_for_timeout(1500)
    page.screenshot(path="/tmp/look4.png")
    print(page.url, page.locator("[data-status]").inner_text())
