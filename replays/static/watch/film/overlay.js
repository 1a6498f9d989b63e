// The layers that are switched on, and what the server knows for them: chances and routes.  Loaded with the first layer.

import { Damaged, fetched } from "./decode.js";
import { Layers, decodeOdds } from "./layers.js";
import { counted, filled } from "./words.js";

export class Overlay {
  constructor(viewer) {
    Object.assign(this, { viewer, layers: new Layers(viewer.film, viewer.board), find: viewer.find, texts: viewer.texts });
    viewer.layers = this.layers;
    this.find("kind").addEventListener("change", () => this.show());
    this.find("step").addEventListener("input", () => this.#step());
  }

  // Show the layers whose boxes are checked.
  async show() {
    const { layers, viewer: { root } } = this;
    layers.on = new Set([...root.querySelectorAll("[data-layer]:checked")].map((box) => box.dataset.layer));
    this.find("route").hidden = !layers.on.has("zini");
    this.#redraw();
    await Promise.all([layers.on.has("odds") && (this.loading ??= this.#loadOdds()), layers.on.has("zini") && this.#route()]);
  }

  // Why a layer shows nothing, if it does not.
  get note() {
    const { layers, texts, viewer } = this;
    if (viewer.root.dataset.odds === "failed" && layers.on.has("odds")) return texts.oddsFailed;
    return layers.uncounted ? texts.uncounted : "";
  }

  // The chance that most of the cells share is told once, over the board.
  others() {
    const { layers, viewer } = this;
    const label = this.find("others");
    const value = viewer.poster || !layers.on.has("odds") ? 0 : layers.others;
    label.hidden = !value;
    const text = value ? filled(this.texts.others, { chance: `${Math.round(value / 2)}%` }) : "";
    if (label.textContent !== text) label.textContent = text;
  }

  #redraw() {
    const { layers, viewer } = this;
    layers.redraw(viewer.stage, viewer.acts);
    viewer.controls.words.note();
  }

  async #loadOdds() {
    const { layers, viewer: { data, film, root } } = this;
    let state = "ready";
    try {
      layers.setOdds(decodeOdds(await fetched(data.odds), film));
    } catch (error) {
      if (!(error instanceof Damaged) && !(error instanceof TypeError)) throw error;
      state = "failed";
    }
    root.dataset.odds = state;
    this.#redraw();
  }

  async #route() {
    const { layers, viewer: { data }, find } = this;
    const kind = find("kind").value;
    if (layers.kind === kind) return;
    layers.kind = kind;
    try {
      const { steps } = await fetched(`${data.route}?kind=${kind}`, "json");
      layers.setRoute(steps);
      Object.assign(find("step"), { max: steps.length, value: 0 });
      this.#step();
    } catch {
      layers.kind = "";
      find("note").textContent = this.texts.trouble;
    }
  }

  #step() {
    const { layers, find } = this;
    layers.step = Number(find("step").value);
    const clicks = layers.route[layers.step - 1]?.clicks ?? 0;
    const text = filled(counted(this.texts.route, clicks), { step: layers.step, steps: layers.route.length, clicks });
    find("step-text").textContent = text;
    find("step").setAttribute("aria-valuetext", text);
    this.#redraw();
  }
}
