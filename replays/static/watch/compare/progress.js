// Progress as analysis/film/progress.py defines it: {times, done, end}, both lists rising.  Interpolation and nothing else.

import { countUpTo } from "../film/board.js";

// The value at `x` of the line through (xs, ys), constant beyond its ends; `xs` rises strictly.
function between(x, xs, ys) {
  const right = countUpTo(xs, x);
  if (right === 0) return ys[0];
  if (right === xs.length) return ys.at(-1);
  const share = (x - xs[right - 1]) / (xs[right] - xs[right - 1]);
  return ys[right - 1] + share * (ys[right] - ys[right - 1]);
}

const rounded = (time) => Math.floor(time * 1000 + 0.5) / 1000;

// How much was done at `time`; where several acts fall on one ms, after the last of them.
export function doneAt({ times, done }, time) {
  const within = Math.min(Math.max(time, 0), times.at(-1));
  const left = Math.max(countUpTo(times, within) - 1, 0);
  const right = Math.min(left + 1, times.length - 1);
  const span = times[right] - times[left];
  return done[left] + (span > 0 ? (within - times[left]) / span : 0) * (done[right] - done[left]);
}

// When so much was first done; the end of the game where it never was.
export function timeOf(progress, done) {
  return done > progress.done.at(-1) ? progress.end : rounded(between(done, progress.done, progress.times));
}

// Where the second game stands while the first one is at `time`.
export function aligned(first, second, time) {
  if (time < 0) return time;
  const done = doneAt(first, time);
  if (done > second.done.at(-1)) return second.end;
  const after = Math.max(time - first.times.at(-1), 0);
  const following = countUpTo(second.done, done);
  const limit = following < second.done.length ? second.times[following] : second.end;
  return rounded(Math.min(between(done, second.done, second.times) + after, limit));
}
