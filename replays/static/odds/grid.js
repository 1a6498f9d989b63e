// An editable position: turns the server's table into a grid for keyboard, mouse and touch.

import { keyOf } from "../web/key.js";
import { CLOSED, FLAG } from "./position.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const KEYS = { " ": CLOSED, ".": CLOSED, Backspace: CLOSED, Delete: CLOSED, f: FLAG, "?": "?" };
const FACES = { [FLAG]: ["⚑", "closed flag"], [CLOSED]: ["", "closed"], "?": ["?", "open"], 0: ["", "open t0"] };

export class Grid {
  // `edit` is called after each change by the visitor; `brush()` is the symbol that a click sets.
  constructor(table, { edit, brush }) {
    this.table = table;
    this.edit = edit;
    this.brush = brush;
    this.lines = [...table.tBodies[0].rows].map((row) => [...row.cells].slice(1));
    table.setAttribute("role", "grid");
    for (const row of table.rows) row.setAttribute("role", "row");
    for (const head of table.querySelectorAll("th")) head.setAttribute("role", head.scope === "col" ? "columnheader" : "rowheader");
    for (const cell of this.lines.flat()) {
      cell.setAttribute("role", "gridcell");
      cell.tabIndex = -1;
    }
    this.lines[0][0].tabIndex = 0;
    table.addEventListener("keydown", (event) => this.#key(event));
    table.addEventListener("click", (event) => this.#toggle(event, this.brush()));
    table.addEventListener("contextmenu", (event) => this.#toggle(event, FLAG));
    table.addEventListener("focusin", (event) => this.#focused(event.target.closest("td")));
  }

  get rows() {
    return this.lines.map((line) => line.map((cell) => cell.dataset.sign).join(""));
  }

  cell(row, column) {
    return this.lines[row]?.[column];
  }

  // Whether `other`, a table from the server, has as many rows and columns.
  fits(other) {
    const rows = [...other.tBodies[0].rows];
    return rows.length === this.lines.length && rows[0].cells.length - 1 === this.lines[0].length;
  }

  // Copy the contents of each cell and keep the elements, so that focus and scroll position stay.
  show(other) {
    [...other.tBodies[0].rows].forEach((row, number) => {
      [...row.cells].slice(1).forEach((fresh, column) => {
        const cell = this.lines[number][column];
        cell.className = fresh.className;
        cell.textContent = fresh.textContent;
        cell.dataset.sign = fresh.dataset.sign;
        cell.title = fresh.title;
        cell.setAttribute("aria-label", fresh.getAttribute("aria-label"));
      });
    });
  }

  put(cell, sign) {
    if (cell.dataset.sign === sign) return;
    const [text, classes] = FACES[sign] ?? [sign, `open t${sign}`];
    cell.dataset.sign = sign;
    cell.textContent = text;
    cell.className = classes;
    this.edit();
  }

  #focused(cell) {
    if (!cell) return;
    this.table.querySelector('td[tabindex="0"]')?.setAttribute("tabindex", "-1");
    cell.tabIndex = 0;
  }

  // Put the sign, or take it away where it is.
  #toggle(event, sign) {
    const cell = event.target.closest("td[role=gridcell]");
    if (!cell) return;
    event.preventDefault();
    cell.focus();
    this.put(cell, cell.dataset.sign === sign ? CLOSED : sign);
  }

  #key(event) {
    const cell = event.target.closest("td[role=gridcell]");
    if (!cell || event.altKey || event.metaKey) return;
    const goal = this.#goal(event, cell);
    const key = keyOf(event);
    const sign = event.ctrlKey ? undefined : /^[0-8]$/.test(key) ? key : KEYS[key];
    if (goal) goal.focus();
    else if (sign) this.put(cell, sign);
    else if (key === "Enter") this.put(cell, this.brush());
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #goal(event, cell) {
    const [row, column] = [cell.parentElement.rowIndex - this.table.tHead.rows.length, cell.cellIndex - 1];
    const [last, end] = [this.lines.length - 1, this.lines[0].length - 1];
    if (event.key === "Home") return this.cell(event.ctrlKey ? 0 : row, 0);
    if (event.key === "End") return this.cell(event.ctrlKey ? last : row, end);
    const step = event.ctrlKey ? null : STEPS[event.key];
    if (!step) return null;
    return this.cell(Math.min(last, Math.max(0, row + step[0])), Math.min(end, Math.max(0, column + step[1])));
  }
}
