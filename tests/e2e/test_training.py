"""The list of slips, a slip as a puzzle, and the training of an account, in a browser."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from analysis.recording import Level
from players.models import User
from replays.models import NeedlessGuess, Replay
from replays.upload.processing.luck import luck_measure
from tests.e2e.conftest import Visit, sign_in
from tests.e2e.film import use_film
from tests.e2e.test_browser import put
from tests.e2e.test_film_page import VIEWER
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file

pytestmark = pytest.mark.usefixtures("luck_compiled")
PHONE = 390


@pytest.fixture
def tolerated() -> list[str]:
    return []


@pytest.fixture
def game(transactional_db: None, owner: User, store: Path) -> Replay:  # noqa: F811 - the fixture
    """A game with a needless guess after its first two seconds, of the player of ``owner``."""
    for seed in range(1, 30):
        row = put(game_file(seed, Level.EXPERT))
        luck_measure([row.pk])
        if NeedlessGuess.objects.filter(replay=row, is_needless=True, time_ms__gt=2000).exists():
            break
    Replay.objects.filter(pk=row.pk).update(player=owner.player)
    return Replay.objects.get(pk=row.pk)


def look(page: Page, name: str) -> None:
    """Take pictures of what is shown, to be looked at."""
    if folder := os.environ.get("SWEEPBOOK_LOOK"):
        for scheme, width in (("light", 1280), ("light", PHONE), ("dark", 1280)):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.set_viewport_size({"width": width, "height": 844})
            page.wait_for_timeout(300)
            page.screenshot(path=Path(folder) / f"{name}-{scheme}-{width}.png", full_page=True)
        page.set_viewport_size({"width": 1280, "height": 844})


@pytest.mark.long(beside="tests/replays/watch/training/test_training_pages.py::test_the_page_judges_by_it")
def test_from_the_list_to_the_puzzle_and_the_training(visit: Visit, owner: User, game: Replay) -> None:
    page = visit("/", reduced_motion="reduce")
    sign_in(page, owner)
    page.goto(game.get_absolute_url())
    use_film(page)
    page.locator("#review, [hx-get$='/review/']").first.scroll_into_view_if_needed()
    chip = page.locator("[data-filter=needless_guess]")
    chip.focus()
    page.keyboard.press("Enter")
    expect(chip).to_have_attribute("aria-pressed", "true")
    groups: list[Any] = page.locator("[data-group]").evaluate_all(
        "all => all.filter((one) => !one.hidden).map((one) => one.dataset.group)"
    )
    assert groups == ["needless_guess"]

    row = page.locator("[data-group=needless_guess] [data-judged]").first
    row.locator("a[data-main]").click()
    expect(row.locator(".safe-cells")).to_be_visible()
    marks = page.evaluate(f"() => [...{VIEWER}.review.marks.marks]")
    assert marks
    assert all(mark.endswith("on-safe") for mark in marks)
    look(page, "review")
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "false")

    page.goto("/training/")
    look(page, "training-before")
    page.get_by_role("link", name="Start").click()
    cells = page.locator("[data-puzzle] button")
    expect(cells.first).to_be_visible()
    page.wait_for_load_state()  # until then no key is heard
    cells.first.focus()
    page.keyboard.press("ArrowRight")
    expect(cells.first).not_to_be_focused()
    expect(page.locator("[data-puzzle] button:focus")).to_have_count(1)
    look(page, "puzzle")
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_be_visible()
    expect(page.locator("[data-puzzle] button")).to_have_count(0)
    look(page, "answer")
    page.get_by_role("link", name="Training").last.click()
    expect(page.locator(".training-chart svg")).to_be_visible()
    look(page, "training")
