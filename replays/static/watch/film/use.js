// What somebody who uses a film needs, and who only looks at it does not: buttons, menus, keys, cursor, trail.

import { Choice } from "./choice.js";
import { Controls } from "./controls.js";
import { Cursor } from "./cursor.js";
import { Digits } from "./digits.js";
import { Held, Leds } from "./leds.js";
import { Review } from "./review.js";
import { CLICKS, Trail } from "./trail.js";

// Of a viewer whose film is there; it then goes to the moment that the address names.
export function makeUsable(viewer) {
  const { film, board, clicks, stage } = viewer;
  stage.digits = new Digits(stage, film.size);
  viewer.trail = new Trail(film, clicks);
  viewer.cursor = new Cursor(stage, board, new Held(viewer.find("held")));
  viewer.redraw();
  viewer.save = (part) => save(viewer, part);
  viewer.part = (load) => loaded(viewer, load);
  new Choice(viewer);
  viewer.controls = new Controls(viewer);
  const leds = new Leds(viewer);
  viewer.counted = () => {
    leds.show();
    viewer.list?.follow();
    viewer.overlay?.others();
  };
  viewer.controls.words.goToAddress();
  viewer.review = new Review(viewer);
  if (viewer.root.dataset.review) viewer.review.arrived();
  if (new URLSearchParams(location.search).get("play") === "1" && !viewer.reduced.matches) viewer.play();
  preparePanels(viewer);
  viewer.root.dataset.used = "";
}

// A script that is loaded when it is needed; undefined, and told, if it cannot be.
async function loaded({ find, texts }, load) {
  try {
    return await load();
  } catch {
    find("note").textContent = texts.trouble;
  }
}

// Panels that are loaded when somebody opens them: the list of clicks, and what logic shows at a position, which leaves the poster.
function preparePanels(viewer) {
  const { clicks, find, root } = viewer;
  const open = async () => {
    if (find("click-tab").checked && !viewer.list) {
      const part = await viewer.part(() => import("./clicks.js"));
      if (part) viewer.list ??= new part.Clicks(viewer);
    }
    if (!find("logic").checked) return;
    if (viewer.poster) viewer.goTo(0);
    if (viewer.position) return;
    const part = await viewer.part(() => import("./position.js"));
    if (part) viewer.position ??= new part.Position(viewer, find("position"));
  };
  find("click-count").textContent = clicks.all.length;
  for (const one of root.querySelectorAll("[name=film-panel]")) one.addEventListener("change", open);
  open();
}

// Keep a setting of the visitor: in the browser, if it lets us, and in the account.
function save(viewer, part) {
  Object.assign(viewer.saved, part);
  try {
    localStorage.setItem("film", JSON.stringify(viewer.saved));
  } catch {
    // full, or not allowed: the setting holds until the page is left
  }
  if (viewer.data.account) keepInAccount(viewer);
}

async function keepInAccount({ data, find, root, saved, texts }) {
  const { keep } = await import("./account.js");
  const layers = [...root.querySelectorAll("[data-layer]")].map((box) => box.dataset.layer);
  const trails = [...find("trail").options].map((option) => option.value);
  keep(data.account, saved, { rows: Object.keys(data.counters.rows), layers, trails, clicks: CLICKS }, () => {
    find("note").textContent = texts.notStored;
  });
}
