// Single play: the page's parts put together.  The server decides; this draws, records and asks.

import { connect } from "../socket.js";
import { unpack } from "../wire.js";
import { Board } from "./table/board.js";
import { Counters } from "./counters.js";
import { endOf, RUNNING, shownWhenWon } from "./ended.js";
import { Keys } from "./table/keys.js";
import { Machine } from "./table/machine.js";
import { Menu } from "./menu.js";
import { Pinch } from "./table/pinch.js";
import { KIND, Recorder } from "./table/recorder.js";
import { LOST, Results, uuid, WON } from "./results.js";
import { Running } from "./running.js";
import { Session, showGoal } from "./session.js";
import { Settings } from "./settings.js";
import { shareOn } from "./share.js";
import { addTexts, text, textOf } from "./texts.js";
import { Touch } from "./table/touch.js";

const LAG_EVERY_MS = 1000;
const RETRY_MS = 1500;
const WALL_CLOCK_MS = 500; // by more the delay of the network explains no difference between the wall's clock and the site's
const TOLD_MS = 300_000; // a game that ended unheard is told for so long
const WON_MS = 2000; // a result that was on the screen for less may not have been seen
const RETRIED = new Set(["getting_ready", "too_many_games"]); // refusals of NEW that pass
const config = JSON.parse(document.getElementById("play-config").textContent);
const one = (selector) => document.querySelector(selector);
addTexts(config.texts);
const page = one("[data-play]");
const area = one("[data-area]");
const holder = one("[data-board]");
const status = one("[data-status]");
const faceButton = one("[data-face]");

const game = { id: null, bytes: new Uint8Array(), cellPx: 16, awaited: 0, over: true };
let machine = null;
let connection = null;
let connected = false;
let agreed = false; // since the connection is open, GAME has said how far the server is
let news = ""; // of the game before; told when the next one has come

const settings = new Settings(one("[data-settings]"), applySetting);
const frame = one("[data-frame]");
const board = new Board({ area, frame, holder, canvas: one("[data-board] canvas"), cursor: one("[data-cursor]"), face: (cell) => machine.face(cell) });
const counters = new Counters(page, () => machine, config.from_one);
const seconds = (ms) => counters.seconds(ms);
const results = new Results({
  line: one("[data-line]"), table: one("[data-games]"), row: one("[data-row]"), empty: one("[data-no-games]"),
  gameUrl: page.dataset.gameUrl, statusUrl: page.dataset.statusUrl, seconds,
});
const running = new Running({ account: config.account, sitting: page.dataset.sitting });
const session = new Session({ root: page, name: page.dataset.sitting, seconds });
new Menu({ dialog: one("[data-menu]"), settings, side: one("[data-side]"), after: () => holder.focus({ preventScroll: true }) });

const place = (x, y) => board.place(x, y, game.cellPx);
const cellAt = (x, y) => board.cellAt(x, y, game.cellPx);
const isOpen = (cell) => machine.isOpen(cell);
const chordsAlone = (cell) => settings.values.alone && cell >= 0 && machine.isOpen(cell);

const recorder = new Recorder({
  area, place, cellAt, chordsAlone, onButton: acted,
  onMove: (cell) => machine.hover(cell),
  send,
});
const keys = new Keys({
  holder, live: one("[data-live]"), board, recorder, label: (cell) => machine.label(cell), isOpen, chordsAlone, cellPx: () => game.cellPx,
  bindings: () => settings.keys, restart, playing: () => recorder.begun && !game.over,
});
const touch = new Touch({ frame, recorder, place, cellAt, chordsAlone, mode: () => settings.values.touch, wanted: useTouch, isOpen });
new Pinch({ frame, board, began: () => touch.cancel(), ended: showZoom });

// Buttons go over a second socket too: the earlier arrival counts, so a lost packet costs no time.
function send(seq, events) {
  keep();
  if (!agreed) return;
  connection.send({ type: "input", seq, events });
  if (events.some(({ kind }) => kind !== KIND.MOVE)) copies.send({ type: "copy", game: game.bytes, seq, events });
}

// --- a page that is loaded again in the middle of a game ---

// The site keeps no game before its first cell.
function keep(wonAt = 0) {
  if ((game.over && !wonAt) || !game.id || counters.startedAt === null) return;
  const { marks, alone, touch: mode } = settings.values;
  running.keep({
    id: game.id, at: Date.now(), wonAt, bytes: [...game.bytes], nonce: [...game.nonce], cellPx: game.cellPx, settings: { marks, alone, touch: mode },
    zero: performance.timeOrigin + recorder.zero, begun: counters.startedAt - recorder.zero, clicks: machine.clicks, recorded: recorder.kept,
  });
}

// Nothing can be clicked before GAME has brought the picture.
function takeUp(kept) {
  settings.use(kept.settings);
  clear();
  const { id, cellPx, clicks } = kept;
  Object.assign(game, { id, cellPx, bytes: Uint8Array.from(kept.bytes), nonce: Uint8Array.from(kept.nonce), takenUp: kept });
  Object.assign(machine, { clicks });
  recorder.restore(kept.recorded);
  counters.show();
}

// The clocks go on.  The wall's clock tells how long the page was away, unless it was set meanwhile: then the site's does,
// whose clock shows less than the page's by the delay of the network.
function setClocks({ zero, begun }, { resumed, elapsed_ms: elapsed }) {
  const now = performance.now();
  const byWall = performance.timeOrigin + now - zero;
  const least = begun + elapsed;
  recorder.zero = now - (resumed && (byWall < least || byWall > least + WALL_CLOCK_MS) ? least : byWall);
  counters.start(recorder.zero + begun);
}

// A ranked game is lost with its page, if nobody comes back to it in time.
addEventListener("beforeunload", (event) => {
  const begun = counters.startedAt !== null && !game.over;
  if (begun && config.ranked && !page.hasAttribute("data-unranked-settings")) event.preventDefault();
});

// --- the visitor ---

function acted(kind, cell, seq, time) {
  for (const hint of page.querySelectorAll("[data-hint]")) hint.remove();
  machine.act(kind, cell, seq, time);
  if (machine.opened !== null) counters.start(machine.opened);
  showFace();
  counters.show();
  keep();
}

function applySetting(name) {
  if (name === "zoom") board.setZoom(settings.values.zoom);
  else if (name !== "skin") restart(); // what a game was played with is fixed before it begins
  showChoices();
}

// What a tap does may change at any time; that fingers play is fixed before the game begins.
function setMode(mode) {
  const fingers = settings.values.touch !== "off";
  settings.set("touch", mode);
  if (!fingers) restart();
  showChoices();
}

function showZoom() {
  one("[data-zoom]").setAttribute("aria-pressed", String(!board.whole));
}

// A finger touches the board of a game that was begun for a mouse, by a visitor who has not switched fingers off.
function useTouch() {
  if (settings.chosen.has("touch") || (recorder.begun && !game.over)) return false;
  settings.set("touch", "open");
  showChoices();
  restart();
  return true;
}

function showChoices() {
  const { alone, touch: mode } = settings.values;
  const allowed = config.rank_settings;
  const reason = (alone && !allowed.left_chords && "left_chords") || (mode !== "off" && !allowed.touch && "touch");
  const settled = config.reason === "guest" ? "" : config.reason; // guests may sign up, touch stays unranked
  one("[data-unranked]").textContent = settled || reason || config.reason ? text(settled || reason || config.reason) : "";
  if (config.ranked) {
    one("[data-ranked]").classList.toggle("not", Boolean(reason));
    one("[data-ranked-text]").textContent = text(reason || "ranked");
  }
  page.toggleAttribute("data-unranked-settings", Boolean(reason));
  page.toggleAttribute("data-fingers", mode !== "off");
  for (const button of page.querySelectorAll("[data-mode]")) button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
}

function showFace() {
  let face = "smile";
  if (machine.over) face = game.result === WON ? "won" : game.result === LOST ? "lost" : "smile";
  else if (machine.left || machine.middle) face = "press";
  faceButton.dataset.face = face;
}

function restart() {
  running.forget();
  clear();
  if (connected) ask();
}

// A fresh board at once; what is clicked from now on is sent when the game has come.
function clear() {
  Object.assign(game, { id: null, bytes: new Uint8Array(), over: false, searched: false, result: 0, takenUp: null });
  game.cellPx = board.cell;
  machine = new Machine({ ...config, marks: settings.values.marks, changed: (cell) => board.paint(cell) });
  recorder.reset();
  if (board.rows) board.paintAll();
  results.clear();
  counters.reset();
  showFace();
}

function ask() {
  game.awaited += 1;
  connection.send({ type: "new", cell_px: game.cellPx, settings: settings.bits(recorder.coarse), device: JSON.stringify(device()) });
}

function device() {
  const { zoom, touch, alone } = settings.values;
  const pointer = touch === "off" ? "mouse" : "touch";
  return { pointer, zoom, dpr: devicePixelRatio, cell: board.cell, chords: alone ? "left alone" : "both", isolated: self.crossOriginIsolated };
}

// --- the server ---

const answers = {
  game: arrived,
  faces: showAnswer,
  over: finish,
  stored,
  working: searching,
  error: refused,
};
let queue = Promise.resolve(); // unpacking takes a moment; later messages wait for it

function received(message) {
  queue = queue.then(() => answers[message.type]?.(message)).catch((error) => reportError(error));
}

async function arrived(message) {
  say("");
  const goesOn = game.id === uuid(message.game);
  if (!goesOn) game.awaited -= 1;
  if (game.awaited > 0) return; // restarted again meanwhile
  page.dataset.commit = [...message.commit].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (goesOn) return goOn(message);
  game.bytes = message.game;
  game.id = uuid(message.game);
  game.nonce = crypto.getRandomValues(new Uint8Array(16));
  connection.send({ type: "start", nonce: game.nonce });
  agreed = true;
  recorder.open();
  tell(news);
  news = "";
}

// The connection is back; what the server has not got is sent again.
async function goOn(message) {
  const { takenUp } = game;
  if (message.last_seq > recorder.seq) return connection.send({ type: "leave" }); // where its pointer was is not known any more
  if (takenUp) setClocks(takenUp, message);
  if (message.last_seq === 0) connection.send({ type: "start", nonce: game.nonce });
  if (message.shown.length) machine.restore(await unpack(message.shown));
  agreed = true;
  recorder.resume(message.last_seq);
  if (takenUp) recorder.letGo(); // whatever was held when the page was left
  game.takenUp = null;
  counters.show();
}

function showAnswer({ seq, faces }) {
  if (game.awaited) return; // of the game before
  recorder.answered(seq);
  machine.apply(seq, faces);
  if (game.searched) counters.startedAt = performance.now(); // the search for the board is not timed
  game.searched = false;
  keep();
  say("");
  keys.describe();
}

// The first click waits for a board without guesses.
function searching() {
  game.searched = true;
  say("working");
}

function finish(message) {
  if (game.awaited || game.over) return;
  say("");
  game.over = true;
  game.result = message.result;
  recorder.stop();
  if (message.result === WON && !game.takenUp) keep(Date.now());
  else running.forget();
  machine.finish((cell) => (message.mines[cell >> 3] >> (7 - (cell & 7))) & 1, message.result === WON);
  counters.finish(message.time_ms);
  showFace();
  const { time_ms: timeMs, result, ranked, reason, bv, bv_done: bvDone } = message;
  results.over({ game: game.id, result, timeMs, addedMs: addedBy(message), ranked, reason, clicks: counters.clicks, bv, bvDone });
  if ((result === WON || result === LOST) && !game.takenUp?.wonAt) {
    session.over(result === WON, timeMs);
    offerToSave();
  }
  keys.describe();
}

// A guest who has played some games is told how to keep them.
function offerToSave() {
  const offer = page.querySelector("[data-save]");
  if (!offer) return;
  offer.dataset.played = Number(offer.dataset.played) + 1;
  offer.hidden = Number(offer.dataset.played) < Number(offer.dataset.save);
  one("[data-line]").classList.toggle("keeps", !offer.hidden);
}

function stored(message) {
  const best = results.stored({ ...message, game: uuid(message.game) });
  if (best) showGoal(one("[data-goal]"), best);
}

// A hold-up in the network cannot be told from a late click, so what goes beyond the usual jitter counts.
function addedBy({ result, time_ms, client_ms }) {
  return result === WON || result === LOST ? Math.max(0, time_ms - client_ms) : 0;
}

function stateChanged(change) {
  machine.setUnheard(change.state !== "open" && change.state !== "back");
  if (change.state === "quiet") say("state.quiet");
  else if (change.state === "back") say("");
  else connectionChanged(change);
}

function connectionChanged({ state, code, reason, problem }) {
  connected = state === "open";
  agreed = false;
  page.dataset.state = state;
  if (state === "open") {
    say("");
    game.awaited = 0;
    if (!game.over && !game.bytes.length) ask(); // else the first message has named the game to go on with
  } else if (state === "closed") tell(textOf([`closed.${code}`, reason], problem?.detail ?? text("closed")));
  else tell(textOf([reason, `state.${state}`], ""));
}

// The server refuses something; a game that cannot go on is over here too.
function refused({ code, message }) {
  if (RETRIED.has(code) && game.awaited) {
    game.awaited = 0;
    setTimeout(() => connected && !game.awaited && !game.id && ask(), RETRY_MS);
  }
  if (code !== "no_game") tell(textOf([code], message));
  else if (!game.over) {
    showEnd(message).catch((error) => {
      reportError(error);
      restart();
    });
  }
}

// The game has ended unheard: it is told how, and else there is a fresh board.
async function showEnd(message) {
  const { id, takenUp } = game;
  const unheard = recorder.isUnheard; // most likely no cell was opened, so nothing is lost
  recorder.listening = false;
  const isOld = takenUp && Date.now() - takenUp.at > TOLD_MS;
  const end = (takenUp || counters.startedAt !== null) && !isOld ? await endOf(id) : null;
  if (game.id !== id || game.over) return;
  if (end === RUNNING) return connection.again(); // at another process of the site, which has just begun to tell of it
  if (end === null) {
    news = unheard || isOld ? "" : textOf(["no_game"], message);
    return restart();
  }
  if (end.result === WON) machine.restore(shownWhenWon(end.mines, config));
  finish(end);
  if (end.replay) stored({ ...end, game: game.bytes, rank: 0, best: false, before_ms: 0 });
}

function say(key) {
  status.textContent = key ? text(key) : "";
}

function tell(sentence) {
  status.textContent = sentence;
}

for (const button of page.querySelectorAll("[data-restart]")) {
  button.addEventListener("click", () => {
    restart();
    holder.focus({ preventScroll: true });
  });
}
for (const button of page.querySelectorAll("[data-mode]")) button.addEventListener("click", () => setMode(button.dataset.mode));
one("[data-zoom]").addEventListener("click", () => {
  board.toggleZoom();
  showZoom();
});
shareOn(one("[data-share]"), () => results.shared, say);
board.zoom = settings.values.zoom;
machine = new Machine({ ...config, marks: settings.values.marks, changed: () => {} });
board.shape(config.rows, config.columns);
const kept = await running.take();
if (kept && (!kept.wonAt || Date.now() - kept.wonAt < WON_MS)) takeUp(kept);
else {
  running.forget();
  clear();
}
showChoices();
showGoal(one("[data-goal]"), config.best_ms);
page.dataset.state = "connecting"; // shows the board (play.css)
holder.focus({ preventScroll: true });
const { level, rules, rows, columns, mines } = config;
setInterval(() => counters.lag(connection.lag()), LAG_EVERY_MS);
connection = connect({
  purpose: "solo", target: { level, rules, rows, columns, mines }, onMessage: received, onState: stateChanged,
  hello: () => ({ epoch: 0, number: 0, game: game.over ? new Uint8Array() : game.bytes }),
  oldestClick: () => (game.over || game.searched ? null : recorder.oldestClick),
});
const copies = connect({ purpose: "solo", path: "copy/", target: { level, rules, rows, columns, mines }, onMessage: () => {} });
