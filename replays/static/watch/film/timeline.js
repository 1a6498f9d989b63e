// The strip under the board: 3BV solved as an area, a tick for each click, the remarks of the review.  One canvas.

import { countUpTo } from "./board.js";

const MARK_PX = 4;
// How a remark is drawn by its weight, the lightest first: its colour, its height in the strip, its shape (without corners: a ring),
// and whether a hairline leads down from it.
const MARKS = {
  fact: { token: "--tl-fact", top: 0.62, corners: [[-0.7, -0.7], [0.7, -0.7], [0.7, 0.7], [-0.7, 0.7]] },
  hint: { token: "--tl-hint", top: 0.4 },
  slip: { token: "--tl-slip", top: 0.4, cross: true, line: true },
  mistake: { token: "--tl-mistake", top: 0.16, corners: [[0, -1.3], [1.2, 0], [0, 1.3], [-1.2, 0]] },
  error: { token: "--tl-error", top: 0.16, line: true, corners: [[-1.3, -1], [1.3, -1], [0, 1.3]] },
};

const BEFORE_CLICK = new Set(["certain_mine", "needless_guess", "worse_guess", "best_guess", "missed_chord"]);
const STRETCHES = new Set(["slow", "detour"]); // their time is that of their begin, their event that of their end

// The moments of a review: {kind, weight, text, time, event, of, until}.  `event` is how many events are played where the
// film stands: before a decision, where a stretch begins, after anything else.  `of` is the event of the remark, `until` the
// end of a slow stretch.
export function momentsOf({ annotations }, film) {
  const stands = (kind, event, time) => (STRETCHES.has(kind) ? countUpTo(film.times, time) : event + (BEFORE_CLICK.has(kind) ? 0 : 1));
  return annotations.map(({ kind, weight, text, time_ms: time, event, span_ms: span }) => ({
    kind, weight, text, time, of: event, event: stands(kind, event, time), until: span ? time + span : undefined,
  })).sort((a, b) => a.event - b.event);
}

export class Timeline {
  constructor(canvas, film, clicks, clock) {
    Object.assign(this, { canvas, film, clicks, clock, moments: [] });
    new ResizeObserver(() => this.colour && this.draw(this.colour)).observe(canvas);
  }

  // The remarks of the review, in the order of the places where the film stands for them.
  setMoments(moments) {
    this.moments = moments;
    if (this.colour) this.draw(this.colour);
  }

  draw(colour) {
    this.colour = colour;
    const { canvas, film, clicks, clock } = this;
    const dpr = devicePixelRatio || 1;
    const [width, height] = [Math.round(canvas.clientWidth * dpr), Math.round(canvas.clientHeight * dpr)];
    if (!width || !height) return;
    Object.assign(canvas, { width, height });
    const ctx = canvas.getContext("2d");
    const x = (time) => ((time - clock.begin) / Math.max(clock.end - clock.begin, 1)) * width;
    const timeOf = (act) => film.times[film.places[act]];
    ctx.globalAlpha = 0.5;
    ctx.fillStyle = colour("--tl-fact");
    for (const slow of this.moments) if (slow.until !== undefined) ctx.fillRect(x(slow.time), height - 3 * dpr, x(slow.until) - x(slow.time), 3 * dpr);
    ctx.globalAlpha = 0.25;
    ctx.fillStyle = colour("--tl-area");
    const { bvdone } = film.counters;
    const most = Math.max(bvdone.at(-1), 1);
    ctx.beginPath();
    ctx.moveTo(0, height);
    let y = height;
    for (const act of clicks.opening) {
      ctx.lineTo(x(timeOf(act)), y);
      y = height - (bvdone[act] / most) * height * 0.9;
      ctx.lineTo(x(timeOf(act)), y);
    }
    ctx.lineTo(width, y);
    ctx.lineTo(width, height);
    ctx.fill();
    ctx.globalAlpha = 1;
    const ticks = (acts, token, top, length) => {
      ctx.beginPath();
      for (const act of acts) ctx.rect(x(timeOf(act)) - dpr / 2, top * height, dpr, length * height);
      ctx.fillStyle = colour(token);
      ctx.fill();
    };
    ticks(clicks.all, "--tl-click", 0.78, 0.22);
    for (const [weight, mark] of Object.entries(MARKS)) {
      for (const one of this.moments) if (one.weight === weight) this.#mark(ctx, mark, x(one.time), mark.top * height, MARK_PX * dpr);
    }
  }

  #mark(ctx, { token, corners, cross, line }, x, y, size) {
    ctx.fillStyle = ctx.strokeStyle = this.colour(token);
    ctx.lineWidth = size / 2.5;
    if (line) ctx.fillRect(x, y, size / MARK_PX / 2, ctx.canvas.height);
    ctx.beginPath();
    if (corners) {
      for (const [dx, dy] of corners) ctx.lineTo(x + dx * size, y + dy * size);
      ctx.fill();
      return;
    }
    if (cross) for (const [dx, dy] of [[0.8, 0.8], [0.8, -0.8]]) {
      ctx.moveTo(x - dx * size, y - dy * size);
      ctx.lineTo(x + dx * size, y + dy * size);
    } else ctx.arc(x, y, size * 0.8, 0, 7);
    ctx.stroke();
  }
}
