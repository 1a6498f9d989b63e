// What could be known at the position on the board: chances of mines, the steps of the deduction, what the next click risked.

import { followSteps } from "../../odds/steps.js";
import { Marks } from "./marks.js";
import { filled } from "./words.js";

const WAIT_MS = 150; // a moment is asked for when the film rests on it so long
const MOST_KEPT = 40;
const MOST_DECIMALS = 9;

// A chance with one decimal, or with as many as it needs to differ from 0 % and 100 %: 0.000109 is 0.011 %.
export function percent(chance) {
  const decimals = chance > 0.999 && chance < 1 ? Math.min(MOST_DECIMALS, Math.ceil(-Math.log10(1 - chance)) - 1) : 1;
  const digits = chance > 0 && chance < 0.001 ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 1, maximumFractionDigits: decimals };
  return new Intl.NumberFormat(document.documentElement.lang, { style: "percent", ...digits }).format(chance);
}

export class Position {
  constructor(viewer, panel) {
    const { data, find, root } = viewer;
    Object.assign(this, { viewer, panel, tab: find("logic"), find, data, texts: data.texts.position, marks: new Marks(viewer.stage, viewer.film.columns), kept: new Map(), clicks: null, timer: 0 });
    root.addEventListener("rest", () => this.#wait());
    for (const one of root.querySelectorAll("[name=film-panel]")) one.addEventListener("change", () => this.#wait());
    find("copy-click").addEventListener("click", () => this.#copy());
    find("ignore-flags").addEventListener("change", () => this.#wait());
    const frame = find("frame");
    frame.addEventListener("pointermove", (event) => {
      frame.title = this.#chanceUnder(event);
    });
    this.#wait();
  }

  #wait() {
    clearTimeout(this.timer);
    this.running?.abort();
    this.marks.show([]);
    this.shown = null;
    if (this.tab.checked && !this.viewer.clock.playing) this.timer = setTimeout(() => this.#show(), WAIT_MS);
  }

  // The events after which the board is as it is now: moves change nothing.
  get #event() {
    const { viewer: { film, acts } } = this;
    return acts ? film.places[acts - 1] + 1 : 0;
  }

  // The act of the next click that opened cells.
  get #next() {
    const { viewer: { clicks, acts } } = this;
    return clicks.opening.find((act) => act >= acts);
  }

  // Its number among all clicks, from 1, as links have it and the words below the film.
  get #number() {
    return this.viewer.clicks.all.indexOf(this.#next) + 1;
  }

  async #show() {
    const event = this.#event;
    this.running = new AbortController();
    const { signal } = this.running;
    try {
      const [position, clicks] = await Promise.all([this.#position(event, signal), this.#luck(signal)]);
      if (signal.aborted) return;
      this.find("position-trouble").textContent = "";
      this.#draw(position, clicks);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.find("position-trouble").textContent = this.texts[error.message] ?? this.texts.trouble;
    }
  }

  async #position(event, signal) {
    const query = `?event=${event}${this.find("ignore-flags").checked ? "&flags=ignored" : ""}`;
    if (!this.kept.has(query)) {
      const found = await this.viewer.answer(`${this.data.position}${query}`, signal);
      if (this.kept.size >= MOST_KEPT) this.kept.clear();
      this.kept.set(query, found);
    }
    return this.kept.get(query);
  }

  async #luck(signal) {
    if (this.clicks) return this.clicks;
    const { clicks, values } = await this.viewer.answer(this.data.luck, signal);
    const counts = { guesses: values.guesses, needless: values.needless_guesses, luck: percent(values.luck ?? 0) };
    this.find("luck").textContent = values.pluck === null ? this.texts.none : filled(this.texts.summary, counts);
    this.clicks = clicks;
    return clicks;
  }

  #draw(position, clicks) {
    const next = this.#next;
    const click = next === undefined ? undefined : clicks.find((one) => one.event === this.viewer.film.places[next]);
    this.shown = position;
    this.marks.show(click ? click.cells.map(([row, column]) => [row, column, "clicked"]) : []);
    this.find("risk").textContent = click ? this.#described(click) : "";
    this.find("copy-click").hidden = next === undefined;
    this.find("flags").hidden = !position.flag_use || !position.rows.some((row) => row.includes("F"));
    this.find("flags-text").textContent = [this.texts.flags[position.flag_use], position.flag_use === "trusted" && this.texts.noEvidence].filter(Boolean).join(" ");
    const list = this.find("reasons");
    list.replaceChildren(...(position.too_wide ? [line(this.texts.too_wide)] : (position.steps ?? []).map(step)));
    followSteps(list, (row, column) => this.marks.cell(row, column));
    this.find("position-text").textContent = position.rows.map((row) => [...row].join(" ")).join("\n");
    this.find("chances").textContent = (position.mine ?? []).map((row) => row.map((chance) => (chance === null ? "·" : percent(chance)).padStart(7)).join("")).join("\n");
    this.panel.dataset.event = position.event; // it shows this one
  }

  #described(click) {
    const { texts, viewer } = this;
    const values = { number: this.#number, count: viewer.clicks.all.length, time: viewer.timeText(click.time_ms), risk: percent(click.risk), least: percent(click.least_risk), rule: texts.rules[click.rule] ?? "" };
    return [filled(texts.click, values), filled(texts[click.sort], values), click.chord && texts.chord, !click.survived && texts.mine].filter(Boolean).join(" · ");
  }

  #chanceUnder(event) {
    const { viewer: { stage, film }, shown } = this;
    const box = stage.holder.getBoundingClientRect();
    const [row, column] = [Math.floor(((event.clientY - box.top) / box.height) * film.rows), Math.floor(((event.clientX - box.left) / box.width) * film.columns)];
    const chance = shown?.mine?.[row]?.[column];
    return chance === undefined || chance === null ? "" : percent(chance);
  }

  #copy() {
    const url = new URL(this.data.page, location.href);
    url.hash = `click-${this.#number}`;
    this.viewer.controls.words.copy(url.href);
  }
}

function line(text) {
  const item = document.createElement("li");
  item.textContent = text;
  return item;
}

function step(one) {
  const item = line(one.text);
  const sets = one.sets.flatMap((set) => set.cells);
  item.dataset.marks = JSON.stringify({ number: one.sets.map((set) => set.number), set: sets, mine: one.mines, safe: one.safe, guess: one.guesses });
  return item;
}
