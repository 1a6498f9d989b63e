// Keeps the settings of the viewer in the account of a signed-in visitor: everything at once, when nothing changed for a moment.

const WAIT_MS = 800;

let [timer, waiting] = [0, null];

function send() {
  clearTimeout(timer);
  if (!waiting) return;
  const { address, body, failed } = waiting;
  waiting = null;
  const headers = { "Content-Type": "application/json", "X-CSRFToken": document.querySelector("[name=csrfmiddlewaretoken]").value };
  fetch(address, { method: "PUT", headers, body, keepalive: true }).then((response) => response.ok || failed(), failed);
}

// What the browser stored may be of another version: only what is known is sent.
function known(saved, { rows, layers, trails, clicks }) {
  const of = (list, names) => (Array.isArray(list) ? list.filter((name) => names.includes(name)) : undefined);
  const flag = (value) => (typeof value === "boolean" ? value : undefined);
  return {
    rate: Number.isFinite(saved.rate) ? saved.rate : undefined, layers: of(saved.layers, layers), rows: of(saved.rows, rows),
    trail: trails.includes(saved.trail) ? saved.trail : undefined, clicks: of(saved.clicks, clicks), smooth: flag(saved.smooth), letters: flag(saved.letters),
    formulas: Array.isArray(saved.own) ? saved.own.map((row) => row?.text).filter((text) => typeof text === "string") : undefined,
  };
}

// Store `saved` at `address` soon; `failed()` is called if that does not work.
export function keep(address, saved, names, failed) {
  waiting = { address, body: JSON.stringify(known(saved, names)), failed };
  clearTimeout(timer);
  timer = setTimeout(send, WAIT_MS);
}

addEventListener("pagehide", send);
