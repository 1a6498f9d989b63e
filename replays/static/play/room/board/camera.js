// The part of a large board that is on the screen.  All lengths are device pixels but `zoom`, the side of a cell before rounding.

const MOST = 72; // the largest cell, in CSS px
const LEAST_WHOLE = 16; // the smallest cell that can be clicked, in CSS px
const [LEAST_PART, MOST_PART] = [24, 32]; // of a board that is larger than the screen
const FINGER = 36;
const MARGIN = 24; // of ground around the board, in CSS px

export class Camera {
  constructor(rows, columns) {
    this.rows = rows;
    this.columns = columns;
    this.dpr = 1;
    this.width = 1;
    this.height = 1;
    this.zoom = 1;
    this.x = 0; // of the screen's left edge, in device px from the left edge of the board
    this.y = 0;
  }

  // The side of a cell: whole pixels, so that all cells are alike and sharp.
  get size() {
    return Math.max(1, Math.round(this.zoom));
  }

  // The largest zoom at which the whole board is on the screen.
  get whole() {
    return Math.max(1, Math.floor(Math.min(this.width / this.columns, this.height / this.rows)));
  }

  resize(width, height, dpr) {
    const middle = this.cells(this.width / 2, this.height / 2);
    Object.assign(this, { zoom: (this.zoom * dpr) / this.dpr, width, height, dpr });
    this.#look(middle, width / 2, height / 2);
  }

  // Show the board whole, as large as it can be, if its cells are large enough to be clicked; else its middle, with as many
  // whole rows as fit.
  fit() {
    if (this.whole >= LEAST_WHOLE * this.dpr) return this.showWhole();
    this.zoom = Math.min(MOST_PART * this.dpr, Math.max(LEAST_PART * this.dpr, Math.floor(this.height / this.rows)));
    this.centre(this.columns / 2, this.rows / 2);
    return undefined;
  }

  // From cells for a mouse to cells for a finger, and back.
  zoomForFingers() {
    if (this.size >= FINGER * this.dpr) return this.fit();
    return this.zoomAt((FINGER * this.dpr) / this.size, this.width / 2, this.height / 2);
  }

  showWhole() {
    this.zoom = Math.min(this.whole, MOST * this.dpr);
    this.centre(this.columns / 2, this.rows / 2);
  }

  // Zoom by `factor`; the place of the board under (x, y) stays there.
  zoomAt(factor, x, y) {
    const place = this.cells(x, y);
    const wanted = this.zoom * factor;
    // At least one pixel, since cells have whole ones.
    const next = this.size <= 3 ? (factor > 1 ? Math.max(wanted, this.size + 1) : Math.min(wanted, this.size - 1)) : wanted;
    this.zoom = Math.min(MOST * this.dpr, Math.max(Math.min(this.whole, 2 * this.dpr), 1, next));
    this.#look(place, x, y);
  }

  pan(dx, dy) {
    this.x -= dx;
    this.y -= dy;
    this.#clamp();
  }

  // The middle of the screen is at this place of the board, in cells.
  centre(column, row) {
    this.#look([column, row], this.width / 2, this.height / 2);
  }

  // Move as little as is needed to show a cell; whether anything moved.
  reveal(row, column) {
    const { size } = this;
    const [x, y] = [this.x, this.y];
    this.x = Math.min(column * size - size, Math.max((column + 2) * size - this.width, this.x));
    this.y = Math.min(row * size - size, Math.max((row + 2) * size - this.height, this.y));
    this.#clamp();
    return x !== this.x || y !== this.y;
  }

  // The place of the board at a pixel of the screen: [column, row] with fractions.
  cells(x, y) {
    return [(this.x + x) / this.size, (this.y + y) / this.size];
  }

  // The cell at a pixel of the screen, or -1.
  cellAt(x, y) {
    const [column, row] = this.cells(x, y).map(Math.floor);
    return column >= 0 && row >= 0 && column < this.columns && row < this.rows ? row * this.columns + column : -1;
  }

  // The rows and columns on the screen, ends excluded.
  get seen() {
    const [left, top] = this.cells(0, 0);
    const [right, bottom] = this.cells(this.width, this.height);
    return {
      top: Math.max(0, Math.floor(top)),
      left: Math.max(0, Math.floor(left)),
      bottom: Math.min(this.rows, Math.ceil(bottom)),
      right: Math.min(this.columns, Math.ceil(right)),
    };
  }

  #look([column, row], x, y) {
    this.x = Math.round(column * this.size - x);
    this.y = Math.round(row * this.size - y);
    this.#clamp();
  }

  #clamp() {
    const margin = MARGIN * this.dpr;
    this.x = Math.round(clamped(this.x, this.columns * this.size, this.width, margin));
    this.y = Math.round(clamped(this.y, this.rows * this.size, this.height, margin));
  }
}

// A board that is smaller than the screen stands in its middle; a larger one keeps the screen filled.
function clamped(at, board, screen, margin) {
  if (board <= screen) return (board - screen) / 2;
  return Math.min(board + margin - screen, Math.max(-margin, at));
}
