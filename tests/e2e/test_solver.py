"""The solver's page in a browser: stepping forwards and back by buttons and keys, playing, and the link that stays true."""

from __future__ import annotations

from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visit
from tests.e2e.looks import seen_troubles

GAME = "/tools/solver/?level=beginner&rules=xp&stage=safest&seed=1"


def cells(page: Page) -> list[list[str]]:
    """Text and classes of each cell of the board."""
    found: list[list[str]] = page.locator("[data-board] td").evaluate_all(
        "cells => cells.map((cell) => [cell.textContent, [...cell.classList].sort().join(' ')])"
    )
    return found


def step_of(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query)["step"][0]


@pytest.mark.long(beside="tests/replays/odds/solver_page/test_api.py::test_a_game_is_that_of_the_match")
def test_steps_forwards_and_back_are_those_of_the_server(visit: Visit) -> None:
    page = visit(GAME, width=390)
    last = int(page.locator("[data-step]").get_attribute("max") or "")
    assert last > 5
    shown = [cells(page)]
    for step in range(1, last + 1):
        page.get_by_role("button", name="Next click").click()
        expect(page.locator("[data-count]")).to_have_text(f"{step} of {last} clicks")
        shown.append(cells(page))
    assert step_of(page) == str(last)
    assert all(before != after for before, after in pairwise(shown))
    expect(page.get_by_role("button", name="Next click")).to_have_attribute("aria-disabled", "true")
    for step in reversed(range(last)):
        page.keyboard.press("ArrowLeft")
        assert cells(page) == shown[step]
    assert step_of(page) == "0"
    page.keyboard.press("End")
    assert cells(page) == shown[last]
    still = visit(GAME, java_script_enabled=False)
    for step in (0, 1, last // 2, last):
        still.goto(f"{GAME}&step={step}")
        assert cells(still) == shown[step]
        words = still.locator("[data-words]").inner_text()
        page.locator("[data-step]").fill(str(step))
        expect(page.locator("[data-words]")).to_have_text(words)


@pytest.mark.long(beside="tests/replays/odds/solver_page/test_api.py::test_a_game_is_that_of_the_match")
def test_playing_ends_with_the_game(visit: Visit) -> None:
    page = visit(f"{GAME}&step=2")
    page.get_by_role("button", name="Autoplay").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.get_by_role("button", name="Next click")).to_have_attribute("aria-disabled", "true")
    expect(page.get_by_role("button", name="Autoplay")).to_be_visible()
    last = page.locator("[data-step]").get_attribute("max")
    assert step_of(page) == last


@pytest.mark.long(beside="tests/replays/odds/solver_page/test_api.py::test_a_game_is_that_of_the_match")
def test_nothing_is_wider_than_a_phone(visit: Visit) -> None:
    for width in (320, 390):
        page = visit("/tools/solver/", width=width)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        page.keyboard.press("End")
        expect(page.locator("[data-words]")).to_contain_text("Won")


@pytest.mark.long(beside="tests/replays/odds/solver_page/test_api.py::test_a_game_is_that_of_the_match")
def test_a_guess_and_the_end_have_no_serious_troubles(visit: Visit) -> None:
    page = visit("/tools/solver/?stage=random&step=1")
    expect(page.locator("[data-facts]")).to_contain_text("Chance of a mine:")
    found = list(seen_troubles(page))
    page.keyboard.press("End")
    expect(page.locator("[data-words]")).to_contain_text("Lost:")
    assert found + list(seen_troubles(page)) == []
