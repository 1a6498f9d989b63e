"""Pictures of the pages of a running site: ``python -m tests.e2e.screenshots BASE_URL OUTDIR [NAME PASSWORD]``.

Each page is drawn on a desktop (1280 px), a phone (390 px) and in dark colours; with a name and a password also the
pages of an account.  Prints every page that scrolls sideways or whose scripts complain.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from tests.e2e.chromium import chromium

#: File name and path; ``{replay}``, its ``{number}`` and ``{player}`` are taken from the first place of the Expert board.
PAGES = (
    ("home", "/"),
    ("play", "/play/"),
    ("play-beginner", "/play/beginner/"),
    ("play-expert", "/play/expert/"),
    ("play-own", "/play/custom/?rows=3&columns=3&mines=99"),
    ("play-verify", "/play/verify/"),
    ("rooms", "/play/rooms/"),
    ("leaderboards", "/leaderboards/"),
    ("board", "/leaderboards/expert/time/"),
    ("board-jump", "/leaderboards/expert/time/?value=60"),
    ("board-history", "/leaderboards/expert/time/history/"),
    ("board-combined", "/leaderboards/combined/time/"),
    ("board-sub", "/leaderboards/sub/expert/60/"),
    ("board-corpses", "/leaderboards/corpses/expert/stnb/"),
    ("replays", "/replays/"),
    ("replays-corpses", "/replays/?level=expert&sort=estime"),
    ("replays-filtered", "/replays/?level=expert&result=won&bv__gte=120&sort=-stnb"),
    ("replay", "{replay}"),
    ("review", "{replay}review/"),
    ("watch", "/watch/"),
    ("compare", "/compare/?a={number}&b=above&align=progress&t=10"),
    ("players", "/players/"),
    ("player", "{player}"),
    ("player-progress", "{player}progress/expert/time/"),
    ("player-by-3bv", "{player}by-3bv/expert/time/"),
    ("records", "/records/"),
    ("statistics", "/statistics/"),
    ("tools", "/tools/"),
    ("solver", "/tools/solver/"),
    ("probability", "/tools/probability/"),
    ("probability-small", "/tools/probability/?position=....../123221/......&mines=4"),
    ("one-and-two", "/tools/one-and-two/"),
    ("upload", "/upload/"),
    ("search", "/search/?q=a"),
    ("data", "/data/"),
    ("help", "/help/"),
    ("sign-in", "/sign-in/"),
    ("sign-up", "/sign-up/"),
    ("not-found", "/nothing-here/"),
    ("bad-request", "/replays/?level=hard"),
)
ACCOUNT_PAGES = (("account", "/account/"), ("upload-signed-in", "/upload/"), ("my-uploads", "/account/uploads/"))
LOOKS: tuple[tuple[str, int, int, str], ...] = (
    ("desktop", 1280, 900, "light"),
    ("phone", 390, 844, "light"),
    ("dark", 1280, 900, "dark"),
)


def main() -> int:
    """Draw everything; 1 if a page scrolls sideways or complains."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base_url")
    parser.add_argument("outdir", type=Path)
    parser.add_argument("name", nargs="?")
    parser.add_argument("password", nargs="?")
    parser.add_argument("--language", default="en")
    arguments = parser.parse_args()
    arguments.outdir.mkdir(parents=True, exist_ok=True)
    base = arguments.base_url.rstrip("/")
    with chromium() as browser:
        troubles = [trouble for look in LOOKS for trouble in _draw_all(browser, base, arguments, look)]
    sys.stderr.writelines(f"{trouble}\n" for trouble in troubles)
    return 1 if troubles else 0


def _draw_all(browser: Browser, base: str, arguments: argparse.Namespace, look: tuple[str, int, int, str]) -> list[str]:
    name, width, height, scheme = look
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        locale=arguments.language,
    )
    troubles: list[str] = []
    page = context.new_page()
    page.on("console", lambda message: _note(message, page, troubles))
    page.on("pageerror", lambda error: troubles.append(f"{page.url}: {error}"))
    places = _places(page, base)
    for file, path in PAGES:
        troubles += _draw(page, base + path.format(**places), arguments.outdir / f"{file}-{name}.png")
    if arguments.name:
        _sign_in(context, page, base, arguments.name, arguments.password)
        for file, path in ACCOUNT_PAGES:
            troubles += _draw(page, base + path, arguments.outdir / f"{file}-{name}.png")
    context.close()
    return troubles


def _note(message: ConsoleMessage, page: Page, troubles: list[str]) -> None:
    expected = "status of 404" in message.text or "status of 400" in message.text  # the error pages themselves
    if message.type in {"error", "warning"} and not expected:
        troubles.append(f"{page.url}: {message.text}")


def _places(page: Page, base: str) -> dict[str, str]:
    page.goto(f"{base}/leaderboards/expert/time/")
    links = {"replay": "tbody a[data-main]", "player": "tbody .name a"}
    found = {name: page.locator(selector).first for name, selector in links.items()}
    places = {name: (link.get_attribute("href") or "/") if link.count() else "/" for name, link in found.items()}
    return places | {"number": places["replay"].strip("/").rpartition("/")[2]}


def _draw(page: Page, address: str, path: Path) -> list[str]:
    page.goto(address)
    page.screenshot(path=path, full_page=True)
    too_wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    return [f"{address} scrolls sideways ({path.name})"] if too_wide else []


def _sign_in(context: BrowserContext, page: Page, base: str, name: str, password: str) -> None:
    context.clear_cookies()
    page.goto(f"{base}/sign-in/")
    page.fill("[name=login]", name)
    page.fill("[name=password]", password)
    page.click("main button")


if __name__ == "__main__":
    sys.exit(main())
