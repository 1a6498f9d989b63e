// The drawn board: a canvas at device resolution whose cells have a whole number of CSS pixels.

import { makeSkin, skinTheme } from "../skin.js";

const SMALLEST = 16;
const LARGEST = 48;
const TOUCH = 34; // px a side: the least that a finger hits

export class Board {
  // `area` is the raised table, `holder` inside it has the size of the board; `face(cell)` tells what a cell shows.
  constructor({ area, holder, canvas, cursor, face }) {
    Object.assign(this, { area, holder, canvas, cursor, face });
    this.rows = this.columns = 0;
    this.zoom = "fit";
    this.style = "classic";
    this.cell = SMALLEST;
    this.ctx = canvas.getContext("2d", { alpha: false });
    this.cursorCell = -1;
    new ResizeObserver(() => this.layout()).observe(area.parentElement);
    addEventListener("resize", () => this.layout());
    const repaint = () => this.#dress();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
    new MutationObserver(repaint).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  }

  shape(rows, columns) {
    this.rows = rows;
    this.columns = columns;
    this.cursorCell = -1;
    this.cursor.hidden = true;
    this.size = "";
    this.layout();
  }

  // Choose the size of a cell for the room there is, and draw all if it changed.
  layout() {
    if (!this.rows) return;
    const cell = this.zoom === "fit" ? this.#fitting() : Number(this.zoom);
    const size = `${this.rows} ${this.columns} ${cell} ${devicePixelRatio}`;
    if (size === this.size) return this.#align();
    this.size = size;
    this.cell = cell;
    this.holder.style.width = `${this.columns * cell}px`;
    this.holder.style.height = `${this.rows * cell}px`;
    this.holder.style.setProperty("--cell", `${cell}px`);
    this.#align();
    this.#dress();
    this.#placeCursor();
  }

  #fitting() {
    const table = this.area.parentElement;
    const style = getComputedStyle(table);
    const space = table.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 2 * parseFloat(getComputedStyle(this.area).paddingLeft);
    const high = innerHeight - this.holder.getBoundingClientRect().top - scrollY - 28;
    const least = matchMedia("(pointer: coarse)").matches ? TOUCH : SMALLEST;
    const most = Math.floor(Math.min(space / this.columns, Math.max(high, 300) / this.rows));
    const cell = Math.max(least, Math.min(LARGEST, most));
    // Of the largest sizes that fit, one whose device pixels are nearly whole is sharper.
    const blur = (px) => Math.abs(px * devicePixelRatio - Math.round(px * devicePixelRatio));
    return [cell, cell - 1, cell - 2].filter((px) => px >= least).reduce((best, px) => (blur(px) < blur(best) - 0.05 ? px : best));
  }

  #dress() {
    if (!this.rows) return;
    const theme = skinTheme(this.holder, this.style);
    this.skin = makeSkin({ cellPx: this.cell, dpr: devicePixelRatio, theme });
    this.canvas.width = this.columns * this.skin.size;
    this.canvas.height = this.rows * this.skin.size;
    this.paintAll();
  }

  setStyle(style) {
    this.style = style;
    this.#dress();
  }

  setZoom(zoom) {
    this.zoom = zoom;
    this.layout();
  }

  paint(cell) {
    const { size } = this.skin;
    this.skin.draw(this.ctx, this.face(cell), (cell % this.columns) * size, Math.floor(cell / this.columns) * size);
  }

  paintAll() {
    for (let cell = 0; cell < this.rows * this.columns; cell += 1) this.paint(cell);
  }

  // The point in px at `cellPx` a cell; negative or too large outside the board.  Buttons come with whole pixels and
  // moves with parts of them, so whole ones are taken of both, and of the board's corner the pixel it is aligned to.
  place(clientX, clientY, cellPx) {
    const box = this.canvas.getBoundingClientRect();
    const scale = cellPx / this.cell;
    const point = (client, corner) => Math.floor((Math.floor(client) - Math.round(corner)) * scale);
    return { x: point(clientX, box.left), y: point(clientY, box.top) };
  }

  // Centred boxes begin between pixels.
  #align() {
    this.area.style.translate = "";
    const box = this.holder.getBoundingClientRect();
    const rest = (place) => Math.round(place) - place;
    this.area.style.translate = `${rest(box.left + scrollX)}px ${rest(box.top + scrollY)}px`;
  }

  cellAt(x, y, cellPx) {
    const row = Math.floor(y / cellPx);
    const column = Math.floor(x / cellPx);
    const inside = row >= 0 && row < this.rows && column >= 0 && column < this.columns;
    return inside ? row * this.columns + column : -1;
  }

  // Show the keyboard's cursor around a cell and scroll it into the frame; -1 hides it.
  setCursor(cell) {
    this.cursorCell = cell;
    this.#placeCursor();
    if (cell >= 0) this.cursor.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #placeCursor() {
    const cell = this.cursorCell;
    this.cursor.hidden = cell < 0;
    if (cell < 0) return;
    this.cursor.style.left = `${(cell % this.columns) * this.cell}px`;
    this.cursor.style.top = `${Math.floor(cell / this.columns) * this.cell}px`;
  }
}
