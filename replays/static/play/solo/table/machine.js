// What the visitor sees before the server has answered: held buttons, pressed cells, own flags, counted clicks.
// The same rules as the click machine of the server (analysis/kernels/click_machine.py), without knowledge of mines.

import { around } from "../../around.js";
import { BLAST, CLOSED, FLAG, MINE, PENDING, PRESSED, PRESSED_QUESTION, QUESTION, WRONG_FLAG } from "../../skin.js";
import { KIND } from "./recorder.js";

export class Machine {
  // `changed(cell)` is called for every cell that may look different.
  constructor({ rows, columns, mines, marks, changed }) {
    Object.assign(this, { rows, columns, mines, marks, changed });
    this.shown = new Uint8Array(rows * columns).fill(CLOSED); // what the server has said
    this.own = new Map(); // cell -> {face, seq}: what we show until the answer to message `seq`
    this.left = this.right = this.middle = this.leftValid = this.rightValid = this.shift = false;
    this.clicks = { left: 0, right: 0, double: 0 };
    this.pressed = new Set();
    this.unheard = false; // the server is not heard: own clicks on cells are still to be answered
    this.opened = null; // time of the first click on a closed cell
    this.over = false;
  }

  label(cell) {
    return this.own.get(cell)?.face ?? this.shown[cell];
  }

  // What to draw.
  face(cell) {
    const label = this.label(cell);
    if (this.unheard && label === PRESSED) return PENDING;
    if (!this.pressed.has(cell)) return label;
    if (label === CLOSED) return PRESSED;
    return label === QUESTION ? PRESSED_QUESTION : label;
  }

  get flags() {
    let count = 0;
    for (let cell = 0; cell < this.shown.length; cell += 1) count += this.label(cell) === FLAG;
    return count;
  }

  isOpen(cell) {
    return this.label(cell) <= BLAST;
  }

  // Closed and without a flag; a question mark protects nothing.
  isClosed(cell) {
    const label = this.label(cell);
    return label === CLOSED || label === QUESTION;
  }

  // A button event at a cell (-1: outside), sent as message `seq`, at `time` (ms of performance.now()).
  act(kind, cell, seq, time) {
    if (this.over) return;
    if (kind === KIND.LEFT_PRESS || kind === KIND.SHIFT_LEFT_PRESS) {
      this.left = this.leftValid = true;
      this.shift ||= kind === KIND.SHIFT_LEFT_PRESS;
    } else if (kind === KIND.LEFT_RELEASE) this.#leftRelease(cell, seq, time);
    else if (kind === KIND.RIGHT_PRESS) this.#rightPress(cell, seq);
    else if (kind === KIND.RIGHT_RELEASE) this.#rightRelease(cell, seq);
    else if (kind === KIND.MIDDLE_PRESS) this.middle = true;
    else if (kind === KIND.MIDDLE_RELEASE) {
      this.middle = false;
      this.#chord(cell, seq);
    }
    this.hover(cell);
  }

  // The cursor is over a cell (-1: outside): which cells look pressed.
  hover(cell) {
    const chord = this.middle || (this.left && (this.right || this.shift));
    let now = [];
    if (cell >= 0 && !this.over) {
      if (chord) now = [cell, ...around(cell, this)];
      else if (this.left && this.leftValid) now = [cell];
    }
    const before = this.pressed;
    this.pressed = new Set(now);
    for (const changed of new Set([...before, ...now])) {
      if (before.has(changed) !== this.pressed.has(changed)) this.changed(changed);
    }
  }

  // Whether the server is heard has changed.
  setUnheard(unheard) {
    this.unheard = unheard;
    for (const cell of this.own.keys()) this.changed(cell);
  }

  // The answer to message `seq`: faces of cells.  What we showed for it by ourselves is forgotten.
  apply(seq, faces) {
    const dirty = new Set();
    for (const { cell, face } of faces) {
      this.shown[cell] = face;
      if (face <= BLAST) this.own.delete(cell);
      dirty.add(cell);
    }
    for (const [cell, { seq: asked }] of this.own) {
      if (asked <= seq) {
        this.own.delete(cell);
        dirty.add(cell);
      }
    }
    dirty.forEach(this.changed);
  }

  // The whole picture, after a connection came back.
  restore(shown) {
    this.shown.set(shown);
    this.own.clear();
    for (let cell = 0; cell < shown.length; cell += 1) this.changed(cell);
  }

  // The game is over: `isMine(cell)` is known now.
  finish(isMine, won) {
    this.over = true;
    this.own.clear();
    this.pressed.clear();
    for (let cell = 0; cell < this.shown.length; cell += 1) {
      const face = this.shown[cell];
      const closed = face === CLOSED || face === QUESTION;
      if (isMine(cell) && closed) this.shown[cell] = won ? FLAG : MINE;
      else if (!isMine(cell) && face === FLAG) this.shown[cell] = WRONG_FLAG;
      this.changed(cell);
    }
  }

  #show(cell, face, seq) {
    this.own.set(cell, { face, seq });
    this.changed(cell);
  }

  #leftRelease(cell, seq, time) {
    if (this.right || this.shift) this.#chord(cell, seq);
    else if (this.leftValid) {
      this.clicks.left += 1;
      if (cell >= 0 && this.isClosed(cell)) {
        this.opened ??= time;
        this.#show(cell, PRESSED, seq);
      }
    }
    this.left = this.leftValid = this.rightValid = this.shift = false;
  }

  #rightPress(cell, seq) {
    if (!this.left) {
      const label = cell < 0 ? BLAST : this.label(cell);
      const closed = label === CLOSED || label === FLAG || label === QUESTION;
      if (closed) {
        const next = { [CLOSED]: FLAG, [FLAG]: this.marks ? QUESTION : CLOSED, [QUESTION]: CLOSED };
        this.#show(cell, next[label], seq);
        this.clicks.right += 1;
      }
      this.rightValid = !closed;
    }
    this.right = true;
  }

  #rightRelease(cell, seq) {
    if (this.left) this.#chord(cell, seq);
    else if (this.rightValid) this.clicks.right += 1;
    this.right = this.leftValid = this.rightValid = this.shift = false;
  }

  // Cells that will open keep the pressed look until the answer; a cell whose number has not come yet may be any.
  #chord(cell, seq) {
    this.clicks.double += 1;
    if (cell < 0) return;
    const label = this.label(cell);
    const beside = around(cell, this);
    const flags = beside.filter((neighbour) => this.label(neighbour) === FLAG).length;
    const fits = label === PRESSED || (label < BLAST && (label === 0 || label === flags));
    if (!fits) return;
    for (const neighbour of beside) if (this.isClosed(neighbour)) this.#show(neighbour, PRESSED, seq);
  }
}
