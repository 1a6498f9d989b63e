"""Starting the Chromium of the system; browser downloads are never used."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

EXECUTABLE = Path(os.environ.get("SWEEPBOOK_CHROMIUM", "/usr/bin/chromium"))
REQUIRED = os.environ.get("SWEEPBOOK_REQUIRE_BROWSER", "") == "1"
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A running browser without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=EXECUTABLE, args=list(_ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()
