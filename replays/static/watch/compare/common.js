// The clicks that both made on the same cell, over the board of one of them.  A disc is a left click, a triangle a right one,
// a square a double click; filled once this game has made it, with the letter of who made it first.

const LETTER_PX = 15; // smaller cells have no room for a letter
const TRIANGLE = [[0, -0.4], [0.4, 0.34], [-0.4, 0.34]];

// `clicks`: {sort, cell, times: of both games in ms}; `which`: 0 or 1, the game of the board.
export class Common {
  constructor(clicks, which) {
    Object.assign(this, { clicks, which, on: false, drawn: "" });
  }

  // The canvas was emptied.
  reset() {
    this.drawn = "";
  }

  // The state at `time` of this game.
  draw(stage, time) {
    const made = this.clicks.filter(({ times }) => times[this.which] <= time).length;
    const wanted = this.on ? `${made}` : "";
    if (wanted === this.drawn) return;
    this.drawn = wanted;
    const ctx = stage.overlay;
    ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
    if (this.on) for (const click of this.clicks) this.#mark(ctx, stage, click, click.times[this.which] <= time);
  }

  #mark(ctx, stage, { sort, cell, times: [a, b] }, made) {
    const size = stage.cell;
    const [x, y] = stage.corner(cell).map((corner) => corner + size / 2);
    const [letter, token] = a === b ? ["=", "--n2"] : a < b ? ["A", "--n1"] : ["B", "--n3"];
    ctx.strokeStyle = stage.colour(token);
    ctx.fillStyle = stage.colour("--sheet");
    ctx.lineWidth = Math.max(1, size / 10);
    ctx.setLineDash(made ? [] : [size / 8, size / 8]);
    ctx.beginPath();
    if (sort === "left") ctx.arc(x, y, size * 0.38, 0, 7);
    else if (sort === "double") ctx.rect(x - size * 0.36, y - size * 0.36, size * 0.72, size * 0.72);
    else for (const [dx, dy] of TRIANGLE) ctx.lineTo(x + dx * size, y + dy * size);
    ctx.closePath();
    if (made) ctx.fill();
    ctx.stroke();
    ctx.setLineDash([]);
    if (!made || size < LETTER_PX) return;
    ctx.fillStyle = ctx.strokeStyle;
    ctx.font = `700 ${Math.round(size * 0.5)}px system-ui, sans-serif`;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.fillText(letter, x, y + size * (sort === "right" ? 0.12 : 0.04));
  }
}
