"""Searching, explanations of numbers, and comments in a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from analysis.recording import Level
from players.models import User
from players.people.services import players_for_names
from replays.models import Comment, Like, Replay
from tests.e2e.conftest import Visit, sign_in
from tests.e2e.test_browser import put
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file

pytestmark = pytest.mark.usefixtures("store")


@pytest.fixture
def tolerated() -> list[str]:
    return ["status of 503"]  # the luck of the replay, while its kernels or another question keep it busy


def focused(page: Page, selector: str) -> bool:
    return bool(page.evaluate("selector => document.activeElement.matches(selector)", selector))


def test_search_by_keys_from_any_page(visit: Visit) -> None:
    game: Replay = put(game_file(1, Level.BEGINNER))
    players_for_names(["Wang Jianing", "<img src=x onerror=alert(1)>"])
    page = visit(f"/replays/{game.pk}/")
    expect(page.locator("[data-film][data-state=ready]")).to_have_count(1)
    field, list_, options = page.locator("[data-suggest]"), page.locator("#suggestions"), page.locator("[role=option]")
    page.keyboard.press("/")
    assert focused(page, "[data-search]")
    expect(field).to_have_value("")  # the key itself is not typed
    page.keyboard.type("jianing/")  # inside of the field it is a sign like others
    expect(field).to_have_value("jianing/")
    page.keyboard.press("Backspace")
    expect(list_).to_be_visible()
    expect(field).to_have_attribute("aria-expanded", "true")
    expect(options.first).to_have_text("Wang Jianing")
    expect(options.last).to_contain_text("“jianing”")  # not the answer to what stood there before
    page.keyboard.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    expect(field).to_have_attribute("aria-activedescendant", "suggestion-0")
    page.keyboard.press("Escape")
    expect(list_).to_be_hidden()
    assert focused(page, "[data-search]")

    field.fill("onerror")
    expect(options.first).to_have_text("<img src=x onerror=alert(1)>")  # as text
    field.fill(game.sha256[:8])
    expect(options.first).to_contain_text(f"#{game.pk}")
    field.fill("exp stnb")
    expect(options.first).to_have_text("Expert · STNB")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/leaderboards/expert/stnb/")

    page.keyboard.press("/")
    page.keyboard.type("ioe")
    page.keyboard.press("Enter")  # without a choice: the page of the results
    page.wait_for_url("**/search/?q=ioe")
    page.locator("h1").click()
    page.keyboard.press("j")
    assert focused(page, "#found a")


@pytest.mark.long(beside="tests/e2e/test_words.py::test_search_by_keys_from_any_page")
def test_search_on_a_phone(visit: Visit) -> None:
    players_for_names(["Wang Jianing"])
    phone = visit("/", width=390, height=800)
    phone.locator("[data-search-page]").click()
    phone.wait_for_url("**/search/")
    phone.goto("/")
    phone.keyboard.press("/")  # the header has no field there: the page of the search has one
    phone.wait_for_url("**/search/")
    phone.locator("#q").fill("wang")
    expect(phone.locator("[role=option]").first).to_be_visible()
    box = phone.locator("#suggestions").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


@pytest.mark.long(beside="tests/e2e/test_words.py::test_search_by_keys_from_any_page")
def test_the_form_works_without_script(visit: Visit) -> None:
    players_for_names(["Wang Jianing"])
    page = visit("/statistics/", java_script_enabled=False)
    page.locator("[data-search]").fill("jian")
    page.locator("[data-search]").press("Enter")
    expect(page.locator("#found")).to_contain_text("Wang Jianing")
    page.goto("/leaderboards/expert/ioe/")
    page.locator("h1 .explain").click()  # a native popover
    expect(page.locator("#about-title-ioe")).to_be_visible()


@pytest.mark.long(beside="tests/e2e/test_words.py::test_search_by_keys_from_any_page")
def test_numbers_explain_themselves_by_hover_focus_and_tap(visit: Visit) -> None:
    page = visit("/leaderboards/expert/ioe/")
    button, popover = page.locator("h1 .explain"), page.locator("#about-title-ioe")
    expect(popover).to_be_hidden()
    button.hover()
    expect(popover).to_be_visible()
    expect(popover).to_contain_text("Index of efficiency")
    box = popover.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 1280
    popover.hover()  # one can go there
    page.wait_for_timeout(600)
    expect(popover).to_be_visible()
    page.mouse.move(900, 850)
    expect(popover).to_be_hidden()

    button.hover()
    expect(popover).to_be_visible()
    button.click()  # keeps it
    page.mouse.move(900, 850)
    page.wait_for_timeout(600)
    expect(popover).to_be_visible()
    page.keyboard.press("Escape")
    expect(popover).to_be_hidden()

    page.locator("main").focus()
    while not focused(page, "h1 .explain"):
        page.keyboard.press("Tab")
    expect(popover).to_be_visible()
    page.evaluate("scrollBy(0, 20)")  # as focus itself may do
    page.wait_for_timeout(200)
    expect(popover).to_be_visible()
    page.keyboard.press("Tab")
    assert focused(page, "#about-title-ioe a")
    expect(popover).to_be_visible()
    page.keyboard.press("Tab")
    expect(popover).to_be_hidden()

    phone = visit("/leaderboards/expert/ioe/", width=390, height=800, has_touch=True)
    phone.locator("h1 .explain").tap()
    box = phone.locator("#about-title-ioe").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    phone.touchscreen.tap(200, 780)
    expect(phone.locator("#about-title-ioe")).to_be_hidden()


@pytest.mark.long(beside="tests/e2e/test_words.py::test_search_by_keys_from_any_page")
def test_comments_come_when_one_scrolls_to_them(visit: Visit, owner: User) -> None:
    game: Replay = put(game_file(1, Level.BEGINNER))
    page = visit("/sign-in/")
    sign_in(page, owner)
    page.goto(f"/replays/{game.pk}/#comments")
    page.locator("#comment-text").fill("Well played!\n<b>Twice</b>")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".comment-text")).to_have_text("Well played!<b>Twice</b>")
    page.locator("#comments").get_by_role("button", name="Like").click()
    expect(page.locator("#comments [aria-pressed=true]")).to_contain_text("1")
    assert (Comment.objects.get().text, Like.objects.count()) == ("Well played!\n<b>Twice</b>", 1)
    page.locator(".comment").get_by_role("button", name="Delete").click()
    expect(page.locator("#comments")).to_contain_text("No comments yet.")
