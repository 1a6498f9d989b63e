// The displays over a film: mines that are left, and the clock.  The page draws them as they stand at the end.

export class Leds {
  constructor(viewer) {
    const digits = (name) => [...viewer.find(name).querySelectorAll(".son")];
    Object.assign(this, { viewer, mines: digits("led-mines"), time: digits("led-time") });
    this.decimals = viewer.find("led-time").querySelectorAll("i ~ svg").length;
  }

  show() {
    const { film, clock, data, acts, poster } = this.viewer;
    const flags = acts ? film.counters.flags[acts - 1] : 0;
    this.#write(this.mines, film.mineCount - flags);
    const ms = Math.max(0, Math.floor(poster ? clock.end : clock.time)) + 1000 * data.counters.first;
    this.#write(this.time, Math.floor(ms / 10 ** (3 - this.decimals)));
  }

  // A number with as many digits as there are places, the last ones of a larger one.
  #write(places, number) {
    const sign = number < 0 ? "-" : "";
    const text = (sign + String(Math.abs(number)).padStart(places.length - sign.length, "0")).slice(-places.length);
    places.forEach((place, index) => place.setAttribute("href", `#led-${text[index]}`));
  }
}
