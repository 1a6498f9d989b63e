// What the home page loads after its first paint: the board to play on, the film, and parts when they come near.  Files may
// be dropped anywhere on it.

requestAnimationFrame(() => setTimeout(async () => {
  if (document.querySelector("[data-try]")) await import("./try.js");
  if (document.querySelector("[data-hero]")) await import("./hero.js");
}));

const NEAR = "64px"; // its room is kept, so nothing moves when it comes

async function load(slot) {
  const response = await fetch(slot.dataset.near, { headers: { "HX-Request": "true" } });
  if (!response.ok) return; // its link is still there
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  slot.replaceChildren(...page.body.childNodes);
  slot.dataset.loaded = "";
}

const watcher = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    watcher.unobserve(target);
    load(target).catch(() => target.classList.add("failed")); // offline: the link stays
  }
}, { rootMargin: NEAR });
for (const slot of document.querySelectorAll("[data-near]")) watcher.observe(slot);

// --- files dropped here: the upload page takes the place of this one, and gets them ---

const strip = document.querySelector("[data-drop-here]");

async function filesOf(entry) {
  if (entry.isFile) return [await new Promise((found, failed) => entry.file(found, failed))];
  const reader = entry.createReader();
  const files = [];
  for (;;) {
    const some = await new Promise((found, failed) => reader.readEntries(found, failed)); // a hundred at a time
    if (!some.length) return files;
    for (const inner of some) files.push(...(await filesOf(inner)));
  }
}

async function upload(address, entries) {
  const files = new DataTransfer();
  for (const entry of entries) for (const file of await filesOf(entry)) files.items.add(file);
  const response = await fetch(address);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const main = document.getElementById("main");
  document.head.append(...page.querySelectorAll('head link[rel="stylesheet"]'));
  main.replaceChildren(...page.getElementById("main").childNodes);
  history.pushState(null, "", address);
  document.title = page.title;
  await import("../../upload/upload.js");
  const input = main.querySelector("#files");
  input.files = files.files;
  input.dispatchEvent(new Event("change"));
}

function startDropping() {
  const holdsFiles = (event) => event.dataTransfer?.types.includes("Files");
  let depth = 0;
  const mark = (change) => {
    depth += change;
    strip.classList.toggle("over", depth > 0);
  };
  const on = (name, act) => addEventListener(name, (event) => strip.isConnected && holdsFiles(event) && act(event));
  on("dragenter", () => mark(1));
  on("dragleave", () => mark(-1));
  on("dragover", (event) => event.preventDefault());
  on("drop", (event) => {
    event.preventDefault();
    mark(-depth);
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
    const address = strip.dataset.dropHere;
    if (entries.length) upload(address, entries).catch(() => location.assign(address));
  });
  addEventListener("popstate", () => location.reload());
}
if (strip) startDropping();
