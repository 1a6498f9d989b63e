// The counters beside the board: time, mines left, clicks, delay.  What depends on closed cells is told after the game.

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
    this.#put("mines", led(machine.mines - machine.flags));
    this.#put("clicks", String(this.clicks));
    this.#put("split", `${left} + ${right} + ${double}`);
    this.#tick();
  }

  // Milliseconds as seconds with three decimals, on the visitor's clock.
  seconds(ms) {
    return ((ms + this.offsetMs) / 1000).toFixed(3);
  }

  #tick() {
    const running = this.startedAt === null ? 0 : this.elapsed + this.offsetMs;
    this.#put("time", this.final === null ? led(Math.floor(running / 1000)) : this.seconds(this.final));
  }

  #put(name, value) {
    const item = this.at[name];
    if (item && item.textContent !== value) item.textContent = value;
  }
}

// Three digits as on the counters of a clone: 007, 099, -03, 1000.
function led(value) {
  return value < 0 ? `-${String(-value).padStart(2, "0")}` : String(value).padStart(3, "0");
}
