// Playing on the board of a room with mouse, touch and keyboard.
// Mouse: left opens (or chords on an open number), right flags, middle chords; the wheel zooms; dragging with the middle button
// or while the space bar is held moves the board.  Touch: tap opens, long press flags, dragging moves, two fingers zoom.
// With the flag mode of phones a tap flags and a long press opens.
// Keys: arrows, Home, End, page keys move the cell; Enter or space opens, f flags, c chords, + - 0 zoom.

import { keyOf } from "../../../web/key.js";
import { around } from "../../around.js";
import { CLOSED, FLAG } from "../rules/paper.js";

const LONG_PRESS_MS = 350;
const SLOP = 8; // CSS px that a finger or the middle button may move before it is a drag
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-10, 0], PageDown: [10, 0], Home: [0, -Infinity], End: [0, Infinity] };

export class RoomInput {
  // `act(kind, cell)`, kind "open", "flag" or "chord"; `say(text)` reads aloud; `describe(cell)` is its text; `pointed(x, y)`
  // is told where the pointer is, in cells.
  constructor(board, { act, describe, say, pointed }) {
    Object.assign(this, { board, act, describe, say, pointed });
    this.mode = "open"; // of a tap
    this.fingers = new Map();
    this.space = false;
    this.drag = null;
    const { element } = board;
    element.addEventListener("pointerdown", (event) => this.#down(event));
    element.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, (event) => this.#up(event));
    element.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    element.addEventListener("auxclick", (event) => event.preventDefault());
    element.addEventListener("keydown", (event) => this.#key(event));
    element.addEventListener("keyup", (event) => this.#keyUp(event));
    element.addEventListener("blur", () => this.#leave());
    board.map.addEventListener("pointerdown", (event) => this.#map(event));
    board.map.addEventListener("pointermove", (event) => event.buttons && this.#map(event));
  }

  #place(event) {
    const box = this.board.element.getBoundingClientRect();
    const { dpr } = this.board.camera;
    return [(event.clientX - box.left) * dpr, (event.clientY - box.top) * dpr];
  }

  #down(event) {
    if (event.target === this.board.map || event.target.closest("a, button")) return undefined; // what lies above the board
    event.preventDefault(); // no text is selected, no scrolling by the middle button, no mouse events after a touch
    this.board.element.focus({ preventScroll: true });
    this.board.element.setPointerCapture(event.pointerId);
    const [x, y] = this.#place(event);
    this.fingers.set(event.pointerId, [x, y]);
    if (this.board.cursor !== null) this.#hideCursor();
    if (this.fingers.size > 1) return this.#stop();
    const press = { x, y, button: event.button, touch: event.pointerType === "touch", cell: this.board.camera.cellAt(x, y) };
    this.drag = { ...press, moved: false, pan: press.touch || event.button === 1 || this.space };
    if (press.touch) this.drag.timer = setTimeout(() => this.#longPress(), LONG_PRESS_MS);
    if (event.button === 0 && !this.space) this.#showPressed(press.cell);
    return undefined;
  }

  #move(event) {
    const [x, y] = this.#place(event);
    const { camera } = this.board;
    if (event.pointerType === "mouse") this.pointed?.(...camera.cells(x, y));
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    this.fingers.set(event.pointerId, [x, y]);
    if (this.fingers.size === 2) return this.#pinch(event.pointerId, before, [x, y]);
    if (!this.drag) return undefined;
    if (this.drag.pan) {
      if (!this.drag.moved && Math.hypot(x - this.drag.x, y - this.drag.y) < SLOP * camera.dpr) return undefined;
      this.#moved();
      camera.pan(x - before[0], y - before[1]);
      this.board.look();
    } else if (this.drag.button === 0) {
      this.drag.cell = camera.cellAt(x, y);
      this.#showPressed(this.drag.cell);
    }
    return undefined;
  }

  #moved() {
    this.drag.moved = true;
    clearTimeout(this.drag.timer);
    this.board.press([]);
  }

  #up(event) {
    this.fingers.delete(event.pointerId);
    const { drag } = this;
    if (!drag) return;
    this.#stop();
    if (drag.moved || drag.held || event.type === "pointercancel") return;
    const cell = this.board.camera.cellAt(...this.#place(event));
    if (cell < 0 || cell !== drag.cell) return;
    if (drag.button === 2) this.#do("flag", cell);
    else if (drag.button === 1) this.#do("chord", cell);
    else if (drag.touch) this.#do(this.#isOpen(cell) ? "open" : this.mode, cell);
    else if (!this.space) this.#do("open", cell);
  }

  #stop() {
    clearTimeout(this.drag?.timer);
    this.drag = null;
    this.board.press([]);
  }

  #longPress() {
    if (!this.drag || this.drag.cell < 0) return;
    this.drag.held = true;
    this.board.press([]);
    navigator.vibrate?.(15);
    this.#do(this.mode === "flag" ? "open" : "flag", this.drag.cell);
  }

  #pinch(id, before, now) {
    const [, other] = [...this.fingers].find(([finger]) => finger !== id);
    const distance = (place) => Math.max(10, Math.hypot(place[0] - other[0], place[1] - other[1]));
    const { camera } = this.board;
    camera.zoomAt(distance(now) / distance(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    camera.pan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
    this.board.look();
  }

  #wheel(event) {
    event.preventDefault();
    const { camera } = this.board;
    camera.zoomAt(Math.exp(-Math.max(-80, Math.min(80, event.deltaY * (event.deltaMode ? 30 : 1))) / 350), ...this.#place(event));
    this.board.look();
  }

  zoom(factor) {
    const { camera } = this.board;
    camera.zoomAt(factor, camera.width / 2, camera.height / 2);
    this.board.look();
  }

  zoomForFingers() {
    this.board.camera.zoomForFingers();
    this.board.look();
  }

  whole() {
    this.board.camera.showWhole();
    this.board.look();
  }

  #map(event) {
    event.preventDefault();
    const box = this.board.map.getBoundingClientRect();
    const { camera } = this.board;
    camera.centre(((event.clientX - box.left) / box.width) * camera.columns, ((event.clientY - box.top) / box.height) * camera.rows);
    this.board.look();
  }

  // What a held button would open: the closed cell, or the closed cells around an open number.
  #showPressed(cell) {
    const { game } = this.board;
    const closed = (one) => game.face(one) === CLOSED;
    if (cell < 0 || game.face(cell) === FLAG) this.board.press([]);
    else if (closed(cell)) this.board.press([cell]);
    else this.board.press(game.face(cell) > 0 && game.chords ? around(cell, game).filter(closed) : []);
  }

  // An open number under a click to open is a chord.
  #do(kind, cell) {
    if (kind === "open" && this.#isOpen(cell)) this.act("chord", cell);
    else this.act(kind, cell);
  }

  #isOpen(cell) {
    const face = this.board.game.face(cell);
    return face !== CLOSED && face !== FLAG;
  }

  // --- keyboard ---

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = keyOf(event);
    if (key === " " && event.target === document.body) event.preventDefault(); // it would scroll the board away
    if (event.target !== this.board.element) return;
    const step = STEPS[key];
    const kind = { Enter: "open", f: "flag", c: "chord" }[key];
    if (step) this.#step(step);
    else if (kind && this.board.cursor !== null) this.#do(kind, this.board.cursor);
    else if (key === " ") this.space = true;
    else if (key === "+" || key === "=") this.zoom(1.25);
    else if (key === "-") this.zoom(0.8);
    else if (key === "0") this.whole();
    else return;
    event.preventDefault();
    event.stopPropagation(); // j and k and their like belong to the page
  }

  #keyUp(event) {
    if (event.key !== " ") return;
    this.space = false;
    if (!this.drag && this.board.cursor !== null) this.#do("open", this.board.cursor);
  }

  #step([down, right]) {
    const { camera, cursor } = this.board;
    const [left, top] = camera.cells(camera.width / 2, camera.height / 2);
    const start = cursor ?? Math.min(camera.rows - 1, Math.max(0, Math.floor(top))) * camera.columns + Math.min(camera.columns - 1, Math.max(0, Math.floor(left)));
    const bounded = (value, most) => Math.min(most, Math.max(0, value));
    const from = [Math.floor(start / camera.columns), start % camera.columns];
    const [row, column] = cursor === null ? from : [bounded(from[0] + down, camera.rows - 1), bounded(from[1] + right, camera.columns - 1)];
    this.board.cursor = row * camera.columns + column;
    if (camera.reveal(row, column)) this.board.look();
    this.board.mark();
    this.say(this.describe(this.board.cursor));
  }

  #hideCursor() {
    this.board.cursor = null;
    this.board.mark();
  }

  #leave() {
    this.space = false;
    this.#stop();
  }
}
