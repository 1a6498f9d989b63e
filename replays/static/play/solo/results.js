// What is told after a game: the line of its result, and its row among the last games.

import { text, textOf } from "./texts.js";

export const WON = 1;
export const LOST = 2;
const NAMES = { [WON]: "won", [LOST]: "lost" };
const MOST_ROWS = 25;

// A game's name as in addresses, from its 16 bytes.
export function uuid(bytes) {
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

export class Results {
  // `line` is a live region, `table` the last games, `gameUrl` the address of a game named 00000000-….
  // `seconds(ms)`: a time on the visitor's clock.
  constructor({ line, table, empty, gameUrl, seconds }) {
    Object.assign(this, { line, table, empty, gameUrl, seconds });
  }

  clear() {
    this.line.replaceChildren();
    this.line.className = "result";
  }

  // The game is over: result, time in ms that counts, what of it the network has added, clicks, 3BV of the board and how
  // much of it was solved.
  over({ game, result, timeMs, addedMs = 0, ranked, reason, clicks, bv, bvDone }) {
    const name = NAMES[result] ?? "given_up";
    const pace = timeMs > 0 ? (1000 * bvDone) / timeMs : 0;
    this.line.className = `result ${name}`;
    const parts = [made("strong", text(`result.${name}`)), made("span", text("result.time", { time: this.seconds(timeMs) }))];
    if (bv) parts.push(made("span", text("result.bv", { done: bvDone, bv })));
    if (bv && timeMs > 0) parts.push(made("span", text("result.bvs", { pace: pace.toFixed(3) })));
    if (bv && clicks) parts.push(made("span", text("result.efficiency", { percent: Math.round((100 * bvDone) / clicks) })));
    if (addedMs > 0) parts.push(made("span", text("result.added", { added: addedMs }), "muted"));
    if (!ranked && reason) parts.push(made("span", textOf([reason], text("result.unranked")), "muted"));
    parts.push(this.#link(this.#address(game), text("result.game"), "more"));
    this.line.replaceChildren(...parts.flatMap((part) => [part, " "])); // spaces for who hears it
    this.line.dataset.game = game;
    this.#addRow({ game, name, timeMs, pace, bv, bvDone });
  }

  // The game has become a replay.
  stored({ game, url, rank, best, before_ms }) {
    if (this.line.dataset.game === game && this.line.childElementCount) {
      const link = this.line.querySelector("a.more");
      if (rank) link.before(made("span", text("result.rank", { rank }), "badge provisional"), " ");
      if (best) link.before(made("span", before_ms ? text("result.best_before", { time: this.seconds(before_ms) }) : text("result.best"), "badge won"), " ");
      if (url) this.#point(link, url, text("result.replay"));
    }
    const row = this.table.querySelector(`[data-game="${game}"]`);
    if (row && url) this.#point(row.querySelector("a"), url, text("result.replay"));
  }

  #point(link, url, name) {
    link.href = url;
    link.textContent = name;
  }

  #address(game) {
    return this.gameUrl.replace("00000000-0000-0000-0000-000000000000", game);
  }

  #addRow({ game, name, timeMs, pace, bv, bvDone }) {
    if (name === "given_up") return;
    const row = document.createElement("tr");
    row.dataset.game = game;
    const badge = made("span", text(`badge.${name}`), `badge ${name}`);
    const done = name === "won" ? String(bv) : `${bvDone} / ${bv || "?"}`;
    const cells = [[badge, ""], [this.seconds(timeMs), "num value"], [done, "num"], [pace ? pace.toFixed(3) : "–", "num"], [this.#link(this.#address(game), text("result.game"), "word"), ""]];
    for (const [content, className] of cells) {
      const cell = row.insertCell();
      cell.className = className;
      cell.append(content);
    }
    this.table.prepend(row);
    while (this.table.rows.length > MOST_ROWS) this.table.rows[MOST_ROWS].remove();
    this.empty.hidden = true;
    this.table.closest("table").hidden = false;
  }

  #link(url, name, className = "") {
    const link = made("a", name, className);
    link.href = url;
    return link;
  }
}

function made(tag, content, className = "") {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = content;
  return element;
}
