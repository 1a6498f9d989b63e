"""The page of probabilities in a browser: editing by keyboard, mouse and touch, pasting, and the link that stays true."""

from __future__ import annotations

import re
import time
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e.conftest import Visit

PAGE = "/tools/probability/"
CORNER = f"{PAGE}?position=1./..&mines=1"
PHONE = 390


@pytest.fixture
def tolerated() -> list[str]:
    return ["status of 4"]  # a browser tells every refusal on its console


def cell(page: Page, row: int, column: int) -> Locator:
    return page.locator("table.position tbody tr").nth(row - 1).locator("td").nth(column - 1)


def query_of(page: Page) -> dict[str, str]:
    """The position in the address."""
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def paste(page: Page, text: str) -> None:
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.setData("text/plain", text);
            document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        }""",
        text,
    )


def test_keys_edit_the_position(visit: Visit) -> None:
    page = visit(CORNER)
    cell(page, 1, 1).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("1")
    expect(cell(page, 1, 2)).to_have_attribute("aria-label", "row 1, column 2: open, 1")
    assert query_of(page) == {"position": "11/..", "mines": "1"}
    expect(cell(page, 2, 2)).to_have_attribute("aria-label", "row 2, column 2: closed, mine: 50.00%")
    assert page.evaluate("document.activeElement.cellIndex") == 2  # still there after the answer has come
    page.keyboard.press("f")
    expect(cell(page, 1, 2)).to_have_text("⚑")
    page.keyboard.press("?")
    expect(cell(page, 1, 2)).to_have_text("?")
    page.keyboard.press("Space")
    expect(cell(page, 1, 2)).to_have_text("33")
    assert query_of(page)["position"] == "1./.."


@pytest.mark.long(beside="tests/e2e/test_probability.py::test_keys_edit_the_position")
def test_a_busy_site_is_asked_again_after_the_seconds_that_it_names(visit: Visit, tolerated: list[str]) -> None:
    tolerated.append("status of 503")
    page = visit(CORNER)
    asked: list[float] = []

    def busy_at_first(route: Route) -> None:
        asked.append(time.monotonic())
        if len(asked) == 1:
            route.fulfill(status=503, headers={"Retry-After": "1"})
        else:
            route.continue_()

    page.route(re.compile(rf"{PAGE}.*position="), busy_at_first)
    cell(page, 1, 2).focus()
    page.keyboard.press("1")
    expect(cell(page, 2, 2)).to_have_text("50")
    first, second = asked
    assert second - first >= 1


@pytest.mark.long(beside="tests/e2e/test_probability.py::test_keys_edit_the_position")
def test_arrows_stop_at_the_edge_and_leave_the_page_alone(visit: Visit) -> None:
    page = visit(CORNER)
    cell(page, 1, 1).focus()
    for key in ("ArrowUp", "ArrowLeft", "End", "Home", "Control+End"):
        page.keyboard.press(key)
    assert page.evaluate("[document.activeElement.parentElement.rowIndex, document.activeElement.cellIndex]") == [2, 2]
    page.keyboard.press("/")  # a key of the site, not of the board
    assert page.evaluate("document.activeElement.name") == "q"


@pytest.mark.long(beside="tests/e2e/test_probability.py::test_keys_edit_the_position")
def test_the_board_is_one_stop_of_the_tabulator(visit: Visit) -> None:
    page = visit(CORNER)
    cell(page, 1, 1).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('table')") is None
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.parentElement.rowIndex") == 2
    expect(page.locator("[role=grid] td[tabindex='0']")).to_have_count(1)


@pytest.mark.long(beside="tests/e2e/test_probability.py::test_keys_edit_the_position")
def test_clicks_put_what_was_chosen_and_take_it_back(visit: Visit) -> None:
    page = visit(CORNER)
    page.get_by_role("radio", name="open, 2").check(force=True)
    cell(page, 2, 2).click()
    expect(cell(page, 2, 2)).to_have_text("2")
    cell(page, 2, 2).click()
    expect(cell(page, 2, 2)).to_have_text("33")
    cell(page, 2, 2).click(button="right")
    expect(cell(page, 2, 2)).to_have_text("⚑")
    assert query_of(page)["position"] == "1./.F"


@pytest.mark.long(beside="tests/e2e/test_probability.py::test_keys_edit_the_position")
def test_flags_can_be_ignored(visit: Visit) -> None:
    page = visit(f"{PAGE}?position=1F/..&mines=1")
    expect(cell(page, 2, 1)).to_have_text("✓")
    expect(page.locator("[data-flags]")).to_have_text("Flags count as known mines.")
    page.get_by_label("Ignore flags").check()
    expect(cell(page, 2, 1)).to_have_text("33")
    assert query_of(page)["flags"] == "ignored"
    page.get_by_label("Ignore flags").uncheck()
    cell(page, 2, 2).click(button="right")
    expect(page.locator("[data-flags]")).to_contain_text("can't all be right")
    expect(cell(page, 2, 1)).to_have_text("33")


@pytest.mark.long(beside="tests/e2e/test_probability.py::test_keys_edit_the_position")
def test_a_finger_can_edit(visit: Visit) -> None:
    page = visit(CORNER, width=PHONE, height=844, has_touch=True, is_mobile=True)
    page.locator(".brush").nth(1).tap()
    cell(page, 2, 2).tap()
    expect(cell(page, 2, 2)).to_have_text("⚑")


@pytest.mark.long(beside="tests/e2e/test_probability.py::test_keys_edit_the_position")
def test_a_pasted_position_replaces_the_old_one(visit: Visit) -> None:
    page = visit(CORNER)
    paste(page, "1 1 .\n. . .\n")
    expect(cell(page, 1, 3)).to_have_text("✓")
    assert query_of(page)["position"] == "11./..."
    expect(page.locator("#columns")).to_have_value("3")
    paste(page, "https://example.org/tools/probability/?position=....&mines=3")
    expect(cell(page, 1, 4)).to_have_text("75")
    expect(page.locator("#mines")).to_have_value("3")
    paste(page, "not a position")
    assert query_of(page)["position"] == "...."


@pytest.mark.long(beside="tests/e2e/test_probability.py::test_keys_edit_the_position")
def test_text_and_board_follow_each_other(visit: Visit) -> None:
    page = visit(CORNER)
    page.get_by_text("Edit as text", exact=True).click()
    page.locator("#position").fill("11.\n...")
    expect(cell(page, 1, 3)).to_have_text("✓")
    cell(page, 1, 3).focus()
    page.keyboard.press("0")
    expect(page.locator("#position")).to_have_value("110\n...")
    page.locator("#position").fill("11.\n..")
    page.get_by_text("Row 2 has 2 cells").wait_for()
    page.locator("#position").fill("..\n..")
    expect(cell(page, 2, 2)).to_have_text("25")
    cell(page, 2, 2).focus()
    page.keyboard.press("1")
    expect(cell(page, 1, 1)).to_have_text("33")


@pytest.mark.long(beside="tests/e2e/test_probability.py::test_keys_edit_the_position")
def test_the_link_opens_the_same_position(visit: Visit) -> None:
    page = visit(CORNER)
    cell(page, 1, 2).focus()
    page.keyboard.press("?")
    expect(cell(page, 1, 2)).to_have_text("?")
    expect(cell(page, 1, 2)).to_have_attribute("aria-label", "row 1, column 2: open, number unknown")
    shown = page.locator("table.position").inner_text()
    link = page.get_by_role("link", name="Link to this position").get_attribute("href")
    assert link is not None
    page.goto(link)
    expect(page.locator("table.position")).to_have_text(shown, use_inner_text=True)
    page.reload()
    expect(page.locator("table.position")).to_have_text(shown, use_inner_text=True)
    assert query_of(page)["position"] == "1?/.."


@pytest.mark.long(beside="tests/e2e/test_probability.py::test_keys_edit_the_position")
def test_the_link_works_without_scripts(visit: Visit) -> None:
    page = visit(CORNER, java_script_enabled=False)
    expect(cell(page, 1, 2)).to_have_text("33")
    expect(page.get_by_role("button", name="Answer")).to_be_visible()
    expect(page.locator(".palette")).to_be_hidden()
    page.get_by_text("Edit as text", exact=True).click()
    page.fill("#position", "11.\n...")
    page.get_by_role("button", name="Answer").click()
    expect(cell(page, 1, 3)).to_have_text("✓")


@pytest.mark.long(beside="tests/e2e/test_probability.py::test_keys_edit_the_position")
def test_size_keeps_what_is_there(visit: Visit) -> None:
    page = visit(CORNER)
    page.fill("#columns", "3")
    page.keyboard.press("Enter")
    expect(cell(page, 2, 3)).to_have_text("✓")
    assert query_of(page)["position"] == "1../..."
    page.get_by_role("button", name="9 × 9").click()
    expect(cell(page, 9, 9)).to_have_text("12")
    expect(page.locator("#mines")).to_have_value("10")


@pytest.mark.long(beside="tests/e2e/test_probability.py::test_keys_edit_the_position")
def test_a_contradiction_is_shown_where_it_is(visit: Visit) -> None:
    page = visit(CORNER)
    cell(page, 1, 1).focus()
    page.keyboard.press("8")
    page.get_by_role("alert").wait_for()
    expect(page.get_by_role("alert")).to_contain_text("the 8 in row 1, column 1")
    expect(cell(page, 1, 1)).to_have_class("open t8 wrong")
    page.keyboard.press("2")
    expect(page.get_by_role("alert")).to_contain_text(
        "With a mine count of 1, no layout fits the 2 in row 1, column 1."
    )
    page.fill("#mines", "2")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(cell(page, 2, 2)).to_have_text("67")


@pytest.mark.long(beside="tests/e2e/test_probability.py::test_keys_edit_the_position")
@pytest.mark.parametrize("way", ["focus", "hover"])
def test_a_step_shows_its_cells(visit: Visit, way: str) -> None:
    page = visit(f"{PAGE}?position=11./...&mines=1")
    step = page.locator(".deduction li").first
    step.focus() if way == "focus" else step.hover()
    for place, name in (((2, 1), "on-a"), ((2, 3), "on-b"), ((1, 1), "on-number"), ((1, 3), "on-safe")):
        expect(cell(page, *place)).to_contain_class(name)
    page.locator("h1").hover() if way == "hover" else step.blur()
    expect(page.locator("td[class*=on-]")).to_have_count(0)


@pytest.mark.long(beside="tests/e2e/test_probability.py::test_keys_edit_the_position")
def test_late_answers_do_not_undo_newer_keys(visit: Visit) -> None:
    page = visit(f"{PAGE}?position=..../....&mines=2")

    def slowly(route: Route) -> None:
        page.wait_for_timeout(150)
        route.continue_()

    page.route("**/tools/probability/**", slowly)
    cell(page, 1, 1).focus()
    for sign in "121":
        page.keyboard.press(sign)
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(140)  # each key is a question of its own
    expect(cell(page, 1, 3)).to_have_attribute("aria-label", "row 1, column 3: open, 1")
    for column, text in enumerate("121", 1):
        expect(cell(page, 1, column)).to_have_text(text)


@pytest.mark.long(beside="tests/e2e/test_probability.py::test_keys_edit_the_position")
def test_a_site_that_does_not_answer_gives_a_message(visit: Visit, tolerated: list[str]) -> None:
    tolerated.append("ERR_FAILED")
    page = visit(CORNER)
    page.route("**/tools/probability/**", lambda route: route.abort())
    cell(page, 1, 2).focus()
    page.keyboard.press("1")
    page.get_by_text("Can't reach the site").wait_for()
    page.unroute("**/tools/probability/**")
    page.keyboard.press("0")
    expect(page.get_by_text("Can't reach the site")).to_have_count(0)


@pytest.mark.long(beside="tests/e2e/test_probability.py::test_keys_edit_the_position")
def test_wrong_text_leaves_the_palette_in_the_card_of_the_board(visit: Visit) -> None:
    page = visit(CORNER)
    palette, text = page.locator(".position-card .palette"), page.locator("#position")
    expect(palette).not_to_have_attribute("disabled", "")
    page.locator("[data-text] summary").click()
    for written in ("1x\n..", "1.\n...", "x", ""):
        text.fill(written)
        expect(page.get_by_role("alert")).to_be_visible()
        expect(text).to_have_attribute("aria-invalid", "true")
        expect(palette).to_be_visible()
        expect(palette).to_have_attribute("disabled", "")
    text.fill("1.\n..")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(palette).not_to_have_attribute("disabled", "")
    expect(text).not_to_have_attribute("aria-invalid", re.compile(""))
    cell(page, 1, 2).click()
    expect(cell(page, 1, 2)).to_have_attribute("aria-label", "row 1, column 2: open, 1")
    page.fill("#mines", "9")
    expect(page.locator("#mines")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#mines")).to_have_attribute("aria-describedby", "refusal")
    page.goto(f"{PAGE}?position=abc&mines=3")
    expect(palette).to_be_visible()
    expect(text).to_be_visible()


@pytest.mark.long(beside="tests/e2e/test_probability.py::test_keys_edit_the_position")
@pytest.mark.parametrize("path", ["/tools/", PAGE, CORNER, "/tools/one-and-two/"])
def test_no_page_is_wider_than_a_phone(visit: Visit, path: str) -> None:
    page = visit(path, width=PHONE, height=844)
    widths = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert widths[0] <= widths[1]
