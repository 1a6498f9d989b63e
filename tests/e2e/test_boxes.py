"""Boxes of the main pages, in windows of four sizes: what comes first is seen first, and nothing lies over another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page

from analysis.recording import Level
from tests.e2e.conftest import Visit
from tests.e2e.page_measures import see_everything, wait_until_drawn
from tests.e2e.site import Site
from tests.e2e.test_browser import put
from tests.pages.conftest import MakePlayers, make_players  # noqa: F401 - a fixture
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file

#: The first row or control of each page.
FIRST: Final = {
    "/": ".pitch .go .btn",
    "/leaderboards/": ".leaders tbody tr",
    "/leaderboards/expert/time/": ".ranking tbody tr",
    "/records/": ".ranking tbody tr",
    "/players/": ".ranking tbody tr",
    "/players/{player}/": ".lt",
    "/players/{player}/records/": "main tbody tr",
    "/replays/": "main tbody tr",
    "/replays/{replay}/": ".film .cab-bar",
    "/statistics/": ".definition",
    "/tools/": "main h2 a",
    "/watch/": ".dropzone .btn",
    "/play/beginner/": "[data-board]",
}
#: Width and height: a phone, a tablet, a laptop, a large screen.
SIZES: Final = ((390, 844), (768, 1024), (1280, 720), (1920, 1080))
#: The board of a phone and the page of a player have no room to lose.
_FIRST_ROW: Final = ("/leaderboards/expert/time/", 390, 260)
_HIGHEST: Final = ("/players/{player}/", 1280, 2_500)

#: Faults of the window as it is, as a list of sentences.  The bottom bar hides what is below it.
_FAULTS = """(first) => {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) found.push(`the page is ${root.scrollWidth} px wide`);
  const name = (element) => element.localName + [...element.classList].map((one) => "." + one).join("");
  const bar = document.querySelector(".tabbar");
  const end = bar?.checkVisibility() ? bar.getBoundingClientRect().top : innerHeight;
  const box = [...document.querySelectorAll(first)].find((one) => one.checkVisibility())?.getBoundingClientRect();
  if (!box) found.push(`no ${first}`);
  else if (box.top < 0 || box.bottom > end) found.push(`${first} is at ${box.top} to ${box.bottom}, the window ends at ${end}`);
  for (const line of document.querySelectorAll(".head, .bar, .tabs, .seg, .cab-bar, .top > div")) {
    const parts = [...line.children]
      .filter((one) => one.checkVisibility() && !["absolute", "fixed"].includes(getComputedStyle(one).position))
      .map((one) => [one, one.getBoundingClientRect()]);
    parts.forEach(([one, a], index) => parts.slice(index + 1).forEach(([other, b]) => {
      const [wide, high] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
      if (wide > 1 && high > 1) found.push(`${name(one)} and ${name(other)} of ${name(line)} lie over each other`);
    }));
  }
  return found;
}"""
_DRAWN = "() => new Promise((resume) => requestAnimationFrame(() => setTimeout(resume)))"


def faults(page: Page, path: str, width: int, height: int) -> Iterator[str]:
    """Yield the faults of ``path``, on which ``page`` is, in a window of this size."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(_DRAWN)
    yield from page.evaluate(_FAULTS, FIRST[path])
    if (path, width) == _FIRST_ROW[:2]:
        top = page.locator(FIRST[path]).first.evaluate("(row) => row.getBoundingClientRect().top")
        if top > _FIRST_ROW[2]:
            yield f"the first row begins at {top}"
    if (path, width) == _HIGHEST[:2]:
        see_everything(page)
        high = page.evaluate("document.documentElement.scrollHeight")
        page.evaluate("scrollTo(0, 0); null")
        if high > _HIGHEST[2]:
            yield f"the page is {high} px high"


@pytest.mark.usefixtures("luck_compiled")  # of the replay's review
@pytest.mark.long(beside="tests/e2e/test_browser.py::test_no_page_is_wider_than_a_phone")
def test_what_comes_first_is_seen_first(
    asgi_site: Site,
    visit: Visit,
    make_players: MakePlayers,  # noqa: F811 - the fixtures
    store: Path,  # noqa: F811
) -> None:
    player, *_others = make_players(12)
    places = {"player": player.pk, "replay": put(game_file(1, Level.EXPERT)).pk}
    page = visit("about:blank")
    found = []
    for path in FIRST:
        page.goto(path.format(**places))
        wait_until_drawn(page)
        found += [f"{path} at {size}: {fault}" for size in SIZES for fault in faults(page, path, *size)]
    if found:
        pytest.fail("\n".join(found))  # all of it, which an assertion would shorten


@pytest.mark.long(beside="tests/e2e/test_browser.py::test_no_page_is_wider_than_a_phone")
def test_faults_are_found(visit: Visit) -> None:
    """The instrument itself."""
    page = visit("/robots.txt", width=390, height=600)
    page.set_content(
        """<body style="margin: 0"><div class="tabs" style="display: flex"><a style="width: 80px; height: 20px">A</a>
        <a class="over" style="width: 80px; margin-left: -40px">B</a><a style="width: 80px">C</a></div>
        <p style="width: 500px; height: 590px"></p><button>Go</button>"""
    )
    wide, low, over = page.evaluate(_FAULTS, "button")
    assert wide == "the page is 500 px wide"
    assert low.startswith("button is at ")
    assert over == "a and a.over of div.tabs lie over each other"
    assert page.evaluate(_FAULTS, "input")[1] == "no input"


def test_buttons_that_come_late_move_nothing(visit: Visit) -> None:
    """A page is drawn as far as it has come: the line of its buttons is where it will be before they are in it."""
    page = visit("/tools/", width=390)
    page.evaluate(
        """() => { document.querySelector("main").innerHTML = `<div class="head"><div><h1>Name</h1><p>Words</p></div>
        <div class="actions"><a class="btn" href="/">Open</a></div></div>`; }"""
    )
    buttons, top = page.locator(".head > .actions"), "(line) => line.getBoundingClientRect().top"
    before = buttons.evaluate(top)
    buttons.evaluate("(line) => { line.replaceChildren(); }")
    assert buttons.evaluate(top) == before
