"""The modules of the viewer that touch no page, in an empty page of the browser, minified as they are served."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, Route
from rjsmin import jsmin

_STATIC = Path(__file__).resolve().parents[2] / "replays" / "static"
_ORIGIN = "http://modules.test"


@pytest.fixture(scope="module")
def modules(browser: Browser) -> Iterator[Page]:
    """An empty page with everything that these modules export as its globals; nothing on it leaves the browser.

    ``bytes(text)`` of the page reads what ``sent`` writes.
    """
    context = browser.new_context()
    page = context.new_page()

    def serve(route: Route, request: Request) -> None:
        path = request.url.removeprefix(_ORIGIN)
        if path.endswith(".js"):
            route.fulfill(body=jsmin((_STATIC / path.lstrip("/")).read_text()), content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html><title>modules</title>", content_type="text/html")

    page.route(f"{_ORIGIN}/**", serve)
    page.goto(f"{_ORIGIN}/")
    page.evaluate(
        """async () => {
          for (const name of ["decode", "layers", "board", "clock", "counters", "timeline", "trail", "words"]) Object.assign(window, await import(`/watch/film/${name}.js`));
          window.bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
        }"""
    )
    yield page
    context.close()


def evaluate(page: Page, script: str, argument: object) -> Any:
    """Call the function ``script`` and return its result by way of JSON: Playwright's own way is slow for long lists.

    There is no NaN and no infinity in JSON; both become None.
    """
    return json.loads(page.evaluate(f"async (argument) => JSON.stringify(await ({script})(argument))", argument))


def sent(data: bytes) -> str:
    """``data`` as text for the page."""
    return base64.b64encode(data).decode()
