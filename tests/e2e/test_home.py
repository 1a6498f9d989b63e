"""The home page in a browser: the record plays as a film, the Beginner board can be played at once."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from analysis.recording import Level
from tests.e2e.conftest import Visit
from tests.e2e.test_browser import put
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file


@pytest.fixture
def _games(store: Any, transactional_db: None) -> None:  # noqa: F811 - the fixture
    put(game_file(1, Level.EXPERT))
    put(game_file(2, Level.BEGINNER))


def mines_of(page: Page) -> list[bool]:
    config = json.loads(page.locator("#trial-config").text_content() or "")
    bits = "".join(f"{int(digit, 16):04b}" for digit in config["mines"])
    return [bit == "1" for bit in bits[: config["rows"] * config["columns"]]]


def click(page: Page, cell: int, button: Any = "left") -> None:
    box = page.locator("[data-try] svg.cells").bounding_box()
    assert box is not None
    side = box["width"] / 8
    page.mouse.click(box["x"] + (cell % 8 + 0.5) * side, box["y"] + (cell // 8 + 0.5) * side, button=button)


def face(page: Page, cell: int) -> str:
    return page.locator("[data-try] svg.cells use").nth(cell).get_attribute("href") or ""


def clock(page: Page) -> list[str | None]:
    return [place.get_attribute("d") for place in page.locator("[data-hero] [data-led=time] path.son").all()]


@pytest.mark.long(beside="tests/e2e/play/test_page.py::test_a_board_that_is_seen_takes_clicks")
@pytest.mark.usefixtures("_games")
def test_a_board_is_played_at_once(visit: Visit) -> None:
    page = visit("/")
    trial = page.locator("[data-try][data-ready]")
    expect(trial).to_have_attribute("data-state", "ready")
    mines = mines_of(page)
    mine = mines.index(True)
    click(page, mine, "right")
    assert face(page, mine) == "#cell-11"
    click(page, mine)  # a flag protects
    expect(trial).to_have_attribute("data-state", "ready")
    for cell, is_mine in enumerate(mines):
        if not is_mine and face(page, cell) == "#cell-10":
            click(page, cell)
    expect(trial).to_have_attribute("data-state", "won")
    expect(page.locator("[data-say]")).to_contain_text("Cleared in")
    assert all(face(page, cell) == "#cell-11" for cell, is_mine in enumerate(mines) if is_mine)
    page.get_by_role("button", name="Play again").click()
    expect(trial).to_have_attribute("data-state", "ready")
    click(page, mine)
    expect(trial).to_have_attribute("data-state", "lost")
    assert face(page, mine) == "#cell-9"


@pytest.mark.long(beside="tests/pages/test_every_page.py::test_public_pages")
@pytest.mark.usefixtures("_games")
def test_the_film_plays_until_it_is_paused(visit: Visit) -> None:
    page = visit("/")
    hero = page.locator("[data-hero][data-loaded]")
    expect(hero).to_have_attribute("data-state", "playing")
    expect(hero.get_by_role("link", name="Watch")).to_have_attribute("href", re.compile(r"^/replays/\d+/\?play=1$"))
    page.get_by_role("button", name="Pause").click()
    expect(hero).to_have_attribute("data-state", "paused")
    before = clock(page)
    page.wait_for_timeout(200)
    assert clock(page) == before
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(
        "(before) => document.querySelectorAll('[data-hero] [data-led=time] path.son')[4].getAttribute('d') !== before",
        arg=before[4],
    )


@pytest.mark.long(beside="tests/pages/test_every_page.py::test_public_pages")
@pytest.mark.usefixtures("_games")
def test_less_motion_shows_the_poster_alone(visit: Visit) -> None:
    page = visit("/", reduced_motion="reduce")
    expect(page.locator("[data-hero]")).to_have_attribute("data-state", "still")
    page.wait_for_timeout(500)
    assert not page.evaluate("performance.getEntriesByType('resource').some(({ name }) => name.includes('/film'))")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("[data-hero][data-loaded]")).to_have_attribute("data-state", "playing")


@pytest.mark.long(beside="tests/pages/test_every_page.py::test_public_pages")
@pytest.mark.usefixtures("_games")
def test_news_come_when_they_are_near(visit: Visit) -> None:
    page = visit("/", height=200)  # it comes at 500 px from the window
    slot = page.locator("[data-near]")
    assert slot.get_attribute("data-loaded") is None
    slot.scroll_into_view_if_needed()
    expect(page.get_by_role("heading", name="News")).to_be_visible()
    expect(page.get_by_text("set the Expert record")).to_be_visible()


@pytest.mark.long(beside="tests/pages/test_every_page.py::test_public_pages")
@pytest.mark.usefixtures("_games")
def test_the_caption_of_the_film_has_room_between_the_displays(visit: Visit) -> None:
    page = visit("/", reduced_motion="reduce")
    parts = ("[data-led=mines] svg", ".live", "[data-pause]", "[data-led=time] svg")
    for width in (1280, 390, 360):
        page.set_viewport_size({"width": width, "height": 900})
        boxes = [page.locator(f"[data-hero] {part}").bounding_box() for part in parts]
        edges = [(box["x"], box["x"] + box["width"]) for box in boxes if box]
        assert len(edges) == len(parts)
        assert all(right <= left for (_, right), (left, _) in pairwise(edges)), (width, edges)
        caption = boxes[1]
        assert caption is not None
        assert caption["height"] <= 34, f"two lines at most, at {width} px"
