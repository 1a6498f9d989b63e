// The page of a room.

import { connect } from "../socket.js";
import { RoomBar } from "./bar.js";
import { RoomBoard } from "./board/board.js";
import { ClientGame } from "./rules/clientgame.js";
import { FLAG } from "./rules/paper.js";
import { RoomInput } from "./board/input.js";
import { RESULT, RoomState } from "./state.js";
import { command, ownerButtons, ownerForms, share } from "./roomtools.js";
import { fillTable, fillVisitors } from "./table.js";
import { ZerosNotice } from "./zeros.js";
import { clock, describe, filled, texts } from "./words.js";

const config = JSON.parse(document.getElementById("room-config").textContent);
const TABLE_MS = 200; // the table is written at most this often
const CURSOR_MS = 100;
const CURSOR_PX = 16; // of a cell, in the messages about pointers
const SHOWN_ROWS = 100; // players in the table

const page = document.querySelector("[data-room]");
const part = (name) => page.querySelector(`[data-${name}]`);
const state = new RoomState();
const unknown = { hue: 0, shade: 0, name: "" };
// A finished board stays on the screen although the next has begun, until the visitor or a move asks for it: {players, table,
// progress, minesLeft, elapsed} of its end.
let held = null;
const playerOf = (number) => (held ?? state).players.get(number) ?? unknown;
const { rows, columns } = config.shape;
const board = new RoomBoard(part("board"), { game: new ClientGame({ rows, columns }), playerOf });
const input = new RoomInput(board, { act, describe: (cell) => describe(board.game, cell, playerOf), say, pointed });
const zeros = new ZerosNotice(board, part("zeros"), part("zeros-said"));
const bar = new RoomBar(page);
let tableDue = true;
let online = false;
let ownName = config.name_of_you;
let queue = Promise.resolve(); // messages are taken one after the other
let begunAt = 0; // when the board began, on performance.now()
let pointedAt = 0;

const socket = connect({
  purpose: "room",
  target: { room: config.slug },
  onMessage: (message) => {
    queue = queue.then(() => take(message));
  },
  onState: showConnection,
  hello: () => state.known,
  oldestClick: () => state.oldestClick,
});

// --- messages ---

async function take(message) {
  if (message.type === "cursors") return held ? undefined : message.cursors.forEach(showCursor);
  if (message.type === "wait") return showNote(filled(`wait-${message.reason}`));
  if (message.type === "error") return showNote(texts[`error-${message.code}`] ?? message.message);
  if (message.type === "room" && message.epoch !== state.room?.epoch && state.finished?.next_in_ms) hold();
  const news = await state.receive(message);
  if (message.type !== "answer") showNote("");
  if (message.type === "room") {
    begunAt = performance.now() - message.server_ms;
    showLight("open");
  }
  if (news.board && !held) showBoard();
  for (const one of news.send ?? []) socket.send(one);
  if (news.answer) showAnswer(news.answer);
  for (const { stamp, cell } of state.takeOwnMoves()) zeros.tell(cell, state.game.besides(stamp));
  if (news.colours) board.forgetPlayers();
  if (news.finished) showFinished();
  if (held && state.game.last > 0) release(); // somebody has begun the next board
  board.wait(held ? [] : state.waiting);
  tableDue = true;
  return undefined;
}

function hold() {
  const { table, progress, minesLeft, finished } = state;
  held = { players: new Map(state.players), table, progress, minesLeft, elapsed: finished.elapsed_ms };
  board.cursors.clear();
}

function release() {
  held = null;
  board.forgetPlayers();
  showBoard();
}

function showBoard() {
  board.show(state.game);
  board.cursors.clear();
  const { room } = state;
  part("line").classList.remove("done");
  part("finished").hidden = true;
  part("mines").textContent = room.mines;
  part("epoch").textContent = room.epoch;
  tableDue = true;
}

function showAnswer({ result, cell, stamp }) {
  if (stamp && result === RESULT.blast) {
    say(filled("said-blast"));
    part("board").classList.remove("shaken");
    requestAnimationFrame(() => part("board").classList.add("shaken"));
  } else if (!stamp) {
    const name = Object.keys(RESULT).find((one) => RESULT[one] === result);
    say(filled(`refused-${(name ?? "notAllowed").toLowerCase()}`));
  } else if (cell === board.cursor) say(describe(board.game, cell, playerOf));
}

function showFinished() {
  const { elapsed_ms: elapsed, next_in_ms: next, epoch } = state.finished;
  const [best] = state.table;
  part("line").classList.add("done");
  part("finished").hidden = false;
  part("result").textContent = best && !config.coop ? filled("won", { name: best.name, score: best.score, time: clock(elapsed) }) : filled("done", { time: clock(elapsed) });
  part("next").textContent = filled(next ? "next" : "wait-owner");
  part("next").hidden = !next && config.owner;
  part("again").hidden = !next && !config.owner;
  part("finished").querySelector("a").href = page.dataset.watch.replace("/0/", `/${epoch}/`);
  say(part("result").textContent);
}

async function playAgain() {
  if (held) release();
  else if (!(await command(page.dataset.command, { do: "restart" }))) showNote(texts.failed);
  part("board").focus({ preventScroll: true });
}

// --- clicks ---

function act(kind, cell) {
  if (!state.room) return undefined;
  if (held || state.finished) return say(filled(held ? "finished" : "refused-over"));
  if (!config.may_play) return say(filled("spectator"));
  const face = board.game.face(cell);
  const { flags, chords } = state.room;
  if ((kind === "flag" && (!flags || board.game.isOpen(cell))) || (kind === "chord" && !chords)) return undefined;
  if (kind === "open" && face === FLAG) return say(filled("refused-flagged"));
  if (!online) return say(filled("offline"));
  socket.send(state.click(kind, cell));
  board.wait(state.waiting);
  return undefined;
}

function pointed(x, y) {
  const now = performance.now();
  if (!state.you || held || now - pointedAt < CURSOR_MS || x < 0 || y < 0 || x > columns || y > rows) return;
  pointedAt = now;
  socket.send({ type: "cursor", x: Math.round(x * CURSOR_PX), y: Math.round(y * CURSOR_PX) });
}

function showCursor({ player, x, y }) {
  if (player !== state.you) board.moveCursor(player, x / CURSOR_PX, y / CURSOR_PX);
}

// --- the page around the board ---

function say(text) {
  part("said").textContent = text;
}

function showNote(text) {
  part("note").textContent = text;
  part("note").hidden = !text;
}

function showConnection({ state: change, reason, problem, code, name }) {
  const now = change === "back" ? "open" : change;
  online = now === "open";
  ownName = name ?? ownName;
  showLight(online && !state.room ? "connecting" : now); // before the board is here nobody can click
  if (online) showNote("");
  if (now === "quiet") showNote(filled("wait-quiet"));
  if (now === "waiting") showNote(texts[`error-${reason}`] ?? filled("wait-connection"));
  if (now === "closed") showNote(problem?.detail ?? texts[`error-${reason}`] ?? texts[`close-${code}`] ?? filled("state-closed"));
}

function showLight(now) {
  const light = part("connection");
  light.dataset.state = now;
  light.querySelector("span").textContent = filled(`state-${now}`);
}

function showTable() {
  tableDue = false;
  if (!state.room) return;
  const { table, progress, minesLeft } = held ?? state;
  const { dark } = board.inks.theme;
  const known = table.filter(({ player }) => player);
  const places = Boolean(held || state.finished) || progress.open === progress.safe;
  fillTable(part("players"), known.slice(0, SHOWN_ROWS), { you: state.you, dark, places, coop: config.coop, buttons: config.owner ? (row) => ownerButtons(row, page.dataset.command) : undefined });
  showVisitors();
  part("nobody").hidden = known.length > 0;
  part("here").textContent = filled("here", { here: state.here });
  bar.show({ minesLeft, rows: known, progress, dark });
}

function showVisitors() {
  const playing = held ? [] : state.table.filter(({ player, here }) => player && here).map(({ name }) => name);
  const visitors = held ? [] : state.visitors.filter(({ name }) => !playing.includes(name)); // the list is a second late
  fillVisitors(part("visitors"), visitors, { you: ownName, more: visitors.length ? state.here - playing.length - visitors.length : 0 });
}

setInterval(() => {
  const lag = socket.lag();
  part("lag").textContent = lag === null ? "" : `${Math.round(lag)} ms`;
}, 1000);
setInterval(() => {
  if (tableDue) showTable();
  if (state.room) bar.time(held?.elapsed ?? state.finished?.elapsed_ms ?? performance.now() - begunAt);
}, TABLE_MS);

for (const button of page.querySelectorAll("[data-zoom]")) {
  button.addEventListener("click", () => (button.dataset.zoom === "whole" ? input.whole() : input.zoom(Number(button.dataset.zoom))));
}
for (const button of page.querySelectorAll("[data-mode]")) {
  button.addEventListener("click", () => {
    input.mode = button.dataset.mode;
    for (const one of page.querySelectorAll("[data-mode]")) one.setAttribute("aria-pressed", String(one === button));
  });
}
part("closer").addEventListener("click", () => input.zoomForFingers());
part("again").addEventListener("click", playAgain);
part("link").addEventListener("focus", () => part("link").select());
share(part("share"), part("shared"));
ownerForms(page);
