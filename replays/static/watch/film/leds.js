// The displays over a film: mines that are left, and the clock.  The page draws them as they stand at the end.

import { Led, countText } from "../../play/look/led.js";

export class Leds {
  constructor(viewer) {
    const led = (name) => new Led(viewer.find(name).querySelector("svg"));
    Object.assign(this, { viewer, mines: led("led-mines"), time: led("led-time") });
  }

  show() {
    const { film, clock, data, acts, poster } = this.viewer;
    this.mines.show(countText(film.mineCount - (acts ? film.counters.flags[acts - 1] : 0)));
    this.time.showTime(Math.max(0, Math.floor(poster ? clock.end : clock.time)) / 1000 + data.counters.first);
  }
}
