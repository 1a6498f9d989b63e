// Draws the faces of cells once into an atlas at device resolution; a board then copies them.
// Face codes 0 to 8, 9, 10, 11 and 13 are those of the wire (docs/play-protocol.md); 12, 14 and 15 are only drawn.

export const BLAST = 9;
export const CLOSED = 10;
export const FLAG = 11;
export const PRESSED = 12; // a closed cell under a held button
export const QUESTION = 13;
export const WRONG_FLAG = 14; // after the end: a flag on a safe cell
export const MINE = 15; // after the end: a mine that nobody flagged
export const PRESSED_QUESTION = 16;
export const PENDING = 17; // an own click that the server does not answer
export const FACES = 18;

export const UNIT = 100; // the drawings below are made for a cell of 100 by 100
const GRID = 0.04; // of a cell
const BEVEL = 0.12;
const PLAIN_BELOW = 28; // CSS px of a cell: in a smaller one a mast on its base looks like the digit 1
const DIGITS = [
  "",
  "M37 37 52 26V75M37 75H67",
  "M33 38C34 20 67 20 67 38C67 52 44 58 33 75H69",
  "M32 26H66L48 45C74 44 74 76 49 76C41 76 35 73 31 67",
  "M60 77V25L30 61H72",
  "M66 26H38L35 48C46 42 70 43 69 60C68 78 42 79 31 69",
  "M63 25C46 29 32 45 32 60A18 16 0 0 0 68 60A18 16 0 0 0 32 60",
  "M31 26H69L46 77",
  "M50 25A15 12 0 0 0 50 49A15 12 0 0 0 50 25M50 49A18 14 0 0 0 50 77A18 14 0 0 0 50 49",
];
const QUESTION_MARK = "M35 37C36 20 66 20 66 38C66 50 50 49 50 62";
const SPIKES = "M50 17V83M17 50H83M27 27 73 73M73 27 27 73";

// The colours of the page's tokens around `element`, as the look that the visitor has chosen sets them (skins.css): raised
// cells, or with "clean" flat ones.
export function skinTheme(element) {
  const css = getComputedStyle(element);
  const token = (name) => css.getPropertyValue(name).trim();
  return {
    flat: document.documentElement.dataset.skin === "clean",
    closed: token("--b0"),
    light: token("--bhi"),
    shade: token("--blo"),
    open: token("--open"),
    line: token("--gridl"),
    pole: token("--pole"),
    flag: token("--cloth"),
    mine: token("--mine"),
    soft: token("--soft"),
    blast: "#e5473a",
    digits: DIGITS.map((_path, number) => (number ? token(`--n${number}`) : "")),
    dark: css.colorScheme === "dark" || (css.colorScheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches),
  };
}

// `draw(ctx, face, x, y)` copies one face; x and y are device pixels, `size` is the side of a cell in device pixels.
export function makeSkin({ cellPx, dpr, theme }) {
  const size = Math.max(1, Math.round(cellPx * dpr));
  const atlas = document.createElement("canvas");
  atlas.width = size * FACES;
  atlas.height = size;
  const ctx = atlas.getContext("2d");
  for (let face = 0; face < FACES; face += 1) {
    ctx.save();
    ctx.translate(face * size, 0);
    ctx.beginPath();
    ctx.rect(0, 0, size, size);
    ctx.clip();
    drawFace(ctx, face, size, theme, cellPx < PLAIN_BELOW);
    ctx.restore();
  }
  return {
    size,
    draw(target, face, x, y) {
      target.drawImage(atlas, face * size, 0, size, size, x, y, size, size);
    },
  };
}

function drawFace(ctx, face, size, theme, plain) {
  const raised = face === CLOSED || face === PENDING || face === FLAG || face === QUESTION || face === WRONG_FLAG;
  if (raised) closedGround(ctx, size, theme);
  else openGround(ctx, size, theme, face);
  ctx.scale(size / UNIT, size / UNIT);
  if (face >= 1 && face <= 8) digit(ctx, face, theme);
  else if (face === BLAST || face === MINE) mine(ctx, theme, face === BLAST ? "#14181f" : theme.mine);
  else if (face === FLAG) flag(ctx, theme, plain);
  else if (face === QUESTION || face === PRESSED_QUESTION) question(ctx, theme);
  else if (face === WRONG_FLAG) wrongFlag(ctx, theme, plain);
  else if (face === PENDING) for (const x of [26, 50, 74]) disc(ctx, x, 50, 7.5, theme.soft);
}

// On what is there; `ctx` is scaled to UNIT.
export function digit(ctx, number, theme) {
  stroke(ctx, DIGITS[number], theme.digits[number], 13);
}

function openGround(ctx, size, theme, face) {
  const line = Math.max(1, Math.round(size * GRID));
  ctx.fillStyle = theme.line;
  ctx.fillRect(0, 0, size, size);
  const pressed = face === PRESSED || face === PRESSED_QUESTION;
  ctx.fillStyle = face === BLAST ? theme.blast : theme.open;
  ctx.fillRect(line, line, size - line, size - line);
  if (pressed) {
    ctx.fillStyle = theme.dark ? "rgb(255 255 255 / 8%)" : "rgb(20 24 31 / 9%)";
    ctx.fillRect(0, 0, size, size);
  }
}

function closedGround(ctx, size, theme) {
  if (!theme.flat) return bevel(ctx, size, theme);
  const gap = Math.max(1, Math.round(size / 26));
  ctx.fillStyle = theme.open;
  ctx.fillRect(0, 0, size, size);
  ctx.beginPath();
  ctx.roundRect(0, 0, size - gap, size - gap, size / 7);
  ctx.fillStyle = theme.closed;
  ctx.fill();
}

// Light from the top left: two light edges, two dark ones, mitred at the corners.
function bevel(ctx, size, theme) {
  const edge = Math.max(2, Math.round(size * BEVEL));
  ctx.fillStyle = theme.closed;
  ctx.fillRect(0, 0, size, size);
  const side = (colour, points) => {
    ctx.beginPath();
    for (const [x, y] of points) ctx.lineTo(x, y);
    ctx.closePath();
    ctx.fillStyle = colour;
    ctx.fill();
  };
  const far = size - edge;
  side(theme.light, [[0, 0], [size, 0], [far, edge], [edge, edge], [edge, far], [0, size]]);
  side(theme.shade, [[size, size], [0, size], [edge, far], [far, far], [far, edge], [size, 0]]);
}

function stroke(ctx, path, colour, width) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.lineCap = "round";
  ctx.lineJoin = "round";
  ctx.stroke(new Path2D(path));
}

function disc(ctx, x, y, radius, colour) {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.fillStyle = colour;
  ctx.fill();
}

function mine(ctx, theme, colour) {
  stroke(ctx, SPIKES, colour, 8);
  disc(ctx, 50, 50, 24, colour);
  disc(ctx, 42, 42, 6.5, theme.dark && colour !== "#14181f" ? "rgb(14 17 22 / 70%)" : "rgb(255 255 255 / 85%)");
}

function flag(ctx, theme, plain) {
  ctx.fillStyle = theme.pole;
  ctx.fill(new Path2D(plain ? "M60 20H70V86H60Z" : "M51 17H59V74H51ZM30 71H76V82H30ZM40 64H66V72H40Z"));
  ctx.fillStyle = theme.flag;
  ctx.fill(new Path2D(plain ? "M70 12V66L14 39Z" : "M59 15V53L22 34Z"));
}

function wrongFlag(ctx, theme, plain) {
  flag(ctx, theme, plain);
  stroke(ctx, "M20 20 80 80M80 20 20 80", theme.pole, 8);
}

function question(ctx, theme) {
  stroke(ctx, QUESTION_MARK, theme.soft, 12);
  disc(ctx, 50, 77, 7.5, theme.soft);
}
