// Two films on one clock: side by side, or as a ghost on one board.  What the numbers are the server says; here is drawing.

import { Board, clicksOf, countUpTo } from "../film/board.js";
import { Clock } from "../film/clock.js";
import { Cursor } from "../film/cursor.js";
import { Damaged, decodeFilm, fetched } from "../film/decode.js";
import { KEYS, bindKeys } from "../film/keys.js";
import { Stage } from "../film/stage.js";
import { Trail } from "../film/trail.js";
import { filled, msOf } from "../film/words.js";
import { Common } from "./common.js";
import { aligned, doneAt, timeOf } from "./progress.js";

const NUMBERS_MS = 100;
const ADDRESS_MS = 250;
const OPEN = 3;

// One of the two games, drawn into a frame.
class Game {
  constructor(film, progress, common) {
    Object.assign(this, { film, progress, common, board: new Board(film), clicks: clicksOf(film), event: 0, time: 0, dirty: new Set() });
    this.changed = (cell) => this.dirty.add(cell);
  }

  get acts() {
    return this.board.acts;
  }

  get ended() {
    return this.event === this.film.times.length;
  }

  // `ghostOf`: the game over whose cells this one is drawn.
  place(frame, ghostOf = null) {
    this.stage?.observer.disconnect();
    this.stage?.holder.remove();
    this.stage = null;
    this.ghostOf = ghostOf;
    this.trail = new Trail(this.film, this.clicks);
    if (!frame) return;
    this.stage = new Stage(frame, this.film, () => this.redraw());
    this.cursor = new Cursor(this.stage, this.board);
    this.stage.holder.classList.toggle("ghost", Boolean(ghostOf));
    this.redraw();
  }

  redraw() {
    for (let cell = 0; cell < this.film.size; cell += 1) this.dirty.add(cell);
    this.trail.reset();
    this.common.reset();
    this.draw();
  }

  // Go to `time`; at its end and later everything is played, whatever is rounded.
  goTo(time) {
    const { film, board } = this;
    const wasEnded = this.ended;
    this.time = Math.min(time, film.times.at(-1));
    this.event = time >= film.times.at(-1) ? film.times.length : countUpTo(film.times, time);
    board.goTo(countUpTo(film.places, this.event - 1), this.changed);
    if (this.ended !== wasEnded) for (let cell = 0; cell < film.size; cell += 1) if (film.mines[cell] || board.faces[cell] === 1) this.dirty.add(cell);
  }

  draw() {
    const { stage, film } = this;
    if (!stage?.skin) return;
    for (const cell of this.dirty) {
      if (this.ghostOf) this.#outline(cell);
      else stage.drawCell(cell, this.board.shown(cell, this.ended));
    }
    this.dirty.clear();
    if (!this.ghostOf) this.common.draw(stage, this.time);
    this.trail.draw(stage, this.event, this.acts, this.time);
    const last = Math.max(this.event - 1, 0);
    this.cursor.draw(film.x[last], film.y[last], this.acts, this.ended || this.ghostOf);
  }

  // Of a ghost: the cells that it has open and the other game has not are outlined.
  #outline(cell) {
    const { stage } = this;
    const [x, y] = stage.corner(cell);
    stage.overlay.clearRect(x, y, stage.cell, stage.cell);
    if (this.board.faces[cell] !== OPEN || this.ghostOf.board.faces[cell] === OPEN) return;
    const width = Math.max(1, Math.round(stage.cell / 10));
    stage.overlay.strokeStyle = stage.colour("--n3");
    stage.overlay.lineWidth = width;
    stage.overlay.strokeRect(x + width / 2, y + width / 2, stage.cell - width, stage.cell - width);
  }
}

class Comparison {
  constructor(root, data) {
    Object.assign(this, { root, data, texts: data.texts, shift: 0, shownAt: 0, addressAt: 0, timer: 0 });
    this.find = (name) => root.querySelector(`[data-${name}]`);
    this.state("still");
  }

  // The layout that an address need not name: a ghost tells most, where there is one.
  get usual() {
    return this.data.sameBoard ? "ghost" : "side";
  }

  state(name, reason = "") {
    this.root.dataset.state = name;
    this.find("trouble").hidden = !reason;
    this.find("trouble").textContent = reason;
  }

  async load() {
    this.state("loading");
    try {
      this.games = await Promise.all(this.data.games.map(async (game, which) => new Game(decodeFilm(await fetched(game.film), game.hash), game.progress, new Common(this.data.common, which))));
    } catch (error) {
      this.state("failed", this.texts[error.message] ?? this.texts.trouble);
      if (!(error instanceof Damaged) && !(error instanceof TypeError)) throw error;
      return;
    }
    this.state("ready");
    this.clock = new Clock(0, 0);
    const asked = new URLSearchParams(location.search);
    this.shift = this.#ms(asked.get("shift") ?? "0", 0);
    this.#bind();
    this.setLayout(asked.get("layout") ?? this.usual);
    this.setAlign(asked.get("align") ?? "clock");
    this.setCommon(asked.get("common") === "1");
    this.seek(this.#ms(asked.get("t") ?? "0", 0));
  }

  // A time that somebody wrote; if it is none the page says so, and it is `otherwise`.
  #ms(text, otherwise) {
    const ms = msOf(text);
    if (!Number.isNaN(ms)) return ms;
    this.state("ready", filled(this.texts.badTime, { text }));
    return otherwise;
  }

  // Where the second game stands while the first is at `time`.
  second(time) {
    if (this.align === "progress") return aligned(this.games[0].progress, this.games[1].progress, time);
    return this.align === "own" ? time + this.shift : time;
  }

  setAlign(align) {
    this.align = ["clock", "progress", "own"].includes(align) ? align : "clock";
    for (const input of this.root.querySelectorAll("[name=align]")) input.checked = input.value === this.align;
    this.find("shift").hidden = this.align !== "own";
    this.#span();
  }

  #span() {
    const [first, second] = this.games.map(({ film }) => film);
    const moved = this.align === "own" ? this.shift : 0;
    const ends = this.align === "progress" ? [first.times.at(-1)] : [first.times.at(-1), second.times.at(-1) - moved];
    Object.assign(this.clock, { begin: Math.min(first.times[0], second.times[0] - moved, 0), end: Math.max(...ends) });
    Object.assign(this.find("range"), { min: this.clock.begin, max: this.clock.end, step: 1 });
    this.seek(this.clock.time);
  }

  setLayout(layout) {
    const wanted = layout === "ghost" && !this.data.sameBoard ? "side" : layout;
    this.layout = ["side", "ghost", "graph"].includes(wanted) ? wanted : "side";
    for (const input of this.root.querySelectorAll("[name=layout]")) input.checked = input.value === this.layout;
    this.root.dataset.layout = this.layout;
    const [first, second] = this.games;
    const frames = this.root.querySelectorAll("[data-frame]");
    first.place(this.layout === "graph" ? null : frames[0]);
    second.place({ side: frames[1], ghost: frames[0], graph: null }[this.layout], this.layout === "ghost" ? first : null);
  }

  setCommon(on) {
    this.common = on && this.data.sameBoard;
    const box = this.find("common");
    if (!box) return;
    box.checked = this.common;
    this.find("common-legend").hidden = !this.common;
    for (const game of this.games) {
      game.common.on = this.common;
      game.draw();
    }
  }

  // --- the moment that is shown ---

  #show(time) {
    const [first, second] = this.games;
    first.goTo(time);
    second.goTo(this.second(time));
    if (second.ghostOf) for (const cell of first.dirty) second.dirty.add(cell);
    first.draw();
    second.draw();
    if (!this.scrubbing) this.find("range").value = time;
  }

  #frame(now) {
    if (!this.clock.playing) return;
    this.#show(this.clock.frame(now));
    if (now - this.shownAt >= NUMBERS_MS) {
      this.shownAt = now;
      this.#numbers();
    }
    if (this.clock.playing) requestAnimationFrame((next) => this.#frame(next));
    else this.#rest();
  }

  toggle() {
    if (this.clock.playing) this.clock.pause();
    else {
      this.clock.play();
      this.#show(this.clock.time);
      requestAnimationFrame((now) => this.#frame(now));
    }
    this.#rest();
  }

  seek(time) {
    this.clock.seek(Math.min(Math.max(time, this.clock.begin), this.clock.end));
    this.#show(this.clock.time);
    this.#rest();
  }

  #rest() {
    this.#numbers();
    const { playing } = this.clock;
    this.root.querySelector("[data-do=toggle]").textContent = playing ? this.texts.pause : this.texts.play;
    this.find("status").setAttribute("aria-live", playing ? "off" : "polite");
    if (!playing) this.#address();
  }

  #numbers() {
    const { clock, games, data } = this;
    games.forEach((game, index) => {
      const { counters } = game.film;
      const at = (name) => (game.acts ? counters[name][game.acts - 1] : 0);
      const values = { time: seconds(Math.max(0, game.time), data.first), bvdone: at("bvdone"), cl: at("lcl") + at("rcl") + at("dcl"), ce: at("lce") + at("rce") + at("dce"), flags: at("flags"), path: Math.round(game.event ? game.film.path[game.event - 1] : 0) };
      values.bvs = game.time > 0 ? ((1000 * values.bvdone) / game.time).toFixed(2) : "–";
      for (const [name, value] of Object.entries(values)) this.root.querySelectorAll(`[data-live=${name}]`)[index].textContent = value;
    });
    const text = this.#lead();
    if (this.find("status").textContent !== text) this.find("status").textContent = text;
    this.find("lead").textContent = text;
    const field = this.find("time");
    if (document.activeElement !== field) field.value = seconds(Math.max(0, clock.time), data.first);
    this.find("range").setAttribute("aria-valuetext", `${seconds(Math.max(0, clock.time), data.first)} s`);
    const [first, second] = games.map(({ progress }) => progress);
    const share = doneAt(first, clock.time) / Math.min(first.done.at(-1), second.done.at(-1));
    this.find("now")?.setAttribute("d", share <= 1 ? `M${(1000 * share).toFixed(1)} 0V200` : "");
  }

  // Who is ahead, at the progress that the first game has made.
  #lead() {
    const [first, second] = this.games.map(({ progress }) => progress);
    const done = doneAt(first, this.clock.time);
    if (this.games[0].ended && this.clock.time > first.end) return this.texts.over;
    if (done > second.done.at(-1)) return "";
    const lead = timeOf(second, done) - timeOf(first, done);
    if (Math.abs(lead) < 5) return this.texts.level;
    const values = { name: this.data.games[lead > 0 ? 0 : 1].name, seconds: (Math.abs(lead) / 1000).toFixed(2) };
    return filled(this.texts.ahead, values);
  }

  // Keep the address that leads here, at most four times a second.
  #address() {
    clearTimeout(this.timer);
    const wait = this.addressAt + ADDRESS_MS - performance.now();
    if (wait > 0) {
      this.timer = setTimeout(() => this.#address(), wait);
      return;
    }
    this.addressAt = performance.now();
    const address = new URL(location.href);
    const set = (name, value, usual) => (value === usual ? address.searchParams.delete(name) : address.searchParams.set(name, value));
    set("align", this.align, "clock");
    set("layout", this.layout, this.usual);
    set("t", (this.clock.time / 1000).toFixed(2), "0.00");
    set("common", this.common ? "1" : "0", "0");
    set("shift", this.align === "own" ? (this.shift / 1000).toFixed(2) : "0.00", "0.00");
    history.replaceState(history.state, "", address);
  }

  // --- controls ---

  // The click of the first game `step` further.
  #click(step) {
    const { all } = this.games[0].clicks;
    const place = countUpTo(all, this.games[0].acts - 1);
    const act = step > 0 ? all[place] : all[place - 2];
    this.seek(act === undefined ? (step > 0 ? this.clock.end : this.clock.begin) : this.#timeOf(this.games[0].film.places[act]));
  }

  #event(step) {
    const event = this.games[0].event + step - 1;
    this.seek(event < 0 ? this.clock.begin : this.#timeOf(Math.min(event, this.games[0].film.times.length - 1)));
  }

  #timeOf(event) {
    this.clock.pause();
    return this.games[0].film.times[event];
  }

  #rate(rate) {
    this.clock.setRate(rate);
    this.find("rate").value = Number(this.clock.rate.toFixed(2));
  }

  #bind() {
    const { clock, root } = this;
    const move = (seconds_) => this.seek(clock.time + 1000 * seconds_);
    const does = {
      toggle: () => this.toggle(), previous: () => this.#click(-1), next: () => this.#click(1), previousEvent: () => this.#event(-1), nextEvent: () => this.#event(1),
      back: () => move(-clock.rate), forward: () => move(clock.rate), back5: () => move(-5), forward5: () => move(5),
      slower: () => this.#rate(clock.rate / 2), faster: () => this.#rate(clock.rate * 2), normal: () => this.#rate(1),
      begin: () => this.seek(clock.begin), end: () => this.seek(clock.end), tenth: (n) => this.seek((clock.end * n) / 10), escape: () => false,
    };
    for (const [action] of KEYS) does[action] ??= () => {}; // the other keys of the viewer mean nothing here
    bindKeys(root, does, { active: () => false, letters: () => true });
    root.addEventListener("click", (event) => {
      const button = event.target.closest("[data-do]");
      if (button) does[button.dataset.do]();
    });
    root.addEventListener("change", ({ target }) => {
      this.state("ready");
      if (target.name === "align") this.setAlign(target.value);
      if (target.name === "layout") this.setLayout(target.value);
      if (target.matches("[data-common]")) {
        this.setCommon(target.checked);
        this.#address();
      }
      if (target.matches("[data-shift] input")) {
        this.shift = this.#ms(target.value, this.shift);
        this.#span();
      }
      if (target.matches("[data-rate]")) this.#rate(Number(target.value.replace(",", ".")) || 1);
      if (target.matches("[data-time]")) {
        const { first } = this.data;
        target.blur(); // so that the field says again where the films are
        this.seek(this.#ms(target.value, clock.time + 1000 * first) - 1000 * first);
      }
    });
    const range = this.find("range");
    range.addEventListener("pointerdown", () => {
      this.scrubbing = true;
    });
    for (const name of ["pointerup", "pointercancel"]) {
      addEventListener(name, () => {
        this.scrubbing = false;
      });
    }
    range.addEventListener("input", () => this.seek(Number(range.value)));
    this.find("shift").querySelector("input").value = this.shift / 1000;
    document.addEventListener("visibilitychange", () => {
      if (document.hidden && clock.playing) this.toggle();
    });
  }
}

function seconds(time, first) {
  return (Math.floor(time / 10) / 100 + first).toFixed(2);
}

const root = document.querySelector("[data-compare]");
if (root) {
  root.comparison = new Comparison(root, JSON.parse(document.getElementById("compare-data").textContent));
  root.comparison.load();
}
