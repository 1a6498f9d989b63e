// The filter line: an opened menu has the focus in its field, and a choice is sent at once.  The film of a game on its
// board page: a dialog with the viewer, which is loaded when somebody asks for it; without this script it is a link.

document.addEventListener("toggle", (event) => {
  if (event.target.matches?.("details.menu[open]")) event.target.querySelector("input:not([type=hidden]), select")?.focus();
}, { capture: true });
for (const select of document.querySelectorAll("select[data-send]")) {
  select.addEventListener("change", () => select.form.requestSubmit());
}
// --- the film ---

let dialog = null;

function made() {
  const texts = document.querySelector("[data-film-texts]").dataset;
  const box = document.createElement("dialog");
  box.className = "film-dialog";
  box.setAttribute("aria-label", texts.title);
  const close = document.createElement("button");
  close.type = "button";
  close.className = "btn sm";
  close.textContent = texts.close;
  close.addEventListener("click", () => box.close());
  const frame = document.createElement("iframe");
  frame.title = texts.title;
  frame.allow = "fullscreen";
  // Escape closes the dialog by itself, but not while the focus is in the film; there the viewer may need it first.
  frame.addEventListener("load", () => {
    frame.contentDocument.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented) box.close();
    });
  });
  box.append(close, frame);
  // A click beside the film closes it; what stops playing must not go on loading.
  box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
  box.addEventListener("close", () => { frame.src = "about:blank"; });
  document.body.append(box);
  return box;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-embed]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  dialog ??= made();
  dialog.querySelector("iframe").src = link.dataset.embed;
  dialog.showModal();
});
