// The counters beside the board: time, mines left, 3BV, 3BV/s, clicks, efficiency, delay.

const TICK_MS = 100;

export class Counters {
  // `root` holds an element [data-counter=NAME] for each counter.  `machine()` is the game's click machine.
  // `fromOne`: whether the visitor's clocks begin at 1 s.
  constructor(root, machine, fromOne) {
    this.machine = machine;
    this.offsetMs = fromOne ? 1000 : 0;
    this.at = Object.fromEntries([...root.querySelectorAll("[data-counter]")].map((item) => [item.dataset.counter, item]));
    setInterval(() => this.#tick(), TICK_MS);
    this.reset();
  }

  reset() {
    this.startedAt = null; // on performance.now()
    this.bv = this.bvDone = 0;
    this.final = null;
    this.show();
  }

  start(at) {
    this.startedAt ??= at;
    this.#tick();
  }

  solved(bv, bvDone) {
    if (bv) this.bv = bv;
    this.bvDone = bvDone;
    this.show();
  }

  // The time that counts, in ms.
  finish(timeMs) {
    this.final = timeMs;
    this.show();
  }

  lag(ms) {
    this.#put("lag", ms === null ? "–" : String(Math.round(ms)));
  }

  // 3BV solved a second so far; null without time.
  get pace() {
    const ms = this.elapsed;
    return ms > 0 ? (1000 * this.bvDone) / ms : null;
  }

  get elapsed() {
    if (this.final !== null) return this.final;
    return this.startedAt === null ? 0 : Math.max(0, performance.now() - this.startedAt);
  }

  show() {
    const machine = this.machine();
    if (!machine) return;
    const { left, right, double } = machine.clicks;
    const clicks = left + right + double;
    this.#put("mines", led(machine.mines - machine.flags));
    this.#put("bv", this.bv ? `${this.bvDone} / ${this.bv}` : "–");
    this.#put("clicks", String(clicks));
    this.#put("split", `${left} + ${right} + ${double}`);
    this.#put("efficiency", clicks && this.bvDone ? `${Math.round((100 * this.bvDone) / clicks)} %` : "–");
    this.#tick();
  }

  // Milliseconds as seconds with three decimals, on the visitor's clock.
  seconds(ms) {
    return ((ms + this.offsetMs) / 1000).toFixed(3);
  }

  #tick() {
    const running = this.startedAt === null ? 0 : this.elapsed + this.offsetMs;
    this.#put("time", this.final === null ? led(Math.floor(running / 1000)) : this.seconds(this.final));
    const pace = this.pace;
    this.#put("bvs", pace === null || !this.bvDone ? "–" : pace.toFixed(2));
  }

  #put(name, value) {
    const item = this.at[name];
    if (item && item.textContent !== value) item.textContent = value;
  }
}

// Three digits as on the counters of a clone: 007, 099, -03, 1000.
export function led(value) {
  return value < 0 ? `-${String(-value).padStart(2, "0")}` : String(value).padStart(3, "0");
}
