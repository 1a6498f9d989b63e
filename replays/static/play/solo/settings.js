// The visitor's settings of play, kept in this browser. 

import { chooseSkin } from "../look/choose.js";
import { SETTINGS } from "../wire.js";
import { KEYS } from "./table/keys.js";

const KEY = "play-settings";
const CHOICES = {
  marks: [false, true],
  alone: [false, true],
  touch: ["off", "open", "flag"],
  zoom: ["fit", "16", "20", "24", "28", "32", "40", "48"],
  skin: ["classic", "clean", "dark", "safe"],
};

export class Settings {
  // `form` has a field for each choice; `changed(name)` is called after the visitor changed one.
  constructor(form, changed) {
    this.form = form;
    const skin = document.documentElement.dataset.skin || "classic";
    this.values = { marks: false, alone: false, touch: matchMedia("(pointer: coarse)").matches ? "open" : "off", zoom: "fit", skin };
    this.keys = { ...KEYS };
    this.chosen = new Set(); // what the visitor has set, here or before
    for (const [name, value] of Object.entries(stored())) {
      if (name === "keys") Object.assign(this.keys, keysOf(value));
      if (name === "skin" || !CHOICES[name]?.includes(value)) continue;
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
  }

  set(name, value) {
    this.values[name] = value;
    this.chosen.add(name);
    if (name === "skin") chooseSkin(value);
    this.#show();
    this.#keep();
  }

  // Play on by the values with which a game was begun.
  use(values) {
    Object.assign(this.values, values);
    this.#show();
  }

  // Give an action a key; the action that had it takes the key of this one.
  setKey(action, key) {
    const other = Object.keys(this.keys).find((name) => this.keys[name] === key);
    if (other) this.keys[other] = this.keys[action];
    this.keys[action] = key;
    this.#keep();
  }

  // The settings as NEW sends them.
  bits(coarse) {
    const { marks, alone, touch } = this.values;
    const chosen = [marks && SETTINGS.questionMarks, alone && SETTINGS.leftAloneChords, touch !== "off" && SETTINGS.touch, coarse && SETTINGS.coarseClock];
    return chosen.reduce((sum, bit) => sum + Number(bit), 0);
  }

  #keep() {
    const kept = Object.entries(this.values).filter(([name]) => this.chosen.has(name) && name !== "skin");
    try {
      localStorage.setItem(KEY, JSON.stringify({ ...Object.fromEntries(kept), keys: this.keys }));
    } catch (error) {
      // Private windows may refuse: the setting then lasts as long as the page.
      if (!(error instanceof DOMException)) throw error;
    }
  }

  #show() {
    for (const [name, value] of Object.entries(this.values)) {
      const field = this.form.elements[name];
      if (field.type === "checkbox") field.checked = value;
      else field.value = value;
    }
  }
}

// A key for each action, no two the same; else nothing.
function keysOf(given) {
  const keys = Object.keys(KEYS).map((name) => given?.[name]);
  const fits = keys.every((key) => typeof key === "string" && key) && new Set(keys).size === keys.length;
  return fits ? given : {};
}

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return {};
    throw error;
  }
}
