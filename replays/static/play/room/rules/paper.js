// The rules of the multiplayer paper, as a browser applies them: laying the mines, numbers, and what a click opens.
// Twin of analysis.multiplayer; nothing here knows about pages, sockets or drawing.  Cell = row * columns + column.

import { around } from "../../around.js";

export const MINE = 9;
export const CLOSED = 10;
export const FLAG = 11;

// The limits of the server.  Products of two residues are exact: below 2^52.
const LIMITS = { rows: [1, 1000000], columns: [1, 1000000], area: [1, 1000], start: [1, Number.MAX_SAFE_INTEGER] };
const MAX_CELLS = 1000000;
const MAX_MODULUS = 2 ** 26;
const MAX_MULTIPLICATIONS = 10000000;

export class LayingError extends Error {
  // `code`: not_a_number, out_of_range, too_many_cells, start_number_zero, delta_zero, delta_cycle or too_long, as on the server.
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

function checkParameters({ rows, columns, area, areaMines, modulus, start }) {
  const check = (name, value, [least, most]) => {
    if (!Number.isInteger(value)) throw new LayingError("not_a_number", `${name} must be a whole number`);
    if (value < least || value > most) throw new LayingError("out_of_range", `${name} is ${value}; it must be ${least} to ${most}`);
  };
  check("rows", rows, LIMITS.rows);
  check("columns", columns, LIMITS.columns);
  if (rows * columns > MAX_CELLS) throw new LayingError("too_many_cells", `more than ${MAX_CELLS} cells`);
  check("area", area, LIMITS.area);
  check("areaMines", areaMines, [0, area * area - 1]);
  // Delta must be able to pass the number of cells of the largest area, and is below the modulus.
  check("modulus", modulus, [Math.min(area, rows) * Math.min(area, columns) + 2, MAX_MODULUS]);
  check("start", start, LIMITS.start);
  if (start % modulus === 0) throw new LayingError("start_number_zero", "the start number is a multiple of the modulus");
}

// The areas of a board in the order in which they are laid: {top, left, height, width, mines}.
export function areasOf({ rows, columns, area, areaMines }) {
  const areas = [];
  for (let top = 0; top < rows; top += area) {
    for (let left = 0; left < columns; left += area) {
      const [height, width] = [Math.min(area, rows - top), Math.min(area, columns - left)];
      areas.push({ top, left, height, width, mines: Math.floor((height * width * areaMines) / (area * area)) });
    }
  }
  return areas;
}

// The mines of a board, 1 a mine.  `onStep({area, cell, other, multiplier, deltas})` is told of every swap: the number of the
// area, the two places in it, the Fibonacci multiplier, and every value of delta up to the one that counted.
// Throws a LayingError, after a bounded number of steps, where the rule would never end.
export function lay(parameters, onStep = null) {
  checkParameters(parameters);
  const { rows, columns, modulus, start } = parameters;
  const mines = new Uint8Array(rows * columns);
  let multiplications = 0;
  let [before, multiplier] = [1, 1]; // of the cell before the first, so the first multiplier is 2
  let delta = start % modulus;
  areasOf(parameters).forEach(({ top, left, height, width, mines: wanted }, number) => {
    const cells = height * width;
    const label = Int32Array.from({ length: cells }, (_, cell) => cell);
    for (let cell = 0; cell < cells; cell++) {
      [before, multiplier] = [multiplier, (before + multiplier) % modulus];
      const deltas = onStep ? [] : null;
      for (let tries = 1; ; tries++) {
        delta = (delta * multiplier) % modulus;
        multiplications += 1;
        deltas?.push(delta);
        if (delta > cells) break;
        if (delta === 0) throw new LayingError("delta_zero", "delta has become 0 and stays 0");
        // More values than there are from 1 to `cells`: one came twice.
        if (tries > cells) throw new LayingError("delta_cycle", "delta never exceeds the number of cells");
      }
      if (multiplications > MAX_MULTIPLICATIONS) throw new LayingError("too_long", "too many multiplications");
      const other = (delta % height) * width + (Math.floor(delta / height) % width);
      [label[cell], label[other]] = [label[other], label[cell]];
      onStep?.({ area: number, cell, other, multiplier, deltas });
    }
    for (let cell = 0; cell < cells; cell++) {
      if (label[cell] < wanted) mines[(top + Math.floor(cell / width)) * columns + left + (cell % width)] = 1;
    }
  });
  return mines;
}

// A board whose mines are known.
export class Board {
  // `mines`: 1 a mine, row by row.
  constructor(rows, columns, mines) {
    this.rows = rows;
    this.columns = columns;
    this.numbers = this.#count(mines);
    this.seen = new Uint32Array(rows * columns);
    this.mark = 0;
  }

  // All cells that a click opens on a fresh board, the clicked one first.  The cells found so far are the queue, so
  // there is no recursion.
  cover(cell) {
    const { numbers, seen, rows, columns } = this;
    const mark = ++this.mark;
    const cells = [cell];
    seen[cell] = mark;
    if (numbers[cell] === MINE) return cells;
    if (numbers[cell] !== 0) {
      for (const beside of around(cell, this)) {
        if (numbers[beside] !== 0) continue;
        seen[beside] = mark;
        cells.push(beside);
      }
    }
    for (let place = 0; place < cells.length; place++) {
      const middle = cells[place];
      if (numbers[middle] !== 0) continue;
      const column = middle % columns;
      const [left, right] = [column ? -1 : 0, column < columns - 1 ? 1 : 0];
      const row = (middle - column) / columns;
      for (let line = row ? -columns : 0; line <= (row < rows - 1 ? columns : 0); line += columns) {
        for (let beside = middle + line + left; beside <= middle + line + right; beside++) {
          if (seen[beside] === mark) continue;
          seen[beside] = mark;
          cells.push(beside);
        }
      }
    }
    return cells;
  }

  #count(mines) {
    const numbers = new Uint8Array(mines.length);
    mines.forEach((mine, cell) => {
      if (!mine) return;
      for (const beside of around(cell, this)) numbers[beside] += 1;
    });
    mines.forEach((mine, cell) => {
      if (mine) numbers[cell] = MINE;
    });
    return numbers;
  }
}
