// The colours of players: 12 hues by 5 shades, for light and for dark pages.  An owner is a tint of the open cell, under digits in
// their usual colours; tests/e2e/test_room_rules.py measures that all 60 tints differ and that every digit can be read on them.

export const HUES = 12;
export const SHADES = 5;

// Neighbours in the list are far apart: sealed rooms deal the hues in this order.
const STRONG = {
  light: ["#1f4fd8", "#cf6210", "#0d8f83", "#b4369b", "#84231a", "#5d6b80", "#8a7a00", "#6a4fd0", "#2f8a2b", "#e0447c", "#1b8fc4", "#7a4f2a"],
  dark: ["#6f97ff", "#ff9a4d", "#3fcbbd", "#ea7fd4", "#e08a7e", "#a3b2c8", "#cdbb3c", "#a48cff", "#5fb14c", "#ff7aa5", "#46aee6", "#b98e66"],
};
// By shade: towards which grey the hue goes and how far, and how much of it an open cell gets.
const SHADE = {
  light: [[255, 0, 0.24], [0, 0.4, 0.22], [255, 0.35, 0.22], [255, 0.5, 0.18], [255, 0.25, 0.28]],
  dark: [[255, 0, 0.3], [0, 0.35, 0.3], [0, 0.45, 0.2], [0, 0.25, 0.38], [255, 0.5, 0.24]],
};
const MAP_SHARE = 0.62; // of the colour in cells too small for a digit
const TAG_CONTRAST = 4.6; // of white text on the tag with a name

// `share` of the second colour in the first; colours are [red, green, blue] of 255.
export function blend(first, second, share) {
  return first.map((part, place) => Math.round(part + (second[place] - part) * share));
}

// The colours of a hue and a shade on open cells of the colour `ground`: `strong` for marks next to text, `fill` of a cell,
// `small` of a cell without a digit, `tag` under white text.
export function colours(hue, shade, dark, ground = dark ? [29, 35, 44] : [240, 242, 246]) {
  const look = dark ? "dark" : "light";
  const [grey, way, share] = SHADE[look][shade % SHADES];
  const strong = blend(rgbOf(STRONG[look][hue % HUES]), [grey, grey, grey], way);
  return { strong, fill: blend(ground, strong, share), small: blend(ground, strong, MAP_SHARE), tag: darkened(rgbOf(STRONG.light[hue % HUES])) };
}

export const css = ([red, green, blue]) => `rgb(${red} ${green} ${blue})`;

function rgbOf(hex) {
  return [1, 3, 5].map((place) => parseInt(hex.slice(place, place + 2), 16));
}

function darkened(colour) {
  let found = colour;
  for (let way = 0.02; 1.05 / (luminance(found) + 0.05) < TAG_CONTRAST; way += 0.02) found = blend(colour, [0, 0, 0], way);
  return found;
}

// Relative luminance (WCAG 2.2).
function luminance(colour) {
  const [red, green, blue] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
