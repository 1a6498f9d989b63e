// Texts of the pages of rooms, from the data attributes of one element, where they are translated.

import { CLOSED, FLAG, MINE } from "./rules/paper.js";

export const texts = {};
for (const { name, value } of document.getElementById("play-texts")?.attributes ?? []) texts[name.replace("data-", "")] = value;

// A text with its {parts}.
export function filled(name, values = {}) {
  return (texts[name] ?? name).replace(/\{(\w+)\}/g, (_whole, part) => values[part]);
}

export function clock(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [minutes, rest] = [Math.floor(seconds / 60) % 60, String(seconds % 60).padStart(2, "0")];
  const hours = Math.floor(seconds / 3600);
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

// What a cell shows, in words.
export function describe(game, cell, playerOf) {
  const place = { row: Math.floor(cell / game.columns) + 1, column: (cell % game.columns) + 1 };
  const face = game.face(cell);
  const owner = game.owner(cell);
  const name = owner ? playerOf(owner).name : "";
  const kinds = { 0: "cell-empty", [MINE]: "cell-mine", [CLOSED]: "cell-closed", [FLAG]: "cell-flag" };
  const what = kinds[face] ? texts[kinds[face]] : String(face);
  return filled(name ? "cell-of" : "cell-plain", { ...place, what, name });
}
