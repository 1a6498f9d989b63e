// The link of a room, and its owner's commands: restart, close, mute, remove.

import { filled, texts } from "./words.js";

export function share(button, status, address = () => location.origin + location.pathname) {
  button.addEventListener("click", async () => {
    const link = address();
    try {
      if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ url: link, title: document.title });
      else await navigator.clipboard.writeText(link);
      status.textContent = texts.copied;
    } catch (error) {
      if (error.name !== "AbortError") throw error; // the visitor changed their mind
    }
  });
  button.hidden = !navigator.clipboard && !navigator.share; // only on https and on this machine
}

// Send a command to the room; whether it was accepted.
export async function command(address, values) {
  const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
  const response = await fetch(address, {
    method: "POST",
    headers: { Accept: "application/json", "X-CSRFToken": token },
    body: new URLSearchParams(values),
  });
  return response.ok;
}

// Forms with data-command are sent without leaving the page, after a question where it costs something.
export function ownerForms(page) {
  for (const form of page.querySelectorAll("form[data-command]")) {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const values = new URLSearchParams(new FormData(form));
      if (form.dataset.ask && !window.confirm(form.dataset.ask)) return;
      const done = await command(form.action, values);
      if (!done) window.alert(texts.failed);
      else if (values.get("do") === "close") location.assign(form.dataset.after);
    });
  }
}

// The owner's controls under a player's name.
export function ownerButtons({ player, name }, address) {
  const box = document.createElement("span");
  box.className = "player-controls";
  for (const what of ["mute", "kick"]) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "link-button";
    button.textContent = texts[what];
    button.setAttribute("aria-label", filled(`${what}-name`, { name }));
    let muted = false;
    button.addEventListener("click", async () => {
      if (what === "kick" && !window.confirm(filled("kick-name", { name }))) return;
      const wish = what === "mute" && muted ? "unmute" : what;
      const done = await command(address, { do: wish, player });
      if (!done) window.alert(texts.failed);
      else if (what === "mute") {
        muted = !muted;
        button.textContent = texts[muted ? "unmute" : "mute"];
      }
    });
    box.append(button);
  }
  return [box];
}
