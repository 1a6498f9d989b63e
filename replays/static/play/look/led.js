// A seven-segment display: an svg of as many places as it has digits, the unlit segments visible.  The page may have
// drawn it (players/templatetags/led.py).

const SVG = "http://www.w3.org/2000/svg";
const PITCH = 26; // from one digit to the next, in units of the drawing; a digit is 40 high
const POINT = 8; // the room of the point
const POINT_X = 1.6; // from where the digit before it ends
const across = (y) => `M4.7 ${y}l2.6-2.6h9.4l2.6 2.6-2.6 2.6h-9.4z`;
const down = (x, y) => `M${x} ${y}l2.6 2.6v9.4l-2.6 2.6-2.6-2.6v-9.4z`;
const SEGMENTS = [across(4), down(20, 4.7), down(20, 20.7), across(36), down(4, 20.7), down(4, 4.7), across(20)];
const LIT = { 0: "012345", 1: "12", 2: "01346", 3: "01236", 4: "1256", 5: "02356", 6: "023456", 7: "012", 8: "0123456", 9: "012356", "-": "6" };

export class Led {
  constructor(svg) {
    this.svg = svg;
    this.digits = [...svg.querySelectorAll("path.son")];
    const point = svg.querySelector("circle");
    this.point = point ? Math.round((Number(point.getAttribute("cx")) - POINT_X) / PITCH) : -1; // the place after it
  }

  // How many digits are after the point.
  get decimals() {
    return this.point < 0 ? 0 : this.digits.length - this.point;
  }

  // Digits, a minus and at most one point.
  show(text) {
    const [digits, point] = [[...text.replace(".", "")], text.indexOf(".")];
    if (digits.length !== this.digits.length || point !== this.point) this.#places(digits.length, point);
    digits.forEach((digit, place) => {
      const lit = [...(LIT[digit] ?? "")].map((segment) => SEGMENTS[segment]).join("");
      if (this.digits[place].getAttribute("d") !== lit) this.digits[place].setAttribute("d", lit);
    });
  }

  // Seconds, cut and not rounded, in the places that it has; the last of those that it has a place for.
  showTime(seconds) {
    const { decimals } = this;
    const whole = this.digits.length - decimals;
    const most = 10 ** whole - 1 / 10 ** decimals;
    this.show(secondsText(Math.min(seconds, most), decimals).padStart(decimals ? whole + 1 + decimals : whole, "0"));
  }

  #places(count, point) {
    this.point = point;
    this.svg.setAttribute("viewBox", `-4 -2 ${PITCH * count + (point < 0 ? 0 : POINT) + 6} 44`);
    const unlit = SEGMENTS.join("");
    this.digits = Array.from({ length: count }, () => part("path", { class: "son", d: "" }));
    const places = this.digits.map((digit, place) => {
      const group = part("g", { transform: `translate(${PITCH * place + (point < 0 || place < point ? 0 : POINT)})` });
      group.append(part("path", { class: "soff", d: unlit }), digit);
      return group;
    });
    if (point >= 0) places.push(part("circle", { class: "son", cx: PITCH * point + POINT_X, cy: 36, r: 2.9 }));
    this.svg.replaceChildren(...places);
  }
}

// A number of at least three places, a minus among them.
export function countText(value) {
  return value < 0 ? `-${String(-value).padStart(2, "0")}` : String(value).padStart(3, "0");
}

// Seconds cut, and not rounded, to ``decimals``.
export function secondsText(seconds, decimals) {
  const unit = 10 ** decimals;
  return (Math.floor(Math.max(0, seconds) * unit + 1e-6) / unit).toFixed(decimals);
}

function part(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
