// Luck on the page of a replay: the timeline selects a click, the board shows the snapshot before it.

import { followSteps } from "../tools/steps.js";
import { drawSnapshot } from "./snapshot.js";
import { Timeline } from "./timeline.js";

const section = document.getElementById("luck");
const texts = JSON.parse(document.getElementById("luck-texts").textContent);
const find = (name) => section.querySelector(`[data-${name}]`);
const MOST_DECIMALS = 9;
const secondsFormat = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: texts.clock.decimals, maximumFractionDigits: texts.clock.decimals });
const PRELOAD_PX = 600; // the data is requested when the section is so near to the viewport
const GUESSES = new Set(["guess", "needless"]);

let clicks = [];
let timeline = null;
let chosen = -1;
let running = null;
const snapshots = new Map(); // event -> response

// A chance with one decimal, or with as many as it needs to differ from 0 % and 100 %: 0.000109 is 0.011 %.
function percent(chance) {
  const decimals = chance > 0.999 && chance < 1 ? Math.min(MOST_DECIMALS, Math.ceil(-Math.log10(1 - chance)) - 1) : 1;
  const digits = chance > 0 && chance < 0.001 ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 1, maximumFractionDigits: decimals };
  return new Intl.NumberFormat(document.documentElement.lang, { style: "percent", ...digits }).format(chance);
}

// A time since the opening on the reader's clock, which starts at 0 or at 1.
function seconds(timeMs) {
  return secondsFormat.format((timeMs + texts.clock.starts_at_ms) / 1000);
}

function fill(text, values) {
  return text.replace(/%\((\w+)\)s/g, (whole, name) => values[name] ?? whole);
}

async function fetched(address, signal) {
  let response = await fetch(address, { headers: { Accept: "application/json" }, signal });
  while (response.status === 503) {
    find("description").textContent = texts.ready;
    await new Promise((resume) => setTimeout(resume, 1000 * Number(response.headers.get("Retry-After") || 5)));
    response = await fetch(address, { headers: { Accept: "application/json" }, signal });
  }
  if (!response.ok) throw new Error(response.status === 429 ? texts.busy : texts.trouble);
  return response.json();
}

function showTrouble(trouble) {
  const note = find("trouble");
  note.hidden = !trouble;
  note.textContent = trouble;
}

// --- texts ---

function describe(number) {
  const click = clicks[number];
  const values = { number: number + 1, count: clicks.length, time: seconds(click.time_ms), risk: percent(click.risk), least: percent(click.least_risk), rule: texts.rules[click.rule] ?? "" };
  const parts = [fill(texts.click, values), fill(texts[click.sort], values)];
  if (click.chord) parts.push(texts.chord);
  if (!click.survived) parts.push(texts.mine);
  return parts.join(" · ");
}

function summary(luck) {
  if (luck.values.pluck === null) return texts.none;
  const values = { guesses: luck.values.guesses, needless: luck.values.needless_guesses, luck: percent(luck.values.luck) };
  return fill(texts.summary, values);
}

// --- selecting a click ---

function choose(number) {
  if (number < 0 || number >= clicks.length || number === chosen) return;
  chosen = number;
  timeline.choose(number, describe(number));
  find("description").textContent = describe(number);
  find("copied").textContent = "";
  show(number);
}

async function show(number) {
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  const click = clicks[number];
  try {
    if (!snapshots.has(click.event)) snapshots.set(click.event, await fetched(`${section.dataset.position}?event=${click.event}`, signal));
    if (chosen !== number) return;
    showTrouble("");
    draw(click, snapshots.get(click.event));
  } catch (error) {
    if (error.name !== "AbortError") showTrouble(error.message);
  }
}

function draw(click, snapshot) {
  const probabilities = find("probabilities").checked;
  section.classList.toggle("with-probabilities", probabilities);
  const label = `${describe(chosen)}. ${snapshot.mines} ✹`;
  const cellAt = drawSnapshot(find("board"), snapshot, click, { probabilities, label, percent });
  bringIntoView(cellAt(...click.cell));
  find("text").textContent = snapshot.rows.map((row) => [...row].join(" ")).join("\n");
  find("reasons").hidden = !probabilities;
  const list = find("steps");
  list.replaceChildren(...(snapshot.steps ?? []).map(step));
  if (snapshot.too_wide) list.replaceChildren(item(texts.too_wide));
  followSteps(list, cellAt);
}

// On a phone a wide board is scrolled inside its frame.
function bringIntoView(cell) {
  const frame = find("frame");
  const [seen, inside] = [cell.getBoundingClientRect(), frame.getBoundingClientRect()];
  if (seen.left < inside.left || seen.right > inside.right) frame.scrollLeft += seen.left - inside.left - inside.width / 2;
}

function item(text) {
  const line = document.createElement("li");
  line.textContent = text;
  return line;
}

function step(one) {
  const line = item(one.text);
  const sets = one.sets.flatMap((set) => set.cells);
  const groups = { number: one.sets.map((set) => set.number), set: sets, mine: one.mines, safe: one.safe, guess: one.guesses };
  line.dataset.cells = Object.entries(groups).filter(([, cells]) => cells.length).map(([kind, cells]) => `${kind}:${cells.join(" ")}`).join(";");
  return line;
}

// --- the start ---

function nextGuess(from, step) {
  for (let number = from + step; number >= 0 && number < clicks.length; number += step) if (GUESSES.has(clicks[number].sort)) return number;
  return from;
}

// The click that the address names; -1 if it names none of this game.
function linkedClick() {
  const linked = /^#click-(\d+)$/.exec(location.hash);
  return linked && linked[1] >= 1 && linked[1] <= clicks.length ? linked[1] - 1 : -1;
}

function first() {
  if (linkedClick() >= 0) return linkedClick();
  let riskiest = 0;
  clicks.forEach((click, number) => {
    if (click.risk > clicks[riskiest].risk) riskiest = number;
  });
  return riskiest;
}

// The address changes only here, where the visitor asks for the link.
async function copyLink() {
  history.replaceState(null, "", `#click-${chosen + 1}`);
  await navigator.clipboard?.writeText(location.href);
  find("copied").textContent = navigator.clipboard ? texts.copied : "";
}

const STEPS = {
  previous: () => choose(chosen - 1),
  next: () => choose(chosen + 1),
  guess: () => choose(nextGuess(chosen, 1) === chosen ? nextGuess(-1, 1) : nextGuess(chosen, 1)),
  guessBefore: () => choose(nextGuess(chosen, -1)),
  begin: () => choose(0),
  end: () => choose(clicks.length - 1),
};

async function start() {
  try {
    const luck = await fetched(section.dataset.luck);
    clicks = luck.clicks;
    find("summary").textContent = summary(luck);
    if (!clicks.length) {
      section.dataset.empty = "";
      return;
    }
    timeline = new Timeline(find("timeline"), clicks, { choose, steps: STEPS });
    find("end").textContent = `${seconds(clicks.at(-1).time_ms)} s`;
    for (const button of section.querySelectorAll("[data-go]")) button.addEventListener("click", STEPS[button.dataset.go]);
    find("copy").addEventListener("click", copyLink);
    find("probabilities").addEventListener("change", () => chosen >= 0 && snapshots.has(clicks[chosen].event) && draw(clicks[chosen], snapshots.get(clicks[chosen].event)));
    section.dataset.ready = "";
    choose(first());
  } catch (error) {
    if (!clicks.length) section.dataset.empty = "";
    showTrouble(error.message);
  }
}

function goToLinked() {
  if (!location.hash.startsWith("#click-")) return;
  section.scrollIntoView();
  if (linkedClick() >= 0) choose(linkedClick());
}

section.hidden = false;
addEventListener("hashchange", goToLinked);
goToLinked();
new IntersectionObserver((entries, observer) => {
  if (!entries.some((entry) => entry.isIntersecting)) return;
  observer.disconnect();
  start();
}, { rootMargin: `${PRELOAD_PX}px` }).observe(section);
