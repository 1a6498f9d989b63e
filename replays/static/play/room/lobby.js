// The form of a new room: sizes to choose from, the number of mines they make, and options that need a sealed board.

import { areasOf } from "./rules/paper.js";
import { filled } from "./words.js";

const form = document.querySelector(".room-form");
const number = (name) => form.elements[name].valueAsNumber;
const sealed = form.elements.sealed;

function density() {
  const shape = { rows: number("rows"), columns: number("columns"), area: number("area"), areaMines: number("area_mines") };
  const cells = shape.rows * shape.columns;
  const countable = Object.values(shape).every((value) => Number.isInteger(value) && value >= 0) && cells > 0 && shape.area > 0 && cells / shape.area ** 2 <= 1e6;
  const mines = countable ? areasOf(shape).reduce((sum, area) => sum + area.mines, 0) : 0;
  form.querySelector("[data-density]").textContent = countable ? filled("density", { mines, percent: `${((100 * mines) / cells).toFixed(1)}%` }) : "";
}

const shapeOf = () => ["rows", "columns", "area", "area_mines"].map((name) => form.elements[name].value).join();

function presets() {
  for (const button of form.querySelectorAll("[data-preset]")) button.setAttribute("aria-pressed", String(button.dataset.preset === shapeOf()));
}

function seals() {
  for (const box of form.querySelectorAll("[data-needs-seal]")) {
    box.disabled = !sealed.checked;
    if (!sealed.checked) box.checked = false;
  }
}

for (const button of form.querySelectorAll("[data-preset]")) {
  button.addEventListener("click", () => {
    const values = button.dataset.preset.split(",");
    ["rows", "columns", "area", "area_mines"].forEach((name, place) => {
      form.elements[name].value = values[place];
    });
    density();
    presets();
  });
}
form.querySelector("[data-presets]").hidden = false;
form.addEventListener("input", () => {
  density();
  presets();
});
sealed.addEventListener("change", seals);
density();
presets();
seals();
