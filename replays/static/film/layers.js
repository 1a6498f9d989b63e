// What lies over the cells: 3BV marks, openings and islands, heat, odds, the ZiNi route.  All of it is drawn cell by cell.

import { Changes, countUpTo } from "./board.js";
import { neighbours } from "./decode.js";

const FLAG = 1;
const OPEN = 3;
const SURE_MINE = 200;
const COLOURS = 6; // of openings, which take them in turn

export class Layers {
  constructor(film, board) {
    Object.assign(this, { film, board, on: new Set(), position: -1, step: 0 });
    this.border = new Uint8Array(film.size); // colour of the opening beside a number
    this.firstOf = new Set();
    const seen = new Set();
    film.openings.forEach((opening, cell) => {
      if (!opening) return;
      if (!seen.has(opening)) this.firstOf.add(cell);
      seen.add(opening);
      for (const near of neighbours(film, cell)) if (!film.openings[near]) this.border[near] = Math.max(this.border[near], 1 + (opening - 1) % COLOURS);
    });
  }

  get any() {
    return this.on.size > 0;
  }

  setOdds(odds) {
    this.odds = odds;
    this.changes = new Changes(this.film.size, odds);
    this.position = -1;
  }

  // `steps` of the route; each cell shows the first step that touches it.
  setRoute(steps) {
    this.route = steps;
    this.routeCells = new Map();
    steps.forEach((step, index) => {
      const put = (cell, kind) => this.routeCells.has(cell) || this.routeCells.set(cell, { index, kind });
      put(step.cell, step.chords ? "chord" : "left");
      for (const cell of step.flags) put(cell, "flag");
    });
  }

  // Go to the position after `acts` acts; `changed(cell)` as of the board.
  goTo(acts, changed) {
    if (!this.odds) return;
    const position = countUpTo(this.odds.acts, acts) - 1;
    if (position === this.position) return;
    this.position = position;
    this.changes.goTo(position + 1, changed);
  }

  get uncounted() {
    return this.on.has("odds") && this.odds?.uncounted[this.position] === 1;
  }

  draw(stage, cell) {
    const { on, film } = this;
    const ctx = stage.overlay;
    const size = stage.cell;
    const [x, y] = stage.corner(cell);
    ctx.clearRect(x, y, size, size);
    const fill = (colour, alpha) => {
      ctx.globalAlpha = alpha;
      ctx.fillStyle = colour;
      ctx.fillRect(x, y, size, size);
      ctx.globalAlpha = 1;
    };
    if (on.has("openings")) {
      if (film.openings[cell]) fill(stage.colour(`--o${1 + ((film.openings[cell] - 1) % COLOURS)}`), 0.5);
      else if (film.islands[cell]) fill(stage.colour("--island"), 0.45);
      else if (this.border[cell] && !film.mines[cell]) fill(stage.colour(`--o${this.border[cell]}`), 0.3);
    }
    if (on.has("bv") && (film.islands[cell] || this.firstOf.has(cell))) {
      ctx.strokeStyle = stage.colour("--text");
      ctx.lineWidth = Math.max(1, size / 14);
      const inset = size * (film.islands[cell] ? 0.12 : 0.2);
      ctx.strokeRect(x + inset, y + inset, size - 2 * inset, size - 2 * inset);
    }
    if (on.has("heat")) this.#heat(ctx, stage, cell, x, y);
    if (on.has("odds") && this.odds && this.board.faces[cell] !== OPEN && !this.odds.uncounted[this.position]) this.#chance(ctx, stage, this.changes.now[cell], x, y, fill, this.board.faces[cell] === FLAG);
    if (on.has("zini") && this.route) this.#step(ctx, stage, this.routeCells.get(cell), x, y);
  }

  // Time that the cursor spent over each cell: the larger the disc, the longer.
  #heat(ctx, stage, cell, x, y) {
    this.dwell ??= this.#dwell();
    const share = Math.sqrt(this.dwell[cell] / this.most);
    if (share < 0.05) return;
    ctx.beginPath();
    ctx.arc(x + stage.cell / 2, y + stage.cell / 2, (stage.cell / 2) * share, 0, 7);
    ctx.globalAlpha = 0.6;
    ctx.fillStyle = stage.colour("--n3");
    ctx.fill();
    ctx.globalAlpha = 1;
  }

  #dwell() {
    const { film } = this;
    const dwell = new Float64Array(film.size);
    for (let event = 0; event + 1 < film.times.length; event += 1) {
      const [row, column] = [Math.floor(film.y[event] / film.cellPx), Math.floor(film.x[event] / film.cellPx)];
      if (row < 0 || row >= film.rows || column < 0 || column >= film.columns || film.times[event] < 0) continue;
      dwell[row * film.columns + column] += film.times[event + 1] - film.times[event];
    }
    this.most = dwell.reduce((most, one) => Math.max(most, one), 1);
    return dwell;
  }

  // Certain: a ring (safe) or a cross (mine); else percent, or a bar in small cells.
  #chance(ctx, stage, value, x, y, fill, flagged) {
    const size = stage.cell;
    const sure = value === 0 || value === SURE_MINE;
    if (flagged && value === SURE_MINE) return; // the flag says it
    fill(stage.colour(value === 0 ? "--n2" : "--n3"), sure ? 0.5 : 0.08 + (0.45 * value) / SURE_MINE);
    ctx.strokeStyle = ctx.fillStyle = stage.colour("--text");
    ctx.lineWidth = Math.max(1, size / 12);
    if (sure) {
      ctx.beginPath();
      if (value === 0) ctx.arc(x + size / 2, y + size / 2, size / 5, 0, 7);
      else for (const [dx, dy, ex, ey] of [[0.3, 0.3, 0.7, 0.7], [0.7, 0.3, 0.3, 0.7]]) {
        ctx.moveTo(x + dx * size, y + dy * size);
        ctx.lineTo(x + ex * size, y + ey * size);
      }
      ctx.stroke();
    } else if (size >= 15) {
      const percent = Math.min(Math.max(Math.round(value / 2), 1), 99);
      this.#text(ctx, percent, x + size / 2, y + size / 2, size * 0.52);
    } else {
      ctx.fillRect(x, y + size * (1 - value / SURE_MINE), Math.max(1, size / 5), (size * value) / SURE_MINE);
    }
  }

  #step(ctx, stage, step, x, y) {
    if (!step) return;
    const size = stage.cell;
    ctx.globalAlpha = step.index < this.step - 1 ? 0.35 : 1;
    const now = step.index === this.step - 1;
    ctx.fillStyle = stage.colour(now ? "--n1" : "--panel");
    ctx.strokeStyle = stage.colour("--n1");
    ctx.lineWidth = Math.max(1, size / 14);
    ctx.beginPath();
    if (step.kind === "flag") for (const [dx, dy] of [[0.5, 0.1], [0.95, 0.9], [0.05, 0.9]]) ctx.lineTo(x + dx * size, y + dy * size);
    else if (step.kind === "chord") ctx.rect(x + size * 0.1, y + size * 0.1, size * 0.8, size * 0.8);
    else ctx.arc(x + size / 2, y + size / 2, size * 0.42, 0, 7);
    ctx.closePath();
    ctx.fill();
    ctx.stroke();
    ctx.fillStyle = stage.colour(now ? "--on-accent" : "--text");
    if (size >= 15) this.#text(ctx, step.index + 1, x + size / 2, y + size * (step.kind === "flag" ? 0.66 : 0.5), size * 0.42);
    ctx.globalAlpha = 1;
  }

  #text(ctx, text, x, y, px) {
    ctx.font = `600 ${Math.round(px)}px system-ui, sans-serif`;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.fillText(text, x, y);
  }
}
