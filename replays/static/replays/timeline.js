// The timeline of risks: a line for each click, as high as its risk; a slider for mouse, touch and keyboard.

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 1000;
const HEIGHT = 100;
const LEAST_HEIGHT = 5; // so that clicks without risk are visible
const ABOVE = { certain: 0, first: 0, guess: 1, needless: 2 }; // z-order of lines at the same x: higher ones are drawn later
const KEYS = { ArrowLeft: "previous", ArrowDown: "previous", ArrowRight: "next", ArrowUp: "next", PageDown: "guess", PageUp: "guessBefore", Home: "begin", End: "end" };

export class Timeline {
  constructor(svg, clicks, { choose, steps }) {
    this.svg = svg;
    this.choose_ = choose;
    const last = Math.max(clicks.at(-1).time_ms, 1);
    this.places = clicks.map((click) => 4 + (click.time_ms / last) * (WIDTH - 8));
    svg.append(this.#line("axis", 0, HEIGHT, WIDTH, HEIGHT), this.#line("half", 0, HEIGHT / 2, WIDTH, HEIGHT / 2));
    this.marks = clicks.map((click, number) => {
      const mark = this.#line(`mark ${click.sort}`, this.places[number], HEIGHT, this.places[number], HEIGHT - Math.max(click.risk * HEIGHT, LEAST_HEIGHT));
      mark.dataset.number = number;
      return mark;
    });
    svg.append(...[...this.marks].sort((a, b) => this.#above(clicks, a) - this.#above(clicks, b)));
    this.cursor = this.#line("cursor", 0, 0, 0, HEIGHT);
    svg.append(this.cursor);
    svg.setAttribute("role", "slider"); // not before it has a value
    svg.setAttribute("tabindex", 0);
    svg.setAttribute("aria-valuemin", 1);
    svg.setAttribute("aria-valuemax", clicks.length);
    svg.addEventListener("keydown", (event) => this.#key(event, steps));
    svg.addEventListener("pointerdown", (event) => {
      svg.setPointerCapture(event.pointerId);
      svg.focus({ preventScroll: true });
      this.#point(event);
    });
    svg.addEventListener("pointermove", (event) => svg.hasPointerCapture(event.pointerId) && this.#point(event));
  }

  // Mark the chosen click; `text` describes it.
  choose(number, text) {
    this.svg.querySelector(".chosen")?.classList.remove("chosen");
    this.marks[number].classList.add("chosen");
    for (const end of ["x1", "x2"]) this.cursor.setAttribute(end, this.places[number]);
    this.svg.setAttribute("aria-valuenow", number + 1);
    this.svg.setAttribute("aria-valuetext", text);
  }

  #above(clicks, mark) {
    return ABOVE[clicks[mark.dataset.number].sort];
  }

  #line(name, x1, y1, x2, y2) {
    const line = document.createElementNS(SVG, "line");
    line.setAttribute("class", name);
    for (const [key, value] of Object.entries({ x1, y1, x2, y2 })) line.setAttribute(key, value);
    return line;
  }

  #key(event, steps) {
    const step = KEYS[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    steps[step]();
  }

  #point(event) {
    const box = this.svg.getBoundingClientRect();
    const place = ((event.clientX - box.left) / box.width) * WIDTH;
    let nearest = 0;
    this.places.forEach((x, number) => {
      if (Math.abs(x - place) < Math.abs(this.places[nearest] - place)) nearest = number;
    });
    this.choose_(nearest);
  }
}
