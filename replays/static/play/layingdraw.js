// Drawings of the page that lays boards: the whole board, and the labels of one area.

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

// `label`: the labels of the area `current`; areas after it are not laid yet.
export function drawBoard(board, { rows, columns }, areas, mines, current, label) {
  const scale = Math.max(2, Math.min(16, Math.floor(1500 / Math.max(rows, columns))));
  board.width = columns * scale;
  board.height = rows * scale;
  const ctx = board.getContext("2d");
  ctx.fillStyle = colour("cell-open");
  ctx.fillRect(0, 0, board.width, board.height);
  areas.forEach(({ top, left, height, width, mines: wanted }, number) => {
    ctx.fillStyle = colour(number > current ? "cell-closed" : "mine");
    if (number > current) ctx.fillRect(left * scale, top * scale, width * scale, height * scale);
    else {
      for (let cell = 0; cell < height * width; cell++) {
        const [row, column] = [top + Math.floor(cell / width), left + (cell % width)];
        const mine = number < current ? mines[row * columns + column] : label[cell] < wanted;
        if (mine) ctx.fillRect(column * scale, row * scale, scale - (scale > 3), scale - (scale > 3));
      }
    }
    ctx.lineWidth = number === current ? Math.max(3, scale / 2) : 1;
    ctx.strokeStyle = number === current ? colour("accent") : colour("line-strong");
    if (number !== current) ctx.strokeRect(left * scale + 0.5, top * scale + 0.5, width * scale - 1, height * scale - 1);
  });
  const { top, left, height, width } = areas[current];
  ctx.lineWidth = Math.max(3, scale / 3);
  ctx.strokeStyle = colour("accent");
  ctx.strokeRect(left * scale, top * scale, width * scale, height * scale);
}

// `swap`: the last one that was done, {cell, other}, or null.
export function drawArea(canvas, { height, width, mines: wanted }, label, swap) {
  const room = Math.min(canvas.parentElement.clientWidth || 400, 460);
  const size = Math.max(2, Math.min(44, Math.floor(room / Math.max(height, width))));
  const dpr = window.devicePixelRatio || 1;
  canvas.width = width * size * dpr;
  canvas.height = height * size * dpr;
  canvas.style.width = `${width * size}px`;
  canvas.style.height = `${height * size}px`;
  const ctx = canvas.getContext("2d");
  ctx.scale(dpr, dpr);
  const [plain, mine, ink, line] = [colour("cell-open"), colour("n3"), colour("text"), colour("cell-line")];
  ctx.font = `${Math.min(15, Math.floor(size * 0.42))}px ${colour("font")}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  for (let cell = 0; cell < label.length; cell++) {
    const [x, y] = [(cell % width) * size, Math.floor(cell / width) * size];
    ctx.fillStyle = plain;
    ctx.fillRect(x, y, size, size);
    if (label[cell] < wanted) {
      ctx.globalAlpha = 0.5;
      ctx.fillStyle = mine;
      ctx.fillRect(x, y, size, size);
      ctx.globalAlpha = 1;
    }
    ctx.strokeStyle = line;
    ctx.lineWidth = 1;
    if (size > 5) ctx.strokeRect(x + 0.5, y + 0.5, size, size);
    ctx.fillStyle = ink;
    if (size >= 17) ctx.fillText(label[cell], x + size / 2, y + size / 2 + 1);
  }
  if (!swap) return;
  ctx.lineWidth = Math.max(1.5, size / 10);
  for (const [cell, name, dash] of [[swap.other, "warn", [size / 5, size / 8]], [swap.cell, "accent", []]]) {
    ctx.strokeStyle = colour(name);
    ctx.setLineDash(dash);
    const inset = ctx.lineWidth / 2;
    ctx.strokeRect((cell % width) * size + inset, Math.floor(cell / width) * size + inset, size - 2 * inset, size - 2 * inset);
  }
}
