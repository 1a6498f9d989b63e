// The messages of the sockets, version 1: docs/play-protocol.md.  The twin of replays/play/wire.
// A message is an object {type: "hello", ticket: "…", …}; bytes are a Uint8Array; lists hold objects.

import { Reader, Writer, blob, byte, fixed, flag, list, long, nearFaces, readFields, refuse, risingFaces, rows, sint, text, uint, writeFields } from "./codecs.js";

export const SUBPROTOCOL = "sweepbook.play.1";
export const SETTINGS = { questionMarks: 1, leftAloneChords: 2, touch: 4, coarseClock: 8 };

const MOVE = { player: uint, kind: byte, cell: uint };
const openedMoves = list(
  (r) => {
    const move = readFields(r, {}, MOVE);
    move.opened = nearFaces(move.cell)[0](r);
    return move;
  },
  (w, move) => {
    writeFields(w, move, MOVE);
    nearFaces(move.cell)[1](w, move.opened);
  },
);
const bareMoves = list(
  (r) => readFields(r, { opened: [] }, MOVE),
  (w, move) => writeFields(w, move, MOVE),
);
const players = rows({ player: uint, name: text, hue: byte, shade: byte, score: uint, blasts: uint, here: flag });

const events = rows({ dt_ms: uint, kind: byte, dx: sint, dy: sint });

// The fields of each type in the order of their bytes.
const MESSAGES = {
  hello: [0x01, { ticket: text, epoch: uint, number: uint, game: blob }],
  pong: [0x08, { id: uint, client_ms: long }],
  new: [0x11, { cell_px: uint, settings: uint, device: text }],
  start: [0x12, { nonce: fixed(16) }],
  input: [0x13, { seq: uint, events }],
  copy: [0x15, { game: fixed(16), seq: uint, events }],
  leave: [0x14, {}],
  open: [0x21, { own: uint, cell: uint, epoch: uint }],
  flag: [0x22, { own: uint, cell: uint, epoch: uint }],
  chord: [0x23, { own: uint, cell: uint, epoch: uint }],
  cursor: [0x24, { x: uint, y: uint }],
  resync: [0x25, {}],
  ping: [0x88, { id: uint, server_ms: long, lag_ms: uint }],
  error: [0x8f, { fatal: flag, code: text, message: text }],
  game: [0x91, { game: fixed(16), commit: fixed(32), rows: uint, columns: uint, mines: uint, rules: text, resumed: flag, last_seq: uint, elapsed_ms: uint, shown: blob }],
  faces: [0x92, { seq: uint, faces: risingFaces }],
  over: [0x93, { result: byte, time_ms: uint, ranked: flag, reason: text, secret: fixed(32), nonce: fixed(16), attempt: uint, mines: blob, client_ms: uint, server_ms: uint, jitter_ms: uint, bv: uint, bv_done: uint }],
  stored: [0x94, { game: fixed(16), replay: long, url: text, rank: uint, best: flag, before_ms: uint }],
  working: [0x95, {}],
  room: [0xa1, { epoch: uint, number: uint, you: uint, sealed: flag, flags: flag, chords: flag, coop: flag, rows: uint, columns: uint, area: uint, area_mines: uint, modulus: uint, start: long, mines: uint, server_ms: long, name: text }],
  moves: [0xa2, { epoch: uint, first: uint, moves: openedMoves }],
  answer: [0xa3, { epoch: uint, own: uint, result: byte, stamp: uint }],
  history: [0xa4, { epoch: uint, number: uint, moves: bareMoves }],
  snapshot: [0xa5, { epoch: uint, number: uint, shown: blob, owner: blob }],
  players: [0xa6, { epoch: uint, players }],
  finished: [0xa7, { epoch: uint, elapsed_ms: uint, next_in_ms: uint }],
  cursors: [0xa8, { cursors: rows({ player: uint, x: uint, y: uint }) }],
  wait: [0xa9, { reason: text }],
  here: [0xab, { here: uint }],
  visitors: [0xac, { visitors: rows({ name: text, plays: flag }) }],
};
const TYPES = new Map(Object.entries(MESSAGES).map(([type, [code]]) => [code, type]));

// The bytes of a message.
export function encode(message) {
  const [code, fields] = MESSAGES[message.type];
  const writer = new Writer();
  writer.byte(code);
  writeFields(writer, message, fields);
  return writer.done();
}

// The message of some bytes (Uint8Array); null if its type is unknown: a newer server may send more types.
export function decode(data) {
  if (!data.length) refuse("the message is empty");
  const type = TYPES.get(data[0]);
  if (type === undefined) return null;
  const reader = new Reader(data);
  reader.at = 1;
  const message = readFields(reader, { type }, MESSAGES[type][1]);
  if (reader.at !== data.length) refuse("the message is too long");
  return message;
}

// The bytes that were packed by raw deflate, as boards are.
export async function unpack(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
