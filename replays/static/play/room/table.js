// The table of the players of a board.  Names are texts of others: they are set as text, never as markup.

import { colours, css } from "./board/palette.js";

// What stands in the table: `rows` as of RoomState.table; `buttons(row)` gives the controls of an owner, or nothing.
export function fillTable(body, rows, { you, dark, texts, coop, buttons = () => [] }) {
  const old = new Map([...body.rows].map((line) => [Number(line.dataset.player), line]));
  const lines = rows.map((row) => {
    const own = row.player === you;
    const line = old.get(row.player) ?? newLine(row, own ? [] : buttons(row));
    if (own) line.querySelector(".player-controls")?.remove(); // the row may be older than the answer that says whose it is
    line.classList.toggle("own", own);
    line.classList.toggle("away", !row.here);
    const colour = css(colours(row.hue, row.shade, dark).strong);
    const swatch = line.querySelector(".player-colour");
    if (swatch.dataset.look !== colour) {
      swatch.dataset.look = colour;
      swatch.style.backgroundColor = colour;
    }
    set(line.querySelector("bdi"), row.name || `#${row.player}`);
    set(line.querySelector("[data-remark]"), own ? texts.you : row.here ? "" : texts.away);
    set(line.querySelector("[data-score]"), String(row.score));
    set(line.querySelector("[data-blasts]"), String(row.blasts));
    set(line.querySelector("[data-ratio]"), coop ? "" : ratio(row));
    return line;
  });
  const kept = new Set(lines);
  for (const line of [...body.rows]) if (!kept.has(line)) line.remove();
  lines.forEach((line, place) => {
    if (body.rows[place] !== line) body.insertBefore(line, body.rows[place] ?? null);
  });
}

// Score for each blast, the score itself without one.
function ratio({ score, blasts }) {
  return blasts ? (score / blasts).toFixed(1) : String(score);
}

function set(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function newLine({ player }, controls) {
  const line = document.createElement("tr");
  line.dataset.player = player;
  const name = document.createElement("th");
  name.scope = "row";
  name.className = "name";
  const swatch = document.createElement("span");
  swatch.className = "player-colour";
  swatch.setAttribute("aria-hidden", "true");
  const note = document.createElement("span");
  note.className = "muted small";
  note.dataset.remark = "";
  name.append(swatch, document.createElement("bdi"), " ", note, ...controls);
  line.append(name);
  for (const part of ["score", "blasts", "ratio"]) {
    const cell = document.createElement("td");
    cell.className = "num";
    cell.dataset[part] = "";
    line.append(cell);
  }
  return line;
}
