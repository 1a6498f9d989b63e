// The four canvases of a film, one above the other with the same geometry: cells, overlays, trail, cursor.

import { makeSkin, skinTheme } from "../../play/skin.js";

const LEAST_CELL = 8; // CSS px; on a smaller screen the board scrolls
const [MOST_CELL, FITTING_CELL] = [48, 20];
const MOST_HEIGHT = 432; // of a board with cells that fit: its controls are in the first view of a screen of 720 px
const MOST_SIDE = 8192; // of a canvas, device px
const MOST_AREA = 16_000_000;
const SETTLED_MS = 120;

// The largest cell of a board; _most_cell_px of replays/browse/lists/replay_page.py says the same of the drawing below the film.
const mostCell = (rows) => Math.min(MOST_CELL, Math.max(FITTING_CELL, MOST_HEIGHT / rows));

export class Stage {
  // `redraw()` is called after the canvases have lost their content.
  constructor(frame, film, redraw) {
    Object.assign(this, { frame, film, redraw, zoom: 1, cell: 0, timer: 0 });
    this.holder = document.createElement("div");
    this.holder.className = "film-canvases";
    this.layers = ["cells", "overlay", "trail", "cursor"].map((name) => {
      const canvas = document.createElement("canvas");
      canvas.className = `film-${name}`;
      this.holder.append(canvas);
      this[name] = canvas.getContext("2d");
      return canvas;
    });
    frame.append(this.holder);
    this.resize();
    const settle = () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.resize(), SETTLED_MS);
    };
    this.observer = new ResizeObserver(settle);
    this.observer.observe(frame);
    const repaint = () => this.#paint();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
    new MutationObserver(repaint).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "data-skin"] });
  }

  // Fit the board into its frame; cells are whole device pixels.
  resize() {
    const { rows, columns } = this.film;
    const full = document.fullscreenElement?.contains(this.frame);
    const style = getComputedStyle(this.frame);
    const width = this.frame.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (width <= 0) return;
    let dpr = devicePixelRatio || 1;
    const most = this.frame.closest(".film-embed") ? parseFloat(style.maxHeight) / rows : MOST_CELL;
    let cell = Math.min(width / columns, full ? (this.frame.clientHeight - 8) / rows : Math.min(most, mostCell(rows)));
    cell = Math.max(cell * this.zoom, LEAST_CELL);
    const tooLarge = () => Math.max(rows, columns) * cell * dpr > MOST_SIDE || rows * columns * (cell * dpr) ** 2 > MOST_AREA;
    if (tooLarge()) dpr = 1;
    if (tooLarge()) cell = LEAST_CELL;
    const size = Math.max(1, Math.floor(cell * dpr));
    if (size === this.cell && dpr === this.dpr) return;
    Object.assign(this, { cell: size, dpr });
    for (const canvas of this.layers) {
      canvas.width = size * columns;
      canvas.height = size * rows;
      canvas.style.width = `${canvas.width / dpr}px`;
      canvas.style.height = `${canvas.height / dpr}px`;
    }
    this.holder.style.width = this.layers[0].style.width;
    this.holder.style.height = this.layers[0].style.height;
    this.#paint();
  }

  #paint() {
    const theme = skinTheme(this.frame);
    const css = getComputedStyle(this.frame);
    const colours = new Map(); // asking for a style is slow, and each cell asks
    this.colour = (name) => {
      if (!colours.has(name)) colours.set(name, css.getPropertyValue(name).trim());
      return colours.get(name);
    };
    this.skin = makeSkin({ cellPx: this.cell / this.dpr, dpr: this.dpr, theme });
    this.dark = theme.dark;
    this.redraw();
  }

  corner(cell) {
    return [(cell % this.film.columns) * this.cell, Math.floor(cell / this.film.columns) * this.cell];
  }

  drawCell(cell, face) {
    this.skin.draw(this.cells, this.digits?.raise(cell, face) ?? face, ...this.corner(cell));
  }
}
