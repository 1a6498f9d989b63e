// The remarks of the server's review (watch/film/timeline.js) in what is said, and the list of the page.

import { Damaged } from "./decode.js";
import { counted, filled } from "./words.js";

const AROUND_MS = 1000; // a line of the list plays so much before and after its moment
const MOST_TOLD = 6; // cells in the line of a slip
const ROUNDING = 1e-9; // chances that differ by less are equal

export class Review {
  constructor(viewer) {
    Object.assign(this, { viewer, playing: 0, kept: new Map(), current: [], lit: -1 });
    document.addEventListener("click", (event) => this.#clicked(event));
    viewer.root.addEventListener("rest", () => this.follow());
    document.addEventListener("htmx:afterSettle", () => this.follow()); // the list came later than the film
    this.follow();
  }

  get moments() {
    return this.viewer.timeline.moments;
  }

  // The remarks are there, or cannot be loaded.
  arrived() {
    const { controls, data, event } = this.viewer;
    if (data.legend) this.#legend(data.legend);
    this.follow();
    controls.words.note();
    if (this.textsAt(event).length) controls.words.say();
  }

  // The counts of the remarks on the bar of an embedded film; elsewhere they come with the list.
  #legend(texts) {
    const line = Object.assign(document.createElement("span"), { className: "line" });
    for (const [weight, { mark, ...forms }] of Object.entries(texts)) {
      const count = this.moments.filter((one) => one.weight === weight).length;
      if (!count) continue;
      const text = filled(counted(forms, count), { count });
      const button = Object.assign(document.createElement("button"), { type: "button", className: `weight-${weight}`, title: text, ariaLabel: text });
      button.dataset.next = weight;
      button.append(...[[mark, "mark"], [text, "words"], [count, "number"]].map(([textContent, className]) => Object.assign(document.createElement("span"), { textContent, className })));
      line.append(button);
    }
    this.viewer.root.querySelector(".film-legend").replaceChildren(line);
  }

  // What is remarked where the film stands after `event` events.
  textsAt(event) {
    return this.moments.filter((one) => one.event === event).map((one) => one.text);
  }

  #momentOf(row) {
    return this.moments.find((one) => one.kind === row.dataset.kind && one.of === Number(row.dataset.event));
  }

  // The lines of the list of this moment are marked.
  follow() {
    const here = this.moments.filter((one) => one.event === this.viewer.event);
    for (const row of this.current) row.removeAttribute("aria-current");
    this.current = here.flatMap(({ kind, of }) => [...document.querySelectorAll(`[data-review] [data-kind="${kind}"][data-event="${of}"]`)]);
    for (const row of this.current) row.setAttribute("aria-current", "true");
    this.#light();
  }

  // The cells that were right instead of a slip are lit while the film stands at it, and told in its line.
  async #light() {
    const { viewer } = this;
    const row = this.current.find((one) => "judged" in one.dataset);
    const event = row && !viewer.poster && !viewer.clock.playing ? Number(row.dataset.event) : -1;
    if (event === this.lit) return;
    this.lit = event;
    this.marks?.show([]);
    if (event < 0) return;
    const [best, part] = await Promise.all([this.#best(event), viewer.part(() => import("./marks.js"))]);
    if (this.lit !== event || !best || !part) return;
    this.marks ??= new part.Marks(viewer.stage, viewer.film.columns);
    this.marks.show(best.cells.map(([line, column]) => [line, column, best.safe ? "on-safe" : "on-guess"]));
    const told = row.querySelector(".safe-cells");
    const { safe, best: least } = row.closest("[data-review]").dataset;
    const places = best.cells.slice(0, MOST_TOLD).map(([line, column]) => `${line + 1}:${column + 1}`);
    told.textContent = `${best.safe ? safe : least} ${places.join(", ")}${best.cells.length > MOST_TOLD ? " …" : ""}`;
    told.hidden = false;
  }

  // The certainly safe cells before an event, or those of the least risk; null if they cannot be told.
  async #best(event) {
    if (!this.kept.has(event)) {
      const { data } = this.viewer;
      const address = `${data.position}?event=${event}&flags=ignored`;
      try {
        const { certain_safe: safe, mine } = await this.viewer.answer(address);
        this.kept.set(event, mine && bestOf(safe, mine));
      } catch (error) {
        if (!(error instanceof Damaged) && !(error instanceof TypeError)) throw error;
        return null; // refused or offline: the next look asks again
      }
    }
    return this.kept.get(event);
  }

  // A chip shows its kind alone, until it is pressed again.
  #filter(chip) {
    const on = chip.getAttribute("aria-pressed") !== "true";
    const list = chip.closest("[data-review]");
    for (const one of list.querySelectorAll("[data-filter]")) one.setAttribute("aria-pressed", String(on && one === chip));
    for (const group of list.querySelectorAll("[data-group]")) group.hidden = on && group.dataset.group !== chip.dataset.filter;
  }

  // A count of the legend goes to the next remark of its weight, and from the last one to the first.
  #next(weight) {
    const { viewer } = this;
    const [first, ...others] = this.moments.filter((one) => one.weight === weight);
    const found = [first, ...others].find((one) => one?.event > viewer.event || (one && viewer.poster)) ?? first;
    if (!found) return;
    viewer.clock.pause();
    viewer.goTo(found.event);
  }

  // A line of the list plays its moment instead of loading the page with its address.
  #clicked(event) {
    const { controls, root } = this.viewer;
    const count = event.target.closest?.("[data-next]");
    if (count && root.contains(count)) {
      this.#next(count.dataset.next);
      return controls.leave(event);
    }
    const chip = event.target.closest?.("[data-filter]");
    if (chip) {
      this.#filter(chip);
      return controls.leave(event);
    }
    const row = event.target.closest?.("[data-review] a[data-main]")?.closest("[data-event]");
    const moment = row && !event.ctrlKey && !event.metaKey && !event.shiftKey && this.#momentOf(row);
    if (!moment) return;
    event.preventDefault();
    this.viewer.root.scrollIntoView({ block: "nearest" });
    this.viewer.find("frame").focus({ preventScroll: true });
    this.#playAround(moment);
  }

  // From a second before to a second after, and rest at the moment; whoever stops it earlier stays there.
  #playAround(moment) {
    const { viewer } = this;
    if (viewer.reduced.matches) {
      viewer.clock.pause();
      return viewer.goTo(moment.event);
    }
    const [from, to] = [moment.time - AROUND_MS, Math.min(moment.time + AROUND_MS, viewer.clock.end)];
    viewer.seek(from);
    viewer.play();
    const round = (this.playing += 1);
    const watch = () => {
      const { time, playing, rate } = viewer.clock;
      if (round !== this.playing || time < Math.max(from, viewer.clock.begin) || time > to + AROUND_MS * Math.max(rate, 1)) return;
      if (time >= to) {
        viewer.clock.pause();
        viewer.goTo(moment.event);
      } else if (playing) requestAnimationFrame(watch);
    };
    requestAnimationFrame(watch);
  }
}

function bestOf(safe, mine) {
  if (safe.length) return { safe: true, cells: safe };
  const closed = mine.flatMap((line, row) => line.map((chance, column) => ({ chance, cell: [row, column] }))).filter(({ chance }) => chance !== null);
  const least = Math.min(...closed.map(({ chance }) => chance));
  return { safe: false, cells: closed.filter(({ chance }) => chance <= least + ROUNDING).map(({ cell }) => cell) };
}
