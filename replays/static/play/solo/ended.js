// How a game ended whose OVER this page has not heard.

import { around } from "../around.js";
import { CLOSED } from "../skin.js";
import { verifyBoard } from "../verify.js";
import { LOST, WON } from "./results.js";

const GAMES = "/api/v1/play/games/";
const TRIES = 5; // the database hears of a game within a second
const AGAIN_MS = 300;
const RESULTS = { won: WON, lost: LOST };
const GIVEN_UP = 3;
export const RUNNING = "running";

// What OVER would have said of the visitor's game `id`, with its replay and its address; RUNNING if it has not ended, null if
// nothing was stored of it, as when no cell was opened.
export async function endOf(id) {
  for (let tried = 0; tried < TRIES; tried += 1) {
    if (tried) await new Promise((later) => setTimeout(later, AGAIN_MS));
    const { rows = [] } = await asked("?size=20");
    const row = rows.find((one) => one.id === id);
    if (row) return row.state === "playing" ? RUNNING : over(await asked(`${id}/`));
  }
  return null;
}

// What the cells of a won game show.
export function shownWhenWon(mines, { rows, columns }) {
  const isMine = (cell) => (mines[cell >> 3] >> (7 - (cell & 7))) & 1;
  const face = (cell) => (isMine(cell) ? CLOSED : around(cell, { rows, columns }).filter(isMine).length);
  return Uint8Array.from({ length: rows * columns }, (_, cell) => face(cell));
}

async function asked(path) {
  const answer = await fetch(GAMES + path, { headers: { Accept: "application/json" } });
  return answer.ok ? answer.json() : {};
}

async function over(game) {
  const { result, time_ms: time, reason, bv, bv_done: done, provenance, replay } = game;
  const client = provenance.client_span_ms ?? 0;
  return {
    result: RESULTS[result] ?? GIVEN_UP, time_ms: time ?? 0, ranked: !reason, reason: reason ?? "", client_ms: client,
    bv: bv ?? 0, bv_done: done ?? 0, mines: await minesOf(game), replay: replay?.id ?? 0, url: replay?.html_url ?? "",
  };
}

// A bit for each cell, as in OVER; empty where the browser cannot compute it (http without localhost).
async function minesOf({ rows, columns, mines, rules, bv, provenance }) {
  const { game: gameId, commit: commitment, secret, nonce, first_cell: first, attempt } = provenance;
  const bits = new Uint8Array(Math.ceil((rows * columns) / 8));
  if (bv === null || !globalThis.crypto?.subtle) return bits;
  const [row, column] = [Math.floor(first / columns), first % columns];
  const board = await verifyBoard({ gameId, commitment, secret, nonce, rows, columns, mines, rules, row, column, attempt });
  for (const cell of board.mines) bits[cell >> 3] |= 128 >> (cell & 7);
  return bits;
}
