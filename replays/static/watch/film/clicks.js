// The list of clicks beside a film: it follows, and each line goes to its click.

import { countUpTo } from "./board.js";
import { clickText } from "./words.js";

const ROW_PX = 32; // .film-clicks li of film.css
const MARKS = { left: "●", right: "▲", chord: "■" };

export class Clicks {
  constructor(viewer) {
    const { find, root } = viewer;
    Object.assign(this, { viewer, list: find("clicks"), pane: find("click-pane"), tab: find("click-tab"), current: -1 });
    for (const one of root.querySelectorAll("[name=film-panel]")) one.addEventListener("change", () => this.follow());
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("li");
      if (!row) return;
      this.#goTo([...this.list.children].indexOf(row));
      viewer.controls.leave(event);
    });
    this.follow();
  }

  #goTo(index) {
    const { viewer: v } = this;
    v.clock.pause();
    v.goTo(v.film.places[v.clicks.all[index]] + 1);
  }

  // Mark the last click that was played, and keep it in sight within the box.
  follow() {
    if (!this.tab.checked) return;
    if (!this.list.children.length) this.#fill();
    const { viewer: v, list, pane } = this;
    const index = v.poster ? -1 : countUpTo(v.clicks.all, v.acts - 1) - 1;
    if (index === this.current) return;
    list.children[this.current]?.firstChild.removeAttribute("aria-current");
    list.children[index]?.firstChild.setAttribute("aria-current", "true");
    this.current = index;
    const top = Math.max(index, 0) * ROW_PX;
    if (top < pane.scrollTop || top + 2 * ROW_PX > pane.scrollTop + pane.clientHeight) pane.scrollTop = top - pane.clientHeight / 2;
  }

  #fill() {
    const { viewer: v } = this;
    const wasted = new Set(v.clicks.wasted);
    this.list.append(...v.clicks.all.map((act, index) => {
      const kind = v.clicks.kind.get(act);
      const [row, button] = [document.createElement("li"), document.createElement("button")];
      const text = clickText(v, act);
      Object.assign(button, { type: "button", title: text });
      const cells = [[index + 1, "number"], [MARKS[kind], `mark ${kind}${wasted.has(act) ? " wasted" : ""}`], [text, "what"], [v.timeText(v.film.times[v.film.places[act]]), "at"]];
      button.append(...cells.map(([text, name]) => Object.assign(document.createElement("span"), { className: name, textContent: text })));
      row.append(button);
      return row;
    }));
  }
}
