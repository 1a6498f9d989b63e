// The page that lays a board swap by swap.  Everything is computed here; the server's drawing stands until then.

import { drawArea, drawBoard } from "./layingdraw.js";
import { areasOf, lay, LayingError } from "./room/rules/paper.js";
import { filled, texts } from "./room/words.js";

const MOST_CELLS = 100000; // as on the server
const SWAPS_A_SECOND = 6; // at first; the playing gets faster
const LARGEST_START = 998244352; // what the reference draws
const LEAST_START = 297;
const FIELDS = { rows: "rows", columns: "columns", area: "area", areaMines: "area_mines", modulus: "modulus", start: "start_number" };

const form = document.getElementById("laying");
const page = document.querySelector("[data-laying]");
const part = (name) => page.querySelector(`[data-${name}]`);

let parameters;
let areas;
let mines;
let first; // by area: the number of swaps before it
let step = 0;
let known = null; // {area, swaps, before}: the swaps of the area on view, and delta before them
let playing = 0;
let board;

// --- the board and its steps ---

function read() {
  return Object.fromEntries(Object.entries(FIELDS).map(([name, field]) => [name, form.elements[field].valueAsNumber]));
}

function start(values, at) {
  if (values.rows * values.columns > MOST_CELLS) throw new LayingError("too_many_cells", "");
  mines = lay(values);
  parameters = values;
  areas = areasOf(values);
  first = [0];
  for (const { height, width } of areas) first.push(first[first.length - 1] + height * width);
  known = null;
  const slider = part("step");
  slider.max = first[areas.length];
  part("summary").textContent = filled("summary", { mines: mines.reduce((sum, mine) => sum + mine, 0), cells: mines.length, areas: areas.length });
  go(Number.isInteger(at) ? at : first[areas.length]);
}

// The area of the last swap that is done; the first one before any.
function areaAt(done) {
  let [low, high] = [0, areas.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (first[middle + 1] >= done) high = middle;
    else low = middle + 1;
  }
  return low;
}

function swapsOf(area) {
  if (known?.area !== area) {
    const swaps = [];
    let before = parameters.start;
    lay(parameters, (swap) => {
      if (swap.area === area) swaps.push(swap);
      else if (swap.area < area) before = swap.deltas.at(-1);
    });
    known = { area, swaps, before };
  }
  return known.swaps;
}

function go(to) {
  step = Math.min(first[areas.length], Math.max(0, to));
  const area = areaAt(step);
  const done = step - first[area];
  part("step").value = step;
  part("count").textContent = filled("count", { done: step, all: first[areas.length] });
  const label = labels(area, done);
  drawBoard(board, parameters, areas, mines, area, label);
  drawArea(part("area"), areas[area], label, done ? swapsOf(area)[done - 1] : null);
  explain(area, done);
}

function labels(area, done) {
  const { height, width } = areas[area];
  const label = Int32Array.from({ length: height * width }, (_, cell) => cell);
  for (const { cell, other } of swapsOf(area).slice(0, done)) [label[cell], label[other]] = [label[other], label[cell]];
  return label;
}

// --- the swap in words ---

function explain(area, done) {
  const { top, left, height, width, mines: wanted } = areas[area];
  part("area-title").textContent = filled("area", { row: Math.floor(top / parameters.area) + 1, column: Math.floor(left / parameters.area) + 1 });
  part("area-facts").textContent = filled("facts", { height, width, mines: wanted });
  const lines = [];
  const add = (name, text, say = false) => {
    const element = document.createElement(name);
    element.textContent = text;
    if (say) element.className = "say";
    lines.push(element);
  };
  if (!done) add("p", texts.start, true);
  else {
    const { cell, other, multiplier, deltas } = swapsOf(area)[done - 1];
    const label = labels(area, done);
    add("h3", filled("heading", { number: done, row: top + Math.floor(cell / width), column: left + (cell % width) }));
    let from = done > 1 ? swapsOf(area)[done - 2].deltas.at(-1) : known.before;
    deltas.slice(0, 6).forEach((delta) => {
      const retry = delta <= height * width ? ` — ${filled("retry", { cells: height * width })}` : "";
      add("p", `${from} × ${multiplier} mod ${parameters.modulus} = ${delta}${retry}`);
      from = delta;
    });
    const last = deltas.at(-1);
    if (deltas.length > 6) add("p", `… ${last}`);
    add("p", `${texts.row}: ${last} mod ${height} = ${last % height}`);
    add("p", `${texts.column}: ⌊${last} / ${height}⌋ mod ${width} = ${Math.floor(last / height) % width}`);
    add("p", `(${top + Math.floor(other / width)}, ${left + (other % width)}): ${filled("swapped", { first: label[other], second: label[cell] })}`, true);
    if (done === height * width) add("p", filled("done", { mines: wanted }), true);
  }
  part("swap").replaceChildren(...lines);
}

// --- the visitor ---

function fail(error) {
  if (!(error instanceof LayingError)) throw error;
  const list = document.getElementById("refused");
  const item = document.createElement("li");
  item.textContent = texts[`error-${error.code}`] ?? error.message;
  list.replaceChildren(item);
  list.hidden = false;
}

function update(at) {
  document.getElementById("refused").hidden = true;
  try {
    start(read(), at);
    address();
  } catch (error) {
    fail(error);
  }
}

// The address of the page is always the link to what it shows.
function address() {
  const query = new URLSearchParams(Object.entries(FIELDS).map(([name, field]) => [field, parameters[name]]));
  if (step < first[areas.length]) query.set("step", step);
  history.replaceState(null, "", `${location.pathname}?${query}`);
}

function play(on) {
  const button = part("play");
  button.textContent = on ? texts.pause : texts.play;
  button.setAttribute("aria-pressed", String(on));
  cancelAnimationFrame(playing);
  playing = 0;
  if (!on) return address();
  if (step === first[areas.length]) go(0);
  const [began, from] = [performance.now(), step];
  const frame = (now) => {
    const seconds = (now - began) / 1000;
    go(from + Math.floor(SWAPS_A_SECOND * seconds * 1.25 ** Math.min(seconds, 60)));
    if (step === first[areas.length]) play(false);
    else playing = requestAnimationFrame(frame);
  };
  playing = requestAnimationFrame(frame);
  return undefined;
}

function moved(to) {
  play(false);
  go(to);
  address();
}

function stepBy(how) {
  const area = areaAt(step);
  if (how === "area") return first[Math.min(areas.length - 1, area + 1)] + 1;
  if (how === "-area") return first[Math.max(0, area - 1)] + 1;
  return step + Number(how);
}

if (page) {
  board = document.createElement("canvas");
  board.setAttribute("role", "img");
  board.setAttribute("aria-labelledby", "board-title");
  for (const element of document.querySelectorAll("[data-player]")) element.hidden = false;
  for (const element of document.querySelectorAll("[data-without-script]")) element.hidden = true;
  part("board").replaceChildren(board);
  const asked = new URLSearchParams(location.search).get("step");
  parameters = read();
  try {
    start(parameters, asked === null ? null : Number(asked));
  } catch (error) {
    fail(error);
  }
  part("step").addEventListener("input", (event) => moved(event.target.valueAsNumber));
  part("play").addEventListener("click", () => play(!playing));
  for (const button of page.querySelectorAll("[data-go]")) button.addEventListener("click", () => moved(stepBy(button.dataset.go)));
  board.addEventListener("click", (event) => {
    const box = board.getBoundingClientRect();
    const [row, column] = [((event.clientY - box.top) / box.height) * parameters.rows, ((event.clientX - box.left) / box.width) * parameters.columns];
    const across = Math.ceil(parameters.columns / parameters.area);
    moved(first[Math.floor(row / parameters.area) * across + Math.floor(column / parameters.area)] + 1);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    play(false);
    update(null);
  });
  const random = form.querySelector("[data-random]");
  random.hidden = false;
  random.addEventListener("click", () => {
    form.elements.start_number.value = LEAST_START + Math.floor(Math.random() * (LARGEST_START - LEAST_START + 1));
    play(false);
    update(null);
  });
  const copy = form.querySelector("[data-copy]");
  copy.hidden = !navigator.clipboard; // only on https and on this machine
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(location.href);
    form.querySelector("[data-status]").textContent = copy.dataset.done;
  });
  new ResizeObserver(() => parameters && go(step)).observe(part("area").parentElement);
  const restyled = () => go(step);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", restyled);
  new MutationObserver(restyled).observe(document.documentElement, { attributeFilter: ["data-theme"] });
}
