// The state of a room in a browser: messages of the server in; the board, the players and messages to send out.  No page.
// Messages that name another epoch than the board's are dropped: they are late, or early by mistake.

import { unpack } from "../wire.js";
import { ClientGame, KIND } from "./rules/clientgame.js";
import { lay } from "./rules/paper.js";

export const RESULT = { opened: 1, blast: 2, alreadyOpen: 3, outside: 4, notAllowed: 5, over: 6, tooFast: 7, flagged: 8 };

export class RoomState {
  constructor() {
    this.room = null; // the last "room" message
    this.game = null;
    this.players = new Map(); // number -> {player, name, hue, shade, score, blasts, here}
    this.here = 0; // visitors who have the room open
    this.visitors = []; // {name, plays}: the first of those without a cell of this board
    this.you = 0;
    this.number = 0; // all moves up to this one are known
    this.joining = true; // the picture is still to come
    this.finished = null;
    this.own = 0; // of the last click sent
    this.clicks = new Map(); // own number -> message, of clicks without an answer
    this.sentAt = new Map(); // own number -> when it was first sent
    this.session = crypto.getRandomValues(new Uint8Array(16)); // own numbers are those of this page
    this.stampOfMine = 0; // of a move of mine, from which my number follows
    this.accepted = new Set(); // stamps of own moves whose cells are still to come
  }

  // Take a message.  What it means for the page: {board: true} a new board; {send: messages} to be sent;
  // {answer: {result, cell, stamp}}; {colours: true} players look different; {finished: true}; else {}.
  async receive(message) {
    if (message.type === "room") return this.#room(message);
    if (!this.room || (message.epoch !== undefined && message.epoch !== this.room.epoch)) return {};
    switch (message.type) {
      case "moves":
        return this.#moves(message);
      case "history":
        // Of an open room, from the first move on.  What a broadcast brought before it counts as well (crossed messages).
        message.moves.forEach((move, place) => this.game.receive({ ...move, stamp: place + 1 }));
        return this.#joined(message.number);
      case "snapshot":
        return this.#snapshot(message);
      case "answer":
        return this.#answer(message);
      case "players":
        return this.#players(message.players);
      case "here":
        this.here = message.here;
        return {};
      case "visitors":
        this.visitors = message.visitors;
        return {};
      case "finished":
        this.finished = message;
        return { finished: true };
      default:
        return {};
    }
  }

  // What a connection says first: the page, and what it knows already.
  get known() {
    return { game: this.session, epoch: this.room?.epoch ?? 0, number: this.number };
  }

  // The cells of clicks that wait for their answer.
  get waiting() {
    return [...this.clicks.values()].map(({ cell }) => cell);
  }

  // When the oldest of them was sent; null if there is none.
  get oldestClick() {
    for (const own of this.clicks.keys()) return this.sentAt.get(own);
    return null;
  }

  // Safe cells in all, and those that are open.
  get progress() {
    const { rows, columns, mines } = this.room;
    let open = 0;
    for (const { score } of this.game.scores.values()) open += score;
    return { open, safe: rows * columns - mines };
  }

  // Mines without a flag that nobody has hit.
  get minesLeft() {
    return this.room.mines - this.game.minesKnown;
  }

  // The players of the board, best first: by score, then fewer blasts.  Scores are those of the picture shown.
  get table() {
    const numbers = new Set([...this.players.keys(), ...(this.game?.scores.keys() ?? [])]);
    const rows = [...numbers].map((player) => {
      const known = this.players.get(player) ?? { player, name: "", hue: 0, shade: 0, here: true };
      const { score, blasts } = this.game.scores.get(player) ?? { score: 0, blasts: 0 };
      return { ...known, score, blasts };
    });
    return rows.sort((a, b) => b.score - a.score || a.blasts - b.blasts || a.player - b.player);
  }

  // The moves of this player that were accepted and have come since the last call.
  takeOwnMoves() {
    const moves = [...this.accepted].map((stamp) => this.game.moves.get(stamp)).filter(Boolean);
    for (const { stamp } of moves) this.accepted.delete(stamp);
    return moves;
  }

  // A click of this player: the message to send, or null if there is nothing to send.
  click(kind, cell) {
    this.own += 1;
    const message = { type: kind, own: this.own, cell, epoch: this.room.epoch };
    this.clicks.set(this.own, message);
    this.sentAt.set(this.own, performance.now());
    this.game.click(this.own, KIND[kind], cell);
    return message;
  }

  #room(message) {
    const another = message.epoch !== this.room?.epoch;
    this.room = message;
    this.you = message.you;
    this.stampOfMine = 0;
    // After a lost connection nobody knows whether a click without an answer has arrived.  The server answers the same
    // own number of a page once more, and does not play it twice.
    if (!another) return { send: [...this.clicks.values()] };
    this.clicks.clear();
    this.sentAt.clear();
    this.accepted.clear();
    const { rows, columns, area, area_mines: areaMines, modulus, start } = message;
    const mines = message.sealed ? null : lay({ rows, columns, area, areaMines, modulus, start });
    this.game = new ClientGame({ rows, columns, mines });
    this.game.chords = message.chords;
    this.players.clear();
    this.number = 0;
    this.joining = message.number > 0;
    this.finished = null;
    return { board: true };
  }

  #moves({ first, moves }) {
    moves.forEach(({ player, kind, cell, opened }, place) => {
      this.game.receive({ stamp: first + place, player, kind, cell, cells: opened });
    });
    this.#advance();
    if (this.joining || this.game.last <= this.number) return {};
    this.joining = true; // until the picture comes
    return { send: [{ type: "resync" }] };
  }

  async #snapshot({ epoch, number, shown, owner }) {
    const [faces, owners] = await Promise.all([unpack(shown), unpack(owner)]);
    if (epoch !== this.room.epoch) return {};
    this.game.snapshot(number, faces, new Uint16Array(owners.buffer, 0, faces.length));
    return this.#joined(number);
  }

  #joined(number) {
    this.number = Math.max(this.number, number);
    this.joining = false;
    this.#advance();
    return {};
  }

  #players(players) {
    let colours = false;
    for (const row of players) {
      const old = this.players.get(row.player);
      if (old?.hue !== row.hue || old.shade !== row.shade) colours = true;
      this.players.set(row.player, row);
    }
    return { colours };
  }

  #advance() {
    while (this.game.moves.has(this.number + 1)) this.number += 1;
    if (this.stampOfMine && this.game.moves.has(this.stampOfMine)) {
      this.you = this.game.moves.get(this.stampOfMine).player;
      this.stampOfMine = 0;
    }
  }

  #answer({ own, result, stamp }) {
    const cell = this.clicks.get(own)?.cell;
    this.clicks.delete(own);
    this.sentAt.delete(own);
    this.game.answer(own, stamp);
    if (!this.you && stamp) this.stampOfMine = stamp;
    if (stamp) this.accepted.add(stamp);
    this.#advance();
    return { answer: { result, cell, stamp } };
  }
}
