// The keys of the viewer: one table, which also makes the list of the help.

import { keyOf } from "../../web/key.js";

// Action, its keys as they are shown and as `named` says them.
export const KEYS = [
  ["toggle", ["Space", "K"]],
  ["previous", ["←"]], ["next", ["→"]],
  ["back", ["Shift+←"]], ["forward", ["Shift+→"]],
  ["back5", ["J"]], ["forward5", ["L"]],
  ["previousEvent", [","]], ["nextEvent", ["."]],
  ["slower", ["<"]], ["faster", [">"]], ["normal", ["="]],
  ["previousGuess", ["Page Up"]], ["nextGuess", ["Page Down"]],
  ["nextMoment", ["N"]], ["previousMoment", ["Shift+N"]],
  ["begin", ["Home"]], ["end", ["End"]], ["tenth", [..."0123456789"]],
  ["trail", ["T"]], ["heat", ["H"]], ["odds", ["P"]], ["openings", ["O"]], ["zini", ["Z"]], ["bv", ["M"]],
  ["full", ["F"]], ["copy", ["C"]], ["help", ["?"]],
];
const NAMES = { " ": "Space", ArrowLeft: "←", ArrowRight: "→", PageUp: "Page Up", PageDown: "Page Down" };
const EVERYWHERE = ["Space", "←", "→"]; // wherever the focus is
const ACTIONS = new Map(KEYS.flatMap(([action, keys]) => keys.map((key) => [key, action])));

function named(event) {
  const key = keyOf(event);
  const letter = /^[a-z]$/.test(key);
  const name = NAMES[key] ?? (letter ? key.toUpperCase() : key);
  return event.shiftKey && (letter || name.length > 1 || "←→".includes(name)) ? `Shift+${name}` : name;
}

// Outside of the viewer what scrolls sideways, or is moved by arrows, keeps them.
function takesArrows(target, key) {
  if (key === "Space" || target === document.body) return false;
  return target.closest?.("[role=grid], [role=listbox], [role=menu], [role=radiogroup], [role=slider], [role=tablist]") || target.scrollWidth > target.clientWidth + 1;
}

// `active()`: whether keys belong to the viewer wherever the focus is; `letters()`: whether single letters do.
export function bindKeys(root, does, { active, letters }) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const { target } = event;
    const key = named(event);
    if (!root.contains(target) && !active() && !(EVERYWHERE.includes(key) && !takesArrows(target, key))) return;
    const range = target.matches?.("[data-part=range]");
    if (target.matches?.("textarea, select, [contenteditable]") || (target.matches?.("input") && !range && target.type !== "checkbox")) return;
    if (key === "Escape") {
      if (does.escape()) event.preventDefault();
      return;
    }
    if (key === "Space" && target.closest?.("button, label, summary, a, input[type=checkbox]")) return;
    const action = ACTIONS.get(key);
    if (!does[action] || (/^(Shift\+)?[A-Z]$/.test(key) && !letters())) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // other keys of the page
    does[action](Number(key));
  }, { capture: true });
}

// The list of the help: terms and what they do.
export function keyList(texts, does) {
  return KEYS.filter(([action]) => does[action]).flatMap(([action, keys]) => {
    const term = document.createElement("dt");
    (keys.length > 2 ? [`${keys[0]}–${keys.at(-1)}`] : keys).forEach((key, index) => {
      const shown = document.createElement("kbd");
      shown.textContent = key;
      term.append(index ? " " : "", shown);
    });
    const meaning = document.createElement("dd");
    meaning.textContent = texts[action];
    return [term, meaning];
  });
}
