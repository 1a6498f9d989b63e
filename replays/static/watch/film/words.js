// The address of the moment, links to it, times that people write, and the moment in words.

import { placeOf } from "./trail.js";

const ADDRESS_MS = 250;
const SAY_MS = 300;
const TIME = /^(-?)(?:(\d{1,4}):(?=[0-5]?\d(?:\D|$)))?(\d{1,6}(?:[.,]\d{1,3})?)$/;

export function filled(text, values) {
  return text.replace(/%\((\w+)\)s/g, (_all, name) => values[name]);
}

// The ms of “62.5”, “62,5” or “1:02.5” (moment_ms of replays/watch/pictures/tags.py reads the same); NaN of anything else.
export function msOf(text) {
  const [, minus, minutes = 0, seconds] = TIME.exec(text.trim()) ?? [];
  return Math.round((minus ? -1000 : 1000) * (60 * minutes + Number(seconds?.replace(",", "."))));
}

// The form of a text that goes with `number`: {one, other, …} by the rules of the language.
export function counted(forms, number) {
  return forms[new Intl.PluralRules(document.documentElement.lang).select(number)] ?? forms.other;
}

// What a click did, and where.
export function clickText({ film, clicks, texts }, act) {
  const [row, column] = [film.y, film.x].map((axis) => Math.floor(axis[placeOf(film, clicks, act)] / film.cellPx) + 1);
  const cells = film.first[act + 1] - film.first[act];
  const effect = clicks.opening.includes(act) ? filled(counted(texts.opens, cells), { cells }) : clicks.wasted.includes(act) ? texts.wasted : "";
  return [filled(texts[clicks.kind.get(act)], { row, column }), effect].filter(Boolean).join(", ");
}

export class Words {
  constructor(viewer) {
    Object.assign(this, { viewer, find: viewer.find, texts: viewer.texts, moved: false, refused: "" });
    for (const name of ["pointerdown", "keydown"]) addEventListener(name, () => Object.assign(this, { moved: true, refused: "" }), { capture: true });
    addEventListener("hashchange", () => this.goToAddress());
    this.find("code").textContent = viewer.data.embed;
  }

  goToAddress() {
    const { viewer: v } = this;
    const number = /^#click-(.*)$/.exec(location.hash)?.[1];
    const time = new URLSearchParams(location.search).get("t");
    const act = v.clicks.all[number - 1];
    if (act !== undefined) {
      v.goTo(v.film.places[act]); // what was seen before the click
      this.find("logic").click();
    } else if (number !== undefined) this.#refuse("noClick", { number });
    else if (time === null) v.poster || v.goTo(0);
    else this.goToTime(time, 0);
  }

  // Go to a moment that somebody wrote, of a clock that begins at `first` seconds, or say that it is none.
  goToTime(text, first) {
    const ms = msOf(text);
    if (Number.isNaN(ms)) this.#refuse("badTime", { text });
    else this.viewer.seek(ms - 1000 * first);
  }

  // Stay here, and say why until somebody does something.
  #refuse(name, values) {
    this.refused = filled(this.texts[name], values);
    this.viewer.goTo(this.viewer.event, this.viewer.clock.time);
    this.note();
  }

  // The address of the page, `here`: with this moment.
  link(here) {
    const url = new URL(this.viewer.data.page, location.href);
    if (here) url.searchParams.set("t", this.#seconds());
    return url.href;
  }

  #seconds() {
    return (Math.round(this.viewer.clock.time) / 1000).toFixed(3).replace(/0$/, "");
  }

  // The address follows the film, at most four times a second.
  address() {
    if (!this.moved || !this.viewer.data.page) return;
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(() => {
      if (this.viewer.clock.playing) return;
      const url = new URL(location.href);
      url.searchParams.set("t", this.#seconds());
      if (url.hash.startsWith("#click-")) url.hash = "";
      history.replaceState(history.state, "", url);
    }, ADDRESS_MS);
  }

  // Into the clipboard, or onto the page where that is not allowed.
  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.find("status").textContent = this.texts.copied;
    } catch {
      this.find("status").textContent = text;
    }
  }

  // Why a layer shows nothing.
  note() {
    const { viewer: v } = this;
    v.overlay?.others();
    const notes = [v.overlay?.note];
    if (v.root.dataset.review === "failed") notes.push(this.texts.reviewFailed);
    notes.push(this.refused);
    this.find("note").textContent = notes.filter(Boolean).join(" ");
  }

  // The step in words, at most once a second and not while it plays.
  say() {
    const { viewer: v, texts } = this;
    clearTimeout(this.sayTimer);
    this.sayTimer = setTimeout(() => {
      if (v.clock.playing) return;
      const { film, clicks } = v;
      const played = clicks.all.filter((act) => act < v.acts);
      const parts = [filled(counted(texts.place, clicks.all.length), { number: played.length, count: clicks.all.length, time: v.timeText(v.clock.time) })];
      const act = played.at(-1);
      if (act !== undefined && v.event === film.places[act] + 1) parts.push(clickText(v, act));
      parts.push(...(v.review?.textsAt(v.event) ?? []));
      if (v.ended) parts.push(texts.over[film.result]);
      this.find("status").textContent = parts.filter(Boolean).join(", ");
    }, this.sayTimer ? SAY_MS : 0);
  }
}
