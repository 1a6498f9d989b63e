// The first and the last frame of the clip follow its fields.

const ends = document.querySelector("[data-frames]");

for (const picture of ends.children) {
  const field = document.getElementById(picture.dataset.at);
  field.addEventListener("change", () => {
    const time = Number(field.value.replace(",", "."));
    if (field.value && time >= 0) picture.src = `${ends.dataset.frames}?t=${time}`;
  });
}
