// Marks of single cells over a film: what a step of the deduction is about, and what a click opens.  Its canvas comes with the first mark.

const STYLES = {
  "on-set": { token: "--n1", width: 0.1 },
  "on-number": { token: "--ink", width: 0.12 },
  "on-guess": { token: "--accent", width: 0.14 },
  "on-safe": { token: "--n2", width: 0.1, ring: true },
  "on-mine": { token: "--n3", width: 0.1, cross: true },
  clicked: { token: "--accent", width: 0.14, dashed: true },
};

export class Marks {
  constructor(stage, columns) {
    Object.assign(this, { stage, columns, marks: new Set() });
  }

  // Show these marks alone: [row, column, name of a style].
  show(marks) {
    this.marks = new Set(marks.map((mark) => mark.join()));
    this.#draw();
  }

  // A cell to which names of styles are added as to the classes of an element (odds/steps.js).
  cell(row, column) {
    const change = (way) => (name) => {
      this.marks[way](`${row},${column},${name}`);
      this.#draw();
    };
    return { classList: { add: change("add"), remove: change("delete") } };
  }

  #canvas() {
    const { stage } = this;
    const [cells] = stage.layers;
    const canvas = document.createElement("canvas");
    canvas.className = "film-marks";
    Object.assign(canvas, { width: cells.width, height: cells.height });
    Object.assign(canvas.style, { width: cells.style.width, height: cells.style.height });
    stage.cursor.canvas.before(canvas);
    stage.layers.push(canvas); // it is resized like the others, and in pictures
    new ResizeObserver(() => this.#draw()).observe(canvas);
    return canvas.getContext("2d");
  }

  #draw() {
    if (!this.ctx && !this.marks.size) return;
    this.ctx ??= this.#canvas();
    const { ctx, stage } = this;
    ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
    for (const mark of this.marks) {
      const [row, column, name] = mark.split(",");
      if (STYLES[name]) this.#mark(STYLES[name], ...stage.corner(row * this.columns + Number(column)), stage.cell);
    }
  }

  #mark({ token, width, ring, cross, dashed }, x, y, size) {
    const { ctx, stage } = this;
    ctx.strokeStyle = ctx.fillStyle = stage.colour(token);
    ctx.lineWidth = Math.max(1, size * width);
    ctx.setLineDash(dashed ? [size / 4, size / 8] : []);
    const inset = ctx.lineWidth / 2 + size * 0.04;
    if (ring || cross) {
      ctx.globalAlpha = 0.35;
      ctx.fillRect(x, y, size, size);
      ctx.globalAlpha = 1;
    }
    ctx.beginPath();
    if (ring) ctx.arc(x + size / 2, y + size / 2, size * 0.28, 0, 7);
    else if (cross) for (const [from, to] of [[0.25, 0.75], [0.75, 0.25]]) {
      ctx.moveTo(x + from * size, y + size * 0.25);
      ctx.lineTo(x + to * size, y + size * 0.75);
    } else ctx.rect(x + inset, y + inset, size - 2 * inset, size - 2 * inset);
    ctx.stroke();
  }
}
