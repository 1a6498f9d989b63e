// Behaviour of every page.  The site works without it; this makes it quicker to use.

import { keyOf } from "./key.js";

const root = document.documentElement;

// --- light and dark: a cookie, so that the server draws the right one at once ---

function darkNow() {
  if (root.dataset.theme) return root.dataset.theme === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

const themeButtons = document.querySelectorAll("[data-theme-toggle]");
const showTheme = () => themeButtons.forEach((button) => button.setAttribute("aria-pressed", String(darkNow())));
for (const button of themeButtons) {
  button.addEventListener("click", () => {
    root.dataset.theme = darkNow() ? "light" : "dark";
    showTheme();
    document.cookie = `theme=${root.dataset.theme}; path=/; max-age=31536000; samesite=lax`;
  });
}
showTheme();

// --- menus close when one clicks elsewhere or presses Escape ---

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(except)) menu.open = false;
}
document.addEventListener("click", (event) => closeMenus(event.target));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = event.target.closest?.("details.menu[open]");
  closeMenus(null);
  menu?.querySelector("summary").focus();
});

// --- times: written by the server in the zone of a signed-in visitor, else shown in the zone of the browser ---

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (root.dataset.zone === "browser") {
  const formats = {
    date: new Intl.DateTimeFormat("sv-SE", { dateStyle: "short" }), // Swedish writes dates as ISO 8601 does
    minute: new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short" }),
  };
  const localise = (scope) => {
    for (const element of scope.querySelectorAll("time[data-format]")) {
      element.textContent = formats[element.dataset.format].format(new Date(element.dateTime));
      element.title = new Date(element.dateTime).toLocaleString(root.lang);
    }
  };
  localise(document);
  document.addEventListener("htmx:afterSwap", (event) => localise(event.detail.target));
}
for (const input of document.querySelectorAll("[data-browser-zone]")) input.value = zone;
// The list of zones offers the browser's, where it is another one.
for (const list of document.querySelectorAll("[data-suggest-zone]")) {
  const option = optionOf(zone, [...list.options]);
  if (!option || option.selected) continue;
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "quiet", textContent: `${list.dataset.suggestZone} ${option.text}` });
  button.addEventListener("click", () => {
    option.selected = true;
    button.remove();
    list.focus();
  });
  list.after(button);
}

// A browser may know a zone by an older name than the list does: Asia/Calcutta is Asia/Kolkata.
function optionOf(name, options) {
  return options.find(({ value }) => value === name) ?? options.find(({ value }) => nameHere(value) === name);
}

// The name by which this browser knows a zone; "" for one that it does not know.
function nameHere(timeZone) {
  try {
    return Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return "";
  }
}

// --- a strip of tabs that is wider than the screen shows the current one ---

for (const tab of document.querySelectorAll(":is(.tabs, .seg) [aria-current]")) {
  const strip = tab.closest(".tabs, .seg");
  strip.scrollLeft = tab.offsetLeft - (strip.clientWidth - tab.offsetWidth) / 2;
}

// --- parts of a page that htmx asks for when they come near, before one sees that they are missing ---

const near = (distance) => new IntersectionObserver((entries, watcher) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    watcher.unobserve(target);
    target.dispatchEvent(new CustomEvent("near"));
  }
}, { rootMargin: distance });
// A chart has its room already, so it may come later: nothing moves.
const [watcher, watcherOfCharts] = [near("600px"), near("150px")];
// htmx, whose script follows, listens by then.
document.addEventListener("DOMContentLoaded", () => {
  for (const part of document.querySelectorAll("[hx-trigger=near]")) (part.matches(".chart-slot") ? watcherOfCharts : watcher).observe(part);
});

// What does not come leaves its link, without the room that was kept for it.
for (const name of ["htmx:responseError", "htmx:sendError"]) {
  document.addEventListener(name, ({ detail }) => {
    if (detail.elt.matches("[hx-trigger=near]")) detail.elt.style.minHeight = "0";
  });
}

// --- forms that are sent on change, without a button ---

for (const form of document.querySelectorAll("form[data-autosubmit]")) {
  form.addEventListener("change", () => form.requestSubmit());
  for (const button of form.querySelectorAll("[data-without-script]")) button.hidden = true;
}
for (const form of document.querySelectorAll("form[data-drop-empty]")) {
  // Empty filters are left out of the address.
  form.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) if (value === "") event.formData.delete(name);
  });
}

// --- the search field of the header: suggestions, loaded when somebody goes there ---

const searchField = document.querySelector("[data-suggest]");
const searchPageField = document.querySelector(".search-wide"); // in its place where the header has no room
if (searchPageField && !searchField?.checkVisibility()) Object.assign(searchPageField.dataset, searchField?.dataset);
for (const field of document.querySelectorAll("[data-suggest]")) {
  const begin = async () => (await import("./search.js")).suggest(field);
  if (field === document.activeElement) begin(); // the page has focused it
  else field.addEventListener("focus", begin, { once: true });
}

// --- what a number is: a native popover that a click or tap opens; here also hover and focus do ---

const HOVER_MS = 250;
let byHover = null; // the popover that hover or focus has opened; a click keeps it open
let hoverTimer = 0;
const explanationOf = (node) => {
  const button = node?.closest?.(".explain");
  return button ? document.getElementById(button.getAttribute("popovertarget")) : node?.closest?.(".explanation");
};

function place(popover) {
  const at = document.querySelector(`[popovertarget="${popover.id}"]`).getBoundingClientRect();
  popover.style.inset = "auto";
  popover.style.left = `${Math.max(8, Math.min(at.left, innerWidth - Math.min(352, innerWidth - 16) - 8))}px`;
  const below = at.bottom < innerHeight * 0.66;
  popover.style[below ? "top" : "bottom"] = `${below ? at.bottom + 6 : innerHeight - at.top + 6}px`;
}

function openExplanation(popover) {
  if (popover.matches(":popover-open")) return;
  popover.showPopover();
  byHover = popover;
}

function leaveExplanation(to) {
  if (byHover && explanationOf(to) !== byHover && explanationOf(document.activeElement) !== byHover) byHover.hidePopover();
}

document.addEventListener("pointerover", (event) => {
  if (event.pointerType !== "mouse") return;
  clearTimeout(hoverTimer);
  const popover = explanationOf(event.target);
  hoverTimer = setTimeout(() => (popover && event.target.closest(".explain") ? openExplanation(popover) : leaveExplanation(event.target)), HOVER_MS);
});
document.addEventListener("focusin", (event) => {
  if (event.target.matches(".explain:focus-visible")) openExplanation(explanationOf(event.target));
});
document.addEventListener("focusout", (event) => {
  if (byHover && explanationOf(event.target) === byHover && explanationOf(event.relatedTarget) !== byHover) byHover.hidePopover();
});
document.addEventListener("click", (event) => {
  const popover = event.target.closest?.(".explain") && explanationOf(event.target);
  if (!popover || popover !== byHover) return;
  event.preventDefault(); // else the click would close what hover or focus has just opened
  byHover = null;
});
document.addEventListener("beforetoggle", (event) => {
  const popover = event.target;
  if (!popover.matches(".explanation")) return;
  if (event.newState === "closed") {
    if (byHover === popover) byHover = null;
    return;
  }
  place(popover);
}, { capture: true });
// Focus scrolls the page to what has it: its explanation goes along.
addEventListener("scroll", () => {
  if (byHover && explanationOf(document.activeElement) === byHover) place(byHover);
  else byHover?.hidePopover();
}, { passive: true, capture: true });

// --- keys: "/" searches, j and k walk through the rows of the main table ---

const LINK = "a[href]:not([popover] a)"; // not one inside of an explanation

function step(direction) {
  const rows = [...document.querySelectorAll("[data-rows] tbody tr, [data-rows].walk > *")].filter((row) => row.querySelector(LINK));
  if (!rows.length) return;
  const now = rows.findIndex((row) => row.contains(document.activeElement));
  const next = now < 0 ? (direction > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, now + direction));
  const link = rows[next].querySelector("a[data-main]") ?? rows[next].querySelector(LINK);
  link.focus();
  rows[next].scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const key = keyOf(event);
  if (key === "/") {
    event.preventDefault();
    const field = [...document.querySelectorAll("[data-search]")].find((one) => one.checkVisibility());
    if (field) field.focus();
    else document.querySelector("[data-search-page]")?.click(); // screens too narrow for the field
  } else if (event.shiftKey) return;
  else if (key === "j") step(1);
  else if (key === "k") step(-1);
  else if (key === "n" || key === "p") document.querySelector(`a[rel="${key === "n" ? "next" : "prev"}"]`)?.click();
});
