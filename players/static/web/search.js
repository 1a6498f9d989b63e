// Suggestions below the search field of every page: what /api/v1/search/ finds, as a list that the arrow keys walk.
// Without them the form leads to the page of the search.  Loaded when the field gets the focus.

const WAIT_MS = 200; // after the last key
const GROUPS = [
  ["players", (row) => [row.shown_name, ""]],
  ["replays", (row) => [`#${row.id}`, [row.level_name, row.player?.shown_name].filter(Boolean).join(" · ")]],
  ["boards", (row) => [row.title, ""]],
  ["statistics", (row) => [row.label, row.doc]],
  ["terms", (row) => [row.label, row.doc]],
  ["pages", (row) => [row.label, row.doc ?? ""]],
];

export function suggest(input) {
  const list = element("div", { id: "suggestions", className: "suggestions", role: "listbox", hidden: true });
  list.setAttribute("aria-label", input.getAttribute("aria-label"));
  input.after(list);
  const attributes = { role: "combobox", "aria-expanded": "false", "aria-controls": list.id, "aria-autocomplete": "list" };
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);
  let timer = 0;
  let request = null;
  let chosen = -1;

  const options = () => [...list.querySelectorAll("[role=option]")];

  function choose(index) {
    chosen = index;
    options().forEach((option, at) => option.setAttribute("aria-selected", String(at === index)));
    const option = options()[index];
    if (option) {
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else input.removeAttribute("aria-activedescendant");
  }

  function show(open) {
    list.hidden = !open;
    input.setAttribute("aria-expanded", String(open));
    if (!open) choose(-1);
  }

  function draw(found, query) {
    list.replaceChildren();
    for (const [name, texts] of GROUPS) {
      if (!found[name].length) continue;
      const group = element("div", { role: "group" });
      group.setAttribute("aria-label", input.dataset[name]);
      group.append(element("div", { className: "suggestions-title", textContent: input.dataset[name], ariaHidden: "true" }));
      for (const row of found[name]) group.append(option(row.html_url, ...texts(row)));
      list.append(group);
    }
    list.append(option(`${input.form.action}?q=${encodeURIComponent(query)}`, input.dataset.all, `“${query}”`));
    options().forEach((one, at) => (one.id = `suggestion-${at}`));
    show(true);
    choose(-1);
  }

  async function ask() {
    const query = input.value.trim();
    request?.abort();
    if (!query) return show(false);
    request = new AbortController();
    const { signal } = request;
    try {
      const response = await fetch(`${input.dataset.suggest}?q=${encodeURIComponent(query)}`, { signal, headers: { Accept: "application/json" } });
      if (!response.ok) return show(false); // the form still works, and says what is wrong
      const found = await response.json();
      if (!signal.aborted && document.activeElement === input) draw(found, query);
    } catch (error) {
      if (error.name !== "AbortError") show(false); // no connection
    }
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT_MS);
  });
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const count = options().length;
    if (event.key === "Escape" && !list.hidden) {
      show(false);
      event.stopPropagation(); // the next one leaves the field
    } else if (list.hidden || !count) return;
    else if (event.key === "ArrowDown") choose((chosen + 1) % count);
    else if (event.key === "ArrowUp") choose(chosen <= 0 ? count - 1 : chosen - 1);
    else if (event.key === "Enter" && chosen >= 0) options()[chosen].click();
    else return;
    event.preventDefault();
  });
  list.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
  input.addEventListener("blur", () => show(false));
  if (input.value.trim() && document.activeElement === input) ask(); // typed while this was loading
}

function option(address, text, note) {
  const link = element("a", { href: address, role: "option", tabIndex: -1, ariaSelected: "false" });
  link.append(element("bdi", { textContent: text }));
  if (note) link.append(" ", element("span", { className: "muted small", textContent: note }));
  return link;
}

function element(name, { role, ...properties }) {
  const made = Object.assign(document.createElement(name), properties);
  if (role) made.setAttribute("role", role);
  return made;
}
