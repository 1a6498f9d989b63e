// The menu of the counters: which of them are shown, and rows of the visitor's own.

import { MOST_OWN } from "./counters.js";

export class Choice {
  constructor(viewer) {
    const { counters, data, texts, find } = viewer;
    Object.assign(this, { viewer, counters, formula: data.formula, texts, find });
    this.#menu();
    this.#buttons();
    find("own").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#add(event.target.elements.text);
    });
  }

  #table() {
    this.counters.table();
    this.#buttons();
    this.viewer.count();
  }

  // Own rows can be taken away.
  #buttons() {
    const { counters, texts } = this;
    counters.own.forEach((row, index) => {
      const remove = document.createElement("button");
      Object.assign(remove, { type: "button", textContent: "×", title: texts.remove, ariaLabel: `${texts.remove}: ${row.text}` });
      remove.addEventListener("click", () => this.#keep(counters.own.filter((_row, place) => place !== index)));
      counters.cells.get(index).previousSibling.append(" ", remove);
    });
  }

  #menu() {
    const { data, shown } = this.counters;
    this.find("choice").append(...data.groups.map(([title, names]) => {
      const group = document.createElement("fieldset");
      group.append(Object.assign(document.createElement("legend"), { textContent: title }), ...names.map((name) => {
        const [label, box] = [document.createElement("label"), document.createElement("input")];
        Object.assign(box, { type: "checkbox", checked: shown.has(name) });
        box.addEventListener("change", () => {
          shown[box.checked ? "add" : "delete"](name);
          this.viewer.save({ rows: [...shown] });
          this.#table();
        });
        label.append(box, ` ${data.rows[name].label}`);
        return label;
      }));
      return group;
    }));
  }

  // The server reads the formula; what it refuses is not kept.
  async #add(field) {
    const text = field.value.trim();
    const note = this.find("refused");
    try {
      const response = await fetch(`${this.formula}?${new URLSearchParams({ text })}`, { credentials: "omit" });
      const { tree, reason } = await response.json();
      note.textContent = reason ?? (this.counters.own.length < MOST_OWN ? "" : this.texts.enough);
      if (note.textContent) return;
      field.value = "";
      this.#keep([...this.counters.own, { text, tree }]);
    } catch {
      note.textContent = this.texts.trouble;
    }
  }

  #keep(own) {
    this.counters.own = own;
    this.viewer.save({ own });
    this.#table();
  }
}
