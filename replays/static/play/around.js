// Up to eight cells around a cell of a board; cell = row * columns + column.

export function around(cell, { rows, columns }) {
  const [row, column] = [Math.floor(cell / columns), cell % columns];
  const cells = [];
  for (let r = Math.max(0, row - 1); r <= Math.min(rows - 1, row + 1); r += 1) {
    for (let c = Math.max(0, column - 1); c <= Math.min(columns - 1, column + 1); c += 1) {
      if (r !== row || c !== column) cells.push(r * columns + c);
    }
  }
  return cells;
}
