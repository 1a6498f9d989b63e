// The strip under the board: 3BV solved as an area, a tick for each click, guesses and slow stretches.  One canvas.

const LEAST_SLOW_MS = 1000;
const SLOWER = 4; // than the median gap between clicks that opened cells
const GUESS = 2;
const NEEDLESS = 3;

// What can be jumped to, in order: {event, time, act, sort}; `event` is before a guess and after a click for nothing.
export function momentsOf(film, clicks, odds) {
  const time = (act) => film.times[film.places[act]];
  const moments = clicks.wasted.map((act) => ({ time: time(act), act, sort: "wasted" }));
  for (let position = 0; odds && position < odds.acts.length; position += 1) {
    const sort = { [GUESS]: "guess", [NEEDLESS]: "needless" }[odds.endedBy[position]];
    const act = clicks.opening[position];
    if (sort && act !== undefined) moments.push({ time: time(act), act, sort });
  }
  const gaps = clicks.opening.slice(1).map((act, index) => ({ from: time(clicks.opening[index]), time: time(act), act, sort: "slow" }));
  const sorted = gaps.map((gap) => gap.time - gap.from).sort((a, b) => a - b);
  const limit = Math.max(LEAST_SLOW_MS, SLOWER * (sorted[sorted.length >> 1] ?? 0));
  moments.push(...gaps.filter((gap) => gap.time - gap.from > limit));
  for (const one of moments) one.event = film.places[one.act] + (one.sort === "wasted" ? 1 : 0);
  return moments.sort((a, b) => a.event - b.event);
}

export class Timeline {
  constructor(canvas, film, clicks, clock) {
    Object.assign(this, { canvas, film, clicks, clock, moments: momentsOf(film, clicks) });
    new ResizeObserver(() => this.colour && this.draw(this.colour)).observe(canvas);
  }

  setOdds(odds) {
    this.moments = momentsOf(this.film, this.clicks, odds);
    if (this.colour) this.draw(this.colour);
  }

  // The nearest moment of these sorts behind (step 1) or before (step -1) `event`.
  next(event, step, sorts) {
    const fitting = this.moments.filter((one) => sorts.includes(one.sort) && (step > 0 ? one.event > event : one.event < event));
    return step > 0 ? fitting[0] : fitting.at(-1);
  }

  // The moments within some px of a place across.
  near(fraction) {
    const time = this.clock.begin + fraction * (this.clock.end - this.clock.begin);
    const width = (6 / this.canvas.clientWidth) * (this.clock.end - this.clock.begin);
    return this.moments.filter((one) => (one.from ?? one.time) - width <= time && time <= one.time + width);
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
    ctx.fillStyle = colour("--warn");
    for (const slow of this.moments) if (slow.sort === "slow") ctx.fillRect(x(slow.from), height - 3 * dpr, x(slow.time) - x(slow.from), 3 * dpr);
    ctx.globalAlpha = 0.25;
    ctx.fillStyle = colour("--accent");
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
    ticks(clicks.all, "--muted", 0.78, 0.22);
    ticks(clicks.wasted, "--n3", 0.6, 0.4);
    const acts = (sort) => this.moments.filter((one) => one.sort === sort).map((one) => one.act);
    // Guesses: a triangle that stands, a needless one hangs.
    for (const [sort, token, base, tip] of [["guess", "--n4", 0.3, 0.02], ["needless", "--n3", 0.02, 0.3]]) {
      ctx.fillStyle = colour(token);
      for (const act of acts(sort)) {
        const at = x(timeOf(act));
        ctx.beginPath();
        for (const [dx, dy] of [[-4, base], [4, base], [0, tip]]) ctx.lineTo(at + dx * dpr, dy * height);
        ctx.fill();
      }
    }
  }
}
