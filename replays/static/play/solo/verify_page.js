// The page that checks a board: the values of its form go to verify.js, and the board is drawn.

import { around } from "../around.js";
import { makeSkin, MINE, skinTheme } from "../skin.js";
import { hexOf, sha256, verifyBoard } from "../verify.js";
import { text } from "./texts.js";

const form = document.querySelector("[data-proof]");
const answer = document.querySelector("[data-answer]");
const canvas = document.querySelector("[data-board]");
const hash = document.querySelector("[data-hash]");
const given = document.getElementById("verify-config");
const NUMBERS = ["rows", "columns", "mines", "row", "column", "attempt"];
const LARGEST = 26; // px a cell
const SMALLEST = 8;

function fill(config) {
  const { first_cell: first, columns } = config;
  const values = { ...config, row: Math.floor(first / columns) + 1, column: (first % columns) + 1 };
  for (const [name, value] of Object.entries(values)) if (form.elements[name]) form.elements[name].value = value;
}

function values() {
  const typed = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]));
  for (const name of NUMBERS) typed[name] = Number(typed[name]);
  const { game, commit, ...rest } = typed;
  return { ...rest, gameId: game.toLowerCase(), commitment: commit, row: typed.row - 1, column: typed.column - 1 };
}

async function check() {
  const game = values();
  let result;
  try {
    result = await verifyBoard(game);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    tell("values", false, { why: error.message });
    canvas.hidden = true;
    hash.textContent = "";
    return;
  }
  tell(result.committed ? "right" : "wrong", result.committed);
  draw(game, result.mines);
  hash.textContent = text("hash", { hash: await hashOf(game, result.mines) });
}

function tell(key, right, more) {
  answer.textContent = text(key, more);
  answer.className = `proof-answer ${right ? "right" : "wrong"}`;
}

// The numbers of all cells, with MINE for mines.
function numbers(game, mines) {
  const faces = new Uint8Array(game.rows * game.columns);
  for (const cell of mines) for (const beside of around(cell, game)) faces[beside] += 1;
  for (const cell of mines) faces[cell] = MINE;
  return faces;
}

function draw(game, mines) {
  canvas.hidden = false;
  const { rows, columns } = game;
  const cellPx = Math.max(SMALLEST, Math.min(LARGEST, Math.floor(canvas.parentElement.clientWidth / columns)));
  const skin = makeSkin({ cellPx, dpr: devicePixelRatio, theme: skinTheme(canvas) });
  canvas.width = columns * skin.size;
  canvas.height = rows * skin.size;
  canvas.style.width = `${columns * cellPx}px`;
  canvas.style.height = `${rows * cellPx}px`;
  const ctx = canvas.getContext("2d", { alpha: false });
  numbers(game, mines).forEach((face, cell) => skin.draw(ctx, face, (cell % columns) * skin.size, Math.floor(cell / columns) * skin.size));
  const places = mines.map((cell) => `(${Math.floor(cell / columns) + 1}, ${(cell % columns) + 1})`).join(" ");
  canvas.setAttribute("aria-label", text("board", { rows, columns, mines: places }));
}

async function hashOf({ rows, columns }, mines) {
  const packed = new Uint8Array(Math.ceil((rows * columns) / 8));
  for (const cell of mines) packed[cell >> 3] |= 128 >> (cell & 7);
  return hexOf(await sha256(packed));
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  check();
});
if (given) {
  fill(JSON.parse(given.textContent));
  check();
}
