// The displays around a film: mines that are left, the clock, four numbers for phones, and the mouse.  The page draws them as
// they stand at the end.

import { Led, countText } from "../../play/look/led.js";
import { numberText } from "./counters.js";

export class Leds {
  constructor(viewer) {
    const led = (name) => new Led(viewer.find(name).querySelector("svg"));
    const four = [...viewer.find("four").querySelectorAll("[data-row]")];
    // A new node would have all of the film styled anew, which has rules with :has(): each keeps one, whose text changes.
    for (const cell of four) cell.replaceChildren(cell.textContent);
    Object.assign(this, { viewer, four, mines: led("led-mines"), time: led("led-time") });
  }

  show() {
    const { film, clock, counters, data, acts, ended, poster } = this.viewer;
    this.mines.show(countText(film.mineCount - (acts ? film.counters.flags[acts - 1] : 0)));
    this.time.showTime(Math.max(0, Math.floor(poster ? clock.end : clock.time)) / 1000 + data.counters.first);
    for (const cell of this.four) {
      const row = data.counters.rows[cell.dataset.row];
      const text = ended ? row.end || "–" : numberText(counters.values.get(cell.dataset.row) ?? NaN, row.decimals ?? 3);
      if (cell.firstChild.data !== text) cell.firstChild.data = text;
    }
  }
}

// The buttons of the mouse that are held, and Shift.
export class Held {
  constructor(element) {
    this.parts = [...element.querySelectorAll("[data-bit]")];
    this.shown = 0;
  }

  // `held`: bits of the film.
  show(held) {
    if (held === this.shown) return;
    this.shown = held;
    for (const part of this.parts) part.toggleAttribute("data-on", Boolean(held & Number(part.dataset.bit)));
  }
}
