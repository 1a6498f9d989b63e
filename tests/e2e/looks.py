"""Faults in the look of a page that has loaded: text that cannot be read, and what axe-core finds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, ViewportSize

#: What axe looks for at both widths, once all rules were looked for in light: what is shown, and how large, differs.
_BY_WIDTH = (
    "target-size", "scrollable-region-focusable", "aria-hidden-focus", "button-name", "link-name", "label", "select-name",
)  # fmt: skip
#: The tenth row of a table or list is made as those before it: axe, which is slow, gets nine.
_ONLY_FIRST_ROWS = """() => {
  const rows = "tbody > :nth-child(n + 10), .walk > :nth-child(n + 10), .definition:nth-child(n + 10), .film-choice fieldset > :nth-child(n + 10)";
  document.querySelectorAll(rows).forEach((row) => row.remove());
}"""
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
_TABLET: Final[ViewportSize] = {"width": 768, "height": 1024}
_DESKTOP: Final[ViewportSize] = {"width": 1280, "height": 900}
_BAD = {"serious", "critical"}
#: Text that a box cuts off, as a list of sentences.  Text that ends in an ellipsis, and text in a box that scrolls, can be reached.
CUT = """() => {
  const found = [];
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) found.push(`the page is ${wide} px wide in a window of ${innerWidth}`);
  const name = (element) => element.localName + (element.id && "#" + element.id) + [...element.classList].map((one) => "." + one).join("");
  const styles = new Map();
  const styleOf = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element));
    return styles.get(element);
  };
  const cutBy = (element, text) => {
    let { left, right, top, bottom } = text;
    for (let box = element; box && box !== document.body; box = box.parentElement) {
      const style = styleOf(box), { overflowX, overflowY, clipPath } = style;
      if (clipPath !== "none" || style.position === "fixed") return null; // for screen readers; or a layer of its own
      if (overflowX === "visible" && overflowY === "visible") continue;
      const edge = box.getBoundingClientRect();
      if (style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none") return null;
      const [scrollsX, scrollsY] = [overflowX, overflowY].map((value) => value === "auto" || value === "scroll");
      if (!scrollsX && (right > edge.right + 1 || left < edge.left - 1)) return box;
      if (!scrollsY && (bottom > edge.bottom + (bottom - top) / 4 || top < edge.top - (bottom - top) / 4)) return box;
      ({ left, right, top, bottom } = edge);
    }
    return right > innerWidth + 1 || left < -1 ? document.body : null;
  };
  const range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, element = node.parentElement;
    if (!node.data.trim() || element.closest("svg, script, noscript, select, .skip") || !element.checkVisibility({ visibilityProperty: true })) continue;
    range.selectNodeContents(node);
    for (const text of range.getClientRects()) {
      if (text.width < 1 || text.height < 1) continue;
      const box = cutBy(element, text);
      if (!box) continue;
      found.push(`“${node.data.trim().slice(0, 40)}” in ${name(element)} is cut by ${name(box)}`);
      break;
    }
  }
  return found;
}"""
#: Filters that a tablet shows only to those who scroll sideways: there is room for a second line.
_HIDDEN_FILTERS = """() => [...document.querySelectorAll(".bar, .seg")]
  .filter((line) => line.checkVisibility() && line.scrollWidth > line.clientWidth + 1)
  .map((line) => `the filters “${line.textContent.trim().slice(0, 40)}” are cut at ${innerWidth} px`)"""


def seen_troubles(page: Page) -> Iterator[str]:
    """On a phone, a tablet, then on a desktop, light and dark; the page loses rows of its lists by it."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")  # colours change at once
    page.set_viewport_size(PHONE)
    yield from page.evaluate(CUT)
    page.set_viewport_size(_TABLET)
    yield from page.evaluate(CUT)
    yield from page.evaluate(_HIDDEN_FILTERS)
    page.set_viewport_size(PHONE)
    page.evaluate(_ONLY_FIRST_ROWS)
    page.evaluate(AXE_SCRIPT)
    yield from _violations(page, runOnly=_BY_WIDTH)
    page.set_viewport_size(_DESKTOP)
    yield from page.evaluate(CUT)
    yield from _violations(page, rules={"target-size": {"enabled": True}})
    page.emulate_media(color_scheme="dark")
    yield from _violations(page, runOnly=["color-contrast"])


def _violations(page: Page, **options: Any) -> list[str]:
    """Return the violations that axe rates as serious or critical."""
    found = page.evaluate("(options) => axe.run(options)", {"resultTypes": ["violations"], **options})["violations"]
    return [
        f"{rule['id']}: {node['target']}: {node['failureSummary']}"
        for rule in found
        if rule["impact"] in _BAD
        for node in rule["nodes"]
    ]
