// The first and the last frame of the clip follow its fields.

import { msOf } from "../film/words.js";

const ends = document.querySelector("[data-frames]");

for (const picture of ends.children) {
  const field = document.getElementById(picture.dataset.at);
  field.addEventListener("change", () => {
    const time = msOf(field.value);
    if (time >= 0) picture.src = `${ends.dataset.frames}?t=${time / 1000}`;
  });
}
