// The page that lays a board swap by swap.  Everything is computed here; the server's drawing stands until then.

import { areasOf, lay, LayingError } from "../room/rules/paper.js";
import { filled, texts } from "../room/words.js";

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

// --- drawings: the whole board, and the labels of one area ---

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

// `label`: the labels of the area `current`; areas after it are not laid yet.
function drawBoard(board, { rows, columns }, areas, mines, current, label) {
  const scale = Math.max(2, Math.min(16, Math.floor(1500 / Math.max(rows, columns))));
  board.width = columns * scale;
  board.height = rows * scale;
  const ctx = board.getContext("2d");
  ctx.fillStyle = colour("open");
  ctx.fillRect(0, 0, board.width, board.height);
  areas.forEach(({ top, left, height, width, mines: wanted }, number) => {
    ctx.fillStyle = colour(number > current ? "cell-closed" : "mine");
    if (number > current) ctx.fillRect(left * scale, top * scale, width * scale, height * scale);
    else {
      for (let cell = 0; cell < height * width; cell++) {
        const [row, column] = [top + Math.floor(cell / width), left + (cell % width)];
        const mine = number < current ? mines[row * columns + column] : label[cell] < wanted;
        if (mine) ctx.fillRect(column * scale, row * scale, scale - (scale > 3), scale - (scale > 3));
      }
    }
    ctx.lineWidth = number === current ? Math.max(3, scale / 2) : 1;
    ctx.strokeStyle = number === current ? colour("accent") : colour("line-strong");
    if (number !== current) ctx.strokeRect(left * scale + 0.5, top * scale + 0.5, width * scale - 1, height * scale - 1);
  });
  const { top, left, height, width } = areas[current];
  ctx.lineWidth = Math.max(3, scale / 3);
  ctx.strokeStyle = colour("accent");
  ctx.strokeRect(left * scale, top * scale, width * scale, height * scale);
}

// `swap`: the last one that was done, {cell, other}, or null.
function drawArea(canvas, { height, width, mines: wanted }, label, swap) {
  const room = Math.min(canvas.parentElement.clientWidth || 400, 460);
  const size = Math.max(2, Math.min(44, Math.floor(room / Math.max(height, width))));
  const dpr = window.devicePixelRatio || 1;
  canvas.width = width * size * dpr;
  canvas.height = height * size * dpr;
  canvas.style.width = `${width * size}px`;
  canvas.style.height = `${height * size}px`;
  const ctx = canvas.getContext("2d");
  ctx.scale(dpr, dpr);
  const [plain, mine, ink, line] = [colour("open"), colour("n3"), colour("ink"), colour("gridl")];
  ctx.font = `${Math.min(15, Math.floor(size * 0.42))}px ${colour("font")}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  for (let cell = 0; cell < label.length; cell++) {
    const [x, y] = [(cell % width) * size, Math.floor(cell / width) * size];
    ctx.fillStyle = plain;
    ctx.fillRect(x, y, size, size);
    if (label[cell] < wanted) {
      ctx.globalAlpha = 0.5;
      ctx.fillStyle = mine;
      ctx.fillRect(x, y, size, size);
      ctx.globalAlpha = 1;
    }
    ctx.strokeStyle = line;
    ctx.lineWidth = 1;
    if (size > 5) ctx.strokeRect(x + 0.5, y + 0.5, size, size);
    ctx.fillStyle = ink;
    if (size >= 17) ctx.fillText(label[cell], x + size / 2, y + size / 2 + 1);
  }
  if (!swap) return;
  ctx.lineWidth = Math.max(1.5, size / 10);
  for (const [cell, name, dash] of [[swap.other, "warn", [size / 5, size / 8]], [swap.cell, "accent", []]]) {
    ctx.strokeStyle = colour(name);
    ctx.setLineDash(dash);
    const inset = ctx.lineWidth / 2;
    ctx.strokeRect((cell % width) * size + inset, Math.floor(cell / width) * size + inset, size - 2 * inset, size - 2 * inset);
  }
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
