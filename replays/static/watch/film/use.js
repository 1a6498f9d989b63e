// What somebody who uses a film needs, and who only looks at it does not: buttons, menus, keys, cursor, trail, layers.

import { Choice } from "./choice.js";
import { Clicks } from "./clicks.js";
import { Controls } from "./controls.js";
import { Cursor } from "./cursor.js";
import { Damaged, fetched } from "./decode.js";
import { Digits } from "./digits.js";
import { Layers, decodeOdds } from "./layers.js";
import { Held, Leds } from "./leds.js";
import { Review } from "./review.js";
import { CLICKS, Trail } from "./trail.js";

// Of a viewer whose film is there; it then goes to the moment that the address names.
export function makeUsable(viewer) {
  const { film, board, clicks, stage } = viewer;
  stage.digits = new Digits(stage, film.size);
  viewer.layers = new Layers(film, board);
  viewer.trail = new Trail(film, clicks);
  viewer.cursor = new Cursor(stage, board, new Held(viewer.find("held")));
  viewer.redraw();
  viewer.save = (part) => save(viewer, part);
  new Choice(viewer);
  viewer.controls = new Controls(viewer);
  const [leds, list] = [new Leds(viewer), new Clicks(viewer)];
  viewer.counted = () => {
    leds.show();
    list.follow();
    viewer.controls.words.others();
  };
  viewer.controls.words.goToAddress();
  viewer.review = new Review(viewer);
  if (viewer.root.dataset.review) viewer.review.arrived();
  if (new URLSearchParams(location.search).get("play") === "1" && !viewer.reduced.matches) viewer.play();
  if (viewer.data.odds) loadOdds(viewer);
  preparePosition(viewer);
}

async function loadOdds(viewer) {
  try {
    viewer.layers.setOdds(decodeOdds(await fetched(viewer.data.odds), viewer.film));
    viewer.layers.redraw(viewer.stage, viewer.acts);
  } catch (error) {
    if (!(error instanceof Damaged) && !(error instanceof TypeError)) throw error;
    viewer.oddsFailed = true;
  }
  viewer.root.dataset.odds = viewer.oddsFailed ? "failed" : "ready";
  viewer.controls.words.note();
}

// What logic shows at a position: loaded when somebody opens its panel, which leaves the poster.
function preparePosition(viewer) {
  const tab = viewer.find("logic");
  const load = async () => {
    if (!tab.checked) return;
    if (viewer.poster) viewer.goTo(0);
    if (viewer.position) return;
    viewer.position = true;
    const { Position } = await import("./position.js");
    viewer.position = new Position(viewer, viewer.find("position"));
  };
  for (const one of viewer.root.querySelectorAll("[name=film-panel]")) one.addEventListener("change", load);
  load();
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
