// The counters beside a film.  The server sends each formula as a tree (analysis/formulas.py); here it only gets its numbers.

const MOST_DEPTH = 24;
export const MOST_OWN = 20;
const OPERATORS = {
  "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b, "/": (a, b) => (b ? a / b : NaN), "**": (a, b) => a ** b,
  "<": (a, b) => +(a < b), "<=": (a, b) => +(a <= b), ">": (a, b) => +(a > b), ">=": (a, b) => +(a >= b), "==": (a, b) => +(a === b), "!=": (a, b) => +(a !== b),
  and: (...all) => +all.every(Boolean), or: (...all) => +all.some(Boolean),
  sqrt: Math.sqrt, log: Math.log, abs: Math.abs, round: Math.round, min: Math.min, max: Math.max,
};

// The value of a tree, NaN where it is not defined; `values` is a Map of names.
export function evaluate(tree, values, depth = MOST_DEPTH) {
  if (typeof tree === "number") return tree;
  if (typeof tree === "string") return values.get(tree) ?? NaN;
  if (!Array.isArray(tree) || !depth || !Object.hasOwn(OPERATORS, tree[0])) return NaN;
  const operands = tree.slice(1).map((part) => evaluate(part, values, depth - 1));
  if (operands.some(Number.isNaN)) return NaN;
  const value = OPERATORS[tree[0]](...operands);
  return Number.isFinite(value) ? value : NaN;
}

// `value` rounded half up in decimals, as the site does (analysis/time_convention.py); "–" if it is not defined.
export function numberText(value, decimals) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  const shifted = Number(`${size}e${decimals}`);
  const text = (Number.isNaN(shifted) ? size : Number(`${Math.round(shifted)}e-${decimals}`)).toFixed(decimals);
  if (value && !Number(text)) return value.toPrecision(2);
  return value < 0 ? `-${text}` : text;
}

// All values after `events` events, `acts` of them acts, at `time`.
export function valuesAt(film, rows, acts, events, time, ended) {
  const ms = Math.max(0, Math.floor(time));
  const values = new Map([["win", +(ended && film.result === "won")], ["time_ms", ms], ["path", events ? film.path[events - 1] : 0]]);
  for (const [name, column] of Object.entries(film.counters)) values.set(name, acts ? column[acts - 1] : 0);
  for (const [name, row] of rows) {
    if (row.tree) values.set(name, row.defined && evaluate(row.defined, values) !== 1 ? NaN : evaluate(row.tree, values));
    else if ("constant" in row) values.set(name, row.constant ?? NaN);
  }
  return values;
}

export class Counters {
  // `data`: of replays/watch/film/counters.py; `saved`: the visitor's rows and formulas.
  constructor(body, film, data, saved) {
    Object.assign(this, { body, film, data, cells: new Map() });
    this.rows = Object.entries(data.rows);
    this.clock = new Map([["time", data.first], ["estime", data.first], ["time_ms", 1000 * data.first]]);
    this.own = (Array.isArray(saved.own) ? saved.own : []).filter((row) => typeof row?.text === "string").slice(0, MOST_OWN);
    this.shown = new Set(Array.isArray(saved.rows) ? saved.rows : data.shown);
    this.table();
  }

  // Show the numbers; at the end those that are stored.
  update(acts, events, time, ended) {
    const values = this.values = valuesAt(this.film, this.rows, acts, events, time, ended);
    for (const [key, cell] of this.cells) {
      const row = this.data.rows[key];
      const text = row && ended ? row.end || "–" : numberText(this.#value(key, row, values), row?.decimals ?? 3);
      if (cell.firstChild.data !== text) cell.firstChild.data = text;
    }
  }

  #value(key, row, values) {
    if (!row) return evaluate(this.own[key].tree, values);
    return (values.get(key) ?? NaN) + (this.clock.get(key) ?? 0);
  }

  // A line for each row that is shown; `cells` has its number by the name of the row, or the place of an own one.
  table() {
    this.cells.clear();
    const names = this.data.groups.flatMap(([, rows]) => rows.filter((name) => this.shown.has(name)));
    const lines = names.map((name) => this.#line(name, this.data.rows[name].label));
    this.own.forEach((row, index) => lines.push(this.#line(index, row.text)));
    this.body.replaceChildren(...lines);
  }

  #line(key, label) {
    const [line, head, cell] = ["tr", "th", "td"].map((tag) => document.createElement(tag));
    head.scope = "row";
    head.textContent = label;
    cell.append("–");
    line.append(head, cell);
    this.cells.set(key, cell);
    return line;
  }
}
