// The link to a clip begins at the moment that the film shows.

for (const link of document.querySelectorAll("[data-clip]")) {
  link.addEventListener("click", () => {
    const { viewer } = document.querySelector("[data-film]");
    if (!viewer.clock || viewer.poster) return;
    const address = new URL(link.href);
    address.searchParams.set("t", (Math.max(0, viewer.clock.time) / 1000).toFixed(2));
    link.href = address;
  });
}
