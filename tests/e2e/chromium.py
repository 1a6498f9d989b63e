"""Starting the Chromium of the system; browser downloads are never used."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

#: That without a window takes half the processor time; where it is not installed, the whole browser does the same.
_PLACES = ("/usr/lib/chromium/chromium-headless-shell", "/usr/bin/chromium")
EXECUTABLE = Path(os.environ.get("SWEEPBOOK_CHROMIUM") or next(filter(os.path.exists, _PLACES), _PLACES[-1]))
REQUIRED = os.environ.get("SWEEPBOOK_REQUIRE_BROWSER", "") == "1"
_WITHOUT = (
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "SpareRendererForSitePerProcess",
    "AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay", "MediaRouter",
    "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch", "ThirdPartyStoragePartitioning",
)  # fmt: skip
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # The last --disable-features counts: what Playwright disables, and two things of which no page has anything, though
    # every new window starts a process for them: suggestions under the address, and a renderer kept in reserve.
    "--disable-features=" + ",".join(_WITHOUT),
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
