// What lies over the cells: 3BV marks, openings and islands, heat, odds, the ZiNi route.  Only odds change while a film plays:
// what is under and over them is drawn once, and so is each chance; a cell that changes is copied together from these.

import { Changes, countUpTo } from "./board.js";
import { cellsOf, check, column, firsts, neighbours, sectionsOf, start } from "./decode.js";

const FLAG = 1;
const OPEN = 3;
const SURE_MINE = 200;
const COLOURS = 6; // of openings, which take them in turn
const LEAST_OTHERS = 8; // cells of one chance that is told once
const TILES = 16; // in a row of the canvas of chances

// The chances of mines of all positions of a game, as analysis/film/film_odds.py describes them.
export function decodeOdds(buffer, film) {
  const { bytes, view, size } = start(buffer, 0x53424f31, 40);
  check(size === film.size);
  const [positions, changes] = [view.getUint32(8, true), view.getUint32(12, true)];
  check(positions > 0 && positions <= film.places.length + 1 && changes <= positions * size);
  const sections = sectionsOf(bytes, view, 40, view.getUint16(36, true));
  const get = (id, count, Type) => column(sections.get(id), count, Type);
  const first = firsts(get(4, positions), changes);
  return {
    acts: get(1, positions), uncounted: get(2, positions, Uint8Array), endedBy: get(3, positions, Uint8Array),
    first, cells: cellsOf(get(5, changes), first, size), values: get(6, changes, Uint8Array),
  };
}

export class Layers {
  constructor(film, board) {
    Object.assign(this, { film, board, on: new Set(), position: -1, step: 0, stale: new Set(), whole: true, others: 0 });
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

  redraw(stage, acts) {
    this.reset();
    this.update(stage, acts, []);
  }

  // Everything is to be drawn anew: other layers, another step, another size or other colours.
  reset() {
    this.whole = true;
  }

  // Show the position after `acts` acts; `cells` are those whose faces have changed.
  update(stage, acts, cells) {
    const odds = this.odds && this.on.has("odds");
    if (odds) this.#goTo(acts);
    if (this.whole) this.#anew(stage);
    else if (odds) {
      for (const cell of cells) this.stale.add(cell);
      for (const cell of this.stale) this.#cell(stage, cell);
    }
    this.stale.clear();
  }

  #goTo(acts) {
    const position = countUpTo(this.odds.acts, acts) - 1;
    if (position === this.position) return;
    const before = this.uncounted;
    this.position = position;
    this.changes.goTo(position + 1, (cell) => this.stale.add(cell));
    if (this.uncounted !== before) this.whole = true;
    this.#share();
  }

  // The chance that most of the closed cells share, 0: none; it stands over the board and not in these cells.
  #share() {
    const counts = new Uint16Array(SURE_MINE + 1);
    const { changes: { now }, board: { faces }, film: { size } } = this;
    for (let cell = 0; cell < size; cell += 1) if (faces[cell] !== OPEN) counts[now[cell]] += 1;
    let others = 0;
    if (!this.uncounted) for (let value = 1; value < SURE_MINE; value += 1) if (counts[value] > (counts[others] || LEAST_OTHERS - 1)) others = value;
    if (others === this.others) return;
    for (let cell = 0; cell < size; cell += 1) if (now[cell] === others || now[cell] === this.others) this.stale.add(cell);
    for (const value of [others, this.others]) this.tiled?.delete(value);
    this.others = others;
  }

  get uncounted() {
    return this.on.has("odds") && this.odds?.uncounted[this.position] === 1;
  }

  #anew(stage) {
    const { on, film } = this;
    const ctx = stage.overlay;
    this.whole = false;
    ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
    const ground = on.has("openings") || on.has("bv") || on.has("heat");
    this.under = ground ? this.#drawn(stage, (...place) => this.#ground(...place)) : null;
    this.over = on.has("zini") && this.route ? this.#drawn(stage, (...place) => this.#step(...place)) : null;
    this.tiles = canvasOf(TILES * stage.cell, Math.ceil((SURE_MINE + 1) / TILES) * stage.cell);
    this.tiled = new Set();
    if (this.on.size) for (let cell = 0; cell < film.size; cell += 1) this.#cell(stage, cell);
  }

  // A canvas of all cells, each drawn by `draw(ctx, stage, cell, x, y)`.
  #drawn(stage, draw) {
    const ctx = canvasOf(stage.overlay.canvas.width, stage.overlay.canvas.height);
    for (let cell = 0; cell < this.film.size; cell += 1) draw(ctx, stage, cell, ...stage.corner(cell));
    return ctx.canvas;
  }

  #cell(stage, cell) {
    const { overlay: ctx, cell: size } = stage;
    const [x, y] = stage.corner(cell);
    ctx.clearRect(x, y, size, size);
    if (this.under) ctx.drawImage(this.under, x, y, size, size, x, y, size, size);
    const face = this.board.faces[cell];
    if (this.on.has("odds") && this.odds && face !== OPEN && !this.odds.uncounted[this.position]) this.#chance(stage, this.changes.now[cell], x, y, face === FLAG);
    if (this.over) ctx.drawImage(this.over, x, y, size, size, x, y, size, size);
  }

  #ground(ctx, stage, cell, x, y) {
    const { on, film } = this;
    const size = stage.cell;
    const fill = (colour, alpha) => filled(ctx, x, y, size, stage.colour(colour), alpha);
    if (on.has("openings")) {
      if (film.openings[cell]) fill(`--o${1 + ((film.openings[cell] - 1) % COLOURS)}`, 0.5);
      else if (film.islands[cell]) fill("--island", 0.45);
      else if (this.border[cell] && !film.mines[cell]) fill(`--o${this.border[cell]}`, 0.3);
    }
    if (on.has("bv") && (film.islands[cell] || this.firstOf.has(cell))) {
      ctx.strokeStyle = stage.colour("--ink");
      ctx.lineWidth = Math.max(1, size / 14);
      const inset = size * (film.islands[cell] ? 0.12 : 0.2);
      ctx.strokeRect(x + inset, y + inset, size - 2 * inset, size - 2 * inset);
    }
    if (on.has("heat")) this.#heat(ctx, stage, cell, x, y);
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

  #chance(stage, value, x, y, flagged) {
    const size = stage.cell;
    if (flagged && value === SURE_MINE) return; // the flag says it
    const [left, top] = [(value % TILES) * size, Math.floor(value / TILES) * size];
    if (!this.tiled.has(value)) this.#tile(stage, value, left, top);
    this.tiled.add(value);
    stage.overlay.drawImage(this.tiles.canvas, left, top, size, size, x, y, size, size);
  }

  // Certain: a ring (safe) or a cross (mine); else percent, or a bar in small cells; nothing for the chance that is told once.
  #tile(stage, value, x, y) {
    const { tiles: ctx } = this;
    const size = stage.cell;
    const sure = value === 0 || value === SURE_MINE;
    ctx.clearRect(x, y, size, size);
    filled(ctx, x, y, size, stage.colour(value === 0 ? "--n2" : "--n3"), sure ? 0.5 : 0.08 + (0.45 * value) / SURE_MINE);
    ctx.strokeStyle = ctx.fillStyle = stage.colour("--ink");
    ctx.lineWidth = Math.max(1, size / 12);
    if (sure) {
      ctx.beginPath();
      if (value === 0) ctx.arc(x + size / 2, y + size / 2, size / 5, 0, 7);
      else for (const [dx, dy, ex, ey] of [[0.3, 0.3, 0.7, 0.7], [0.7, 0.3, 0.3, 0.7]]) {
        ctx.moveTo(x + dx * size, y + dy * size);
        ctx.lineTo(x + ex * size, y + ey * size);
      }
      ctx.stroke();
    } else if (value === this.others) {
      return;
    } else if (size >= 15) {
      const percent = Math.min(Math.max(Math.round(value / 2), 1), 99);
      this.#text(ctx, percent, x + size / 2, y + size / 2, size * 0.52);
    } else {
      ctx.fillRect(x, y + size * (1 - value / SURE_MINE), Math.max(1, size / 5), (size * value) / SURE_MINE);
    }
  }

  #step(ctx, stage, cell, x, y) {
    const step = this.routeCells.get(cell);
    if (!step) return;
    const size = stage.cell;
    ctx.globalAlpha = step.index < this.step - 1 ? 0.35 : 1;
    const now = step.index === this.step - 1;
    ctx.fillStyle = stage.colour(now ? "--n1" : "--sheet");
    ctx.strokeStyle = stage.colour("--n1");
    ctx.lineWidth = Math.max(1, size / 14);
    ctx.beginPath();
    if (step.kind === "flag") for (const [dx, dy] of [[0.5, 0.1], [0.95, 0.9], [0.05, 0.9]]) ctx.lineTo(x + dx * size, y + dy * size);
    else if (step.kind === "chord") ctx.rect(x + size * 0.1, y + size * 0.1, size * 0.8, size * 0.8);
    else ctx.arc(x + size / 2, y + size / 2, size * 0.42, 0, 7);
    ctx.closePath();
    ctx.fill();
    ctx.stroke();
    ctx.fillStyle = stage.colour(now ? "--on-accent" : "--ink");
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

function canvasOf(width, height) {
  return Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
}

function filled(ctx, x, y, size, colour, alpha) {
  ctx.globalAlpha = alpha;
  ctx.fillStyle = colour;
  ctx.fillRect(x, y, size, size);
  ctx.globalAlpha = 1;
}
