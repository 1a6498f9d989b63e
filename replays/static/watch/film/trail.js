// The trail of the cursor and the marks of clicks.  While a film plays, only what is new is drawn.

import { countUpTo } from "./board.js";

const WINDOW_MS = 2000;
const FADE_MS = 250; // each time all of it is drawn anew
const COLOUR = "#f08c00";
const STEPS = [0.3, 0.55, 0.85]; // how strong the thirds of the window are, the oldest first
export const CLICKS = ["left", "right", "chord"];
const [RIGHT_PRESS, RIGHT_CHANGE, RIGHT_HELD] = [4, 11, 2]; // kinds of acts, and a bit of what is held after one
const COLOURS = { left: "--n1", right: "--n3", chord: "--n2" };

// The event where a click was made: a right click that changes nothing counts at its release, but is where it was pressed.
export function placeOf({ places, kinds, held }, { kind, wasted }, act) {
  let press = act;
  if (kind.get(act) === "right" && wasted.includes(act)) {
    while (press > 0 && !([RIGHT_PRESS, RIGHT_CHANGE].includes(kinds[press]) && held[press] & RIGHT_HELD)) press -= 1;
  }
  return places[press];
}

export class Trail {
  constructor(film, clicks) {
    Object.assign(this, { film, clicks, mode: "recent", marks: CLICKS, drawn: 0, acts: 0 });
    this.wasted = new Set(clicks.wasted);
    this.at = new Map(clicks.all.map((act) => [act, placeOf(film, clicks, act)]));
  }

  // Everything is to be drawn anew.
  reset() {
    this.drawn = -1;
  }

  // The state after `events` events and `acts` acts.
  draw(stage, events, acts, time) {
    const { film, mode, drawn } = this;
    if (mode === "recent") return this.#recent(stage, events, acts, time);
    if (mode !== "all" && events === drawn) return;
    let [from, fromAct] = [drawn, this.acts];
    if (mode !== "all" || drawn < 0 || events < drawn) {
      this.#clear(stage);
      from = fromAct = 0;
      if (mode === "click") {
        const click = this.clicks.all[countUpTo(this.clicks.all, acts - 1) - 1] ?? 0;
        from = film.places[click];
      }
      if (mode !== "all") fromAct = countUpTo(film.places, from - 1);
    }
    if (mode !== "off") this.#line(stage, Math.max(from - 1, 0), events);
    this.#marks(stage, fromAct, acts);
    Object.assign(this, { drawn: events, acts });
  }

  // The last moments, of what is older the fainter.  It fades four times a second; in between only what is new is drawn.
  #recent(stage, events, acts, time) {
    const { film: { times, places }, drawn } = this;
    const now = Math.floor(time / FADE_MS) * FADE_MS;
    const fades = drawn < 0 || events < drawn || now !== this.faded;
    if (!fades && events === drawn) return;
    const starts = STEPS.map((_strength, step) => Math.min(events, countUpTo(times, now - WINDOW_MS * (1 - step / STEPS.length))));
    if (fades) this.#clear(stage);
    if (fades) STEPS.forEach((strength, step) => this.#line(stage, Math.max(starts[step] - 1, 0), starts[step + 1] ?? events, strength));
    else this.#line(stage, Math.max(drawn - 1, 0), events, STEPS.at(-1));
    this.#marks(stage, fades ? countUpTo(places, starts[0] - 1) : this.acts, acts);
    Object.assign(this, { drawn: events, acts, faded: now });
  }

  #clear({ trail: ctx }) {
    ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
  }

  #marks(stage, from, to) {
    for (let act = from; act < to; act += 1) if (this.marks.includes(this.clicks.kind.get(act))) this.#mark(stage, act);
  }

  #line(stage, from, to, strength = 0.7) {
    if (to - from < 2) return;
    const { film: { x, y, cellPx } } = this;
    const ctx = stage.trail;
    const scale = stage.cell / cellPx;
    ctx.beginPath();
    ctx.moveTo(x[from] * scale, y[from] * scale);
    for (let event = from + 1; event < to; event += 1) ctx.lineTo(x[event] * scale, y[event] * scale);
    ctx.globalAlpha = strength;
    ctx.strokeStyle = COLOUR;
    ctx.lineWidth = Math.max(1, stage.cell / 11);
    ctx.lineJoin = "round";
    ctx.stroke();
    ctx.globalAlpha = 1;
  }

  // Left: a disc, right: a triangle, chord: a square; hollow if the click changed nothing.
  #mark(stage, act) {
    const { film } = this;
    const ctx = stage.trail;
    const [event, kind, scale, radius] = [this.at.get(act), this.clicks.kind.get(act), stage.cell / film.cellPx, stage.cell / 6];
    const [x, y] = [film.x[event] * scale, film.y[event] * scale];
    ctx.beginPath();
    if (kind === "left") ctx.arc(x, y, radius, 0, 7);
    else if (kind === "chord") ctx.rect(x - radius, y - radius, 2 * radius, 2 * radius);
    else for (const [dx, dy] of [[0, -1.2], [1.1, 0.9], [-1.1, 0.9], [0, -1.2]]) ctx.lineTo(x + dx * radius, y + dy * radius);
    ctx.lineWidth = Math.max(1, radius / 2.2);
    ctx.strokeStyle = ctx.fillStyle = stage.colour(COLOURS[kind]);
    if (!this.wasted.has(act)) {
      ctx.fill();
      ctx.strokeStyle = stage.colour("--sheet");
      ctx.lineWidth /= 2;
    }
    ctx.stroke();
  }
}
