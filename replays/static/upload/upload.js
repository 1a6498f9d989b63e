// The upload page: files that are here already are recognised by their SHA-256; the others are sent in small requests, a
// few at a time.  Each row shows the status of its replay until it is settled.  What is sent belongs to a batch, whose
// address takes the place of this page's, so that a reload shows the progress and the outcome.

const form = document.getElementById("upload");
const limits = JSON.parse(document.getElementById("upload-limits").textContent);
const texts = JSON.parse(document.getElementById("upload-texts").textContent);
const panel = document.getElementById("progress");
const list = panel.querySelector("[data-list]");
const bar = panel.querySelector("[data-progress]");
const retryButton = panel.querySelector("[data-retry]");

const MAX_ROWS = 2000; // listed at once; problems are listed beyond that
const TRIES = 4;
const FIRST_POLL_MS = 500;
const SLOWEST_POLL_MS = 5000;
const SETTLED = new Set(["done", "duplicate", "rejected", "failed"]);

const entries = []; // {name, file, state, row, tries, alone}
const waiting = []; // entries to be sent
const unchecked = []; // entries that may be here already
const following = new Map(); // replay id -> entries that wait for it
const passedOver = []; // names of files that an operating system made
const systemFile = new RegExp(limits.system_file, "i");
const counts = { total: 0, open: 0, done: 0, duplicate: 0, rejected: 0, failed: 0 };
let sending = 0;
let hidden = 0;
let pollDelay = FIRST_POLL_MS;
let pollTimer = null;
let checking = false;
let batch = null; // a promise of {id, address}, or of null without one

const mayCheck = limits.hashes > 0 && Boolean(globalThis.crypto?.subtle); // which there is on secure pages alone

for (const element of form.querySelectorAll("[data-with-script]")) element.hidden = false;
for (const element of form.querySelectorAll("[data-without-script]")) element.hidden = true;
form.querySelector("#files").classList.add("visually-hidden");

// --- rows ---

function newRow(entry) {
  const row = document.createElement("tr");
  const name = document.createElement("td");
  name.className = "name";
  const isolated = document.createElement("bdi");
  isolated.textContent = entry.name;
  name.append(isolated);
  name.title = entry.name;
  const status = document.createElement("td");
  status.append(document.createElement("span"));
  const result = document.createElement("td");
  result.className = "reason";
  row.append(name, status, result);
  entry.row = row;
  return row;
}

function draw(entry) {
  const [, status, result] = entry.row.children;
  status.firstChild.className = `badge ${entry.state}`;
  status.firstChild.textContent = texts[entry.state];
  entry.row.dataset.state = entry.state;
  result.replaceChildren();
  if (entry.url) {
    const link = document.createElement("a");
    link.href = entry.url;
    link.textContent = entry.text || entry.url;
    result.append(link);
  } else if (entry.text) result.append(entry.text);
  if (entry.detail) result.append(detailOf(entry));
}

// What exactly is wrong with a file, folded.
function detailOf(entry) {
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.className = "small";
  summary.textContent = texts.details;
  details.append(summary, entry.detail);
  return details;
}

function counterOf(state) {
  return SETTLED.has(state) ? state : "open";
}

function set(entry, state, { text = "", url = "", detail = "" } = {}) {
  if (entry.state) counts[counterOf(entry.state)] -= 1;
  Object.assign(entry, { state, text, url, detail });
  counts[counterOf(state)] += 1;
  if (!entry.row && (state === "rejected" || state === "failed")) {
    hidden -= 1;
    list.append(newRow(entry));
  }
  if (entry.row) draw(entry);
  showTotalsSoon();
}

function add(files, after = null) {
  const fragment = document.createDocumentFragment();
  const added = files.map(({ name, file }) => {
    const entry = { name, file, state: "", row: null, tries: 0 };
    entries.push(entry);
    counts.total += 1;
    if (entries.length <= MAX_ROWS) fragment.append(newRow(entry));
    else hidden += 1;
    return entry;
  });
  if (after?.row) after.row.after(fragment);
  else list.append(fragment);
  panel.hidden = false;
  return added;
}

let totalsAreDue = false;
function showTotalsSoon() {
  if (totalsAreDue) return;
  totalsAreDue = true;
  requestAnimationFrame(() => {
    totalsAreDue = false;
    for (const [name, count] of Object.entries(counts)) panel.querySelector(`[data-count="${name}"]`).textContent = count;
    bar.max = Math.max(1, counts.total);
    bar.value = counts.total - counts.open;
    retryButton.hidden = counts.failed === 0;
    const note = panel.querySelector("[data-hidden]");
    note.hidden = hidden === 0;
    note.textContent = texts.hidden.replace("%(count)s", hidden);
    panel.dataset.settled = String(counts.open === 0);
    if (counts.open === 0 && counts.total) showOutcome();
    if (counts.open === 0) {
      const spoken = ["done", "duplicate", "rejected"].map((name) => `${texts[name]}: ${counts[name]}`);
      panel.querySelector("[data-announce]").textContent = spoken.join(", ");
    }
  });
}

// --- batches ---

async function post(address, values) {
  const response = await fetch(address, {
    method: "POST",
    body: JSON.stringify(values),
    headers: {
      Accept: "application/json",
      "Content-Type": "application/json",
      "X-CSRFToken": form.elements.csrfmiddlewaretoken.value,
    },
  });
  if (!response.ok) throw new Error(response.statusText);
  return response.json();
}

// Without a batch the files are sent all the same.
function startBatch() {
  batch ??= limits.hashes > 0 ? post(form.dataset.batches, {}).then(begun, () => null) : Promise.resolve(null);
  return batch;
}

function begun({ id, html_url: address }) {
  history.replaceState(null, "", address);
  return { id, address };
}

let outcomeIsWanted = false;
async function showOutcome() {
  if (outcomeIsWanted) return;
  outcomeIsWanted = true;
  try {
    const started = await startBatch();
    if (!started) return;
    const response = await fetch(`${started.address}?part=outcome`);
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    document.getElementById("outcome").replaceWith(document.adoptNode(page.getElementById("outcome")));
  } catch {
    // The address of the batch shows it later.
  } finally {
    outcomeIsWanted = false;
  }
}

// --- files that are here already ---

async function hashOf(file) {
  const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function check() {
  if (checking) return;
  checking = true;
  while (unchecked.length) {
    const group = unchecked.splice(0, limits.hashes);
    const known = await knownAmong(group);
    for (const entry of group) {
      const found = known.get(entry.sha256);
      if (found) {
        entry.file = null;
        set(entry, "duplicate", { text: texts.known.replace("%(replay)s", found.id), url: found.html_url });
      } else {
        set(entry, "waiting");
        waiting.push(entry);
      }
    }
    pump();
  }
  checking = false;
}

// By hash; what cannot be asked is sent.
async function knownAmong(group) {
  try {
    for (const entry of group) entry.sha256 = await hashOf(entry.file);
    const started = await startBatch();
    const question = { sha256: [...new Set(group.map(({ sha256 }) => sha256))], ...(started && { batch: started.id }) };
    const { known } = await post(form.dataset.known, question);
    return new Map(known.map((found) => [found.sha256, found]));
  } catch {
    return new Map();
  }
}

// --- sending ---

function isZip(entry) {
  return /\.zip$/i.test(entry.name);
}

// A set of replays, or a zip archive: the limit of one replay is not theirs.
function isArchive(entry) {
  return isZip(entry) || /\.evfs$/i.test(entry.name);
}

// Whether the file may hold several replays: by its name, or since its batch had more receipts than files.
function goesAlone(entry) {
  return isArchive(entry) || entry.alone || entry.tries > 1; // the last: after a failure
}

function take(chosen) {
  const isSystem = (file) => systemFile.test(file.webkitRelativePath || file.name);
  passOver(chosen.filter(isSystem));
  const files = chosen.filter((file) => !isSystem(file));
  for (const entry of add(files.map((file) => ({ name: file.name, file })))) {
    if (entry.file.size === 0) set(entry, "rejected", { text: texts.empty });
    else if (!isArchive(entry) && entry.file.size > limits.file) set(entry, "rejected", { text: texts.tooLarge });
    else {
      const toCheck = mayCheck && !isArchive(entry);
      set(entry, toCheck ? "checking" : "waiting");
      (toCheck ? unchecked : waiting).push(entry);
    }
  }
  if (unchecked.length) check();
  pump();
}

function passOver(files) {
  if (!files.length) return;
  passedOver.push(...files.map((file) => file.name));
  const note = panel.querySelector("[data-passed-over]");
  const names = passedOver.slice(0, 5).join(", ") + (passedOver.length > 5 ? "…" : "");
  note.textContent = texts.passedOver.replace("%(count)s", passedOver.length).replace("%(names)s", () => names);
  note.hidden = false;
  panel.hidden = false;
}

// The entries of the next request.
function nextGroup() {
  const group = [];
  let bytes = 0;
  while (waiting.length && group.length < limits.files) {
    const entry = waiting[0];
    const alone = goesAlone(entry);
    if (group.length && (alone || bytes + entry.file.size > limits.bytes)) break;
    group.push(waiting.shift());
    bytes += entry.file.size;
    if (alone) break;
  }
  return group;
}

function pump() {
  while (sending < limits.parallel && waiting.length) {
    sending += 1;
    send(nextGroup()).finally(() => {
      sending -= 1;
      pump();
    });
  }
}

async function send(group) {
  const body = new FormData();
  for (const entry of group) {
    set(entry, "sending");
    body.append("files", entry.file, entry.name);
  }
  const started = await startBatch();
  if (started) body.append("batch", started.id);
  let result;
  try {
    const response = await fetch(form.action, {
      method: "POST",
      body,
      headers: { Accept: "application/json", "X-CSRFToken": form.elements.csrfmiddlewaretoken.value },
    });
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
    if (!isJson && response.status >= 500) throw new Error(response.statusText);
    result = isJson ? await response.json() : { error: `${response.status} ${response.statusText}` };
  } catch {
    await sendLater(group);
    return;
  }
  if (result.error) for (const entry of group) set(entry, "failed", { text: result.error });
  else settle(group, result.receipts);
}

async function sendLater(group) {
  for (const entry of group) entry.tries += 1;
  const again = group.filter((entry) => entry.tries < TRIES);
  for (const entry of group) if (entry.tries >= TRIES) set(entry, "failed", { text: texts.offline });
  for (const entry of again) set(entry, "waiting", { text: texts.offline });
  if (!again.length) return;
  await new Promise((done) => setTimeout(done, 700 * 2 ** again[0].tries));
  waiting.unshift(...again);
}

function settle(group, receipts) {
  if (receipts.length === group.length) {
    group.forEach((entry, index) => receive(entry, receipts[index]));
    return;
  }
  if (group.length > 1) {
    // One of them is an archive under another name, and the receipts do not show which: send them again, one by one.
    for (const entry of group) {
      entry.alone = true;
      set(entry, "waiting");
    }
    waiting.unshift(...group);
    return;
  }
  // An archive: its members take the place of its row.
  const [archive] = group;
  archive.file = null;
  const members = add(receipts.slice(1).map((receipt) => ({ name: receipt.name, file: null })), archive);
  [archive, ...members].forEach((entry, index) => receive(entry, receipts[index]));
}

function receive(entry, receipt) {
  if (receipt.name !== entry.name) {
    entry.name = receipt.name;
    if (entry.row) entry.row.querySelector("bdi").textContent = receipt.name;
  }
  if (receipt.outcome !== "refused") entry.file = null; // let the browser forget the bytes
  if (receipt.outcome === "refused") set(entry, "rejected", { text: receipt.message });
  else if (receipt.outcome === "duplicate") set(entry, "duplicate", { text: receipt.message, url: receipt.url });
  else {
    set(entry, "queued", { text: `#${receipt.id}`, url: receipt.url });
    following.set(receipt.id, [...(following.get(receipt.id) ?? []), entry]);
    pollSoon();
  }
}

// --- following ---

function pollSoon() {
  pollDelay = FIRST_POLL_MS;
  pollTimer ??= setTimeout(poll, pollDelay);
}

async function poll() {
  const ids = [...following.keys()].slice(0, limits.ids);
  let changed = false;
  try {
    const response = await fetch(`${form.dataset.status}?ids=${ids.join(",")}`, { headers: { Accept: "application/json" } });
    if (response.ok) {
      const { replays } = await response.json();
      for (const replay of replays) changed = follow(replay) || changed;
      const found = new Set(replays.map(({ id }) => id));
      for (const id of ids) if (!found.has(id)) lose(id);
    }
  } catch {
    // The next poll tries again.
  }
  pollDelay = changed ? FIRST_POLL_MS : Math.min(SLOWEST_POLL_MS, pollDelay * 1.5);
  pollTimer = following.size ? setTimeout(poll, pollDelay) : null;
}

// Deleted, or the session has ended: its status cannot be read any more.
function lose(id) {
  for (const entry of following.get(id)) set(entry, "failed", { text: texts.gone });
  following.delete(id);
}

function follow(replay) {
  let changed = false;
  for (const entry of following.get(replay.id) ?? []) {
    if (entry.state === replay.status) continue;
    changed = true;
    set(entry, replay.status, { text: replay.numbers || replay.reason || `#${replay.id}`, url: replay.url, detail: replay.detail });
  }
  if (SETTLED.has(replay.status)) following.delete(replay.id);
  return changed;
}

// --- where files come from ---

const fileInput = form.querySelector("#files");
const folderInput = form.querySelector("[data-folder-input]");
for (const input of [fileInput, folderInput]) input.addEventListener("change", () => takeChosen(input));
form.querySelector("[data-folder]").addEventListener("click", () => folderInput.click());
form.addEventListener("submit", (event) => event.preventDefault());
retryButton.addEventListener("click", () => {
  for (const entry of entries.filter(({ state, file }) => state === "failed" && file)) {
    entry.tries = 0;
    set(entry, "waiting");
    waiting.push(entry);
  }
  pump();
});

function takeChosen(input) {
  take([...input.files]);
  input.value = "";
}

async function filesOf(item) {
  if (item.isFile) return [await new Promise((found, failed) => item.file(found, failed))];
  const reader = item.createReader();
  const files = [];
  for (;;) {
    const some = await new Promise((found, failed) => reader.readEntries(found, failed)); // a hundred at a time
    if (!some.length) return files;
    for (const inner of some) files.push(...(await filesOf(inner)));
  }
}

const drop = form.querySelector("[data-drop]");
let depth = 0;
addEventListener("dragenter", () => { depth += 1; drop.classList.add("over"); });
addEventListener("dragleave", () => { depth -= 1; if (depth <= 0) drop.classList.remove("over"); });
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", async (event) => {
  event.preventDefault();
  depth = 0;
  drop.classList.remove("over");
  // The list of items is empty after the first await, so all entries are read first.
  const dropped = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const plain = dropped.length ? [] : [...event.dataTransfer.files];
  for (const item of dropped) take(await filesOf(item));
  if (plain.length) take(plain);
});

addEventListener("beforeunload", (event) => {
  if (sending || waiting.length || unchecked.length) event.preventDefault();
});

if (fileInput.files.length) takeChosen(fileInput); // they were chosen before this script had come
