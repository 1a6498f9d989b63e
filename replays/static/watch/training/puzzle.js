// Arrow keys move between the cells of a puzzle; without this file Tab does.

const table = document.querySelector("[data-puzzle]");
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

table?.addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  const from = event.target.closest("td");
  if (!step || !from || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  let [row, column] = [from.parentElement.rowIndex, from.cellIndex];
  for (;;) {
    [row, column] = [row + step[0], column + step[1]];
    const cell = table.rows[row]?.cells[column];
    if (!cell) return;
    const button = cell.querySelector("button");
    if (button) return button.focus();
  }
});
