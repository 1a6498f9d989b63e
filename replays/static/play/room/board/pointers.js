// The pointers of other players: an arrow in the player's colour with the name.  One that rests fades away.

import { css } from "./palette.js";

const REST_MS = 3000;
const FADE_MS = 400;
const ARROW = new Path2D("M0 0V17L4.5 13 7.5 19.8 10.4 18.5 7.4 12H13Z");
const NAME_CHARS = 16;
const TAG = { height: 18, radius: 4, pad: 6, left: 11, top: 19 };

// Forget the pointers that have faded away; whether there were any.
export function dropRested(cursors, now) {
  const before = cursors.size;
  for (const [player, { at }] of cursors) if (strength(at, now) <= 0) cursors.delete(player);
  return cursors.size < before;
}

export function isFading(cursors, now) {
  return [...cursors.values()].some(({ at }) => strength(at, now) < 1);
}

export function drawPointers(board, ctx, now) {
  for (const [player, place] of board.cursors) pointer(board, ctx, player, place, strength(place.at, now));
  ctx.globalAlpha = 1;
  ctx.setTransform(1, 0, 0, 1, 0, 0);
}

// 1 while it moves, 0 when it is gone.
function strength(at, now) {
  const rested = now - at - REST_MS;
  if (rested <= 0) return 1;
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : Math.max(0, 1 - rested / FADE_MS);
}

function pointer(board, ctx, player, { x, y }, alpha) {
  const { size, dpr, width } = board.camera;
  const [left, top] = [x * size - board.camera.x, y * size - board.camera.y];
  const colour = css(board.inks.colour(player).tag);
  ctx.globalAlpha = alpha;
  ctx.setTransform(dpr, 0, 0, dpr, left, top);
  ctx.fillStyle = colour;
  ctx.strokeStyle = "#ffffff";
  ctx.lineWidth = 1.6;
  ctx.lineJoin = "round";
  ctx.stroke(ARROW);
  ctx.fill(ARROW);
  const name = [...board.playerOf(player).name].slice(0, NAME_CHARS).join("");
  if (!name) return;
  ctx.font = "600 12px system-ui, sans-serif";
  const wide = ctx.measureText(name).width + 2 * TAG.pad;
  const start = left / dpr + TAG.left + wide > width / dpr ? -wide - 2 : TAG.left; // on the other side at the right edge
  ctx.beginPath();
  ctx.roundRect(start, TAG.top, wide, TAG.height, TAG.radius);
  ctx.fill();
  ctx.fillStyle = "#ffffff";
  ctx.textBaseline = "middle";
  ctx.fillText(name, start + TAG.pad, TAG.top + TAG.height / 2 + 0.5);
}
