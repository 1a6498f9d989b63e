"""The documentation of the API works under the policy that allows nothing inline; the browser complains otherwise."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, expect
from pytest_django import Settings

from analysis.recording import Level
from players.models import Player
from tests.config.api.test_start import examples
from tests.e2e.conftest import Visit
from tests.factories import rank_replays, stored_replay
from tests.pages.conftest import board_of

#: The texts that stand out from their ground by less than 4.5 to 1, as WCAG counts it.
_CONTRASTS: Final = """() => {
  const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
  const linear = (value) => (value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const luminance = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  const ground = (element) => {
    for (; element; element = element.parentElement) {
      const color = numbers(getComputedStyle(element).backgroundColor);
      if ((color[3] ?? 1) > 0.5) return color;
    }
    return [255, 255, 255];
  };
  const isText = (node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== "";
  return [...document.querySelectorAll("#operations *")]
    .filter((element) => element.offsetParent && [...element.childNodes].some(isText))
    .filter((element) => {
      const both = [luminance(numbers(getComputedStyle(element).color)), luminance(ground(element))];
      return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05) < 4.5;
    })
    .map((element) => `${element.tagName}.${element.className}: ${element.textContent.trim().slice(0, 40)}`);
}"""


@pytest.mark.long(beside="tests/e2e/test_api_docs.py::test_getting_started_fits_a_phone")
def test_the_operations_are_shown_and_can_be_tried(visit: Visit) -> None:
    page = visit("/api/v1/docs/")
    board = page.locator(".opblock", has_text="/api/v1/statistics/")
    expect(board).to_be_visible(timeout=60_000)
    board.locator(".opblock-summary-control").click()
    board.get_by_role("button", name="Try it out").click()
    board.get_by_role("button", name="Execute").click()
    expect(board.locator(".live-responses-table .response-col_status").last).to_contain_text("200", timeout=60_000)


def test_getting_started_fits_a_phone(visit: Visit) -> None:
    for address in ("/api/v1/docs/start/", "/api/v1/docs/errors/"):
        page = visit(address, width=390)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


class _Quiet(SimpleHTTPRequestHandler):
    """A server of files that logs nothing."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name in the base class
        """Keep silent."""


@pytest.mark.long(beside="tests/e2e/test_api_docs.py::test_getting_started_fits_a_phone")
def test_a_page_of_another_site_reads_the_api(
    browser: Browser, live_server: Any, settings: Settings, transactional_db: None, tmp_path: Path
) -> None:
    """The JavaScript of the page "Getting started", run on a page of another origin."""
    settings.SITE_URL = live_server.url
    player = Player.objects.create(name="Ada")
    rank_replays([stored_replay(player, time_ms=45_000, board=board_of(Level.EXPERT))])
    script = examples()["page"]
    body = f'<!doctype html><meta charset="utf-8"><script type="module">{script}</script>'
    (tmp_path / "index.html").write_text(body, encoding="utf-8")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(tmp_path))) as other:
        Thread(target=other.serve_forever, daemon=True).start()
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{other.server_port}/")
        assert page.evaluate("location.origin") not in live_server.url
        expect(page.locator("p")).to_have_text("1. Ada: 45.00")
        page.close()
        other.shutdown()


@pytest.mark.long(beside="tests/e2e/test_api_docs.py::test_getting_started_fits_a_phone")
def test_the_documentation_can_be_read_in_dark(visit: Visit) -> None:
    page = visit("/api/v1/docs/")
    for scheme, is_dark in (("dark", True), ("light", False)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # both are schemes
        page.reload()  # colours would still be on their way from one to the other
        expect(page.locator(".opblock").first).to_be_visible(timeout=60_000)
        page.wait_for_function("dark => document.documentElement.classList.contains('dark-mode') === dark", arg=is_dark)
        assert page.evaluate(_CONTRASTS) == []
