"""The documentation of the API works under the policy that allows nothing inline; the browser complains otherwise."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visit


def test_the_operations_are_shown_and_can_be_tried(visit: Visit) -> None:
    page = visit("/api/v1/docs/")
    board = page.locator(".opblock", has_text="/api/v1/statistics/")
    expect(board).to_be_visible(timeout=60_000)
    board.locator(".opblock-summary-control").click()
    board.get_by_role("button", name="Try it out").click()
    board.get_by_role("button", name="Execute").click()
    expect(board.locator(".live-responses-table .response-col_status").last).to_contain_text("200", timeout=60_000)


@pytest.mark.long(beside="tests/e2e/test_api_docs.py::test_the_operations_are_shown_and_can_be_tried")
def test_getting_started_fits_a_phone(visit: Visit) -> None:
    for address in ("/api/v1/docs/start/", "/api/v1/docs/errors/"):
        page = visit(address, width=390)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
