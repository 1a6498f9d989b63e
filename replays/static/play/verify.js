// Makes the board of a finished game again from what the server published, in the browser: the sampler "fair-1", as
// analysis/fair.py has it.  Everything is computed by WebCrypto, which needs a secure context (https or localhost).

const SECRET_BYTES = 32;
const NONCE_BYTES = 16;
const WORD_VALUES = 2 ** 32;
const RULES = ["xp", "win7", "no-guess"];

const encode = (text) => new TextEncoder().encode(text);

// Bytes of a text in hexadecimal; null if it is none of `length` bytes.
function bytesOf(hex, length) {
  if (typeof hex !== "string" || hex.length !== 2 * length || !/^[0-9a-f]*$/i.test(hex)) return null;
  return Uint8Array.from({ length }, (_, place) => Number.parseInt(hex.slice(2 * place, 2 * place + 2), 16));
}

export function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

export async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

// 32-bit numbers without end: HMAC-SHA-256 of the message and a counter, eight numbers a digest.
async function* words(secret, message) {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const input = joined(message, new Uint8Array(4));
  const counter = new DataView(input.buffer, message.length);
  for (let number = 0; ; number += 1) {
    counter.setUint32(0, number);
    const digest = new DataView(await crypto.subtle.sign("HMAC", key, input));
    for (let place = 0; place < digest.byteLength; place += 4) yield digest.getUint32(place);
  }
}

// A number below `limit`, all equally likely: words beyond the largest multiple of it are passed over.
async function below(limit, source) {
  const usable = WORD_VALUES - (WORD_VALUES % limit);
  for (;;) {
    const { value } = await source.next();
    if (value < usable) return value % limit;
  }
}

// The cells (row * columns + column) that may hold a mine.
function freeCells({ rows, columns, rules, row, column }) {
  const reach = rules === "xp" ? 0 : 1;
  return Array.from({ length: rows * columns }, (_, cell) => cell).filter(
    (cell) => Math.abs(Math.floor(cell / columns) - row) > reach || Math.abs((cell % columns) - column) > reach,
  );
}

// The cells with mines, rising.
async function minesOf(game, secret, nonce) {
  const { rows, columns, mines, rules, row, column, attempt } = game;
  const free = freeCells(game);
  if (mines > free.length) throw new RangeError(`${mines} mines do not fit in ${free.length} cells`);
  const facts = [rows, columns, mines, rules, row, column, attempt].join(" ");
  const source = words(secret, joined(encode(`sweepbook fair-1\0${facts}\0`), nonce));
  for (let place = 0; place < mines; place += 1) {
    const other = place + (await below(free.length - place, source));
    [free[place], free[other]] = [free[other], free[place]];
  }
  return free.slice(0, mines).sort((one, another) => one - another);
}

function check(game) {
  for (const name of ["rows", "columns", "mines", "row", "column", "attempt"]) {
    if (!Number.isSafeInteger(game[name]) || game[name] < 0) throw new RangeError(`${name} is no whole number`);
  }
  if (game.rows > 255 || game.columns > 255) throw new RangeError("a side is longer than 255 cells");
  if (game.row >= game.rows || game.column >= game.columns) throw new RangeError("the first cell is not on the board");
  if (!RULES.includes(game.rules)) throw new RangeError(`the rules ${game.rules} are not known`);
}

// Checks a finished game.
//   gameId, commitment       the game, and what was published before it (hexadecimal)
//   secret, nonce            what is published now, and what the player sent (hexadecimal)
//   rows, columns, mines     the shape
//   rules                    "xp", "win7" or "no-guess"
//   row, column              of the first click
//   attempt                  number of the candidate without guesses, else 0
// Gives { mines, committed }: the cells with mines (row * columns + column), rising; and whether the secret is the one
// that was committed to.
// Throws a RangeError if no game can be like this.
export async function verifyBoard({ gameId, commitment, secret, nonce, ...shape }) {
  const game = { attempt: 0, ...shape };
  check(game);
  const secretBytes = bytesOf(secret, SECRET_BYTES);
  const nonceBytes = bytesOf(nonce, NONCE_BYTES);
  if (secretBytes === null || nonceBytes === null) throw new RangeError("the secret or the nonce has another length");
  const mines = await minesOf(game, secretBytes, nonceBytes);
  const published = await sha256(joined(encode("sweepbook commit-1\0"), encode(gameId), encode("\0"), secretBytes));
  return { mines, committed: hexOf(published) === String(commitment).toLowerCase() };
}
