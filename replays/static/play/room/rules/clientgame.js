// What a browser knows of a room's board: who owns which cell, flags, own clicks that nobody has confirmed yet.
// Messages may come in any order and more than once; the picture in the end is that of the server (least stamp of each cell).
// In an open room the browser knows the mines (`mines`) and opens by itself; in a sealed one the cells come with the moves.

import { around } from "../../around.js";
import { Board, CLOSED, FLAG, MINE } from "./paper.js";

export const KIND = { open: 1, flag: 2, chord: 3, unflag: 4 };
const NEVER = 0xffffffff;
const NUMBERS = new Set([1, 2, 3, 4, 5, 6, 7, 8]);

export class ClientGame {
  constructor({ rows, columns, mines = null }) {
    this.rows = rows;
    this.columns = columns;
    this.size = rows * columns;
    this.board = mines && new Board(rows, columns, mines);
    this.claims = new Uint8Array(this.size); // own clicks without a stamp whose cover holds the cell
    this.pending = new Map(); // own move number -> {cells, stamp}
    this.moves = new Map(); // by stamp: all that came since the snapshot
    this.base = null; // the snapshot
    this.clear();
  }

  clear() {
    this.faces = new Uint8Array(this.size).fill(CLOSED); // of opened cells: 0 to 8, or a mine that blew
    this.stamps = new Uint32Array(this.size).fill(NEVER);
    this.owners = new Uint16Array(this.size);
    this.flagStamps = new Uint32Array(this.size);
    this.flaggers = new Uint16Array(this.size);
    this.scores = new Map(); // player -> {score, blasts}: cells owned, mines owned
    this.last = 0; // the greatest stamp
    this.inOrder = true; // no flag and no chord yet: covers alone, whose order does not matter
    this.changed = new Set();
    this.allChanged = true;
    this.repainted = 0; // cells that changed their owner
  }

  // --- what a cell shows ---

  isOpen(cell) {
    return this.stamps[cell] !== NEVER || this.claims[cell] > 0;
  }

  face(cell) {
    if (this.isOpen(cell)) {
      const face = this.board ? this.board.numbers[cell] : this.faces[cell];
      const isAnswered = this.stamps[cell] !== NEVER;
      if (isAnswered || face !== MINE) return face; // a mine blows when the server says so
    }
    return this.flaggers[cell] ? FLAG : CLOSED;
  }

  // The player whose colour the cell has; 0 for nobody: closed, or opened by an own click without an answer.
  owner(cell) {
    return this.stamps[cell] !== NEVER ? this.owners[cell] : this.flaggers[cell];
  }

  // Flags and mines that were hit.
  get minesKnown() {
    let known = this.flaggers.reduce((sum, flagger) => sum + (flagger ? 1 : 0), 0);
    for (const { blasts } of this.scores.values()) known += blasts;
    return known;
  }

  // The cells that look different since the last call, or null for all of them.
  takeChanges() {
    const changes = this.allChanged ? null : [...this.changed];
    this.changed.clear();
    this.allChanged = false;
    return changes;
  }

  // The other cells that an accepted click on a number opened: the paper's rule.  Of other moves none.
  besides(stamp) {
    const { kind, cell, cells } = this.moves.get(stamp) ?? {};
    if (kind !== KIND.open || !NUMBERS.has(this.face(cell))) return [];
    const opened = this.board ? this.board.cover(cell) : cells.map((one) => one.cell);
    return opened.filter((one) => one !== cell && this.stamps[one] === stamp);
  }

  // --- messages ---

  // A move that the server accepted: {stamp, player, kind, cell, cells}; `cells`, {cell, face} each, in sealed rooms only.
  // Returns whether it was new.
  receive(move) {
    if (this.moves.has(move.stamp) || move.stamp <= (this.base?.number ?? 0)) return false;
    this.moves.set(move.stamp, move);
    const late = move.stamp < this.last;
    if (this.board && late && !(this.inOrder && move.kind === KIND.open)) this.#rebuild();
    else this.#apply(move);
    for (const [own, { stamp }] of this.pending) if (stamp === move.stamp) this.#release(own);
    return true;
  }

  // The picture after move `number`: faces (0 to 9, CLOSED, FLAG) and owners, cell by cell.
  snapshot(number, faces, owners) {
    if (number < (this.base?.number ?? 0)) return;
    this.base = { number, faces, owners };
    for (const stamp of this.moves.keys()) if (stamp <= number) this.moves.delete(stamp);
    this.#rebuild();
    for (const [own, { stamp }] of this.pending) if (stamp && stamp <= number) this.#release(own);
  }

  // --- own clicks (open rooms): open at once, without a colour, until the answer ---

  click(own, kind, cell) {
    if (!this.board || this.pending.size >= 255) return;
    let cells = [];
    if (kind === KIND.open && !this.isOpen(cell)) cells = this.board.cover(cell);
    else if (kind === KIND.chord) cells = this.#chordCells(cell);
    for (const one of cells) this.#claim(one, 1);
    this.pending.set(own, { cells, stamp: 0 });
  }

  // The answer to an own click: its stamp, or 0 if it was refused.  A refused click closes again what no accepted move covers.
  answer(own, stamp) {
    const click = this.pending.get(own);
    if (!click) return;
    if (!stamp || this.moves.has(stamp) || stamp <= (this.base?.number ?? 0)) this.#release(own);
    else click.stamp = stamp; // its colour comes with the broadcast
  }

  #release(own) {
    for (const cell of this.pending.get(own).cells) this.#claim(cell, -1);
    this.pending.delete(own);
  }

  #claim(cell, change) {
    this.claims[cell] += change;
    this.changed.add(cell);
  }

  // --- the rules ---

  #apply({ stamp, player, kind, cell, cells }) {
    this.last = Math.max(this.last, stamp);
    if (kind !== KIND.open) this.inOrder = false;
    if (kind === KIND.flag || kind === KIND.unflag) this.#flag(cell, stamp, kind === KIND.flag ? player : 0);
    else if (this.board) for (const one of kind === KIND.chord ? this.#chordCells(cell) : this.board.cover(cell)) this.#own(one, stamp, player);
    else this.#show(cells ?? [], stamp, player);
  }

  #chordCells(cell) {
    const waiting = around(cell, this).filter((one) => this.stamps[one] === NEVER && !this.flaggers[one]);
    return [...new Set(waiting.flatMap((one) => this.board.cover(one)))];
  }

  #show(cells, stamp, player) {
    for (const { cell, face } of cells) {
      if (face >= CLOSED) continue; // flags have moves of their own
      this.faces[cell] = face;
      this.#own(cell, stamp, player);
    }
  }

  #flag(cell, stamp, player) {
    if (stamp < this.flagStamps[cell]) return;
    this.flagStamps[cell] = stamp;
    this.flaggers[cell] = player;
    this.changed.add(cell);
  }

  // The repair rule: the least stamp owns the cell.
  #own(cell, stamp, player) {
    if (this.stamps[cell] <= stamp) return;
    if (this.stamps[cell] !== NEVER) {
      if (this.owners[cell] !== player) this.repainted += 1;
      this.#score(cell, -1);
    }
    this.stamps[cell] = stamp;
    this.owners[cell] = player;
    this.flaggers[cell] = 0;
    this.#score(cell, 1);
    this.changed.add(cell);
  }

  #score(cell, change) {
    const player = this.owners[cell];
    if (!this.scores.has(player)) this.scores.set(player, { score: 0, blasts: 0 });
    const face = this.board ? this.board.numbers[cell] : this.faces[cell];
    this.scores.get(player)[face === MINE ? "blasts" : "score"] += change;
  }

  #rebuild() {
    const { repainted, owners, stamps } = this;
    this.clear();
    if (this.base) this.#takeBase();
    for (const stamp of [...this.moves.keys()].sort((a, b) => a - b)) this.#apply(this.moves.get(stamp));
    const painted = (cell) => stamps[cell] !== NEVER && this.stamps[cell] !== NEVER && owners[cell] !== this.owners[cell];
    this.repainted = repainted;
    for (let cell = 0; cell < this.size; cell++) if (painted(cell)) this.repainted += 1;
  }

  #takeBase() {
    const { number, faces, owners } = this.base;
    this.last = number;
    this.inOrder = false;
    for (let cell = 0; cell < this.size; cell++) {
      if (faces[cell] === FLAG) this.#flag(cell, number, owners[cell]);
      else if (faces[cell] < CLOSED) this.#show([{ cell, face: faces[cell] }], number, owners[cell]);
    }
  }
}
