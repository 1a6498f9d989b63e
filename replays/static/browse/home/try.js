// The Beginner board of the home page: that of the record, which everybody may know, so it is played here alone and never
// ranks.  The click machine and the recorder are those of /play/; the answers come from the mines that the page has.

import { BLAST, CLOSED, FLAG } from "../../play/skin.js";
import { KEYS, Keys } from "../../play/solo/table/keys.js";
import { Machine } from "../../play/solo/table/machine.js";
import { Recorder } from "../../play/solo/table/recorder.js";
import { addTexts, text } from "../../play/solo/texts.js";
import { Touch } from "../../play/solo/table/touch.js";
import { Board } from "../../play/room/rules/paper.js";
import { Led, secondsText } from "../../play/look/led.js";

const CELL = 100; // units of the drawing, which are the px of the game
const config = JSON.parse(document.getElementById("trial-config").textContent);
const { rows, columns, first } = config;
const root = document.querySelector("[data-try]");
const one = (name) => root.querySelector(`[data-${name}]`);
const [holder, area, say] = [one("board"), one("area"), one("say")];
const led = new Led(root.querySelector('[data-led="own"] svg'));
const svg = holder.querySelector("svg");
const pictures = svg.querySelectorAll("use");
const asked = say.textContent;
addTexts(config.texts);

const mines = Uint8Array.from({ length: rows * columns }, (_none, cell) => (parseInt(config.mines[cell >> 2], 16) >> (3 - (cell & 3))) & 1);
const board = new Board(rows, columns, mines);
let machine;

function paint(cell) {
  const symbol = `#cell-${machine.face(cell)}`;
  if (pictures[cell].getAttribute("href") !== symbol) pictures[cell].setAttribute("href", symbol);
}

function place(clientX, clientY) {
  const box = svg.getBoundingClientRect();
  const units = (columns * CELL) / box.width;
  return { x: Math.floor((clientX - box.left) * units), y: Math.floor((clientY - box.top) * units) };
}

function cellAt(x, y) {
  const [row, column] = [Math.floor(y / CELL), Math.floor(x / CELL)];
  return row >= 0 && row < rows && column >= 0 && column < columns ? row * columns + column : -1;
}

const chordsAlone = (cell) => cell >= 0 && machine.isOpen(cell);
const recorder = new Recorder({ area, place, cellAt, chordsAlone, send: () => {}, onMove: (cell) => machine.hover(cell), onButton: acted });
const isOpen = (cell) => machine.isOpen(cell);
new Touch({ frame: area, recorder, place, cellAt, chordsAlone, mode: () => "open", wanted: () => true, isOpen });

// The cursor of the keyboard, as `Keys` moves it.
const marker = document.createElementNS(svg.namespaceURI, "rect");
for (const [name, value] of Object.entries({ class: "at", width: CELL, height: CELL, visibility: "hidden" })) marker.setAttribute(name, value);
svg.append(marker);
const cursor = {
  rows, columns, cursorCell: -1,
  setCursor(cell) {
    this.cursorCell = cell;
    marker.setAttribute("visibility", cell < 0 ? "hidden" : "visible");
    marker.setAttribute("x", (cell % columns) * CELL);
    marker.setAttribute("y", Math.floor(cell / columns) * CELL);
  },
};
const keys = new Keys({ holder, live: one("live"), board: cursor, recorder, label: (cell) => machine.label(cell), isOpen, chordsAlone, cellPx: () => CELL, bindings: () => KEYS, restart: begin, playing: () => machine.opened !== null && !machine.over });

function begin() {
  machine = new Machine({ rows, columns, mines: config.count, marks: false, changed: paint });
  recorder.reset();
  recorder.open();
  if (first !== null) machine.apply(0, openedBy(first));
  for (let cell = 0; cell < rows * columns; cell += 1) paint(cell);
  say.textContent = asked;
  one("over").hidden = true;
  root.dataset.state = "ready";
  led.showTime(config.from_one);
}

// A mine has the number 9, which is the face of one that exploded.
const openedBy = (cell) => (board.numbers[cell] === 0 ? board.cover(cell) : [cell]).map((open) => ({ cell: open, face: board.numbers[open] }));

// A button: what the machine shows for it until there is an answer is the question.
function acted(kind, cell, seq, time) {
  const before = machine.opened;
  machine.act(kind, cell, seq, time);
  const asks = [...machine.own];
  const faces = asks.flatMap(([at, { face }]) => (face === CLOSED || face === FLAG ? [{ cell: at, face }] : openedBy(at)));
  machine.apply(seq, faces);
  recorder.answered(recorder.seq);
  if (before === null && machine.opened !== null) run();
  if (faces.some(({ face }) => face === BLAST)) finish(false, time);
  else if (machine.shown.every((face, at) => mines[at] || face < BLAST)) finish(true, time);
  else keys.describe();
}

const seconds = (time) => (time - machine.opened) / 1000;

function run() {
  const playing = machine;
  root.dataset.state = "playing";
  const frame = () => {
    if (machine !== playing || machine.over) return;
    led.showTime(seconds(performance.now()) + config.from_one);
    requestAnimationFrame(frame);
  };
  frame();
}

function finish(won, time) {
  const taken = Math.floor(seconds(time) * 1000) / 1000;
  const shown = taken + config.from_one;
  machine.finish((cell) => mines[cell] === 1, won);
  recorder.stop();
  root.dataset.state = won ? "won" : "lost";
  led.showTime(shown);
  const faster = taken < config.best;
  say.textContent = text(won ? (faster ? "faster" : "won") : "lost", { time: secondsText(shown, led.decimals), gap: secondsText(taken - config.best, led.decimals) });
  one("over").hidden = false;
  keys.describe();
}

one("again").addEventListener("click", begin);
begin();
root.dataset.ready = "";
