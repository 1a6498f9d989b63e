// The dialog of settings: keys that can be set, and on a phone what has no room next to the board.

import { keyOf } from "../../web/key.js";
import { FULL } from "./table/board.js";
import { text } from "./texts.js";

const NOT_OURS = new Set(["Escape", "Tab", "Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock", "Dead", "Process", "Unidentified", "F2"]);

export class Menu {
  // `side` is shown in the dialog where the board fills the screen; `after()` is called when it was closed.
  constructor({ dialog, settings, side, after }) {
    Object.assign(this, { dialog, settings });
    const home = side.parentElement;
    for (const button of document.querySelectorAll("[data-menu-open]")) {
      button.addEventListener("click", () => {
        (matchMedia(FULL).matches ? dialog.querySelector("[data-menu-side]") : home).append(side);
        dialog.showModal();
        if (button.matches("[data-save-open]")) side.querySelector("[data-save] input[required]").focus();
      });
    }
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // next to it
    dialog.addEventListener("close", () => {
      home.append(side);
      after();
    });
    for (const field of this.#fields()) field.addEventListener("keydown", (event) => this.#set(field, event));
    this.#show();
  }

  #fields() {
    return this.dialog.querySelectorAll("input[data-key]");
  }

  #set(field, event) {
    const key = keyOf(event);
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || NOT_OURS.has(key) || key.startsWith("Arrow")) return;
    event.preventDefault();
    this.settings.setKey(field.dataset.key, key);
    this.#show();
  }

  #show() {
    const { keys } = this.settings;
    for (const field of this.#fields()) field.value = nameOf(keys[field.dataset.key]);
    for (const item of document.querySelectorAll("[data-key-of]")) item.textContent = nameOf(keys[item.dataset.keyOf]);
  }
}

function nameOf(key) {
  if (key === " ") return text("key.space");
  return key.length === 1 ? key.toUpperCase() : key;
}
