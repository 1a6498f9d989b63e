// The table of the players of a board, and the list of visitors without a cell.  Names are texts of others: they are set as
// text, never as markup.

import { colours, css } from "./board/palette.js";
import { filled, texts } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

// `rows` as of RoomState.table; `you`: the own number; `places`: show them, as the board is done; `buttons(row)`: the owner's controls.
export function fillTable(body, rows, { you, dark, places, coop, buttons = () => [] }) {
  const old = new Map([...body.rows].map((line) => [Number(line.dataset.player), line]));
  const most = Math.max(1, ...rows.map(({ score }) => score));
  const lines = rows.map((row, place) => {
    const own = row.player === you;
    const line = old.get(row.player) ?? newLine(row, own ? [] : buttons(row));
    if (own) line.querySelector(".player-controls")?.remove(); // the row may be older than the answer that says whose it is
    line.classList.toggle("own", own);
    line.classList.toggle("away", !row.here);
    paint(line, colours(row.hue, row.shade, dark), row.score / most);
    showPlace(line.querySelector(".rk"), places && !coop ? place + 1 : 0);
    const name = row.name || `#${row.player}`;
    set(line.querySelector("bdi"), name);
    set(line.querySelector(".tile"), initial(name));
    const remark = line.querySelector("[data-remark]");
    set(remark, own ? texts.you : row.here ? "" : texts.away);
    remark.hidden = !remark.textContent;
    set(line.querySelector("[data-score]"), String(row.score));
    set(line.querySelector("[data-blasts]"), String(row.blasts));
    line.querySelector(".hits").hidden = !row.blasts;
    set(line.querySelector("[data-ratio]"), ratio(row, coop));
    return line;
  });
  const kept = new Set(lines);
  for (const line of [...body.rows]) if (!kept.has(line)) line.remove();
  lines.forEach((line, place) => {
    if (body.rows[place] !== line) body.insertBefore(line, body.rows[place] ?? null);
  });
}

// Those who have the room open and no cell: [{name, plays}]; `more`: so many further ones; `you`: the own name.
export function fillVisitors(list, visitors, { you, more }) {
  const lines = visitors.map(({ name, plays }) => {
    const line = document.createElement("li");
    const [tile, text, note] = ["tile", "nm", "muted"].map(span);
    tile.textContent = initial(name);
    tile.setAttribute("aria-hidden", "true");
    const bdi = document.createElement("bdi");
    bdi.textContent = name;
    text.append(bdi);
    note.textContent = plays ? texts["no-cells"] : texts.watches;
    line.append(tile, text);
    if (name === you) line.append(badge(texts.you));
    line.append(note);
    return line;
  });
  if (more > 0) {
    const line = document.createElement("li");
    line.textContent = filled("more", { more });
    lines.push(line);
  }
  list.replaceChildren(...lines);
}

// The words behind the number of mines: the score for each of them, where players have scores of their own.
function ratio({ score, blasts }, coop) {
  const name = `${blasts === 1 ? "hit" : "hits"}${coop ? "-together" : ""}`;
  return blasts ? filled(name, { ratio: (score / blasts).toFixed(1) }) : "";
}

function initial(name) {
  return [...name.replace("#", "")][0]?.toUpperCase() ?? "";
}

// The tile and the bar in the player's colour.
function paint(line, { strong, tag }, share) {
  const look = `${css(strong)} ${css(tag)}`;
  const bar = line.querySelector(".mb").lastElementChild;
  bar.setAttribute("width", (100 * share).toFixed(1));
  if (line.dataset.look === look) return;
  line.dataset.look = look;
  bar.setAttribute("fill", css(strong));
  line.querySelector(".tile").style.backgroundColor = css(tag);
}

function showPlace(medal, place) {
  medal.hidden = !place;
  medal.className = place && place <= 3 ? `rk g${place}` : "rk";
  set(medal, place ? String(place) : "");
}

function set(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function span(name) {
  const element = document.createElement("span");
  element.className = name;
  return element;
}

function badge(text) {
  const element = span("badge");
  element.textContent = text;
  return element;
}

function drawn(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function newLine({ player }, controls) {
  const line = document.createElement("tr");
  line.dataset.player = player;
  const head = document.createElement("th");
  head.scope = "row";
  head.className = "name";
  const [box, medal, tile, who, text, note] = ["pl", "rk", "tile", "who", "nmr", "badge"].map(span);
  tile.setAttribute("aria-hidden", "true");
  note.dataset.remark = "";
  const name = document.createElement("bdi");
  name.className = "nm";
  text.append(name, note);
  const bar = drawn("svg", { class: "mb", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" }, drawn("rect", { class: "mt", width: 100, height: 6 }), drawn("rect", { width: 0, height: 6 }));
  const hits = span("hits");
  const [blasts, words] = [span(""), span("")];
  blasts.dataset.blasts = "";
  words.dataset.ratio = "";
  hits.append(blasts, " ", words);
  who.append(text, bar, hits, ...controls);
  box.append(medal, tile, who);
  head.append(box);
  const score = document.createElement("td");
  score.className = "num score";
  score.dataset.score = "";
  line.append(head, score);
  return line;
}
