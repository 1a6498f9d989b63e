"""The page that lays boards, in a browser: swaps, areas, playing, links, and what is refused."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Request, expect

from tests.e2e.conftest import Visit

TINY = "/tools/laying/?rows=4&columns=6&area=4&area_mines=3&modulus=101&start_number=7"


def query_of(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def test_the_first_swap_of_the_paper_s_board(visit: Visit) -> None:
    page = visit("/tools/laying/?step=1")
    swap = page.locator("[data-swap]")
    expect(swap.locator("h3")).to_have_text("Swap 1: cell (0, 0)")
    expect(swap).to_contain_text("1437341 × 2 mod 33554393 = 2874682")
    expect(swap).to_contain_text("row: 2874682 mod 16 = 10")
    expect(swap).to_contain_text("column: ⌊2874682 / 16⌋ mod 16 = 3")
    expect(swap).to_contain_text("(10, 3): labels 0 and 163 are swapped")
    expect(page.locator("[data-summary]").first).to_have_text("1054 mines in 5625 cells, 25 areas")
    page.get_by_role("button", name="Next swap").click()
    expect(swap.locator("h3")).to_have_text("Swap 2: cell (0, 1)")
    assert query_of(page)["step"] == "2"
    page.get_by_role("button", name="Next area").click()
    expect(page.locator("#area-title")).to_have_text("Area 1, 2")
    assert query_of(page)["step"] == "257"


@pytest.mark.long(beside="tests/e2e/test_laying.py::test_the_first_swap_of_the_paper_s_board")
def test_delta_runs_on_from_area_to_area(visit: Visit) -> None:
    page = visit(f"{TINY}&step=17")
    expect(page.locator("#area-title")).to_have_text("Area 1, 2")
    # The trace by hand: the last delta of the first area is 91 - the 16th - and the 17th multiplier 40.
    expect(page.locator("[data-swap]")).to_contain_text("87 × 40 mod 101 = 46")


@pytest.mark.long(beside="tests/e2e/test_laying.py::test_the_first_swap_of_the_paper_s_board")
def test_a_retry_is_shown(visit: Visit) -> None:
    page = visit(f"{TINY}&step=1")
    swap = page.locator("[data-swap]")
    expect(swap).to_contain_text("7 × 2 mod 101 = 14 — still no larger")
    expect(swap).to_contain_text("14 × 2 mod 101 = 28")


@pytest.mark.long(beside="tests/e2e/test_laying.py::test_the_first_swap_of_the_paper_s_board")
def test_other_numbers_without_the_server(visit: Visit) -> None:
    page = visit("/tools/laying/")
    requests: list[str] = []

    def note(request: Request) -> None:
        if "/static/" not in request.url:  # the icon of the page
            requests.append(request.url)

    page.on("request", note)
    page.fill("#rows", "16")
    page.fill("#columns", "30")
    page.get_by_role("button", name="Place the mines").click()
    expect(page.locator("[data-summary]").first).to_have_text("90 mines in 480 cells, 2 areas")
    assert query_of(page)["columns"] == "30"
    page.fill("#start_number", "33554393")
    page.get_by_role("button", name="Place the mines").click()
    expect(page.get_by_role("alert")).to_contain_text("multiple of the modulus")
    page.get_by_role("button", name="Try another start number").click()
    expect(page.get_by_role("alert")).to_be_hidden()
    assert requests == []


@pytest.mark.long(beside="tests/e2e/test_laying.py::test_the_first_swap_of_the_paper_s_board")
def test_playing_ends_with_the_whole_board(visit: Visit) -> None:
    page = visit(f"{TINY}&step=20")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator("[data-count]").first).to_have_text("24 of 24 swaps")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert "step" not in query_of(page)


@pytest.mark.long(beside="tests/e2e/test_laying.py::test_the_first_swap_of_the_paper_s_board")
def test_nothing_is_wider_than_a_phone(visit: Visit) -> None:
    for width in (320, 390):
        page = visit("/tools/laying/", width=width)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
