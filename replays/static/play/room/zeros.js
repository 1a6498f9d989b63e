// The notice about the paper's rule, shown once a visit: a click on a number has also opened the openings next to it.

const LIT_MS = 4000;
const SHOWN_MS = 15000; // it leaves by itself; the help below the board says the same

export class ZerosNotice {
  // `box`: the notice above the board; `said`: the element that screen readers follow.
  constructor(board, box, said) {
    Object.assign(this, { board, box, said, told: false });
    box.querySelector("button").addEventListener("click", () => {
      this.#close();
      board.element.focus();
    });
  }

  // A click of the visitor on `clicked` opened `besides` by the rule.
  tell(clicked, besides) {
    if (this.told || !besides.length) return;
    this.told = true;
    const { board, box, said } = this;
    const { camera } = board;
    const [row, height] = [Math.floor(clicked / camera.columns), camera.height / 2];
    box.classList.toggle("at-top", row * camera.size - camera.y > height); // never over the click
    box.hidden = false;
    said.textContent = box.querySelector("p").textContent;
    board.light(besides, LIT_MS);
    setTimeout(() => box.matches(":hover, :focus-within") || this.#close(), SHOWN_MS);
  }

  #close() {
    this.box.hidden = true;
  }
}
