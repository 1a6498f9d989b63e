// Two fingers on the board change the size of its cells.  One finger pans: the frame scrolls by itself.

const LEAST = 16; // px a cell
const MOST = 64;

export class Pinch {
  // `board` scrolls in `frame`; `began()` is called at the second finger, `ended()` when the size has changed.
  constructor({ frame, board, began, ended }) {
    Object.assign(this, { frame, board, began, ended, start: null });
    frame.addEventListener("touchstart", (event) => this.#start(event), { passive: true });
    frame.addEventListener("touchmove", (event) => this.#move(event), { passive: false });
    for (const name of ["touchend", "touchcancel"]) frame.addEventListener(name, () => this.#end());
  }

  #start({ touches }) {
    if (touches.length !== 2) return this.#end();
    this.began();
    this.start = { distance: apart(touches), cell: this.board.cell };
  }

  #move(event) {
    if (!this.start || event.touches.length !== 2) return;
    if (event.cancelable) event.preventDefault();
    const box = this.frame.getBoundingClientRect();
    const [one, other] = event.touches;
    const wanted = Math.round((this.start.cell * apart(event.touches)) / this.start.distance);
    const cell = Math.max(LEAST, Math.min(MOST, wanted));
    if (cell === this.board.cell) return;
    this.board.zoomAround(String(cell), (one.clientX + other.clientX) / 2 - box.left, (one.clientY + other.clientY) / 2 - box.top);
  }

  #end() {
    if (this.start) this.ended();
    this.start = null;
  }
}

function apart([one, other]) {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}
