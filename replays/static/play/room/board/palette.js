// The colours of players: 12 hues by 5 shades, a light and a dark set.  Digits on them are in one ink, light on dark or dark
// on light, whose contrast with each of the 60 is above 4.5 : 1 (WCAG 2.2, 1.4.3); tests/e2e/test_room_board.py measures it.
// Colours are made in OKLCH (Björn Ottosson, 2020), where the same lightness looks alike in every hue.

export const HUES = 12;
export const SHADES = 5;

// [lightness, chroma] by shade.
const LIGHT = [[0.83, 0.115], [0.73, 0.15], [0.9, 0.07], [0.65, 0.14], [0.79, 0.085]];
const DARK = [[0.42, 0.1], [0.5, 0.12], [0.34, 0.075], [0.46, 0.07], [0.38, 0.12]];
const INK = { light: [16, 20, 27], dark: [255, 255, 255] };
// Flags and marks stand on the colours of the page and are stronger.
const STRONG = { light: [0.52, 0.16], dark: [0.76, 0.14] };
// Degrees.  Neighbours in the list are far apart, so that the first players differ most; they are dealt at random anyhow.
const ANGLES = [255, 30, 145, 310, 85, 200, 0, 115, 285, 55, 175, 335];

function linear(lightness, chroma, degrees) {
  const angle = (degrees * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

// The nearest colour of the screen: of less chroma where the wanted one does not exist.
function rgb(lightness, chroma, degrees) {
  let kept = chroma;
  let found = linear(lightness, kept, degrees);
  while (kept > 0 && found.some((part) => part < 0 || part > 1)) {
    kept = Math.max(0, kept - 0.005);
    found = linear(lightness, kept, degrees);
  }
  return found.map((part) => {
    const bounded = Math.min(1, Math.max(0, part));
    return Math.round(255 * (bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055));
  });
}

// The colours of a hue and a shade: {fill, ink, strong}, each [red, green, blue] of 255.
export function colours(hue, shade, dark) {
  const angle = ANGLES[hue % HUES];
  const [lightness, chroma] = (dark ? DARK : LIGHT)[shade % SHADES];
  const look = dark ? "dark" : "light";
  return { fill: rgb(lightness, chroma, angle), ink: INK[look], strong: rgb(...STRONG[look], angle) };
}

export const css = ([red, green, blue]) => `rgb(${red} ${green} ${blue})`;
