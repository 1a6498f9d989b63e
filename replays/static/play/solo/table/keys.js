// Playing by keyboard: keys act on the cell under the mouse, or on that of a cell cursor which the arrows move; recorded
// as a mouse that clicks there.

import { keyOf } from "../../../web/key.js";
import { BLAST, CLOSED, FLAG, MINE, QUESTION, WRONG_FLAG } from "../../skin.js";
import { KIND } from "./recorder.js";
import { text } from "../texts.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const OPEN = [KIND.LEFT_PRESS, KIND.LEFT_RELEASE];
const ALONE = [KIND.SHIFT_LEFT_PRESS, KIND.LEFT_RELEASE];
const FLAGS = [KIND.RIGHT_PRESS, KIND.RIGHT_RELEASE];
const CHORD = [KIND.MIDDLE_PRESS, KIND.MIDDLE_RELEASE];
const NAMES = { [BLAST]: "blast", [CLOSED]: "closed", [FLAG]: "flag", [QUESTION]: "question", [WRONG_FLAG]: "wrong_flag", [MINE]: "mine" };
// What a key does at the cell under the cursor, until somebody sets others; F2 always begins a new game.
export const KEYS = { open: "Enter", flag: "f", chord: "c", mark: " ", restart: "r" };
const FIELDS = "input, textarea, select, [contenteditable], dialog";
const BUTTONS = "button, a, summary";

export class Keys {
  // `holder` has the focus; `live` is the region that a screen reader reads; `label(cell)` what a cell shows.
  // `bindings()`: the key of each action.  `playing()`: whether a game has begun and is not over.
  constructor({ holder, live, board, recorder, label, isOpen, chordsAlone, cellPx, bindings, restart, playing }) {
    Object.assign(this, { holder, live, board, recorder, label, isOpen, chordsAlone, cellPx, bindings, restart, playing });
    document.addEventListener("keydown", (event) => this.#key(event));
    // The frame of the focus shows for who uses keys: the board has the focus from the beginning.
    document.addEventListener("keydown", () => holder.classList.add("by-keys"), { capture: true });
    addEventListener("mousedown", () => holder.classList.remove("by-keys"));
    holder.addEventListener("blur", () => board.setCursor(-1));
    holder.addEventListener("mousemove", ({ movementX, movementY }) => {
      if (board.cursorCell >= 0 && (movementX || movementY)) board.setCursor(-1); // the mouse is the cursor now
    });
  }

  // Say again what the cursor's cell shows, if it shows something else now.
  describe() {
    const cell = this.board.cursorCell;
    if (cell < 0) return;
    const face = this.label(cell);
    const shows = face <= 8 ? (face ? String(face) : text("cell.empty")) : text(`cell.${NAMES[face] ?? "pending"}`);
    const row = Math.floor(cell / this.board.columns) + 1;
    const said = text("cell", { row, column: (cell % this.board.columns) + 1, shows });
    if (this.live.textContent !== said) this.live.textContent = said;
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const key = keyOf(event);
    const { target } = event;
    if (target.closest?.(FIELDS) && key !== "F2") return;
    const ours = this.holder.contains(target) || target === document.body;
    if (key === "F2" || key === this.bindings().restart) {
      event.preventDefault();
      if (!event.repeat) this.restart();
    } else if (target.closest?.(BUTTONS)) return;
    else if (ours) this.#onBoard(event, key);
    if (key === " " && (this.playing() || ours)) event.preventDefault(); // it would scroll
  }

  #onBoard(event, key) {
    const { recorder, board } = this;
    const under = recorder.cellAt(recorder.point.x, recorder.point.y);
    const cell = board.cursorCell < 0 ? under : board.cursorCell;
    if (STEPS[key]) {
      event.preventDefault();
      return this.#step(board.cursorCell, cell, STEPS[key], event.timeStamp);
    }
    const buttons = cell >= 0 && this.#buttons(key, cell);
    if (!buttons) return;
    event.preventDefault();
    if (event.repeat) return;
    const { x, y } = board.cursorCell < 0 ? recorder.point : this.#centre(cell);
    for (const kind of buttons) recorder.button(kind, x, y, event.timeStamp);
    this.describe();
  }

  #buttons(key, cell) {
    const { open, flag, chord, mark } = this.bindings();
    if (key === open) return this.chordsAlone(cell) ? ALONE : OPEN;
    if (key === flag || (key === mark && !this.isOpen(cell))) return FLAGS;
    return key === chord || key === mark ? CHORD : null;
  }

  #step(cursor, from, [down, right], stamp) {
    const { rows, columns, turned } = this.board;
    if (turned) [down, right] = [right, down];
    const limit = (value, most) => Math.max(0, Math.min(most - 1, value));
    let next = from < 0 ? Math.floor(rows / 2) * columns + Math.floor(columns / 2) : from; // the first arrow shows the cursor
    if (cursor >= 0) next = limit(Math.floor(cursor / columns) + down, rows) * columns + limit((cursor % columns) + right, columns);
    this.board.setCursor(next);
    const { x, y } = this.#centre(next);
    this.recorder.moveTo(x, y, stamp);
    this.describe();
  }

  #centre(cell) {
    const px = this.cellPx();
    const middle = (index) => index * px + Math.floor(px / 2);
    return { x: middle(cell % this.board.columns), y: middle(Math.floor(cell / this.board.columns)) };
  }
}
