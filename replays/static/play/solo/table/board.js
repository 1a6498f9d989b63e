// The drawn board: a canvas at device resolution whose cells have a whole number of CSS pixels.
//
// On a phone held upright a board that is wider than high is drawn transposed: rows from left to right.  Only the drawing
// and the pointer are; cells and recorded points are those of the board.

import { makeSkin, skinTheme } from "../../skin.js";

const SMALLEST = 16;
const LARGEST = matchMedia("(min-width: 1600px)").matches ? 64 : 48; // a small board is no speck on a large screen
const FINGER = 22; // px a side: the whole of Expert on the narrowest phones
const FINGER_HIGH = 24; // a board higher than the screen is panned before its cells get smaller
const CLOSE = 36; // what the zoom button takes
const HINT = 60; // px below the board: a hint of two lines with the margin under it (solo.css)
export const FULL = "(max-width: 760px), (max-height: 500px) and (pointer: coarse)"; // the board fills the screen (solo.css)

export class Board {
  // `area` is the cabinet, `frame` in it scrolls, `holder` in that has the size of the board; `face(cell)` tells what a
  // cell shows.
  constructor({ area, frame, holder, canvas, cursor, face }) {
    Object.assign(this, { area, frame, holder, canvas, cursor, face });
    this.rows = this.columns = 0;
    this.zoom = "fit";
    this.turned = false;
    this.cell = SMALLEST;
    this.ctx = canvas.getContext("2d", { alpha: false });
    this.cursorCell = -1;
    this.full = matchMedia(FULL);
    new ResizeObserver(() => this.layout()).observe(area.parentElement);
    addEventListener("resize", () => this.layout());
    const repaint = () => this.#dress();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
    new MutationObserver(repaint).observe(document.documentElement, { attributeFilter: ["data-theme", "data-skin"] });
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
    this.turned = this.full.matches && this.columns > this.rows && innerHeight > innerWidth;
    const cell = this.zoom === "fit" ? this.#fitting() : Number(this.zoom);
    this.area.toggleAttribute("data-tight", this.frame.clientHeight - this.#down * cell < 2 * HINT);
    const size = `${this.turned} ${this.rows} ${this.columns} ${cell} ${devicePixelRatio}`;
    if (size === this.size) return this.#align();
    this.size = size;
    this.cell = cell;
    this.holder.toggleAttribute("data-turned", this.turned);
    this.holder.style.width = `${this.#across * cell}px`;
    this.holder.style.height = `${this.#down * cell}px`;
    this.holder.style.setProperty("--cell", `${cell}px`);
    this.#align();
    this.#dress();
    this.#placeCursor();
  }

  get #across() {
    return this.turned ? this.rows : this.columns;
  }

  get #down() {
    return this.turned ? this.columns : this.rows;
  }

  #fitting() {
    const { frame } = this;
    const full = this.full.matches;
    const style = getComputedStyle(frame);
    const sides = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
    const wide = (full ? frame : this.area.parentElement).clientWidth - sides;
    const top = this.holder.getBoundingClientRect().top + scrollY;
    const high = full ? frame.clientHeight / this.#down : Math.max(innerHeight - top - this.#below(), 300) / this.#down;
    const most = Math.floor(Math.min(wide / this.#across, full ? Math.max(high, FINGER_HIGH) : high));
    const least = full ? FINGER : SMALLEST;
    const cell = Math.max(least, Math.min(LARGEST, most));
    // Of the largest sizes that fit, one whose device pixels are nearly whole is sharper.
    const blur = (px) => Math.abs(px * devicePixelRatio - Math.round(px * devicePixelRatio));
    return [cell, cell - 1, cell - 2].filter((px) => px >= least).reduce((best, px) => (blur(px) < blur(best) - 0.05 ? px : best));
  }

  // What is under the board: the edge of the cabinet and the line of the result.
  #below() {
    const line = this.area.nextElementSibling;
    return parseFloat(getComputedStyle(this.frame).paddingBottom) + line.offsetHeight + parseFloat(getComputedStyle(line).marginTop) + 4;
  }

  #dress() {
    if (!this.rows) return;
    this.skin = makeSkin({ cellPx: this.cell, dpr: devicePixelRatio, theme: skinTheme(this.holder) });
    this.canvas.width = this.#across * this.skin.size;
    this.canvas.height = this.#down * this.skin.size;
    this.paintAll();
  }

  setZoom(zoom) {
    this.zoom = zoom;
    this.layout();
  }

  get whole() {
    return this.zoom === "fit";
  }

  // Between the whole board and cells for large fingers.
  toggleZoom() {
    const { frame } = this;
    const middle = [frame.clientWidth / 2, frame.clientHeight / 2];
    this.zoomAround(this.whole ? Math.max(CLOSE, this.cell + 8) : "fit", ...middle);
  }

  // Keep the point of the board that is at (x, y) px of the frame.
  zoomAround(zoom, x, y) {
    const { frame } = this;
    const before = this.cell;
    const [left, top] = [frame.scrollLeft + x, frame.scrollTop + y];
    this.setZoom(zoom);
    frame.scrollLeft = (left * this.cell) / before - x;
    frame.scrollTop = (top * this.cell) / before - y;
  }

  paint(cell) {
    const { size } = this.skin;
    const [row, column] = this.#place(cell);
    this.skin.draw(this.ctx, this.face(cell), column * size, row * size);
  }

  paintAll() {
    for (let cell = 0; cell < this.rows * this.columns; cell += 1) this.paint(cell);
  }

  // The drawn row and column.
  #place(cell) {
    const [row, column] = [Math.floor(cell / this.columns), cell % this.columns];
    return this.turned ? [column, row] : [row, column];
  }

  // The point in px at `cellPx` a cell; negative or too large outside the board.  Buttons come with whole pixels and
  // moves with parts of them, so whole ones are taken of both, and of the board's corner the pixel it is aligned to.
  place(clientX, clientY, cellPx) {
    const box = this.canvas.getBoundingClientRect();
    const scale = cellPx / this.cell;
    const point = (client, corner) => Math.floor((Math.floor(client) - Math.round(corner)) * scale);
    const [x, y] = [point(clientX, box.left), point(clientY, box.top)];
    return this.turned ? { x: y, y: x } : { x, y };
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
    const [row, column] = this.#place(cell);
    this.cursor.style.left = `${column * this.cell}px`;
    this.cursor.style.top = `${row * this.cell}px`;
  }
}
