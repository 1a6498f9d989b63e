// A snapshot as SVG: a cell is one unit; closed cells show the probability of a mine as colour and number.

const SVG = "http://www.w3.org/2000/svg";
const FACES = { ".": "", F: "⚑", "?": "?", "*": "✹", 0: "" };

function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function setOf(cells) {
  return new Set((cells ?? []).map(String));
}

// The text of a closed cell: 0 and 100 only if it is certain.
function chanceText(chance, safe, mine) {
  if (safe) return "0";
  if (mine) return "100";
  const whole = Math.round(chance * 100);
  return whole < 1 ? "<1" : whole > 99 ? ">99" : String(whole);
}

// Draws `snapshot` into `svg`; returns a function from row and column to the element of the cell.
export function drawSnapshot(svg, snapshot, click, { probabilities, label, percent }) {
  const [height, width] = [snapshot.rows.length, snapshot.rows[0].length];
  const [safe, mines, opened] = [setOf(snapshot.certain_safe), setOf(snapshot.certain_mine), setOf(click.cells)];
  svg.setAttribute("viewBox", `-0.1 -0.1 ${width}.2 ${height}.2`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  const cells = new Map();
  const faces = [];
  snapshot.rows.forEach((row, y) => [...row].forEach((sign, x) => {
    const place = `${y},${x}`;
    const closed = ".F?".includes(sign);
    const [isSafe, isMine] = [safe.has(place), mines.has(place)];
    const known = probabilities && closed && snapshot.mine;
    const kind = !closed ? "open" : !known ? "closed" : isSafe ? "closed safe" : isMine ? "closed sure-mine" : "closed unsure";
    const cell = element("rect", { class: kind, x, y, width: 1, height: 1 });
    if (known && !isSafe && !isMine) cell.style.setProperty("--chance", `${(snapshot.mine[y][x] * 100).toFixed(2)}%`);
    if (known) cell.append(element("title", {}, percent(snapshot.mine[y][x])));
    cells.set(place, cell);
    const sized = { x: x + 0.5, y: y + 0.74 };
    if (known) {
      faces.push(element("text", { ...sized, y: y + 0.66, class: "chance" }, chanceText(snapshot.mine[y][x], isSafe, isMine)));
      if (sign === "F") faces.push(element("text", { x: x + 0.82, y: y + 0.34, class: "corner" }, FACES.F));
    } else if (FACES[sign] !== "") faces.push(element("text", { ...sized, class: sign === "F" ? "flag" : `t${sign}` }, FACES[sign] ?? sign));
  }));
  const chosen = [...opened].map((place) => {
    const [y, x] = place.split(",");
    return element("rect", { class: click.survived ? "clicked" : "clicked fatal", x: +x + 0.06, y: +y + 0.06, width: 0.88, height: 0.88 });
  });
  svg.replaceChildren(...cells.values(), ...chosen, ...faces);
  return (y, x) => cells.get(`${y},${x}`);
}
