// The probability tool: every change is sent to the server, whose result is shown in the page; the address of the page is
// always the link to the shown position.

import { Grid } from "./grid.js";
import { isPosition, pasted, queryOf, resized, rowsOf } from "./position.js";
import { followSteps } from "./steps.js";

const WAIT_MS = 120; // several keys in quick succession make one request
const form = document.getElementById("ask");
const answer = document.getElementById("answer");
const text = form.elements.position;
const mines = form.elements.mines;
const flags = form.elements.flags;
const [height, width] = [document.getElementById("rows"), document.getElementById("columns")];
const palette = document.querySelector(".palette");
const status = form.querySelector("[data-status]");
let grid = null;
let timer = null;
let running = null;

// --- the result ---

function enhance() {
  grid = null; // that of a board which was replaced
  const table = answer.querySelector("[data-position]");
  if (table && isPosition(rowsOf(text.value))) {
    grid = new Grid(table, { edit: edited, brush: () => palette.querySelector("input:checked").dataset.brush });
    table.parentElement.removeAttribute("tabindex"); // its cells are stops of the keyboard now
    height.value = grid.rows.length;
    width.value = grid.rows[0].length;
  }
  placePalette();
  markFields();
  enhanceSteps();
}

// The name of the field that holds what the site refused.
function wrongField() {
  return answer.querySelector("#refusal")?.dataset.field;
}

// The palette stands above the board, in its card, also while there is no board that can be edited.
function placePalette() {
  const card = answer.querySelector(".position-card");
  card.insertBefore(palette, card.querySelector(".position-frame"));
  palette.disabled = !grid || wrongField() === text.name;
}

// The field that holds what was refused points to the message.
function markFields() {
  for (const field of [text, mines]) {
    const wrong = field.name === wrongField();
    const described = [field === text && "position-help", wrong && "refusal"].filter(Boolean).join(" ");
    for (const [name, value] of [["aria-invalid", wrong && "true"], ["aria-describedby", described]]) {
      if (value) field.setAttribute(name, value);
      else field.removeAttribute(name);
    }
  }
}

function enhanceSteps() {
  const list = answer.querySelector(".deduction");
  if (list && grid) followSteps(list, (row, column) => grid.cell(row, column));
}

// Replace everything but the board, so that the visitor who edits it keeps focus and scroll position.
function adopt(page) {
  const fresh = new DOMParser().parseFromString(page, "text/html").querySelector("[data-answer]");
  if (!fresh) throw new Error("no answer");
  const table = fresh.querySelector("[data-position]");
  if (table && !grid?.fits(table)) {
    form.after(palette); // before its parent is replaced
    answer.replaceChildren(fresh);
    enhance();
    return;
  }
  if (table) grid.show(table);
  for (const part of ["notice", "result", "link"]) {
    const [old, now] = [answer, fresh].map((side) => side.querySelector(`[data-${part}]`));
    if (part === "result") keepOpen(old, now);
    old.replaceWith(now);
  }
  placePalette();
  markFields();
  enhanceSteps();
}

function keepOpen(old, now) {
  const open = [...old.querySelectorAll("details")].map((details) => details.open);
  [...now.querySelectorAll("details")].forEach((details, number) => {
    if (open.length > number) details.open = open[number];
  });
}

// --- requests ---

function update() {
  const query = queryOf(rowsOf(text.value).join("/"), mines.value, flags.checked);
  history.replaceState(null, "", location.pathname + query);
  for (const next of document.querySelectorAll("header input[name=next]")) next.value = location.pathname + query;
  clearTimeout(timer);
  running?.abort();
  answer.classList.add("waiting");
  timer = setTimeout(() => send(query), WAIT_MS);
}

async function send(query) {
  const sent = new AbortController();
  running = sent;
  try {
    const response = await fetch(form.action + query, { headers: { "HX-Request": "true" }, signal: sent.signal });
    const page = await response.text();
    if (sent.signal.aborted) return;
    if (response.status === 503) {
      status.textContent = answer.dataset.ready;
      timer = setTimeout(() => send(query), 1000 * Number(response.headers.get("Retry-After") || 5));
      return;
    }
    adopt(page);
    status.textContent = "";
  } catch (error) {
    if (error.name === "AbortError") return;
    status.textContent = answer.dataset.failed;
  }
  answer.classList.remove("waiting");
}

// --- changes ---

function edited() {
  text.value = grid.rows.join("\n");
  update();
}

function become(rows, count) {
  text.value = rows.join("\n");
  if (count !== null) mines.value = count;
  update();
}

function sized() {
  const [rows, columns] = [height, width].map((input) => Math.min(Number(input.max), Math.max(1, Math.trunc(Number(input.value)))));
  if (grid && rows && columns) become(resized(grid.rows, rows, columns), null);
}

text.addEventListener("input", update);
mines.addEventListener("input", update);
flags.addEventListener("change", update);
height.addEventListener("change", sized);
width.addEventListener("change", sized);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  update();
});
for (const button of form.querySelectorAll("[data-empty]")) {
  button.addEventListener("click", () => {
    const [rows, columns, count] = button.dataset.empty.split(",").map(Number);
    become(resized([], rows, columns), count);
  });
}
document.addEventListener("paste", (event) => {
  if (event.target.closest?.("input, textarea")) return;
  const found = pasted(event.clipboardData.getData("text"));
  if (!found) return;
  event.preventDefault();
  if (found.mines !== null) flags.checked = found.ignored;
  become(found.rows, found.mines);
});

const copy = form.querySelector("[data-copy]");
copy.addEventListener("click", async () => {
  await navigator.clipboard.writeText(location.href);
  status.textContent = copy.dataset.done;
});

for (const element of document.querySelectorAll("[data-with-script]")) element.hidden = false;
for (const element of document.querySelectorAll("[data-without-script]")) element.hidden = true;
copy.hidden = !navigator.clipboard; // only on https and on this machine
enhance();
