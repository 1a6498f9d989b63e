"""Text of a page that cannot be read, because a box cuts it off."""

from __future__ import annotations

#: A list of sentences.  Text that ends in an ellipsis, and text in a box that scrolls, can be reached.
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
