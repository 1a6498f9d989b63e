// Reads the chances of mines of all positions of a game, as analysis/film/film_odds.py describes them.

import { cellsOf, check, column, firsts, sectionsOf, start } from "./decode.js";

export function decodeOdds(buffer, film) {
  const { bytes, view, size } = start(buffer, 0x53424f31, 40);
  check(size === film.size);
  const [positions, changes] = [view.getUint32(8, true), view.getUint32(12, true)];
  check(positions > 0 && positions <= film.places.length + 1 && changes <= positions * size);
  const sections = sectionsOf(bytes, view, 40, view.getUint16(36, true));
  const get = (id, count, Type) => column(sections.get(id), count, Type);
  const first = firsts(get(4, positions), changes);
  return {
    acts: get(1, positions), uncounted: get(2, positions, Uint8Array), endedBy: get(3, positions, Uint8Array),
    first, cells: cellsOf(get(5, changes), first, size), values: get(6, changes, Uint8Array),
  };
}
