// The steps of a deduction: pointing at one, or focusing it, highlights its cells on the board.
// `data-cells` of a step names them: "kind:row,column row,column" with ";" between the kinds.

export function followSteps(list, cellAt) {
  let marked = [];

  function clear() {
    for (const [cell, name] of marked) cell.classList.remove(name);
    marked = [];
  }

  function show(step) {
    clear();
    for (const group of (step.dataset.cells ?? "").split(";").filter(Boolean)) {
      const [kind, places] = group.split(":");
      for (const place of places.split(" ")) {
        const cell = cellAt(...place.split(",").map(Number));
        if (!cell) continue;
        cell.classList.add(`on-${kind}`);
        marked.push([cell, `on-${kind}`]);
      }
    }
  }

  for (const step of list.children) {
    step.tabIndex = 0;
    step.addEventListener("focus", () => show(step));
    step.addEventListener("blur", clear);
    step.addEventListener("mouseenter", () => show(step));
    step.addEventListener("mouseleave", () => {
      clear();
      if (list.contains(document.activeElement)) show(document.activeElement);
    });
  }
}
