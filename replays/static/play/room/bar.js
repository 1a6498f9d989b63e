// The bar above a board: mines left, the players' shares of the safe cells, time.

import { Led, countText } from "../look/led.js";
import { colours, css } from "./board/palette.js";
import { filled } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 1000; // of the drawing of the shares

export class RoomBar {
  constructor(root) {
    this.leds = {};
    for (const svg of root.querySelectorAll("[data-led]")) this.leds[svg.dataset.led] = { svg, name: svg.getAttribute("aria-label"), led: new Led(svg), shown: "" };
    this.shares = root.querySelector("[data-shares]");
    this.open = root.querySelector("[data-open]");
  }

  // `rows` as of RoomState.table, `progress` {open, safe}.
  show({ minesLeft, rows, progress: { open, safe }, dark }) {
    this.#led("mines", minesLeft);
    this.open.textContent = filled("open", { open, safe, percent: `${safe ? Math.floor((100 * open) / safe) : 100}%` });
    let left = 0;
    const parts = rows.filter(({ score }) => score).map(({ score, hue, shade }) => {
      const part = document.createElementNS(SVG, "rect");
      const width = (WIDTH * score) / Math.max(1, safe);
      for (const [name, value] of Object.entries({ x: left, width, height: 8, fill: css(colours(hue, shade, dark).strong) })) part.setAttribute(name, value);
      left += width;
      return part;
    });
    this.shares.replaceChildren(this.shares.firstElementChild, ...parts);
  }

  time(ms) {
    this.#led("time", Math.max(0, Math.floor(ms / 1000)));
  }

  #led(name, value) {
    const one = this.leds[name];
    const text = countText(value);
    if (one.shown === text) return;
    one.shown = text;
    one.led.show(text);
    one.svg.setAttribute("aria-label", `${one.name}: ${value}`);
  }
}
