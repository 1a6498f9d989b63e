// The marks above the cells of a room: rings of repainted cells, pressed cells, the cell of the keyboard, the pointers of
// other players; and the minimap of a board that is larger than its place.

import { drawPointers } from "./pointers.js";

const MAP_SIDE = 150; // CSS px
const LIGHT = 0.35; // of a lit cell
const LEAST_DOTS = 12; // device px of a cell

export function drawMarks(board, ctx, now) {
  const { camera } = board;
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
  lights(board, ctx, now);
  pressed(board, ctx);
  flashes(board, ctx, now);
  if (board.pointed !== null) frame(board, ctx, board.pointed, board.inks.text, 2);
  if (board.cursor !== null) frame(board, ctx, board.cursor, board.inks.accent, 3);
  if (camera.size >= 5) drawPointers(board, ctx, now);
}

function corner({ camera }, cell) {
  const column = cell % camera.columns;
  return [column * camera.size - camera.x, ((cell - column) / camera.columns) * camera.size - camera.y];
}

function pressed(board, ctx) {
  ctx.fillStyle = board.inks.theme.dark ? "rgb(0 0 0 / 35%)" : "rgb(20 24 31 / 22%)";
  for (const cell of [...board.pressed, ...board.waiting]) {
    const [x, y] = corner(board, cell);
    ctx.fillRect(x, y, board.camera.size, board.camera.size);
  }
  if (board.camera.size >= LEAST_DOTS) for (const cell of board.waiting) dots(board, ctx, ...corner(board, cell));
}

// Cells that are lit for a moment, with an edge where the light ends.
function lights({ lit, camera, inks }, ctx, now) {
  for (const [cell, until] of lit) if (until <= now) lit.delete(cell);
  ctx.fillStyle = inks.accent;
  for (const cell of lit.keys()) {
    const [x, y] = corner({ camera }, cell);
    ctx.globalAlpha = LIGHT;
    ctx.fillRect(x, y, camera.size, camera.size);
    ctx.globalAlpha = 1;
    const edge = Math.max(1, Math.min(2 * camera.dpr, camera.size / 4));
    const column = cell % camera.columns;
    if (!lit.has(cell - camera.columns)) ctx.fillRect(x, y, camera.size, edge);
    if (!lit.has(cell + camera.columns)) ctx.fillRect(x, y + camera.size - edge, camera.size, edge);
    if (column === 0 || !lit.has(cell - 1)) ctx.fillRect(x, y, edge, camera.size);
    if (column === camera.columns - 1 || !lit.has(cell + 1)) ctx.fillRect(x + camera.size - edge, y, edge, camera.size);
  }
}

// Three dots: a click that waits for its answer.
function dots({ camera: { size, dpr }, inks }, ctx, x, y) {
  ctx.fillStyle = inks.text;
  ctx.strokeStyle = inks.edge;
  ctx.lineWidth = dpr;
  for (const part of [0.26, 0.5, 0.74]) {
    ctx.beginPath();
    ctx.arc(x + part * size, y + size / 2, size / 13, 0, 2 * Math.PI);
    ctx.stroke();
    ctx.fill();
  }
}

function frame(board, ctx, cell, colour, cssWidth) {
  const { size, dpr } = board.camera;
  const [x, y] = corner(board, cell);
  const width = Math.max(1, Math.min(cssWidth * dpr, size / 4));
  ctx.lineWidth = width + 2 * dpr; // a light or dark edge, so that the ring shows on every colour
  ctx.strokeStyle = board.inks.edge;
  ctx.strokeRect(x + width / 2, y + width / 2, size - width, size - width);
  ctx.lineWidth = width;
  ctx.strokeStyle = colour;
  ctx.strokeRect(x + width / 2, y + width / 2, size - width, size - width);
}

function flashes(board, ctx, now) {
  for (const [cell, until] of board.flashes) {
    if (until <= now) board.flashes.delete(cell);
    else frame(board, ctx, cell, board.inks.text, 2);
  }
}

export function drawMap(board) {
  const { camera, map } = board;
  const { size, rows, columns } = camera;
  map.hidden = size * columns <= camera.width && size * rows <= camera.height; // all of the board is on the screen
  if (map.hidden) return;
  const [width, height] = [columns, rows].map((side) => Math.max(24, Math.round((side * MAP_SIDE) / Math.max(rows, columns))));
  const dpr = camera.dpr;
  if (map.width !== Math.round(width * dpr) || map.height !== Math.round(height * dpr)) {
    map.width = Math.round(width * dpr);
    map.height = Math.round(height * dpr);
    map.style.width = `${width}px`;
    map.style.height = `${height}px`;
  }
  const ctx = map.getContext("2d");
  ctx.imageSmoothingEnabled = camera.columns > map.width;
  ctx.drawImage(board.picture, 0, 0, map.width, map.height);
  const [across, down] = [map.width / camera.columns, map.height / camera.rows];
  const [left, top] = camera.cells(0, 0);
  const [right, bottom] = camera.cells(camera.width, camera.height);
  ctx.strokeStyle = board.inks.text;
  ctx.lineWidth = 2 * dpr;
  const [x, y] = [Math.max(0, left) * across, Math.max(0, top) * down];
  ctx.strokeRect(x, y, Math.min(map.width, right * across) - x, Math.min(map.height, bottom * down) - y);
}
