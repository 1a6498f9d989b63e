// Changes the digits of a seven-segment display that the page has drawn; as many are shown as it has places.

export function showLed(holder, text) {
  const digits = text.replace(/\D/g, "");
  const places = holder.querySelectorAll(".lit");
  const shown = digits.length > places.length ? "9".repeat(places.length) : digits.padStart(places.length, "0");
  places.forEach((place, index) => {
    const symbol = `#led-${shown[index]}`;
    if (place.getAttribute("href") !== symbol) place.setAttribute("href", symbol);
  });
}

// The decimals of a display of a time; the point is the only circle.
export function decimalsOf(holder) {
  let [seen, count] = [false, 0];
  for (const part of holder.querySelector("svg").children) {
    if (part.tagName === "circle") seen = true;
    else if (seen && part.matches(".lit")) count += 1;
  }
  return count;
}

// Seconds as a clock shows them, cut and not rounded.
export function clockText(seconds, decimals) {
  const unit = 10 ** decimals;
  return (Math.floor(Math.max(0, seconds) * unit + 1e-6) / unit).toFixed(decimals);
}
