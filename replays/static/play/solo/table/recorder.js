// Records every mouse event of a game and sends it, as docs/play-protocol.md (INPUT) has it.
//
// Buttons come from mousedown and mouseup: with a second button held, Pointer Events send only a pointermove.
// Moves come from pointermove with its coalesced events.  Times are those of the events, not of their handlers.

export const KIND = {
  MOVE: 1, LEFT_PRESS: 2, LEFT_RELEASE: 3, RIGHT_PRESS: 4, RIGHT_RELEASE: 5, MIDDLE_PRESS: 6, MIDDLE_RELEASE: 7, SHIFT_LEFT_PRESS: 13,
};
const PRESS = [KIND.LEFT_PRESS, KIND.MIDDLE_PRESS, KIND.RIGHT_PRESS]; // by MouseEvent.button
const RELEASE = [KIND.LEFT_RELEASE, KIND.MIDDLE_RELEASE, KIND.RIGHT_RELEASE];
const HELD = [1, 4, 2]; // their bits in MouseEvent.buttons
const MOVES_EVERY_MS = 100;
const MOVES_BEFORE_START = 500; // kept of the moves before the first button; nothing is sent until then
const MOST_IN_MESSAGE = 1200; // events; a message may have 16 KiB
const FARTHEST = 32767; // px: places are stored as int16
const COARSE_MS = 2; // a clock that steps by more is told to the server
const STEPS_LOOKED_AT = 50;

export class Recorder {
  // `place(clientX, clientY)`: the point in the game's px.  `cellAt(x, y)`: the cell there, -1 outside.
  // `send(seq, events)`.  `onButton(kind, cell, seq, time)` and `onMove(cell)` follow each event.
  // `chordsAlone(cell)`: whether a left press there is to chord.
  constructor({ area, place, cellAt, send, onButton, onMove, chordsAlone }) {
    Object.assign(this, { area, place, cellAt, send, onButton, onMove, chordsAlone });
    this.held = new Set(); // buttons whose press was recorded
    this.point = { x: -1, y: -1 };
    this.steps = [];
    this.lastStamp = 0;
    this.listening = false;
    this.reset();
    this.#listen();
  }

  // A new game was asked for: what is done from now on belongs to it, at clock 0 until its GAME has come.
  reset() {
    this.zero = null;
    this.waiting = [];
    this.begun = false;
    this.seq = 0;
    this.unanswered = [];
    this.sent = { time: 0, x: 0, y: 0 };
    this.held.clear();
    this.listening = true;
  }

  // The game has come: its clock starts.
  open(now = performance.now()) {
    this.zero = now;
    if (this.begun) this.flush();
  }

  // The game is over: nothing counts any more.
  stop() {
    this.flush();
    this.listening = false;
    this.held.clear();
  }

  // The server has answered up to `seq`.
  answered(seq) {
    this.unanswered = this.unanswered.filter((batch) => batch.seq > seq);
  }

  // When the oldest button was sent that the server has not answered; null if it owes nothing.
  get oldestClick() {
    return this.unanswered.find((batch) => !isMoves(batch))?.at ?? null;
  }

  // Whether the server has not answered any event of this game.
  get isUnheard() {
    return this.seq === this.unanswered.length;
  }

  // What goes on after the page was loaded again.  Of moves alone their sum will do, as no copy of them was sent.
  get kept() {
    const { seq, sent, held } = this;
    const unanswered = this.unanswered.map((batch) => ({ seq: batch.seq, events: isMoves(batch) ? [sumOf(batch.events)] : batch.events }));
    return { seq, sent, held: [...held], unanswered };
  }

  // The game goes on: nothing is recorded before `resume`.
  restore({ seq, sent, held, unanswered }) {
    const at = performance.now();
    Object.assign(this, { seq, sent, begun: true, listening: false, waiting: [], point: { x: sent.x, y: sent.y } });
    this.held = new Set(held);
    this.unanswered = unanswered.map((batch) => ({ ...batch, at }));
  }

  // The connection is back and the server has everything up to `seq`: send the rest again.
  resume(seq) {
    this.listening = true;
    this.answered(seq);
    for (const batch of this.unanswered) this.send(batch.seq, batch.events);
    this.flush();
  }

  // Milliseconds on the game's clock.
  clock(stamp) {
    return this.zero === null ? 0 : Math.max(0, Math.floor(stamp - this.zero));
  }

  get coarse() {
    return this.steps.length >= STEPS_LOOKED_AT && Math.min(...this.steps) > COARSE_MS;
  }

  // A button event that no mouse made: of a key or a finger.
  button(kind, x, y, stamp = performance.now()) {
    if (!this.listening) return;
    this.#move(x, y, stamp);
    this.#press(kind, stamp);
  }

  moveTo(x, y, stamp = performance.now()) {
    if (this.listening) this.#move(x, y, stamp);
  }

  // --- the mouse ---

  #listen() {
    addEventListener("mousedown", (event) => this.#down(event));
    addEventListener("mouseup", (event) => this.#up(event));
    addEventListener("pointermove", (event) => this.#moves(event));
    addEventListener("mousemove", (event) => this.#lost(event));
    addEventListener("blur", () => this.letGo());
    document.addEventListener("visibilitychange", () => document.hidden && this.letGo());
    for (const name of ["contextmenu", "dragstart", "selectstart"]) {
      this.area.addEventListener(name, (event) => event.preventDefault());
    }
    this.area.addEventListener("auxclick", (event) => event.preventDefault()); // middle: paste, open in a tab
    setInterval(() => this.begun && this.flush(), MOVES_EVERY_MS);
  }

  #down(event) {
    if (!this.area.contains(event.target) || event.target.closest("button") || event.button > 2) return;
    event.preventDefault(); // no selection, no scrolling by the middle button
    this.area.querySelector("[tabindex]").focus({ preventScroll: true }); // which the default action would have done
    if (!this.listening || this.held.has(event.button)) return;
    this.#moveTo(event);
    this.held.add(event.button);
    const alone = event.button === 0 && !this.held.has(2) && this.chordsAlone(this.cellAt(this.point.x, this.point.y));
    const shift = event.button === 0 && (event.shiftKey || alone);
    this.#press(shift ? KIND.SHIFT_LEFT_PRESS : PRESS[event.button], event.timeStamp);
  }

  #up(event) {
    if (!this.held.has(event.button)) return;
    event.preventDefault();
    this.#moveTo(event);
    this.held.delete(event.button);
    this.#press(RELEASE[event.button], event.timeStamp);
  }

  #moves(event) {
    if (!this.listening || event.pointerType === "touch") return;
    const parts = event.getCoalescedEvents?.() ?? [];
    for (const part of parts.length ? parts : [event]) {
      this.#watchClock(part.timeStamp);
      this.#moveTo(part);
    }
  }

  // A release that the browser swallowed, for instance over a menu of the system.
  #lost(event) {
    if ([...this.held].some((button) => !(event.buttons & HELD[button]))) this.letGo();
  }

  // The window is no longer ours: every held button is let go beside the board, where it opens nothing.
  letGo() {
    if (!this.held.size) return;
    const now = performance.now();
    this.#move(-1, -1, now);
    for (const button of [...this.held]) {
      this.held.delete(button);
      this.#press(RELEASE[button], now);
    }
  }

  #moveTo(event) {
    const { x, y } = this.place(event.clientX, event.clientY);
    this.#move(x, y, event.timeStamp);
  }

  // --- the record ---

  #move(x, y, stamp) {
    const limit = (value) => Math.max(-FARTHEST, Math.min(FARTHEST, value));
    const point = { x: limit(x), y: limit(y) };
    if (point.x === this.point.x && point.y === this.point.y) return;
    this.point = point;
    this.#keep(KIND.MOVE, stamp);
    this.onMove(this.cellAt(point.x, point.y));
  }

  #press(kind, stamp) {
    this.begun = true;
    this.#keep(kind, stamp);
    const seq = this.seq + 1; // of the message that is sent now
    this.flush();
    this.onButton(kind, this.cellAt(this.point.x, this.point.y), seq, stamp);
  }

  #keep(kind, stamp) {
    const last = this.waiting.at(-1);
    const event = { kind, stamp, ...this.point };
    // The record has whole milliseconds: of moves within one the last counts.
    if (kind === KIND.MOVE && last?.kind === KIND.MOVE && this.clock(last.stamp) === this.clock(stamp)) {
      this.waiting[this.waiting.length - 1] = event;
    } else this.waiting.push(event);
    if (!this.begun && this.waiting.length > MOVES_BEFORE_START) this.waiting.shift();
  }

  #watchClock(stamp) {
    const step = stamp - this.lastStamp;
    this.lastStamp = stamp;
    if (step > 0 && this.steps.length < STEPS_LOOKED_AT) this.steps.push(step);
  }

  // Send what waits, the button last.
  flush() {
    if (this.zero === null) return;
    while (this.waiting.length) {
      const events = this.waiting.splice(0, MOST_IN_MESSAGE).map((event) => this.#packed(event));
      this.seq += 1;
      this.unanswered.push({ seq: this.seq, events, at: performance.now() });
      this.send(this.seq, events);
    }
  }

  #packed({ kind, stamp, x, y }) {
    const time = Math.max(this.sent.time, this.clock(stamp));
    const packed = { dt_ms: time - this.sent.time, kind, dx: x - this.sent.x, dy: y - this.sent.y };
    this.sent = { time, x, y };
    return packed;
  }
}

function isMoves({ events }) {
  return events.every(({ kind }) => kind === KIND.MOVE);
}

function sumOf(events) {
  const sum = (name) => events.reduce((total, event) => total + event[name], 0);
  return { dt_ms: sum("dt_ms"), kind: KIND.MOVE, dx: sum("dx"), dy: sum("dy") };
}
