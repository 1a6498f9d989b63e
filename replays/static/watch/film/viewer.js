// The viewer on the page of a replay: the film, its board, timeline and counters as they stand at first, and the clock.
// What only somebody who uses it needs (watch/film/use.js) is loaded with the first sign of a person.

import { Board, clicksOf, countUpTo } from "./board.js";
import { Clock } from "./clock.js";
import { Counters, numberText } from "./counters.js";
import { Damaged, decodeFilm, fetched } from "./decode.js";
import { Stage } from "./stage.js";
import { Timeline, momentsOf } from "./timeline.js";

const PRELOAD_PX = 600;
const COUNTERS_MS = 100;
const USED = ["./use.js", "./choice.js", "./controls.js", "./cursor.js", "./digits.js", "./keys.js", "./leds.js", "./review.js", "./trail.js", "./words.js", "../../play/look/led.js", "../../web/key.js"];
const SIGNS = ["pointermove", "pointerdown", "pointerup", "click", "keydown", "focusin"];
const DONE_LATER = ["pointerdown", "pointerup", "click", "keydown"];

class Viewer {
  constructor(root, data) {
    Object.assign(this, { root, data, texts: data.texts, saved: Object.keys(data.settings ?? {}).length ? data.settings : stored(), event: 0, tries: 0, poster: true, scrubbing: false, shownAt: 0, smooth: true });
    this.find = (name) => root.querySelector(`[data-part="${name}"]`);
    this.reduced = matchMedia("(prefers-reduced-motion: reduce)");
    this.arrived = new Promise((resolve) => { this.arrive = resolve; });
    this.state("still");
  }

  state(name, reason = "") {
    this.root.dataset.state = name;
    this.find("trouble").hidden = !reason;
    this.find("reason").textContent = reason;
  }

  async load() {
    if (this.film || this.root.dataset.state === "loading") return;
    this.state("loading");
    try {
      const { bytes, film, hash } = this.data; // bytes: base64, of a film that is in the page itself
      this.#ready(decodeFilm(bytes ? Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0)).buffer : await fetched(film), hash));
    } catch (error) {
      this.state("failed", this.texts[error.message] ?? this.texts.trouble);
      if (!(error instanceof Damaged) && !(error instanceof TypeError) && !this.texts[error.message]) throw error;
    }
  }

  #ready(film) {
    const { data, find } = this;
    Object.assign(this, { film, clicks: clicksOf(film), board: new Board(film), clock: new Clock(film.times[0], film.times.at(-1)) });
    this.timeline = new Timeline(find("timeline"), film, this.clicks, this.clock);
    this.dirty = new Set();
    this.changed = (cell) => this.dirty.add(cell);
    this.state("ready");
    this.stage = new Stage(find("frame"), film, () => this.redraw());
    this.counters = new Counters(find("rows"), film, data.counters, this.saved);
    this.range = Object.assign(find("range"), { min: this.clock.begin, max: this.clock.end, step: "any" });
    this.frame = (now) => this.#frame(now);
    this.redraw();
    this.count();
    this.arrive();
    this.#loadReview();
    if (this.wanted || location.search || location.hash.startsWith("#click-") || Object.keys(this.saved).length) this.use();
  }

  // Load what is needed to use the film, once it is there.
  use() {
    this.wanted = true;
    return (this.using ??= this.arrived.then(() => this.#use()));
  }

  async #use() {
    let parts;
    try {
      // A browser may remember that a module could not be loaded: another address asks again.
      const again = this.tries ? `?again=${this.tries}` : "";
      parts = await Promise.all(USED.map((address) => import(address + again)));
    } catch {
      this.tries += 1;
      this.find("note").textContent = this.texts.trouble;
      this.using = null; // the next sign tries again
      return;
    }
    parts[0].makeUsable(this);
  }

  // An answer of the API, whose texts are in the language of the page.
  answer(address, signal) {
    return fetched(address, "json", { headers: { Accept: "application/json", "Accept-Language": document.documentElement.lang }, signal });
  }

  // The remarks about the game: marks of the timeline, and what "next" goes to.
  async #loadReview() {
    if (!this.data.review) return; // of a file that is not uploaded
    try {
      this.timeline.setMoments(momentsOf(await this.answer(this.data.review), this.film));
      this.root.dataset.review = "ready";
    } catch (error) {
      if (!(error instanceof Damaged) && !(error instanceof TypeError)) throw error;
      this.root.dataset.review = "failed";
    }
    this.review?.arrived();
  }

  // --- the moment that is shown ---

  get acts() {
    return this.board.acts;
  }

  // How many events the board shows: all of them while it is a poster, until somebody goes to a moment.
  get shown() {
    return this.poster ? this.film.times.length : this.event;
  }

  get ended() {
    return this.shown === this.film.times.length;
  }

  // Show the state after so many events, `time` being that of the clock.
  #show(event, time, poster = false) {
    const { film, board, layers, stage } = this;
    const wasEnded = this.ended;
    if (poster !== this.poster) this.root.toggleAttribute("data-poster", poster);
    Object.assign(this, { event, poster });
    const acts = countUpTo(film.places, this.shown - 1);
    board.goTo(acts, this.changed);
    if (this.ended !== wasEnded) for (let cell = 0; cell < film.size; cell += 1) if (film.mines[cell] || board.faces[cell] === 1) this.dirty.add(cell);
    for (const cell of this.dirty) stage.drawCell(cell, board.shown(cell, this.ended));
    layers?.update(stage, acts, this.dirty);
    this.dirty.clear();
    this.trail?.draw(stage, event, acts, time);
    this.cursor?.show(event, acts, time, this.clock.playing && this.smooth);
    if (!this.scrubbing) this.range.value = poster ? this.clock.end : time;
  }

  redraw() {
    if (!this.stage) return;
    for (let cell = 0; cell < this.film.size; cell += 1) this.dirty.add(cell);
    this.trail?.reset();
    this.layers?.reset();
    this.#show(this.event, this.clock.time, this.poster);
    this.timeline.draw(this.stage.colour);
  }

  // Numbers, time and slider; all of them may be late by a moment while it plays.
  count() {
    const time = this.poster ? this.clock.end : this.clock.time;
    this.counters.update(this.acts, this.shown, time, this.ended);
    this.counted?.();
    const text = this.timeText(time);
    const field = this.find("time");
    if (document.activeElement !== field) field.value = text;
    this.range.setAttribute("aria-valuetext", `${text} s`);
  }

  timeText(time) {
    return numberText(Math.max(0, Math.floor(time)) / 1000 + this.data.counters.first, this.data.counters.rows.time.decimals);
  }

  #frame(now) {
    if (!this.clock.playing) return;
    const time = this.clock.frame(now);
    this.#show(this.clock.playing ? countUpTo(this.film.times, time) : this.film.times.length, time);
    if (now - this.shownAt >= COUNTERS_MS) {
      this.shownAt = now;
      this.count();
    }
    if (this.clock.playing) this.#next();
    else this.#rest();
  }

  // Draw once with the next frame, even if it was paused and played since the last.
  #next() {
    cancelAnimationFrame(this.asked);
    this.asked = requestAnimationFrame(this.frame);
  }

  play() {
    if (this.clock.playing) return;
    this.clock.play();
    this.state("playing");
    this.controls?.button();
    this.#next();
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
    return Object(JSON.parse(localStorage.getItem("film")));
  } catch {
    return {};
  }
}

// The first sign of a person; what they do in the viewer before it can be used is done when it can.
function awaitPerson(viewer) {
  const { root } = viewer;
  const sign = (event) => {
    if (viewer.controls) {
      for (const name of SIGNS) removeEventListener(name, sign, { capture: true });
      return;
    }
    // Browsers send one, at the same place, when something comes under a pointer that rests.
    if (event.type === "pointermove" && !event.movementX && !event.movementY) return;
    const using = viewer.use();
    if (root.dataset.state === "still") viewer.load();
    const plays = /^( |ArrowLeft|ArrowRight)$/.test(event.key) && !event.altKey && !event.ctrlKey && !event.metaKey && !event.target.closest("a, button, input, label, select, summary, textarea"); // where it does something else
    if (root.dataset.state === "failed" || !DONE_LATER.includes(event.type) || !(plays || root.contains(event.target) || "embed" in root.dataset)) return;
    if (plays || event.type === "click") event.preventDefault();
    event.stopPropagation();
    using.then(() => event.target.dispatchEvent(new event.constructor(event.type, event)));
  };
  for (const name of SIGNS) addEventListener(name, sign, { capture: true });
}

for (const root of document.querySelectorAll("[data-film]")) {
  const viewer = new Viewer(root, JSON.parse(document.getElementById("film-data").textContent));
  root.viewer = viewer;
  awaitPerson(viewer);
  viewer.find("again").addEventListener("click", () => viewer.load());
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    viewer.load();
  }, { rootMargin: `${PRELOAD_PX}px` });
  if (/[?&]t=|#click-/.test(location.href)) viewer.load();
  else observer.observe(root);
}
