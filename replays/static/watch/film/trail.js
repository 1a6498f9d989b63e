// The trail of the cursor and the marks of clicks.  While a film plays, only what is new is drawn.

import { countUpTo } from "./board.js";

const WINDOW_MS = 2000;
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
  }

  // Everything is to be drawn anew.
  reset() {
    this.drawn = -1;
  }

  // The state after `events` events and `acts` acts.
  draw(stage, events, acts, time) {
    const { film, mode } = this;
    const ctx = stage.trail;
    let from = this.drawn;
    let fromAct = this.acts;
    if (mode !== "all" || this.drawn < 0 || events < this.drawn) {
      if (events === this.drawn && mode !== "recent") return;
      ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
      from = fromAct = 0;
      if (mode === "recent") from = countUpTo(film.times, time - WINDOW_MS);
      if (mode === "click") {
        const click = this.clicks.all[countUpTo(this.clicks.all, acts - 1) - 1] ?? 0;
        from = film.places[click];
      }
      if (mode !== "all") fromAct = countUpTo(film.places, from - 1);
    }
    if (mode === "recent") this.#fading(stage, from, events, time);
    else if (mode !== "off") this.#line(stage, Math.max(from - 1, 0), events);
    for (let act = fromAct; act < acts; act += 1) if (this.marks.includes(this.clicks.kind.get(act))) this.#mark(stage, act);
    this.drawn = events;
    this.acts = acts;
  }

  // The last moments: the older, the fainter.
  #fading(stage, from, to, time) {
    let begin = from;
    STEPS.forEach((strength, step) => {
      const end = step + 1 < STEPS.length ? Math.min(to, countUpTo(this.film.times, time - WINDOW_MS * (1 - (step + 1) / STEPS.length))) : to;
      this.#line(stage, Math.max(begin - 1, 0), end, strength);
      begin = Math.max(begin, end);
    });
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
    const [event, kind, scale, radius] = [placeOf(film, this.clicks, act), this.clicks.kind.get(act), stage.cell / film.cellPx, stage.cell / 6];
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
