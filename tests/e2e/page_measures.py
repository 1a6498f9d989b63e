"""Measurements of a page in a browser: bytes that travel, the first paint, and what moves after it was painted."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

#: Runs before the scripts of a page: collects what moved without an action of a person, and the largest paint so far.
#: Chromium tells a layout shift as the share of the window that moved times how far it moved.
_OBSERVE = """
(() => {
  const found = (window.pageMeasures = { shifts: [], lcp: 0 });
  const name = (node) => {
    const element = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    if (!element) return "(gone)";
    const own = `${element.localName}${element.id && "#" + element.id}.${[...element.classList].join(".")}`;
    return element.id || element.className ? own : `${name(element.parentElement)} > ${own}`;
  };
  const observe = (type, each) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  observe("layout-shift", (entry) => {
    if (!entry.hadRecentInput) found.shifts.push({ value: entry.value, moved: entry.sources.map(({ node }) => name(node)) });
  });
  observe("largest-contentful-paint", (entry) => { found.lcp = entry.startTime; });
})();
"""
#: Down to the end, half a window at a time, so that everything that waits until it is near (600 px below the window) is
#: asked for, and has come, before it is seen.
_SCROLL = """async () => {
  const painted = async () => {
    do for (let frame = 0; frame < 2; frame += 1) await new Promise((resume) => requestAnimationFrame(() => setTimeout(resume)));
    while (document.querySelector(".htmx-request"));
  };
  for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
    scrollTo(0, y);
    await painted();
  }
  scrollTo(0, document.documentElement.scrollHeight);
  await painted();
}"""
_PAINTS = """() => ({
  fcp: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
  lcp: window.pageMeasures.lcp,
  nodes: document.querySelectorAll("*").length,
  early: performance.getEntriesByType("resource")
    .filter(({ startTime }) => startTime < performance.getEntriesByName("first-contentful-paint")[0]?.startTime)
    .map(({ name }) => new URL(name).pathname),
})"""

#: What a film or a board that is played on asks for after the first paint: scripts, and the film itself.
_LIVE: Final = re.compile(r"^/static/(play/|watch/film/.*js$|browse/home/(try|hero)\.)|^/replays/\d+/(film|odds)$")


@dataclass
class Answer:
    """Requests to one address, and the bytes that came from it."""

    requests: int = 0
    body: int = 0  #: bytes as they travel, by their header; 0 if it does not say
    travelled: int = 0  #: with headers


@dataclass(frozen=True)
class Shift:
    """Parts of a page that moved by themselves."""

    value: float
    moved: tuple[str, ...]


@dataclass(frozen=True)
class FirstView:
    """Cost of one page in a browser that had nothing of the site yet."""

    answers: dict[str, Answer]  #: by path
    before_paint: int  #: bytes of the page and of what was asked for before the first contentful paint
    fcp_ms: float  #: the first contentful paint
    lcp_ms: float  #: the largest contentful paint before scrolling
    nodes: int  #: elements before scrolling
    shifts: tuple[Shift, ...]  #: until the end of the page was seen

    @property
    def travelled(self) -> int:
        """Bytes of all answers, with their headers."""
        return sum(answer.travelled for answer in self.answers.values())

    @property
    def still(self) -> int:
        """Bytes of the answers that are not of a film or a board that is played on."""
        return sum(answer.travelled for path, answer in self.answers.items() if not _LIVE.search(path))

    @property
    def shift(self) -> float:
        """Sum of all layout shifts."""
        return sum(shift.value for shift in self.shifts)


def observe(page: Page) -> None:
    """Let every page that is opened from now on count its layout shifts."""
    page.add_init_script(_OBSERVE)


def shifts_of(page: Page) -> tuple[Shift, ...]:
    """Return the layout shifts on the page so far."""
    return tuple(Shift(one["value"], tuple(one["moved"])) for one in page.evaluate("window.pageMeasures.shifts"))


def follow_answers(page: Page) -> dict[str, Answer]:
    """Collect answers by path, from now on; the returned dictionary fills while the page loads."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    answers: dict[str, Answer] = {}
    running: dict[str, Answer] = {}

    def begin(event: dict[str, Any]) -> None:
        response = event["response"]
        headers = {name.lower(): value for name, value in response["headers"].items()}
        answer = running[event["requestId"]] = answers.setdefault(urlsplit(response["url"]).path, Answer())
        answer.requests += 1
        answer.body += int(headers.get("content-length", 0))

    def end(event: dict[str, Any]) -> None:
        if event["requestId"] in running:
            running[event["requestId"]].travelled += int(event["encodedDataLength"])

    session.on("Network.responseReceived", begin)
    session.on("Network.loadingFinished", end)
    return answers


def wait_until_drawn(page: Page) -> None:
    """Films, comparisons and everything that htmx has asked for stand there."""
    expect(page.locator("[data-film]:not([data-state=ready][data-review], [data-state=failed])")).to_have_count(0)
    expect(page.locator("[data-compare]:not([data-state=ready])")).to_have_count(0)
    expect(page.locator(".htmx-request")).to_have_count(0)


def see_everything(page: Page) -> None:
    """Scroll to the end, and wait for what is loaded by it."""
    page.evaluate(_SCROLL)
    expect(page.locator("[data-chart-slot], .htmx-request")).to_have_count(0)
    page.evaluate(_SCROLL)


def first_view(page: Page, address: str) -> FirstView:
    """Open ``address`` in a page of a fresh profile, and see all of it."""
    observe(page)
    answers = follow_answers(page)
    page.goto(address)
    wait_until_drawn(page)
    page.wait_for_load_state("networkidle")
    seen_first = deepcopy(answers)
    paints = page.evaluate(_PAINTS)
    see_everything(page)
    before = {urlsplit(page.url).path, *paints["early"]}
    before_paint = sum(answer.travelled for path, answer in seen_first.items() if path in before)
    return FirstView(seen_first, before_paint, paints["fcp"], paints["lcp"], paints["nodes"], shifts_of(page))
