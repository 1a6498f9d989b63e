// The visitor's settings of play, kept in this browser.

import { SETTINGS } from "../wire.js";

const KEY = "play-settings";
const CHOICES = {
  marks: [false, true],
  alone: [false, true],
  touch: ["off", "open", "flag"],
  zoom: ["fit", "16", "20", "24", "28", "32", "40", "48"],
  style: ["classic", "site"],
};

export class Settings {
  // `form` has a field for each choice; `changed(name)` is called after the visitor changed one.
  constructor(form, changed) {
    this.form = form;
    this.values = { marks: false, alone: false, touch: matchMedia("(pointer: coarse)").matches ? "open" : "off", zoom: "fit", style: "classic" };
    this.chosen = new Set(); // what the visitor has set, here or before
    for (const [name, value] of Object.entries(stored())) {
      if (!CHOICES[name]?.includes(value)) continue;
      this.values[name] = value;
      this.chosen.add(name);
    }
    this.#show();
    form.addEventListener("change", (event) => {
      const { name, type, checked, value } = event.target;
      if (!(name in CHOICES)) return;
      this.set(name, type === "checkbox" ? checked : value);
      changed(name);
    });
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  set(name, value) {
    this.values[name] = value;
    this.chosen.add(name);
    this.#show();
    try {
      const kept = Object.entries(this.values).filter(([key]) => this.chosen.has(key));
      localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
    } catch (error) {
      // Private windows may refuse: the setting then lasts as long as the page.
      if (!(error instanceof DOMException)) throw error;
    }
  }

  // The settings as NEW sends them.
  bits(coarse) {
    const { marks, alone, touch } = this.values;
    const chosen = [marks && SETTINGS.questionMarks, alone && SETTINGS.leftAloneChords, touch !== "off" && SETTINGS.touch, coarse && SETTINGS.coarseClock];
    return chosen.reduce((sum, bit) => sum + Number(bit), 0);
  }

  #show() {
    for (const [name, value] of Object.entries(this.values)) {
      const field = this.form.elements[name];
      if (field.type === "checkbox") field.checked = value;
      else field.value = value;
    }
  }
}

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return {};
    throw error;
  }
}
