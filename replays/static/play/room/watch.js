// A board of a room that has ended, watched again from its log.

import { RoomBar } from "./bar.js";
import { RoomBoard } from "./board/board.js";
import { ClientGame, KIND } from "./rules/clientgame.js";
import { RoomInput } from "./board/input.js";
import { lay } from "./rules/paper.js";
import { share } from "./roomtools.js";
import { fillTable } from "./table.js";
import { clock, describe, filled, texts } from "./words.js";

const config = JSON.parse(document.getElementById("room-config").textContent);
const LOG_KINDS = [KIND.open, KIND.flag, KIND.chord];
const ADDRESS_MS = 400;

const page = document.querySelector("[data-watch-page]");
const part = (name) => page.querySelector(`[data-${name}]`);
const players = new Map(config.players.map((row) => [row.player, row]));
const playerOf = (number) => players.get(number) ?? { hue: 0, shade: 0, name: "" };
const { rows, columns, area, area_mines: areaMines, modulus, start_number: start } = config.laying;
const laid = lay({ rows, columns, area, areaMines, modulus, start });
const mines = laid.reduce((sum, mine) => sum + mine, 0);
const game = new ClientGame({ rows, columns, mines: laid });
const board = new RoomBoard(part("board"), { game, playerOf });
const bar = new RoomBar(page);
const input = new RoomInput(board, { act: () => {}, describe: (cell) => describe(game, cell, playerOf), say });

let moves = []; // [player, kind, cell, ms]
let at = 0;
let playing = null; // {since, from}: when the playing began, and the ms of the board then
let addressTimer = null;

function say(text) {
  part("said").textContent = text;
}

function apply(place) {
  const [player, kind, cell] = moves[place];
  const flagTaken = LOG_KINDS[kind] === KIND.flag && game.flaggers[cell] !== 0;
  game.receive({ stamp: place + 1, player, kind: flagTaken ? KIND.unflag : LOG_KINDS[kind], cell });
}

function show(to) {
  const wanted = Math.min(moves.length, Math.max(0, to));
  if (wanted < at) {
    game.moves.clear();
    game.clear();
    at = 0;
  }
  for (; at < wanted; at++) apply(at);
  board.cursor = null;
  const last = at ? moves[at - 1] : null;
  board.point(last ? last[2] : null);
  part("slider").value = at;
  part("count").textContent = `${filled("moves", { move: at, all: moves.length })} · ${clock(last ? last[3] : 0)}`;
  part("move").textContent = last ? filled("move-text", { name: playerOf(last[0]).name, row: Math.floor(last[2] / columns) + 1, column: (last[2] % columns) + 1 }) : "";
  const table = config.players.map((row) => ({ ...row, here: true, ...(game.scores.get(row.player) ?? { score: 0, blasts: 0 }) }));
  table.sort((a, b) => b.score - a.score || a.blasts - b.blasts || a.player - b.player);
  const { dark } = board.inks.theme;
  fillTable(part("players"), table, { you: 0, dark, places: true, coop: config.coop });
  bar.show({ minesLeft: mines - game.minesKnown, rows: table, progress: { open: table.reduce((sum, { score }) => sum + score, 0), safe: game.size - mines }, dark });
  bar.time(last ? last[3] : 0);
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => history.replaceState(null, "", `${location.pathname}?move=${at}`), ADDRESS_MS);
}

function play(on) {
  const button = part("play");
  button.textContent = on ? texts.pause : texts.play;
  button.setAttribute("aria-pressed", String(on));
  if (on && at === moves.length) show(0);
  playing = on ? { since: performance.now(), from: at ? moves[at - 1][3] : 0 } : null;
  if (on) requestAnimationFrame(frame);
}

function frame(now) {
  if (!playing) return;
  const ms = playing.from + (now - playing.since) * Number(part("speed").value);
  let to = at;
  while (to < moves.length && moves[to][3] <= ms) to++;
  if (to !== at) show(to);
  if (at === moves.length) play(false);
  else requestAnimationFrame(frame);
}

function jump(to) {
  play(false);
  show(to);
}

async function load() {
  const response = await fetch(page.dataset.log, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`the log is not there: ${response.status}`);
  moves = (await response.json()).moves;
  part("slider").max = moves.length;
  part("play").disabled = false;
  const asked = Number(new URLSearchParams(location.search).get("move") ?? NaN);
  show(Number.isInteger(asked) ? asked : moves.length);
}

part("play").addEventListener("click", () => play(!playing));
part("slider").addEventListener("input", (event) => jump(event.target.valueAsNumber));
part("speed").addEventListener("change", () => playing && play(true));
for (const button of page.querySelectorAll("[data-by]")) button.addEventListener("click", () => jump(at + Number(button.dataset.by)));
page.querySelector("[data-zoom]").addEventListener("click", () => input.whole());
share(part("share"), part("shared"), () => `${location.origin}${location.pathname}?move=${at}`);
load().catch((error) => {
  part("note").textContent = texts.failed;
  part("note").hidden = false;
  throw error;
});
