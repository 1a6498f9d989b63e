// The page of a room.

import { connect } from "../socket.js";
import { RoomBoard } from "./board/board.js";
import { ClientGame } from "./rules/clientgame.js";
import { FLAG } from "./rules/paper.js";
import { RoomInput } from "./board/input.js";
import { RESULT, RoomState } from "./state.js";
import { ownerButtons, ownerForms, share } from "./roomtools.js";
import { fillTable } from "./table.js";
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
const playerOf = (number) => state.players.get(number) ?? unknown;
const { rows, columns } = config.shape;
const board = new RoomBoard(part("board"), { game: new ClientGame({ rows, columns }), playerOf });
const input = new RoomInput(board, { act, describe: (cell) => describe(board.game, cell, playerOf), say, pointed });
const zeros = new ZerosNotice(board, part("zeros"), part("zeros-said"));
let tableDue = true;
let online = false;
let queue = Promise.resolve(); // messages are taken one after the other
let clockStart = null;
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
  if (message.type === "cursors") return message.cursors.forEach(showCursor);
  if (message.type === "wait") return showNote(filled(`wait-${message.reason}`));
  if (message.type === "moving") return showNote(filled("wait-moving"));
  if (message.type === "error") return showNote(texts[`error-${message.code}`] ?? message.message);
  const news = await state.receive(message);
  if (message.type !== "answer") showNote("");
  if (news.board) showBoard();
  for (const one of news.send ?? []) socket.send(one);
  if (news.answer) showAnswer(news.answer);
  for (const { stamp, cell } of state.takeOwnMoves()) zeros.tell(cell, state.game.besides(stamp));
  if (news.colours) board.forgetPlayers();
  if (news.finished) showFinished();
  board.wait(state.waiting);
  tableDue = true;
  return undefined;
}

function showBoard() {
  board.show(state.game);
  board.cursors.clear();
  const { room } = state;
  clockStart = null;
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
  const { finished } = state;
  const { elapsed_ms: elapsed, next_in_ms: next } = finished;
  const [best] = state.table;
  part("finished").hidden = false;
  part("result").textContent = best && !config.coop ? filled("won", { name: best.name, score: best.score, time: clock(elapsed) }) : filled("done", { time: clock(elapsed) });
  part("next").textContent = next ? filled("next", { seconds: Math.ceil(next / 1000) }) : filled("wait-owner");
  part("finished").querySelector("a").href = page.dataset.watch.replace("/0/", `/${finished.epoch}/`);
  say(part("result").textContent);
}

// --- clicks ---

function act(kind, cell) {
  if (!state.room || state.finished) return;
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
  if (!state.you || now - pointedAt < CURSOR_MS || x < 0 || y < 0 || x > columns || y > rows) return;
  pointedAt = now;
  socket.send({ type: "cursor", x: Math.round(x * CURSOR_PX), y: Math.round(y * CURSOR_PX) });
}

function showCursor({ player, x, y }) {
  if (player === state.you) return;
  board.moveCursor(player, x / CURSOR_PX, y / CURSOR_PX);
}

// --- what stands around the board ---

function say(text) {
  part("said").textContent = text;
}

function showNote(text) {
  part("note").textContent = text;
  part("note").hidden = !text;
}

function showConnection({ state: change, reason, problem, code }) {
  const now = change === "back" ? "open" : change;
  online = now === "open";
  const light = part("connection");
  light.dataset.state = now;
  light.querySelector("span").textContent = filled(`state-${now}`);
  if (online) showNote("");
  if (now === "quiet") showNote(filled("wait-quiet"));
  if (now === "waiting") showNote(texts[`error-${reason}`] ?? filled("wait-connection"));
  if (now === "closed") showNote(problem?.detail ?? texts[`error-${reason}`] ?? texts[`close-${code}`] ?? filled("state-closed"));
}

function showTable() {
  tableDue = false;
  if (!state.room) return;
  const table = state.table.filter(({ player }) => player);
  fillTable(part("players"), table.slice(0, SHOWN_ROWS), { you: state.you, dark: board.inks.theme.dark, texts, coop: config.coop, buttons: config.owner ? (row) => ownerButtons(row, page.dataset.command) : undefined });
  part("nobody").hidden = table.length > 0;
  part("here").textContent = filled("here", { here: state.here });
  const { open, safe } = state.progress;
  part("progress").max = safe;
  part("progress").value = open;
  part("open").textContent = filled("open", { open, safe, percent: `${safe ? Math.floor((100 * open) / safe) : 100} %` });
}

setInterval(() => {
  const lag = socket.lag();
  part("lag").textContent = lag === null ? "" : `${Math.round(lag)} ms`;
}, 1000);
setInterval(() => tableDue && showTable(), TABLE_MS);

for (const button of page.querySelectorAll("[data-zoom]")) {
  button.addEventListener("click", () => (button.dataset.zoom === "whole" ? input.whole() : input.zoom(Number(button.dataset.zoom))));
}
share(part("share"), part("shared"));
ownerForms(page);
