// The remarks of the server's review (watch/film/timeline.js) in what is said, and the list of the page.

const AROUND_MS = 1000; // a line of the list plays so much before and after its moment

export class Review {
  constructor(viewer) {
    Object.assign(this, { viewer, playing: 0 });
    document.addEventListener("click", (event) => this.#clicked(event));
    viewer.root.addEventListener("rest", () => this.follow());
    document.addEventListener("htmx:afterSettle", () => this.follow()); // the list came later than the film
    this.follow();
  }

  get moments() {
    return this.viewer.timeline.moments;
  }

  // The remarks are there, or cannot be loaded.
  arrived() {
    const { controls, event } = this.viewer;
    this.follow();
    controls.words.note();
    if (this.textsAt(event).length) controls.words.say();
  }

  // What is remarked where the film stands after `event` events.
  textsAt(event) {
    return this.moments.filter((one) => one.event === event).map((one) => one.text);
  }

  #rows() {
    return [...document.querySelectorAll("[data-review] [data-event]")];
  }

  #momentOf(row) {
    return this.moments.find((one) => one.kind === row.dataset.kind && one.of === Number(row.dataset.event));
  }

  // The line of the list of this moment is marked.
  follow() {
    for (const row of this.#rows()) {
      if (this.#momentOf(row)?.event === this.viewer.event) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
  }

  // A count of the legend goes to the next remark of its weight, and from the last one to the first.
  #next(weight) {
    const { viewer } = this;
    const [first, ...others] = this.moments.filter((one) => one.weight === weight);
    const found = [first, ...others].find((one) => one?.event > viewer.event || (one && viewer.poster)) ?? first;
    if (!found) return;
    viewer.clock.pause();
    viewer.goTo(found.event);
  }

  // A line of the list plays its moment instead of loading the page with its address.
  #clicked(event) {
    const count = event.target.closest?.("[data-next]");
    if (count && this.viewer.root.contains(count)) return this.#next(count.dataset.next);
    const row = event.target.closest?.("[data-review] a[data-main]")?.closest("[data-event]");
    const moment = row && !event.ctrlKey && !event.metaKey && !event.shiftKey && this.#momentOf(row);
    if (!moment) return;
    event.preventDefault();
    this.viewer.root.scrollIntoView({ block: "nearest" });
    this.viewer.find("frame").focus({ preventScroll: true });
    this.#playAround(moment);
  }

  // From a second before to a second after, and rest at the moment; whoever stops it earlier stays there.
  #playAround(moment) {
    const { viewer } = this;
    if (viewer.reduced.matches) {
      viewer.clock.pause();
      return viewer.goTo(moment.event);
    }
    const [from, to] = [moment.time - AROUND_MS, Math.min(moment.time + AROUND_MS, viewer.clock.end)];
    viewer.seek(from);
    viewer.play();
    const round = (this.playing += 1);
    const watch = () => {
      const { time, playing, rate } = viewer.clock;
      if (round !== this.playing || time < Math.max(from, viewer.clock.begin) || time > to + AROUND_MS * Math.max(rate, 1)) return;
      if (time >= to) {
        viewer.clock.pause();
        viewer.goTo(moment.event);
      } else if (playing) requestAnimationFrame(watch);
    };
    requestAnimationFrame(watch);
  }
}
