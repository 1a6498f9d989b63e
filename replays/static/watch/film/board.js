// What the cells show after any number of events.  It looks up what the server has counted and knows no rule of the game.

const KEYFRAME_GROUPS = 1024;
const MANY_GROUPS = 4096;
const OPEN = 3;

// The number of elements of the sorted `list` that are not above `value`.
export function countUpTo(list, value) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Values of cells that change group by group: forward and backward, a step costs what it changes.
export class Changes {
  constructor(size, { first, cells, values }) {
    Object.assign(this, { first, cells, values, groups: 0, now: new Uint8Array(size), keyframes: [] });
    const count = first.length - 1;
    this.previous = new Uint8Array(values.length); // so that it runs backwards too
    for (let group = 0; group <= count; group += 1) {
      if (count > MANY_GROUPS && group % KEYFRAME_GROUPS === 0) this.keyframes.push(this.now.slice());
      for (let change = first[group]; change < first[group + 1]; change += 1) {
        this.previous[change] = this.now[cells[change]];
        this.now[cells[change]] = values[change];
      }
    }
    this.now.fill(0);
  }

  // Apply the first `groups` groups; `changed(cell)` is called for each cell that may be another now.
  goTo(groups, changed = () => {}) {
    const { first, cells, now } = this;
    const key = Math.round(groups / KEYFRAME_GROUPS);
    if (Math.abs(groups - this.groups) > KEYFRAME_GROUPS && this.keyframes[key]) {
      this.keyframes[key].forEach((value, cell) => {
        if (now[cell] !== value) changed(cell);
      });
      now.set(this.keyframes[key]);
      this.groups = key * KEYFRAME_GROUPS;
    }
    for (let change = first[this.groups]; change < first[groups]; change += 1) {
      now[cells[change]] = this.values[change];
      changed(cells[change]);
    }
    for (let change = first[this.groups] - 1; change >= first[groups]; change -= 1) {
      now[cells[change]] = this.previous[change];
      changed(cells[change]);
    }
    this.groups = groups;
  }
}

export class Board {
  constructor(film) {
    this.film = film;
    this.changes = new Changes(film.size, { first: film.first, cells: film.cells, values: film.faces });
    this.faces = this.changes.now; // 0 closed, 1 flag, 2 question mark, 3 open
  }

  get acts() {
    return this.changes.groups;
  }

  goTo(acts, changed) {
    this.changes.goTo(acts, changed);
  }

  // The face to be drawn: a number, or a code of the skin.
  shown(cell, ended) {
    const [face, { numbers, mines }] = [this.faces[cell], this.film];
    if (face === OPEN) return numbers[cell];
    if (ended && face === 1 && !mines[cell]) return 14;
    if (ended && face !== 1 && mines[cell]) return 15; // after a win too: flags are those that the player set
    return [10, 11, 13][face];
  }
}

// Lists of acts, looked up in the counters: all clicks, those that opened cells, those that changed nothing.
export function clicksOf(film) {
  const { lcl, rcl, dcl, lce, rce, dce } = film.counters;
  const rose = (column, act) => column[act] > (act ? column[act - 1] : 0);
  const found = { all: [], opening: [], wasted: [], kind: new Map() };
  for (let act = 0; act < film.places.length; act += 1) {
    const works = [lce, rce, dce].map((column) => rose(column, act));
    const kind = rose(dcl, act) || works[2] ? "chord" : rose(rcl, act) || works[1] ? "right" : rose(lcl, act) || works[0] ? "left" : "";
    if (!kind) continue;
    found.all.push(act);
    found.kind.set(act, kind);
    if (works[0] || works[2]) found.opening.push(act);
    if (!works.some(Boolean)) found.wasted.push(act);
  }
  return found;
}
