// Buttons, menus and touch of the viewer.  Every action has one name, which keys and buttons share.

import { bindKeys, keyList } from "./keys.js";
import { CLICKS } from "./trail.js";
import { Words } from "./words.js";

const LEAST_ROOM_PX = 200; // of a menu below the bar
const RATES = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 4, 8, 16];
const HOLD_MS = 450;
const DOUBLE_TAP_MS = 280;
const TAP_PX = 8;
const NEAR_PX = 6; // of a remark, for the words of the pointer
const GUESSES = ["certain_mine", "needless_guess", "worse_guess", "best_guess"];
const TRAILS = ["recent", "click", "all", "off"];
const [CAPTION_PX, MARGIN_PX, TEXT_PX, LEAST_PX] = [28, 8, 13, 320]; // of the line in a picture: its height, room beside it, its size, the least width

export class Controls {
  constructor(viewer) {
    Object.assign(this, { viewer, find: viewer.find, texts: viewer.texts, words: new Words(viewer) });
    this.does = this.#actions();
    for (const name of viewer.data.without ?? []) delete this.does[name]; // there is nothing to do it with
    this.#restore();
    this.#bind();
    this.#touch();
    bindKeys(viewer.root, this.does, {
      active: () => Boolean(document.fullscreenElement) || "embed" in viewer.root.dataset,
      letters: () => this.find("letters").checked,
    });
    this.find("keys").append(...keyList(this.texts.keys, this.does));
    this.button();
  }

  #actions() {
    const { viewer: v, find } = this;
    const { film, clock, clicks } = v;
    const moment = (step, kinds) => {
      const found = next(v.timeline.moments, v.event, step, kinds);
      if (found) this.#stand(found.event);
    };
    const rate = (step) => {
      const at = RATES.findIndex((one) => one >= clock.rate);
      this.#rate(RATES[Math.min(Math.max((at < 0 ? RATES.length : at) + step, 0), RATES.length - 1)]);
    };
    const box = (name) => () => v.root.querySelector(`[data-layer="${name}"]`).click();
    const click = (step) => {
      const events = clicks.all.map((act) => film.places[act] + 1);
      this.#stand(step > 0 ? (events.find((event) => event > v.event) ?? film.times.length) : (events.findLast((event) => event < v.event) ?? 0));
    };
    return {
      play: () => v.play(),
      toggle: () => (clock.playing ? v.pause() : v.play()),
      previous: () => click(-1), next: () => click(1),
      back: () => v.seek(clock.time - 1000 * clock.rate), forward: () => v.seek(clock.time + 1000 * clock.rate),
      back5: () => v.seek(clock.time - 5000), forward5: () => v.seek(clock.time + 5000),
      previousEvent: () => this.#stand(v.event - 1), nextEvent: () => this.#stand(v.event + 1),
      slower: () => rate(-1), faster: () => rate(1), normal: () => this.#rate(1),
      previousGuess: () => moment(-1, GUESSES), nextGuess: () => moment(1, GUESSES),
      previousMoment: () => moment(-1), nextMoment: () => moment(1),
      begin: () => v.goTo(0), end: () => v.seek(clock.end),
      tenth: (digit) => v.seek(clock.begin + (digit / 10) * (clock.end - clock.begin)),
      trail: () => {
        const select = find("trail");
        select.selectedIndex = (select.selectedIndex + 1) % TRAILS.length;
        select.dispatchEvent(new Event("change"));
      },
      heat: box("heat"), odds: box("odds"), openings: box("openings"), zini: box("zini"), bv: box("bv"),
      full: () => (document.fullscreenElement ? document.exitFullscreen() : v.root.requestFullscreen?.()),
      copy: () => this.words.copy(this.words.link(true)),
      copyStart: () => this.words.copy(this.words.link(false)),
      copyEmbed: () => this.words.copy(find("code").textContent),
      picture: () => pictureOf(v.stage, v.data.line).toBlob((blob) => {
        const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: `${v.data.name}-${v.timeText(clock.time)}.png` });
        link.click();
        URL.revokeObjectURL(link.href);
      }),
      zoom: () => {
        v.stage.zoom = { 1: 1.5, 1.5: 2, 2: 1 }[v.stage.zoom];
        v.stage.resize();
      },
      help: () => find("help").toggleAttribute("open"),
      escape: () => {
        const open = [...v.root.querySelectorAll("details.menu[open]")];
        open.forEach((menu) => menu.querySelector("summary").focus());
        open.forEach((menu) => menu.removeAttribute("open"));
        return open.length > 0;
      },
    };
  }

  #stand(event) {
    this.viewer.clock.pause();
    this.viewer.goTo(event);
  }

  #rate(rate) {
    const v = this.viewer;
    if (!(rate > 0)) return;
    v.clock.setRate(rate);
    this.find("rate").value = String(v.clock.rate);
    v.save({ rate: v.clock.rate });
  }

  #restore() {
    const { viewer: v, find } = this;
    const asked = new URLSearchParams(location.search);
    const rate = Number(asked.get("rate") ?? v.saved.rate ?? 1);
    v.clock.setRate(Number.isFinite(rate) && rate > 0 ? rate : 1);
    find("rate").value = String(v.clock.rate);
    const layers = asked.get("layers")?.split(",") ?? (Array.isArray(v.saved.layers) ? v.saved.layers : []);
    for (const box of v.root.querySelectorAll("[data-layer]")) {
      box.checked = layers.includes(box.dataset.layer) && !box.closest("[hidden]");
      box.addEventListener("change", () => { this.layering = this.#layers(true); });
    }
    this.layering = this.#layers(false);
    if (TRAILS.includes(v.saved.trail)) find("trail").value = v.saved.trail;
    const boxes = CLICKS.map((kind) => v.root.querySelector(`[data-clicks=${kind}]`));
    for (const box of boxes) box.checked = !Array.isArray(v.saved.clicks) || v.saved.clicks.includes(box.dataset.clicks);
    const clicks = () => boxes.filter((box) => box.checked).map((box) => box.dataset.clicks);
    find("smooth").checked = v.saved.smooth !== false && !v.reduced.matches;
    find("letters").checked = v.saved.letters !== false;
    const drawing = () => {
      Object.assign(v.trail, { mode: find("trail").value, marks: clicks() });
      v.smooth = find("smooth").checked;
      v.trail.reset();
      v.trail.draw(v.stage, v.event, v.acts, v.clock.time);
    };
    drawing();
    for (const box of [find("trail"), ...boxes, find("smooth"), find("letters")]) {
      box.addEventListener("change", () => {
        v.save({ trail: find("trail").value, clicks: clicks(), smooth: find("smooth").checked, letters: find("letters").checked });
        drawing();
        this.#leavePoster();
      });
    }
  }

  // What was clicked with a pointer gives the focus to the board, so that Space plays and does not press it again.
  leave({ detail }) {
    if (detail) this.find("frame").focus({ preventScroll: true });
  }

  // What is to be seen on the board is not seen on its poster.
  #leavePoster() {
    if (this.viewer.poster) this.viewer.goTo(0);
  }

  async #layers(keep) {
    const { viewer: v } = this;
    const on = [...v.root.querySelectorAll("[data-layer]:checked")].map((box) => box.dataset.layer);
    if (keep) {
      v.save({ layers: on });
      this.#leavePoster();
    }
    if (!on.length && !v.layers) return;
    const part = await v.part(() => import("./overlay.js"));
    if (part) v.overlay ??= new part.Overlay(v);
    await v.overlay?.show();
  }

  #bind() {
    const { viewer: v, find } = this;
    for (const button of v.root.querySelectorAll("[data-do]")) {
      let [timer, held] = [0, false];
      button.addEventListener("pointerdown", () => {
        held = false;
        if (button.dataset.held) timer = setTimeout(() => { held = true; this.does[button.dataset.held](); }, HOLD_MS);
      });
      for (const name of ["pointerup", "pointerleave"]) button.addEventListener(name, () => clearTimeout(timer));
      button.addEventListener("click", (event) => {
        if (!held) this.does[button.dataset.do]();
        held = false;
        this.leave(event);
      });
    }
    // A checkbox or a tab that was clicked does not keep the focus either, also if it was chosen already; one that was set by a key does.
    let pointed = false;
    v.root.addEventListener("pointerdown", () => { pointed = true; });
    v.root.addEventListener("keydown", () => { pointed = false; });
    v.root.addEventListener("click", ({ target }) => {
      if (target.matches("[type=checkbox], [type=radio]")) this.leave({ detail: pointed });
    });
    const range = find("range");
    let resumes = false;
    range.addEventListener("pointerdown", () => {
      resumes = v.clock.playing;
      v.scrubbing = true;
      v.clock.pause();
    });
    range.addEventListener("input", () => v.seek(Number(range.value)));
    for (const name of ["pointerup", "pointercancel"]) range.addEventListener(name, () => {
      v.scrubbing = false;
      if (resumes) v.play();
      resumes = false;
    });
    find("time").addEventListener("change", (event) => {
      event.target.blur(); // so that the field says again where the film is
      this.words.goToTime(event.target.value, v.data.counters.first);
    });
    find("rate").addEventListener("change", (event) => this.#rate(Number(event.target.value.replace(",", "."))));
    find("skin").value = document.documentElement.dataset.skin || "classic";
    find("skin").addEventListener("change", async ({ target }) => {
      const { chooseSkin } = await import("../../play/look/choose.js");
      chooseSkin(target.value, { styles: target.dataset.styles, keep: !("embed" in v.root.dataset) });
    });
    range.addEventListener("pointermove", (event) => {
      const { left, width } = find("timeline").getBoundingClientRect();
      const found = near(v.timeline, (event.clientX - left) / width);
      range.title = found.slice(0, 4).map((one) => `${v.timeText(one.time)} s: ${one.text}`).join("\n");
    });
    // Below the bar, and not over the board, where it has room (film.css).
    const layers = find("layers");
    layers.addEventListener("toggle", () => {
      const room = innerHeight - layers.getBoundingClientRect().bottom - (document.querySelector(".tabbar")?.offsetHeight ?? 0) - 16;
      layers.toggleAttribute("data-below", room >= LEAST_ROOM_PX);
      layers.style.setProperty("--room", `${Math.round(room)}px`);
    });
    document.addEventListener("visibilitychange", () => document.hidden && v.clock.playing && v.pause());
    document.addEventListener("fullscreenchange", () => v.stage.resize());
  }

  // Tap: play or pause; twice in the left or right third: 1 s back or on.  A drag scrolls the board.
  #touch() {
    const { viewer: v } = this;
    const frame = this.find("frame");
    let [down, timer] = [null, 0];
    frame.addEventListener("pointerdown", (event) => { down = event; });
    frame.addEventListener("pointerup", (event) => {
      if (!down || Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > TAP_PX || event.button) return;
      if (event.pointerType === "mouse") return this.does.toggle();
      const box = frame.getBoundingClientRect();
      const place = (event.clientX - box.left) / box.width;
      const third = place < 1 / 3 ? -1 : place > 2 / 3 ? 1 : 0;
      if (timer && third) {
        clearTimeout(timer);
        timer = 0;
        return v.seek(v.clock.time + 1000 * third);
      }
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = 0;
        this.does.toggle();
      }, DOUBLE_TAP_MS);
    });
  }

  button() {
    const playing = this.viewer.clock.playing;
    const button = this.viewer.root.querySelector("[data-do=toggle]");
    button.setAttribute("aria-label", playing ? this.texts.pause : this.texts.play);
    button.classList.toggle("is-playing", playing);
    if (playing) this.find("status").textContent = ""; // where it stood
  }

  rest() {
    this.button();
    this.words.note();
    this.words.say();
    this.words.address();
  }
}

// The nearest moment behind (step 1) or before (step -1) `event`; of these kinds, if some are given.
function next(moments, event, step, kinds) {
  const fitting = moments.filter((one) => (!kinds || kinds.includes(one.kind)) && (step > 0 ? one.event > event : one.event < event));
  return step > 0 ? fitting[0] : fitting.at(-1);
}

// The moments within some px of a place across the timeline.
function near({ canvas, clock, moments }, fraction) {
  const time = clock.begin + fraction * (clock.end - clock.begin);
  const width = (NEAR_PX / canvas.clientWidth) * (clock.end - clock.begin);
  return moments.filter((one) => one.time - width <= time && time <= (one.until ?? one.time) + width);
}

// Everything that the stage shows as one picture, with a line about the game below it if there is one.
function pictureOf({ layers, dpr, colour, frame }, line) {
  const [{ width, height }] = layers;
  const whole = document.createElement("canvas");
  Object.assign(whole, { width: line ? Math.max(width, LEAST_PX * dpr) : width, height: line ? height + CAPTION_PX * dpr : height });
  const ctx = whole.getContext("2d");
  ctx.fillStyle = colour("--stage");
  ctx.fillRect(0, 0, whole.width, whole.height);
  for (const canvas of layers) ctx.drawImage(canvas, (whole.width - width) >> 1, 0);
  if (!line) return whole;
  Object.assign(ctx, { fillStyle: colour("--stage-ink"), font: `${TEXT_PX * dpr}px ${getComputedStyle(frame).fontFamily}`, textBaseline: "middle" });
  const margin = MARGIN_PX * dpr;
  ctx.fillText(line, margin, height + (CAPTION_PX * dpr) / 2, whole.width - 2 * margin);
  return whole;
}
