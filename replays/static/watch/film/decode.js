// Reads films: columns of bytes as analysis/film/encoding.py describes them.

const MOST_EVENTS = 1_000_000;
const MOST_CELLS = 255 * 255;
const COUNTERS = ["lcl", "rcl", "dcl", "lce", "rce", "dce", "rce_strict", "flags", "bvdone", "opdone", "isdone"];

export class Damaged extends Error {}

// The bytes at `address`, or what another method of a response reads; a site that is getting ready is asked again.
export async function fetched(address, kind = "arrayBuffer", options = {}) {
  for (;;) {
    const response = await fetch(address, { credentials: "omit", ...options });
    if (response.ok) return response[kind]();
    const wait = Number(response.headers.get("Retry-After"));
    if (response.status !== 503 || !wait) throw new Damaged({ 404: "missing", 429: "busy" }[response.status] ?? "trouble");
    await new Promise((resume) => setTimeout(resume, 1000 * wait));
  }
}

export function check(condition) {
  if (!condition) throw new Damaged("damaged");
}

// The contents of the sections whose table begins at `place`, by id: [coding, bytes].
export function sectionsOf(bytes, view, place, count) {
  const sections = new Map();
  let content = place + 8 * count;
  check(content <= bytes.length);
  for (; count; count -= 1, place += 8) {
    const length = view.getUint32(place + 4, true);
    check(content + length <= bytes.length);
    sections.set(bytes[place], [bytes[place + 1], bytes.subarray(content, content + length)]);
    content += length;
  }
  check(content === bytes.length);
  return sections;
}

// `count` numbers of a section, in an array of `Type`.
export function column([coding, bytes] = [], count, Type = Int32Array) {
  check(bytes && bytes.length >= count);
  if (coding === 0) {
    check(bytes.length === count);
    return Type.from(bytes);
  }
  const numbers = new Type(count);
  let [place, sum] = [0, 0];
  for (let index = 0; index < count; index += 1) {
    let [value, scale, byte] = [0, 1, 128];
    while (byte > 127) {
      check(place < bytes.length && scale <= 2 ** 28);
      byte = bytes[place];
      place += 1;
      value += (byte & 127) * scale;
      scale *= 128;
    }
    if (coding === 2) value = value % 2 ? -(value + 1) / 2 : value / 2;
    sum = coding === 1 ? value : sum + value;
    numbers[index] = sum;
  }
  check(place === bytes.length);
  return numbers;
}

// `first[k]` to `first[k + 1]` are the changes of group k.
export function firsts(counts, total) {
  const first = new Int32Array(counts.length + 1);
  counts.forEach((count, index) => {
    first[index + 1] = first[index] + count;
  });
  check(first[counts.length] === total);
  return first;
}

// Cells from distances, in place.
export function cellsOf(gaps, first, most) {
  for (let group = 0; group + 1 < first.length; group += 1) {
    for (let change = first[group] + 1; change < first[group + 1]; change += 1) gaps[change] += gaps[change - 1] + 1;
  }
  check(gaps.every((cell) => cell >= 0 && cell < most));
  return gaps;
}

export function start(buffer, magic, headerSize) {
  check(buffer.byteLength >= headerSize);
  const [bytes, view] = [new Uint8Array(buffer), new DataView(buffer)];
  check(view.getUint32(0, false) === magic);
  if (bytes[4] !== 1) throw new Damaged("version");
  const size = bytes[6] * bytes[7];
  check(size > 0 && size <= MOST_CELLS);
  return { bytes, view, size };
}

// A film; times are ms since the opening.  `hash8` is that of the game that is expected.
export function decodeFilm(buffer, hash8) {
  const { bytes, view, size } = start(buffer, 0x53424631, 64);
  const hash = [...bytes.subarray(40, 44)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (hash8 && hash !== hash8) throw new Damaged("version");
  const u32 = (place) => view.getUint32(place, true);
  const [events, acts, changes] = [u32(12), u32(16), u32(20)];
  check(events > 0 && events <= MOST_EVENTS && acts > 0 && acts <= events && changes <= acts + size && u32(24) < acts);
  const sections = sectionsOf(bytes, view, 64, view.getUint16(56, true));
  const get = (id, count, Type) => column(sections.get(id), count, Type);
  const [unit, before] = [bytes[11], view.getInt32(28, true)];
  const first = firsts(get(19, acts), changes);
  const film = {
    rows: bytes[6], columns: bytes[7], size, mineCount: view.getUint16(8, true), cellPx: bytes[10], timeMs: u32(32),
    result: bytes[5] & 1 ? "won" : bytes[5] & 2 ? "lost" : "unfinished", startAct: u32(24),
    times: get(1, events).map((time) => time * unit + before), x: get(2, events), y: get(3, events),
    places: get(4, acts), kinds: get(5, acts, Uint8Array), held: get(6, acts, Uint8Array), counters: {},
    first, cells: cellsOf(get(20, changes), first, size), faces: get(21, changes, Uint8Array),
    openings: get(23, size), islands: get(24, size),
  };
  COUNTERS.forEach((name, index) => {
    film.counters[name] = get(7 + index, acts);
  });
  check(film.places.every((place, act) => place < events && (!act || place > film.places[act - 1])));
  check(film.times.every((time, event) => !event || time >= film.times[event - 1]) && film.faces.every((face) => face < 4));
  film.path = pathOf(film);
  const packed = get(22, (size + 7) >> 3, Uint8Array);
  film.mines = Uint8Array.from({ length: size }, (_none, cell) => (packed[cell >> 3] >> (7 - (cell & 7))) & 1);
  film.numbers = film.mines.map((mine, cell) => (mine ? 9 : neighbours(film, cell).filter((near) => film.mines[near]).length));
  return film;
}

// The path after each event, px at 16 px a cell: from the opening on, without points outside of the board.
function pathOf({ x, y, rows, columns, cellPx, places, startAct }) {
  const path = new Float64Array(x.length);
  let [sum, last] = [0, places[startAct]];
  for (let event = last; event < x.length; event += 1) {
    if (x[event] >= 0 && x[event] < columns * cellPx && y[event] >= 0 && y[event] < rows * cellPx) {
      sum += Math.sqrt((x[event] - x[last]) ** 2 + (y[event] - y[last]) ** 2);
      last = event;
    }
    path[event] = (sum * 16) / cellPx;
  }
  return path;
}

export function neighbours({ rows, columns }, cell) {
  const [row, col, near] = [Math.floor(cell / columns), cell % columns, []];
  for (let y = Math.max(row - 1, 0); y <= Math.min(row + 1, rows - 1); y += 1) {
    for (let x = Math.max(col - 1, 0); x <= Math.min(col + 1, columns - 1); x += 1) if (y !== row || x !== col) near.push(y * columns + x);
  }
  return near;
}
