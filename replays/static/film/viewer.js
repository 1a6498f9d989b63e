// The viewer on the page of a replay: wires film, clock, canvases, counters, timeline, controls and keys.

import { Board, clicksOf, countUpTo } from "./board.js";
import { Clock } from "./clock.js";
import { Controls } from "./controls.js";
import { Counters, numberText } from "./counters.js";
import { Damaged, decodeFilm, decodeOdds } from "./decode.js";
import { Layers } from "./layers.js";
import { Stage } from "./stage.js";
import { Timeline } from "./timeline.js";
import { Trail } from "./trail.js";

const PRELOAD_PX = 600;
const SMOOTH_MS = 50; // longest gap between events over which the cursor glides
const COUNTERS_MS = 100;
const STORE = "film";

export class Viewer {
  constructor(root, data) {
    Object.assign(this, { root, data, texts: data.texts, saved: Object.keys(data.settings ?? {}).length ? data.settings : stored(), event: 0, scrubbing: false, shownAt: 0, smooth: true });
    this.find = (name) => root.querySelector(`[data-part="${name}"]`);
    this.reduced = matchMedia("(prefers-reduced-motion: reduce)");
    this.state("still");
  }

  state(name, reason = "") {
    this.root.dataset.state = name;
    this.find("trouble").hidden = !reason;
    this.find("reason").textContent = reason;
  }

  async load() {
    this.state("loading");
    try {
      const film = await this.fetched(this.data.film);
      this.#ready(decodeFilm(film, this.data.hash));
    } catch (error) {
      this.state("failed", this.texts[error.message] ?? this.texts.trouble);
      if (!(error instanceof Damaged) && !(error instanceof TypeError) && !this.texts[error.message]) throw error;
    }
  }

  // The bytes at `address`; a site that is getting ready is asked again.
  async fetched(address, kind = "arrayBuffer", options = {}) {
    for (;;) {
      const response = await fetch(address, { credentials: "omit", ...options });
      if (response.ok) return response[kind]();
      const wait = Number(response.headers.get("Retry-After"));
      if (response.status !== 503 || !wait) throw new Damaged({ 404: "missing", 429: "busy" }[response.status] ?? "trouble");
      await new Promise((resume) => setTimeout(resume, 1000 * wait));
    }
  }

  #ready(film) {
    const { data, find } = this;
    this.film = film;
    this.clicks = clicksOf(film);
    this.board = new Board(film);
    this.clock = new Clock(film.times[0], film.times.at(-1));
    this.layers = new Layers(film, this.board);
    this.trail = new Trail(film, this.clicks);
    this.timeline = new Timeline(find("timeline"), film, this.clicks, this.clock);
    this.dirty = new Set();
    this.changed = (cell) => this.dirty.add(cell);
    this.state("ready");
    this.stage = new Stage(find("frame"), film, () => this.#redraw());
    this.counters = new Counters(find, film, data.counters, this.saved, { save: (part) => this.save(part), texts: this.texts, formula: data.formula, change: () => this.counters && this.count() });
    Object.assign(find("range"), { min: Math.min(this.clock.begin, 0), max: this.clock.end, step: 1 });
    this.controls = new Controls(this);
    this.#redraw();
    this.controls.words.goToAddress();
    this.count();
    this.frame = (now) => this.#frame(now);
    if (new URLSearchParams(location.search).get("play") === "1" && !this.reduced.matches) this.play();
    this.#loadOdds();
    this.#loadReview();
    this.#preparePosition();
  }

  // An answer of the API, whose texts are in the language of the page.
  answer(address, signal) {
    return this.fetched(address, "json", { headers: { Accept: "application/json", "Accept-Language": document.documentElement.lang }, signal });
  }

  // The remarks about the game: marks of the timeline, and what "next" goes to.
  async #loadReview() {
    try {
      const [answer, { Review }] = await Promise.all([this.answer(this.data.review), import("./review.js")]);
      this.review = new Review(this, answer);
    } catch (error) {
      if (!(error instanceof Damaged) && !(error instanceof TypeError)) throw error;
    }
    this.root.dataset.review = this.review ? "ready" : "failed";
    this.controls.words.note();
    if (this.review?.textsAt(this.event).length) this.controls.words.say();
  }

  // What could be known at a position: loaded when somebody opens it.
  #preparePosition() {
    const details = this.find("position");
    const load = async () => {
      if (!details.open || this.position) return;
      this.position = true;
      const { Position } = await import("./position.js");
      this.position = new Position(this, details);
    };
    details.addEventListener("toggle", load);
  }

  async #loadOdds() {
    try {
      const odds = decodeOdds(await this.fetched(this.data.odds), this.film);
      this.layers.setOdds(odds);
      this.redrawOverlay();
    } catch (error) {
      if (!(error instanceof Damaged) && !(error instanceof TypeError)) throw error;
      this.oddsFailed = true;
    }
    this.root.dataset.odds = this.oddsFailed ? "failed" : "ready";
    this.controls.words.note();
  }

  // --- the moment that is shown ---

  get acts() {
    return this.board.acts;
  }

  get ended() {
    return this.event === this.film.times.length;
  }

  // Show the state after so many events, `time` being that of the clock.
  #show(event, time) {
    const { film, board, layers, stage } = this;
    const wasEnded = this.ended;
    this.event = event;
    const acts = countUpTo(film.places, event - 1);
    board.goTo(acts, this.changed);
    layers.goTo(acts, this.changed);
    if (this.ended !== wasEnded) for (let cell = 0; cell < film.size; cell += 1) if (film.mines[cell] || board.faces[cell] === 1) this.dirty.add(cell);
    for (const cell of this.dirty) {
      stage.drawCell(cell, board.shown(cell, this.ended));
      if (layers.any) layers.draw(stage, cell);
    }
    this.dirty.clear();
    this.trail.draw(stage, event, acts, time);
    const last = Math.max(event - 1, 0);
    let [x, y] = [film.x[last], film.y[last]];
    const gap = film.times[last + 1] - film.times[last];
    if (this.clock.playing && this.smooth && event && event < film.times.length && gap <= SMOOTH_MS && gap > 0) {
      const share = Math.min(1, (time - film.times[last]) / gap);
      x += (film.x[last + 1] - x) * share;
      y += (film.y[last + 1] - y) * share;
    }
    stage.drawCursor(x, y, acts ? film.held[acts - 1] : 0, this.ended ? [] : board.pressed(acts, film.x[last], film.y[last]));
    if (!this.scrubbing) this.find("range").value = time;
  }

  #redraw() {
    if (!this.stage) return;
    for (let cell = 0; cell < this.film.size; cell += 1) this.dirty.add(cell);
    this.trail.reset();
    this.#show(this.event, this.clock.time);
    this.timeline.draw(this.stage.colour);
  }

  redrawOverlay() {
    const { overlay } = this.stage;
    overlay.clearRect(0, 0, overlay.canvas.width, overlay.canvas.height);
    this.layers.goTo(this.acts, this.changed);
    if (this.layers.any) for (let cell = 0; cell < this.film.size; cell += 1) this.layers.draw(this.stage, cell);
  }

  // Numbers, time and slider; all of them may be late by a moment while it plays.
  count() {
    const time = this.clock.time;
    this.counters.update(this.acts, time, this.ended);
    const text = this.timeText(time);
    const field = this.find("time");
    if (document.activeElement !== field) field.value = text;
    this.find("range").setAttribute("aria-valuetext", `${text} s`);
  }

  timeText(time) {
    return numberText(Math.max(0, Math.floor(time)) / 1000 + this.data.counters.first, 2);
  }

  #frame(now) {
    if (!this.clock.playing) return;
    const time = this.clock.frame(now);
    this.#show(this.clock.playing ? countUpTo(this.film.times, time) : this.film.times.length, time);
    if (now - this.shownAt >= COUNTERS_MS) {
      this.shownAt = now;
      this.count();
    }
    if (this.clock.playing) requestAnimationFrame(this.frame);
    else this.#rest();
  }

  play() {
    if (this.clock.playing) return;
    this.clock.play();
    this.state("playing");
    this.controls.button();
    requestAnimationFrame(this.frame);
  }

  pause() {
    this.clock.pause();
    this.#rest();
  }

  // It stands still: everything is exact, and said.
  #rest() {
    this.state(this.ended ? "ended" : "ready");
    this.count();
    this.controls?.rest();
    this.root.dispatchEvent(new Event("rest"));
  }

  // Keep a setting of the visitor: in the browser, if it lets us, and in the account.
  save(part) {
    Object.assign(this.saved, part);
    try {
      localStorage.setItem(STORE, JSON.stringify(this.saved));
    } catch {
      // full, or not allowed: the setting holds until the page is left
    }
    if (this.data.account) this.#keep();
  }

  async #keep() {
    const { data, find, root, saved } = this;
    const { keep } = await import("./account.js");
    const layers = [...root.querySelectorAll("[data-layer]")].map((box) => box.dataset.layer);
    const trails = [...find("trail").options].map((option) => option.value);
    keep(data.account, saved, { rows: Object.keys(data.counters.rows), layers, trails }, () => {
      find("note").textContent = this.texts.notStored;
    });
  }

  // After so many events; playing goes on from there.
  goTo(event, time = this.film.times[Math.max(event - 1, 0)]) {
    this.clock.seek(time);
    this.#show(Math.min(Math.max(event, 0), this.film.times.length), this.clock.time);
    if (this.clock.playing) this.count();
    else this.#rest();
  }

  seek(time) {
    const within = Math.min(Math.max(time, this.clock.begin), this.clock.end);
    this.goTo(within >= this.clock.end ? this.film.times.length : countUpTo(this.film.times, within), within);
  }
}

function stored() {
  try {
    return Object(JSON.parse(localStorage.getItem(STORE)));
  } catch {
    return {};
  }
}

for (const root of document.querySelectorAll("[data-film]")) {
  const viewer = new Viewer(root, JSON.parse(document.getElementById("film-data").textContent));
  root.viewer = viewer;
  viewer.find("again").addEventListener("click", () => viewer.load());
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    viewer.load();
  }, { rootMargin: `${PRELOAD_PX}px` });
  if (/[?&]t=|#click-/.test(location.href)) viewer.load();
  else observer.observe(root);
}
