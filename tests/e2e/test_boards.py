"""Tests of scripts on boards, on the page of a player and on the upload page, beyond what works without them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from analysis.recording import Level
from players.models import User
from replays.models import Replay
from tests.e2e.conftest import Visit, sign_in
from tests.e2e.test_browser import put
from tests.replays.conftest import store as store
from tests.replays.games import game_file

BOARD = "/leaderboards/beginner/time/?columns=film"


@pytest.fixture
def game(transactional_db: None, store: object) -> Replay:
    return put(game_file(1, Level.BEGINNER))


def focused(page: Page, selector: str) -> bool:
    return bool(page.evaluate("selector => document.activeElement.matches(selector)", selector))


def test_the_film_on_a_board(visit: Visit, game: Replay) -> None:
    """The film opens by keys, ends with Escape, and the focus goes back."""
    page = visit(BOARD)
    link, dialog = page.locator("a[data-embed]"), page.locator("dialog.film-dialog")
    film = page.frame_locator(".film-dialog iframe").locator("[data-film]")
    expect(dialog).to_have_count(0)
    expect(page.locator("iframe"), "nothing of it is loaded before somebody asks for it").to_have_count(0)
    link.focus()
    page.keyboard.press("Enter")
    expect(dialog).to_have_attribute("open", "")
    expect(dialog).to_have_attribute("aria-label", re.compile("."))
    expect(film).to_have_attribute("data-state", "ready")
    page.keyboard.press("Escape")
    expect(dialog).not_to_have_attribute("open", "")
    assert focused(page, "a[data-embed]")
    expect(page.locator("iframe")).to_have_attribute("src", "about:blank")  # it does not play on


@pytest.mark.long(beside="tests/e2e/test_boards.py::test_the_film_on_a_board")
def test_the_film_on_a_board_is_played_and_closed(visit: Visit, game: Replay) -> None:
    """With Escape wherever the focus is, by its button, and by a click beside it."""
    page = visit(BOARD)
    link, dialog = page.locator("a[data-embed]"), page.locator("dialog.film-dialog")
    film = page.frame_locator(".film-dialog iframe").locator("[data-film]")
    link.click()
    expect(film).to_have_attribute("data-state", "ready")
    film.locator("[data-part=rate]").fill("16")
    film.locator("[data-part=rate]").press("Enter")
    film.locator("[data-do=toggle]").click()
    expect(film).to_have_attribute("data-state", "ended")
    film.locator("[data-part=help] > summary").click()
    page.keyboard.press("Escape")  # of the viewer: its menu
    expect(film.locator("[data-part=help]")).not_to_have_attribute("open", "")
    expect(dialog).to_have_attribute("open", "")
    page.keyboard.press("Escape")  # the focus is in the film
    expect(dialog).not_to_have_attribute("open", "")
    assert focused(page, "a[data-embed]")

    link.click()
    dialog.get_by_role("button").first.click()
    expect(dialog).not_to_have_attribute("open", "")
    link.click()
    page.mouse.click(4, 450)  # beside it
    expect(dialog).not_to_have_attribute("open", "")


@pytest.mark.long(beside="tests/e2e/test_boards.py::test_the_film_on_a_board")
def test_the_film_on_a_board_of_a_phone(visit: Visit, game: Replay) -> None:
    page = visit(BOARD, width=390, height=844, has_touch=True)
    page.locator("a[data-embed]").tap()
    dialog = page.locator("dialog.film-dialog")
    film = page.frame_locator(".film-dialog iframe").locator("[data-film]")
    expect(film).to_have_attribute("data-state", "ready")
    box = dialog.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert box["y"] + box["height"] <= 844
    inside = page.frames[-1].evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert inside[0] <= inside[1]
    film.locator("[data-do=toggle]").tap()
    expect(film).not_to_have_attribute("data-state", "ready")
    dialog.get_by_role("button").first.tap()
    expect(dialog).not_to_have_attribute("open", "")


@pytest.mark.long(beside="tests/e2e/test_boards.py::test_the_film_on_a_board")
def test_without_script_the_film_is_a_link(visit: Visit, game: Replay) -> None:
    page = visit(BOARD, java_script_enabled=False)
    page.locator("a[data-embed]").click()
    page.wait_for_url(f"**{game.get_absolute_url()}")


@pytest.mark.long(beside="tests/e2e/test_boards.py::test_the_film_on_a_board")
def test_forms_are_sent_when_something_is_chosen(visit: Visit, game: Replay) -> None:
    assert game.player is not None
    page = visit(f"{game.player.get_absolute_url()}versus/")
    expect(page.locator(".rival-form button")).to_be_hidden()
    page.select_option("#rival-statistic", "bvs")
    page.wait_for_url("**statistic=bvs**")
    expect(page.locator("#rivals h2").first).to_contain_text("3BV/s")


@pytest.mark.long(beside="tests/e2e/test_boards.py::test_the_film_on_a_board")
def test_files_are_dropped_on_the_upload_page(visit: Visit, owner: User, store: object) -> None:
    page = visit("/sign-in/")
    sign_in(page, owner)
    page.goto("/upload/")
    text = game_file(1, Level.BEGINNER).decode("latin-1")
    data = page.evaluate_handle(
        """(text) => {
          const data = new DataTransfer();
          data.items.add(new File([Uint8Array.from(text, (one) => one.charCodeAt(0))], "dropped.rawvf"));
          return data;
        }""",
        text,
    )
    area = page.locator("[data-drop]")
    page.dispatch_event("main", "dragenter", {"dataTransfer": data})
    expect(area).to_contain_class("over")
    page.dispatch_event("main", "drop", {"dataTransfer": data})
    expect(area).not_to_contain_class("over")
    expect(page.locator("[data-list] tr")).to_have_count(1)
    expect(page.locator("[data-list] tr")).to_contain_text("dropped.rawvf")
    expect(page.locator("[data-list] tr")).to_have_attribute("data-state", "queued")
    assert Replay.objects.get().uploader == owner
