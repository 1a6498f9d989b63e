// The steps of a deduction: pointing at one, or focusing it, highlights its cells on the board.
// `data-marks` of a step has them as JSON: pairs of row and column by the name of the mark.

export function followSteps(list, cellAt) {
  let marked = [];

  function clear() {
    for (const [cell, name] of marked) cell.classList.remove(name);
    marked = [];
  }

  function show(step) {
    clear();
    for (const [mark, cells] of Object.entries(JSON.parse(step.dataset.marks ?? "{}"))) {
      for (const [row, column] of cells) {
        const cell = cellAt(row, column);
        if (!cell) continue;
        cell.classList.add(`on-${mark}`);
        marked.push([cell, `on-${mark}`]);
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
