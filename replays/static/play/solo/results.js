// What is told after a game: the line of its result, and its row among the last games.

import { text, textOf } from "./texts.js";

export const WON = 1;
export const LOST = 2;
const NAMES = { [WON]: "won", [LOST]: "lost" };
const MOST_ROWS = 6;

// A game's name as in addresses, from its 16 bytes.
export function uuid(bytes) {
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

export class Results {
  // `line` holds the result, a live region, the last game and its buttons; `table` the last games, whose rows are made of
  // `row`; `gameUrl` is the address of a game named 00000000-…, `statusUrl` that of how replays fared.  `seconds(ms)`: a time
  // on the visitor's clock.
  constructor({ line, table, row, empty, gameUrl, statusUrl, seconds }) {
    Object.assign(this, { line, table, row, empty, gameUrl, statusUrl, seconds });
    const find = (name) => line.querySelector(`[data-${name}]`);
    Object.assign(this, { told: find("result"), last: find("last"), watch: find("watch"), share: find("share") });
  }

  // A new game: the last one is told in its place.
  clear() {
    this.line.dataset.outcome = "";
    this.told.replaceChildren();
    if (this.done) this.last.replaceChildren(made("span", text("result.last"), "muted"), " ", made("b", this.done.time), " ", this.done.facts);
  }

  // The game is over: result, time in ms that counts, what of it the network has added, clicks, 3BV of the board and how
  // much of it was solved.
  over({ game, result, timeMs, addedMs = 0, ranked, reason, clicks, bv, bvDone }) {
    const decided = result in NAMES;
    const name = NAMES[result] ?? (reason === "given_up" ? reason : "stopped"); // by the player, or by the site
    const pace = timeMs > 0 ? (1000 * bvDone) / timeMs : 0;
    const facts = [];
    if (bv) facts.push(result === WON ? text("result.bv", { bv }) : text("result.bv_of", { done: bvDone, bv }));
    if (bv && timeMs > 0) facts.push(text("result.bvs", { pace: pace.toFixed(3) }));
    if (bv && clicks) facts.push(text("result.efficiency", { share: `${Math.round((100 * bvDone) / clicks)}%` }));
    if (addedMs > 0) facts.push(text("result.added", { added: addedMs }));
    const time = text("result.time", { time: this.seconds(timeMs) });
    const solved = result === LOST && bv ? text("result.lost_at", { share: `${Math.floor((100 * bvDone) / bv)}%` }) : text(`result.${name}`);
    this.done = { game, timeMs, time, facts: facts.join(" · "), mayRank: result === WON && ranked };
    this.told.replaceChildren(made("b", `${solved} `, result === WON ? "visually-hidden" : ""), made("b", time), " ");
    if ((result === WON && !ranked && reason) || name === "stopped") this.#tell(textOf([reason], text("result.unranked")), "reason");
    this.told.append(made("span", this.done.facts, "counted"));
    this.line.dataset.outcome = name;
    this.#point(this.#address(game));
    this.watch.hidden = this.share.hidden = !decided; // there is no film of a game without a result
    if (decided) this.#addRow({ game, name, timeMs, bv });
  }

  // The game has become a replay.  Return its time if it is the visitor's best one, else null.
  stored(message) {
    const { game, url, best } = message;
    const row = this.table.querySelector(`[data-game="${game}"]`);
    if (row && url) row.querySelector("a").href = url;
    if (this.done?.game !== game) return null;
    if (url) this.#point(url);
    this.#rank(message).catch((error) => reportError(error));
    return best ? this.done.timeMs : null;
  }

  // A game that may rank is told its place or how far it is from the best one, unless the analysis has found a doubt.
  async #rank({ game, replay, rank, best, before_ms: before }) {
    if (!this.done.mayRank || !replay) return;
    const { timeMs } = this.done;
    const { judgement, why } = await this.#status(replay);
    if (this.done.game !== game || !this.line.dataset.outcome) return; // the next game has begun
    if (best) this.#tell(text("badge.best"), "badge pb", before ? text("result.best_before", { time: this.seconds(before) }) : text("result.best"));
    if (judgement === "provisional") this.#tell(text("result.checked"), "reason", why);
    else if (judgement && judgement !== "accepted") this.#tell(text(why ? "result.unranked_because" : "result.unranked", { why }), "reason");
    else if (rank) this.#tell(text("result.rank", { rank }), "place");
    else if (before && timeMs > before) this.#tell(text("result.off_best", { difference: ((timeMs - before) / 1000).toFixed(3) }), "muted");
  }

  // How the analysis of a replay ended, and why, on the visitor's clock; {} if that cannot be read.
  async #status(replay) {
    const answer = await fetch(`${this.statusUrl}?ids=${replay}`);
    return (answer.ok && (await answer.json()).replays[0]) || {};
  }

  // What is shared: the title and the address of the game that is told.
  get shared() {
    return { title: `${document.title.split(" · ")[0]}: ${this.done.time}`, url: this.watch.href };
  }

  #tell(sentence, className, title = "") {
    const part = made("span", sentence, className);
    if (title) part.title = title;
    const facts = this.told.querySelector(".counted");
    if (facts) facts.before(part, " ");
    else this.told.append(part, " ");
  }

  #point(url) {
    this.watch.href = url;
    this.line.querySelector("[data-done]").hidden = false;
  }

  #address(game) {
    return this.gameUrl.replace("00000000-0000-0000-0000-000000000000", game);
  }

  #addRow({ game, name, timeMs, bv }) {
    this.table.querySelector(`[data-game="${game}"]`)?.remove(); // told by a page that was loaded after its end
    const row = this.row.content.firstElementChild.cloneNode(true);
    row.dataset.game = game;
    const badge = row.querySelector(".badge");
    badge.textContent = text(`badge.${name}`);
    badge.classList.add(name);
    row.querySelector("b").textContent = this.seconds(timeMs);
    row.querySelector("[data-bv]").textContent = bv ? text("result.bv", { bv }) : "";
    row.querySelector("a").href = this.#address(game);
    this.table.prepend(row);
    while (this.table.children.length > MOST_ROWS) this.table.lastElementChild.remove();
    this.empty.hidden = true;
  }
}

function made(tag, content, className = "") {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = content;
  return element;
}
