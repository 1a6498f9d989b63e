// The record as a film on the home page: muted, at 4×, loaded after the page is painted, and only moving while it is seen.
// It starts by itself unless the visitor wants less motion or fewer bytes; a button starts and stops it.

import { Led, countText } from "../../play/look/led.js";

const RATE = 4;
const REST_MS = 2500; // at the end, before it begins again
const START_MS = 600; // after the page has loaded

class Hero {
  constructor(root) {
    this.root = root;
    this.seen = false;
    this.wanted = false; // by the visitor, or since nothing speaks against it
    this.button = root.querySelector("[data-pause]");
    this.leds = Object.fromEntries(["mines", "time"].map((name) => [name, new Led(root.querySelector(`[data-led=${name}] svg`))]));
    this.button.addEventListener("click", () => this.want(!this.wanted));
    new IntersectionObserver(([entry]) => this.see(entry.isIntersecting)).observe(root);
  }

  want(wanted) {
    this.wanted = wanted;
    this.#turn();
  }

  see(seen) {
    this.seen = seen;
    this.#turn();
  }

  // Move, or stop, as the visitor wants and can see.
  async #turn() {
    const { button, root, wanted } = this;
    root.dataset.state = wanted ? "playing" : this.film ? "paused" : "still";
    button.setAttribute("aria-label", wanted ? button.dataset.pauseText : button.dataset.playText);
    if (!wanted || !this.seen) return this.clock?.pause();
    this.loading ??= this.#load();
    if (!(await this.loading)) return undefined;
    if (this.wanted && this.seen && !this.clock.playing) {
      this.clock.play();
      requestAnimationFrame((now) => this.#frame(now));
    }
    return undefined;
  }

  // Whether the film is there; without it the poster stays, and the button tries again.
  async #load() {
    try {
      const [decode, board, clock, cursor, stage, trail] = await Promise.all([
        import("../../watch/film/decode.js"), import("../../watch/film/board.js"), import("../../watch/film/clock.js"),
        import("../../watch/film/cursor.js"), import("../../watch/film/stage.js"), import("../../watch/film/trail.js"),
      ]);
      this.countUpTo = board.countUpTo;
      const { dataset } = this.root;
      const film = decode.decodeFilm(await decode.fetched(dataset.source), dataset.hash);
      this.film = film;
      this.board = new board.Board(film);
      this.clock = new clock.Clock(film.times[0], film.times.at(-1));
      this.clock.setRate(RATE);
      this.trail = new trail.Trail(film, board.clicksOf(film));
      this.trail.marks = [];
      this.dirty = new Set();
      this.event = 0;
      this.stage = new stage.Stage(this.root.querySelector("[data-frame]"), film, () => this.#redraw());
      this.cursor = new cursor.Cursor(this.stage, this.board);
      this.root.dataset.loaded = "";
      this.#redraw();
      return true;
    } catch {
      this.loading = null;
      this.wanted = false;
      this.film = null;
      this.#turn();
      return false;
    }
  }

  #redraw() {
    if (!this.stage) return;
    for (let cell = 0; cell < this.film.size; cell += 1) this.dirty.add(cell);
    this.trail.reset();
    this.#show(this.event, this.clock.time);
  }

  // The state after so many events, at `time` of the clock.
  #show(event, time) {
    const { film, board, stage } = this;
    const ended = event === film.times.length;
    const acts = this.countUpTo(film.places, event - 1);
    board.goTo(acts, (cell) => this.dirty.add(cell));
    if (ended !== this.ended) for (let cell = 0; cell < film.size; cell += 1) if (film.mines[cell]) this.dirty.add(cell);
    Object.assign(this, { event, ended });
    for (const cell of this.dirty) stage.drawCell(cell, board.shown(cell, ended));
    this.dirty.clear();
    this.trail.draw(stage, event, acts, time);
    this.cursor?.show(event, acts, time, this.clock.playing);
    this.leds.mines.show(countText(film.mineCount - (acts ? film.counters.flags[acts - 1] : 0)));
    this.leds.time.showTime(Math.max(0, time) / 1000 + Number(this.root.dataset.first));
  }

  #frame(now) {
    const { clock, film } = this;
    if (!clock.playing) return;
    const time = clock.frame(now);
    this.#show(clock.playing ? this.countUpTo(film.times, time) : film.times.length, time);
    if (clock.playing) requestAnimationFrame((next) => this.#frame(next));
    else setTimeout(() => this.#turn(), REST_MS);
  }
}

const hero = new Hero(document.querySelector("[data-hero]"));
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches || navigator.connection?.saveData;
const start = () => setTimeout(() => hero.want(true), START_MS);
if (!calm && document.readyState === "complete") start();
else if (!calm) addEventListener("load", start);
