// The board of a room on a canvas: cells tinted in the colours of their owners, of which only those that changed are drawn again.
// Cells large enough for a digit are copied from atlases, one a player; smaller ones are pixels of a picture with one pixel
// a cell, which the minimap shows too.

import { Camera } from "./camera.js";
import { Inks } from "./inks.js";
import { CLOSED, FLAG, MINE } from "../rules/paper.js";
import { drawMap, drawMarks } from "./marks.js";
import { dropRested, isFading } from "./pointers.js";

const LEAST_DIGIT = 9; // device px: smaller cells are pixels of the picture
const FLASH_MS = 900; // how long a repainted cell has a ring
const MAP_MS = 150; // the minimap is drawn at most this often

export class RoomBoard {
  // `element` holds the canvases; `game` has face(cell), owner(cell), takeChanges(), rows, columns; `playerOf(number)` gives
  // {hue, shade, name}.
  constructor(element, { game, playerOf }) {
    this.element = element;
    this.playerOf = playerOf;
    [this.cells, this.marks, this.map] = ["cells", "marks", "map"].map((name) => element.querySelector(`[data-${name}]`));
    this.flashes = new Map(); // cell -> when its ring ends
    this.lit = new Map(); // cell -> when its light ends
    this.cursors = new Map(); // player -> {x, y, at}: in cells, and when it moved last
    this.cursor = null; // the cell of the keyboard
    this.pointed = null; // the cell of the last move, where a board is watched
    this.pressed = []; // cells under a held button
    this.waiting = []; // own clicks that the server has not answered: they stay pressed
    this.mapDrawn = 0;
    this.inks = new Inks(element, playerOf);
    this.show(game);
    new ResizeObserver(() => this.#resize()).observe(element);
    const restyled = () => {
      this.inks = new Inks(element, playerOf);
      this.redraw();
    };
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", restyled);
    new MutationObserver(restyled).observe(document.documentElement, { attributeFilter: ["data-theme", "data-skin"] });
    const frame = () => {
      this.#frame();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  // Another board, as after a restart.
  show(game) {
    const same = this.game?.rows === game.rows && this.game.columns === game.columns;
    this.game = game;
    this.shown = new Uint16Array(game.rows * game.columns); // owners as drawn
    this.flashes.clear();
    this.lit.clear();
    if (!same) {
      this.camera = new Camera(game.rows, game.columns);
      this.picture = new OffscreenCanvas(game.columns, game.rows);
      this.pixels = new ImageData(game.columns, game.rows);
      this.fitted = false;
    }
    this.#resize();
    this.redraw();
  }

  // Draw all of it in the next frame.
  redraw() {
    this.whole = true;
    this.marked = true;
  }

  // Whatever stands above the cells has changed: cursors, pressed cells.
  mark() {
    this.marked = true;
  }

  press(cells) {
    this.pressed = cells;
    this.marked = true;
  }

  // Put a ring around a cell, or none.
  point(cell) {
    this.pointed = cell;
    this.marked = true;
  }

  light(cells, ms) {
    const until = performance.now() + ms;
    for (const cell of cells) this.lit.set(cell, until);
    this.marked = true;
  }

  wait(cells) {
    this.waiting = [...cells];
    this.marked = true;
  }

  moveCursor(player, x, y) {
    this.cursors.set(player, { x, y, at: performance.now() });
    this.marked = true;
  }

  // --- frames ---

  #frame() {
    const changes = this.game.takeChanges();
    if (changes === null) this.redraw();
    const now = performance.now();
    if (this.whole) this.#drawAll();
    else if (changes.length) this.#drawChanged(changes, now + FLASH_MS);
    if (this.moved) this.#drawSeen(this.camera);
    if (this.cursors.size && (dropRested(this.cursors, now) || isFading(this.cursors, now))) this.marked = true;
    if (this.marked || this.moved || this.flashes.size || this.lit.size) drawMarks(this, this.marks.getContext("2d"), now);
    this.moved = this.marked = false;
    if (this.mapDirty && now - this.mapDrawn > MAP_MS) {
      drawMap(this);
      this.mapDrawn = now;
      this.mapDirty = false;
    }
  }

  #resize() {
    const { clientWidth, clientHeight } = this.element;
    if (!clientWidth || !clientHeight) return;
    const dpr = window.devicePixelRatio || 1;
    for (const canvas of [this.cells, this.marks]) {
      canvas.width = Math.round(clientWidth * dpr);
      canvas.height = Math.round(clientHeight * dpr);
    }
    this.camera.resize(this.cells.width, this.cells.height, dpr);
    if (!this.fitted) this.camera.fit();
    this.fitted = true;
    this.redraw();
  }

  // --- cells ---

  // Players have got other colours.
  forgetPlayers() {
    this.inks.forget();
    this.redraw();
  }

  #drawCell(ctx, cell, row, column, camera) {
    const face = this.game.face(cell);
    const owner = this.game.owner(cell);
    this.inks.atlas(owner, camera.size).draw(ctx, face, column * camera.size - camera.x, row * camera.size - camera.y);
  }

  #pixel(cell) {
    const face = this.game.face(cell);
    const owner = this.game.owner(cell);
    const { data } = this.pixels;
    let colour = face === CLOSED ? this.inks.plain.closed : this.inks.plain.open;
    if (face === MINE) colour = this.inks.plain.mine;
    else if (face === FLAG) colour = this.inks.plain.flag;
    else if (owner) colour = this.inks.colour(owner).small;
    data[4 * cell] = colour[0];
    data[4 * cell + 1] = colour[1];
    data[4 * cell + 2] = colour[2];
    data[4 * cell + 3] = 255;
    this.shown[cell] = owner;
  }

  #drawAll() {
    const { game } = this;
    this.whole = false;
    this.moved = true;
    for (let cell = 0; cell < game.rows * game.columns; cell++) this.#pixel(cell);
    this.picture.getContext("2d").putImageData(this.pixels, 0, 0);
    this.mapDirty = true;
  }

  // What the camera shows, from cells and picture as they are.
  #drawSeen(camera) {
    const ctx = this.cells.getContext("2d", { alpha: false });
    ctx.fillStyle = this.inks.ground;
    ctx.fillRect(0, 0, this.cells.width, this.cells.height);
    const { top, left, bottom, right } = camera.seen;
    if (camera.size < LEAST_DIGIT) this.#copy(ctx, camera, top, left, bottom, right);
    else {
      for (let row = top; row < bottom; row++) {
        for (let column = left; column < right; column++) this.#drawCell(ctx, row * camera.columns + column, row, column, camera);
      }
    }
  }

  #copy(ctx, { size, x, y }, top, left, bottom, right) {
    if (bottom <= top || right <= left) return;
    ctx.imageSmoothingEnabled = false;
    const [width, height] = [right - left, bottom - top];
    ctx.drawImage(this.picture, left, top, width, height, left * size - x, top * size - y, width * size, height * size);
  }

  // The camera has moved.
  look() {
    this.moved = true;
    this.mapDirty = true;
  }

  #drawChanged(changes, until) {
    const { camera } = this;
    const ctx = this.cells.getContext("2d", { alpha: false });
    const { top, left, bottom, right } = camera.seen;
    const box = [camera.rows, camera.columns, 0, 0];
    for (const cell of changes) {
      const column = cell % camera.columns;
      const row = (cell - column) / camera.columns;
      const before = this.shown[cell];
      this.#pixel(cell);
      if (before && this.shown[cell] && before !== this.shown[cell]) this.flashes.set(cell, until);
      box[0] = Math.min(box[0], row);
      box[1] = Math.min(box[1], column);
      box[2] = Math.max(box[2], row + 1);
      box[3] = Math.max(box[3], column + 1);
      const seen = row >= top && row < bottom && column >= left && column < right;
      if (seen && camera.size >= LEAST_DIGIT) this.#drawCell(ctx, cell, row, column, camera);
    }
    this.picture.getContext("2d").putImageData(this.pixels, 0, 0, box[1], box[0], box[3] - box[1], box[2] - box[0]);
    if (camera.size < LEAST_DIGIT) this.#copy(ctx, camera, ...box);
    this.mapDirty = true;
  }
}
