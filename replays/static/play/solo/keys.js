// Playing by keyboard: a cell cursor, recorded as a mouse in the middle of its cell.

import { BLAST, CLOSED, FLAG, MINE, QUESTION, WRONG_FLAG } from "../skin.js";
import { KIND } from "./recorder.js";
import { text } from "./texts.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const ACTS = {
  Enter: [KIND.LEFT_PRESS, KIND.LEFT_RELEASE],
  " ": [KIND.LEFT_PRESS, KIND.LEFT_RELEASE],
  f: [KIND.RIGHT_PRESS, KIND.RIGHT_RELEASE],
  c: [KIND.MIDDLE_PRESS, KIND.MIDDLE_RELEASE],
};
const NAMES = { [BLAST]: "blast", [CLOSED]: "closed", [FLAG]: "flag", [QUESTION]: "question", [WRONG_FLAG]: "wrong_flag", [MINE]: "mine" };
const FIELDS = "input, textarea, select, [contenteditable]";
const BUTTONS = "button, a, summary";

export class Keys {
  // `holder` has the focus; `live` is the region that a screen reader reads; `label(cell)` what a cell shows.
  // `playing()`: whether a game has begun and is not over.
  constructor({ holder, live, board, recorder, label, cellPx, restart, playing }) {
    Object.assign(this, { holder, live, board, recorder, label, cellPx, restart, playing });
    document.addEventListener("keydown", (event) => this.#key(event));
    // The frame of the focus shows for who uses keys: the board has the focus from the beginning.
    document.addEventListener("keydown", () => holder.classList.add("by-keys"), { capture: true });
    addEventListener("mousedown", () => holder.classList.remove("by-keys"));
    holder.addEventListener("blur", () => board.setCursor(-1));
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
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.target.closest?.(FIELDS) && key !== "F2") return;
    if (key === "F2" || key === "r") {
      event.preventDefault();
      if (!event.repeat) this.restart();
    } else if (event.target.closest?.(BUTTONS)) return;
    else if (this.holder.contains(event.target)) this.#onBoard(event, key);
    if (key === " " && (this.playing() || this.holder.contains(event.target))) event.preventDefault(); // it would scroll
  }

  #onBoard(event, key) {
    const cell = this.board.cursorCell;
    if (STEPS[key]) {
      event.preventDefault();
      this.#step(cell, STEPS[key], event.timeStamp);
    } else if (ACTS[key] && cell >= 0) {
      event.preventDefault();
      if (event.repeat) return;
      const [press, release] = ACTS[key];
      const { x, y } = this.#centre(cell);
      this.recorder.button(press, x, y, event.timeStamp);
      this.recorder.button(release, x, y, event.timeStamp);
      this.describe();
    }
  }

  #step(cell, [down, right], stamp) {
    const { rows, columns } = this.board;
    const limit = (value, most) => Math.max(0, Math.min(most - 1, value));
    const row = cell < 0 ? Math.floor(rows / 2) : limit(Math.floor(cell / columns) + down, rows);
    const column = cell < 0 ? Math.floor(columns / 2) : limit((cell % columns) + right, columns);
    const next = row * columns + column;
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
