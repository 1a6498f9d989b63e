// The cursor of the player with its held buttons, and the cells that look pressed under it.

import { neighbours } from "./decode.js";

const BUTTONS = [["--n1", 1], ["--n3", 2], ["--n2", 4]]; // colour by the bit of a held button
const POINTER = new Path2D("M0 0V15L3.6 11.8 6.2 17.4 8.8 16.2 6.2 10.8H11Z");
const PRESSED = 12; // a face of the skin
const SMOOTH_MS = 50; // longest gap between events over which it glides

export class Cursor {
  // `mouse`: shows what is held, beside the board.
  constructor(stage, board, mouse = null) {
    Object.assign(this, { stage, board, mouse, film: board.film, skin: null, drawn: [] });
  }

  // After `event` events and `acts` acts at `time`; `smooth`: between two events it glides.
  show(event, acts, time, smooth) {
    const { film } = this;
    const last = Math.max(event - 1, 0);
    let [x, y] = [film.x[last], film.y[last]];
    const gap = film.times[last + 1] - film.times[last];
    if (smooth && event && gap > 0 && gap <= SMOOTH_MS) {
      const share = Math.min(1, (time - film.times[last]) / gap);
      x += (film.x[last + 1] - x) * share;
      y += (film.y[last + 1] - y) * share;
    }
    this.draw(x, y, acts, event === film.times.length);
  }

  // At a point of the recording after `acts` acts; `over`: nothing is pressed any more.
  draw(x, y, acts, over) {
    const { stage, stage: { cursor: ctx, cell: size }, film } = this;
    if (this.skin !== stage.skin) this.drawn = [[0, 0, ctx.canvas.width, ctx.canvas.height]]; // the stage was painted anew
    this.skin = stage.skin;
    const held = acts ? film.held[acts - 1] : 0;
    this.mouse?.show(held);
    const pressed = over ? [] : this.#pressed(held, x, y);
    for (const box of this.drawn) ctx.clearRect(...box);
    for (const cell of pressed) stage.skin.draw(ctx, PRESSED, ...stage.corner(cell));
    const scale = size / film.cellPx;
    const [left, top] = [x * scale, y * scale];
    const unit = Math.max(size, 12 * stage.dpr) / 20;
    ctx.save();
    ctx.translate(left, top);
    ctx.scale(unit, unit);
    ctx.lineWidth = 1.3;
    ctx.strokeStyle = "#ffffff";
    ctx.fillStyle = "#14181f";
    ctx.fill(POINTER);
    ctx.stroke(POINTER);
    BUTTONS.filter(([, bit]) => held & bit).forEach(([colour], index) => {
      ctx.beginPath();
      ctx.arc(14 + 7 * index, 4, 3, 0, 7);
      ctx.fillStyle = stage.colour(colour);
      ctx.fill();
      ctx.stroke();
    });
    ctx.restore();
    this.drawn = [[left - 4, top - 4, 36 * unit + 8, 20 * unit + 8], ...pressed.map((cell) => [...stage.corner(cell), size, size])];
  }

  // Closed cells that look pressed.  A picture only: nothing follows from it.
  #pressed(held, x, y) {
    const { film, board: { faces } } = this;
    const [left, right, middle, leftValid, shift] = [1, 2, 4, 8, 32].map((bit) => held & bit);
    const [row, column] = [Math.floor(y / film.cellPx), Math.floor(x / film.cellPx)];
    if (row < 0 || row >= film.rows || column < 0 || column >= film.columns) return [];
    const cell = row * film.columns + column;
    const around = middle || (left && right) || (left && shift);
    if (!around && !(left && leftValid)) return [];
    return [cell, ...(around ? neighbours(film, cell) : [])].filter((one) => faces[one] === 0 || faces[one] === 2);
  }
}
