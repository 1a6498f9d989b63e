// The counters of a game: time, mines left, clicks, delay.  What depends on closed cells is told after the game.

import { Led, countText } from "../look/led.js";

const TICK_MS = 100;

export class Counters {
  // `root` holds an element [data-counter=NAME] for each counter, and a display [data-led=NAME] for some.  `machine()` is
  // the game's click machine.  `fromOne`: whether the visitor's clocks begin at 1 s.
  constructor(root, machine, fromOne) {
    this.machine = machine;
    this.offsetMs = fromOne ? 1000 : 0;
    this.at = Object.fromEntries([...root.querySelectorAll("[data-counter]")].map((item) => [item.dataset.counter, item]));
    this.leds = Object.fromEntries([...root.querySelectorAll("[data-led]")].map((item) => [item.dataset.led, new Led(item)]));
    this.split = root.querySelector("[data-split]");
    this.told = {};
    setInterval(() => this.#tick(), TICK_MS);
    this.reset();
  }

  reset() {
    this.startedAt = null; // on performance.now()
    this.final = null;
    this.show();
  }

  start(at) {
    this.startedAt ??= at;
    this.#tick();
  }

  // The time that counts, in ms.
  finish(timeMs) {
    this.final = timeMs;
    this.show();
  }

  lag(ms) {
    this.#put("lag", ms === null ? "–" : String(Math.round(ms)));
  }

  // All clicks of the game.
  get clicks() {
    const { left, right, double } = this.machine().clicks;
    return left + right + double;
  }

  get elapsed() {
    if (this.final !== null) return this.final;
    return this.startedAt === null ? 0 : Math.max(0, performance.now() - this.startedAt);
  }

  show() {
    const machine = this.machine();
    if (!machine) return;
    const { left, right, double } = machine.clicks;
    this.#put("mines", countText(machine.mines - machine.flags));
    this.#put("clicks", String(this.clicks));
    this.#put("split", `${left} + ${right} + ${double}`);
    this.split.toggleAttribute("data-none", !this.clicks);
    this.#tick();
  }

  // Milliseconds as seconds with three decimals, on the visitor's clock.
  seconds(ms) {
    return ((ms + this.offsetMs) / 1000).toFixed(3);
  }

  #tick() {
    if (this.final !== null) this.#put("time", this.seconds(this.final));
    else this.#put("time", countText(Math.floor((this.elapsed + this.offsetMs) / 1000)));
  }

  #put(name, value) {
    const item = this.at[name];
    if (!item || this.told[name] === value) return;
    this.told[name] = item.textContent = value;
    this.leds[name]?.show(value.includes(".") ? value.padStart(7, "0") : value); // 044.022
  }
}
