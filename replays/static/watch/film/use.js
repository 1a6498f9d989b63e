// What somebody who uses a film needs, and who only looks at it does not: buttons, menus, keys, cursor, trail, layers.

import { Choice } from "./choice.js";
import { Controls } from "./controls.js";
import { Cursor } from "./cursor.js";
import { Damaged, fetched } from "./decode.js";
import { Layers, decodeOdds } from "./layers.js";
import { Review } from "./review.js";
import { Trail } from "./trail.js";

// Of a viewer whose film is there; it then goes to the moment that the address names.
export function makeUsable(viewer) {
  const { film, board, clicks, stage } = viewer;
  viewer.layers = new Layers(film, board);
  viewer.trail = new Trail(film, clicks);
  viewer.cursor = new Cursor(stage, board);
  new Choice(viewer);
  viewer.controls = new Controls(viewer);
  viewer.controls.words.goToAddress();
  viewer.review = new Review(viewer);
  if (viewer.root.dataset.review) viewer.review.arrived();
  if (new URLSearchParams(location.search).get("play") === "1" && !viewer.reduced.matches) viewer.play();
  loadOdds(viewer);
  preparePosition(viewer);
}

async function loadOdds(viewer) {
  try {
    viewer.layers.setOdds(decodeOdds(await fetched(viewer.data.odds), viewer.film));
    viewer.redrawOverlay();
  } catch (error) {
    if (!(error instanceof Damaged) && !(error instanceof TypeError)) throw error;
    viewer.oddsFailed = true;
  }
  viewer.root.dataset.odds = viewer.oddsFailed ? "failed" : "ready";
  viewer.controls.words.note();
}

// What could be known at a position: loaded when somebody opens it.
function preparePosition(viewer) {
  const details = viewer.find("position");
  const load = async () => {
    if (!details.open || viewer.position) return;
    viewer.position = true;
    const { Position } = await import("./position.js");
    viewer.position = new Position(viewer, details);
  };
  details.addEventListener("toggle", load);
}
