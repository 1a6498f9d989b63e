// Charts: the mark nearest to the pointer or chosen by arrow keys is told in one line.  Marks and their texts are the rows
// of the table behind the chart.

const SVG = "http://www.w3.org/2000/svg";
const OBLIQUE = 2.5; // how much further a mark beside the direction of an arrow seems to be, but in a row of marks
const browserZone = document.documentElement.dataset.zone === "browser" ? Intl.DateTimeFormat().resolvedOptions().timeZone : "";

function marksOf(card) {
  const heads = [...card.querySelectorAll("thead th")].map((head) => head.textContent.trim());
  return [...card.querySelectorAll("tr[data-x]")].map((row) => ({
    x: Number(row.dataset.x),
    y: Number(row.dataset.y),
    link: row.querySelector("a")?.href,
    text: () => [...row.cells].map((cell, at) => [heads[at], cell.textContent.trim()]).filter(([, text]) => text && text !== "–").map(([head, text]) => `${head} ${text}`).join(" · "),
  }));
}

function nearest(marks, distance) {
  let best = null, least = Infinity;
  for (const mark of marks) {
    const far = distance(mark);
    if (far < least) [best, least] = [mark, far];
  }
  return best;
}

function enliven(card) {
  const frame = card.querySelector(".chart-frame"), svg = frame?.querySelector("svg");
  if (!svg || frame.dataset.live) return;
  frame.dataset.live = "yes";
  const status = card.querySelector(".chart-status");
  const marks = marksOf(card);
  const ring = document.createElementNS(SVG, "circle");
  ring.setAttribute("class", "cursor");
  ring.setAttribute("r", "5");
  const isRow = new Set(marks.map((mark) => mark.x)).size === marks.length;
  let chosen = null;

  function choose(mark) {
    if (!mark || mark === chosen) return;
    chosen = mark;
    ring.setAttribute("cx", `${mark.x}%`);
    ring.setAttribute("cy", `${mark.y}%`);
    svg.append(ring);
    status.textContent = mark.text();
  }
  function at(event) {
    const box = svg.getBoundingClientRect();
    const across = box.width / 100, down = box.height / 100; // pixels of a percent
    return nearest(marks, (mark) => Math.hypot(mark.x * across - event.clientX + box.x, mark.y * down - event.clientY + box.y));
  }
  function towards(dx, dy) {
    if (!chosen) return marks[0];
    return nearest(marks, (mark) => {
      const along = (mark.x - chosen.x) * dx + (mark.y - chosen.y) * dy;
      const beside = Math.abs((mark.x - chosen.x) * dy) + Math.abs((mark.y - chosen.y) * dx);
      return along > 0.05 ? along + (isRow && dx ? 0 : OBLIQUE) * beside : Infinity;
    });
  }

  frame.addEventListener("pointermove", (event) => choose(at(event)));
  frame.addEventListener("click", (event) => {
    const mark = at(event);
    if (event.pointerType === "mouse" && mark?.link && mark === chosen) location.assign(mark.link);
    choose(mark);
  });
  frame.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in moves) choose(towards(...moves[event.key]));
    else if (event.key === "Home") choose(marks[0]);
    else if (event.key === "End") choose(marks.at(-1));
    else if (event.key === "Enter" && chosen?.link) location.assign(chosen.link);
    else return;
    event.preventDefault();
  });
}

// A visitor without an account has the zone of the browser, which the server does not know.
function inBrowserZone(card) {
  if (!browserZone || !card.dataset.zone || "zoneGiven" in card.dataset || card.dataset.zone === browserZone) return;
  const address = new URL(card.dataset.chart, location.href);
  address.searchParams.set("zone", browserZone);
  window.htmx.ajax("GET", address.pathname + address.search, { target: card, swap: "outerHTML" });
}

function begin(scope) {
  for (const card of scope.querySelectorAll(".chart-card")) {
    enliven(card);
    const tab = card.querySelector(".tabs [aria-current]"), frame = card.querySelector(".chart-frame");
    if (tab) tab.parentElement.scrollLeft = tab.offsetLeft - (tab.parentElement.clientWidth - tab.offsetWidth) / 2;
    if (frame && !frame.scrollLeft) frame.scrollLeft = frame.scrollWidth; // where it scrolls, the newest is shown
    inBrowserZone(card);
  }
}

begin(document);
document.addEventListener("htmx:configRequest", ({ detail }) => {
  const zoned = detail.elt.closest("[data-zoned]") ?? detail.elt.closest(".chart-card[data-zone]");
  if (zoned && browserZone && !detail.path.includes("zone=")) detail.parameters.zone = browserZone;
});
document.addEventListener("htmx:afterSwap", () => begin(document));
