// How the values of a message are written as bytes: the twin of replays/play/wire/codecs.py.

export class WireError extends Error {}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const UINT_MOST = 2 ** 32 - 1;

export function refuse(reason) {
  throw new WireError(reason);
}

export class Reader {
  constructor(data) {
    this.data = data;
    this.at = 0;
  }

  byte() {
    if (this.at >= this.data.length) refuse("the message ends too early");
    return this.data[this.at++];
  }

  take(count) {
    if (count > this.data.length - this.at) refuse("the message ends too early");
    this.at += count;
    return this.data.slice(this.at - count, this.at);
  }

  uint(most = UINT_MOST, longest = 5) {
    let value = 0;
    let factor = 1;
    for (let place = 0; place < longest; place += 1) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor; // no shifts: they cut to 32 bits
      if (byte < 0x80) {
        if (byte === 0 && place > 0) refuse("a number is padded");
        if (value > most) refuse("a number is too large");
        return value;
      }
      factor *= 128;
    }
    return refuse("a number does not end");
  }

  sint() {
    const value = this.uint();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
}

export class Writer {
  constructor() {
    this.data = new Uint8Array(64);
    this.length = 0;
  }

  byte(value) {
    if (!Number.isInteger(value) || value < 0 || value > 255) refuse(`${value} is no byte`);
    this.bytes([value]);
  }

  bytes(values) {
    if (this.length + values.length > this.data.length) {
      const larger = new Uint8Array(2 * (this.length + values.length));
      larger.set(this.data.subarray(0, this.length));
      this.data = larger;
    }
    this.data.set(values, this.length);
    this.length += values.length;
  }

  uint(value, most = UINT_MOST) {
    if (!Number.isInteger(value) || value < 0 || value > most) refuse(`${value} is no number from 0 to ${most}`);
    let rest = value;
    while (rest > 0x7f) {
      this.byte((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.byte(rest);
  }

  sint(value) {
    this.uint(value >= 0 ? value * 2 : -value * 2 - 1);
  }

  done() {
    return this.data.slice(0, this.length);
  }
}

// A codec: [read(reader), write(writer, value)].
export const uint = [(r) => r.uint(), (w, value) => w.uint(value)];
export const long = [
  (r) => r.uint(Number.MAX_SAFE_INTEGER, 8),
  (w, value) => w.uint(value, Number.MAX_SAFE_INTEGER),
];
export const sint = [(r) => r.sint(), (w, value) => w.sint(value)];
export const byte = [(r) => r.byte(), (w, value) => w.byte(value)];
export const flag = [(r) => r.byte() === 1, (w, value) => w.byte(value ? 1 : 0)];
export const blob = [
  (r) => r.take(r.uint()),
  (w, value) => {
    w.uint(value.length);
    w.bytes(value);
  },
];
export const text = [readText, (w, value) => blob[1](w, new TextEncoder().encode(value))];

function readText(reader) {
  try {
    return UTF8.decode(blob[0](reader));
  } catch (error) {
    if (error instanceof WireError) throw error;
    return refuse("a text is no UTF-8");
  }
}

export function fixed(size) {
  return [
    (r) => r.take(size),
    (w, value) => {
      if (value.length !== size) refuse(`${value.length} bytes instead of ${size}`);
      w.bytes(value);
    },
  ];
}

// A list: a count, then as many rows; `read(reader, before)` gets the row before.
export function list(read, write) {
  return [
    (r) => {
      const count = r.uint();
      if (count > r.data.length - r.at) refuse("a count is larger than the message");
      const rows = [];
      for (let place = 0; place < count; place += 1) rows.push(read(r, rows[place - 1]));
      return rows;
    },
    (w, rows) => {
      w.uint(rows.length);
      rows.forEach((row, place) => write(w, row, rows[place - 1]));
    },
  ];
}

export function rows(fields) {
  return list(
    (r) => readFields(r, {}, fields),
    (w, row) => writeFields(w, row, fields),
  );
}

export const risingFaces = list(
  (r, before) => ({ cell: (before?.cell ?? 0) + r.uint(), face: r.byte() }),
  (w, row, before) => {
    w.uint(row.cell - (before?.cell ?? 0));
    w.byte(row.face);
  },
);

export function nearFaces(start) {
  return list(
    (r, before) => ({ cell: (before?.cell ?? start) + r.sint(), face: r.byte() }),
    (w, row, before) => {
      w.sint(row.cell - (before?.cell ?? start));
      w.byte(row.face);
    },
  );
}

export function readFields(reader, into, fields) {
  for (const [name, [read]] of Object.entries(fields)) into[name] = read(reader);
  return into;
}

export function writeFields(writer, from, fields) {
  for (const [name, [, write]] of Object.entries(fields)) write(writer, from[name]);
}
