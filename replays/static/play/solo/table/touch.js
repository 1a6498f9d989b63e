// Fingers on the board: a tap and a long press, recorded as clicks of the left and the right button.
// Moving fingers pan and two zoom (pinch.js); they are no moves of a mouse.

import { KIND } from "./recorder.js";

const LONG_PRESS_MS = 320;
const SLOP_PX = 10; // a finger that wanders further is panning

const LEFT = [KIND.LEFT_PRESS, KIND.LEFT_RELEASE];
const ALONE = [KIND.SHIFT_LEFT_PRESS, KIND.LEFT_RELEASE];
const RIGHT = [KIND.RIGHT_PRESS, KIND.RIGHT_RELEASE];

export class Touch {
  // `mode()`: "open" (a tap opens) or "flag" (a tap flags), "off" before the first touch; `wanted()` is called at that.
  // `frame` is around the board.  `isOpen(cell)`, `chordsAlone(cell)`: about cells; on open ones a tap is always a click
  // of the left button.
  constructor({ frame, recorder, place, cellAt, mode, wanted, isOpen, chordsAlone }) {
    Object.assign(this, { recorder, place, cellAt, mode, wanted, isOpen, chordsAlone });
    this.finger = null;
    frame.addEventListener("pointerdown", (event) => this.#down(event));
    frame.addEventListener("pointermove", (event) => this.#moved(event));
    frame.addEventListener("pointerup", (event) => this.#up(event));
    frame.addEventListener("pointercancel", () => this.cancel());
    // Else a tap would come a second time, as a mouse.
    frame.addEventListener("touchend", (event) => event.cancelable && event.preventDefault(), { passive: false });
  }

  #down(event) {
    if (event.pointerType !== "touch") return;
    if (!event.isPrimary) return this.cancel(); // two fingers zoom
    const { x, y } = this.place(event.clientX, event.clientY);
    if (this.cellAt(x, y) < 0) return;
    if (this.mode() === "off" && !this.wanted()) return;
    const { clientX, clientY, timeStamp } = event;
    this.finger = { id: event.pointerId, clientX, clientY, timeStamp, x, y, long: false };
    this.timer = setTimeout(() => this.#long(), LONG_PRESS_MS);
  }

  #moved(event) {
    const finger = this.finger;
    if (!finger || event.pointerId !== finger.id) return;
    if (Math.hypot(event.clientX - finger.clientX, event.clientY - finger.clientY) > SLOP_PX) this.cancel();
  }

  #long() {
    this.finger.long = true;
    navigator.vibrate?.(12);
    this.#click(this.#buttons(true), performance.now(), performance.now());
  }

  #up(event) {
    const finger = this.finger;
    if (!finger || event.pointerId !== finger.id) return;
    if (!finger.long) this.#click(this.#buttons(false), finger.timeStamp, event.timeStamp);
    this.cancel();
  }

  // What the finger does now is no click.
  cancel() {
    clearTimeout(this.timer);
    this.finger = null;
  }

  #buttons(long) {
    const cell = this.cellAt(this.finger.x, this.finger.y);
    if (this.isOpen(cell)) return this.chordsAlone(cell) ? ALONE : LEFT;
    return (this.mode() === "flag") === long ? LEFT : RIGHT;
  }

  #click([press, release], pressed, released) {
    const { x, y } = this.finger;
    this.recorder.button(press, x, y, pressed);
    this.recorder.button(release, x, y, released);
  }
}
