// The solver at work: steps through a game that the server has played and described.

const CLICKS_A_SECOND = 4;
const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

const page = document.querySelector("[data-solver]");
const part = (name) => page.querySelector(`[data-${name}]`);

function start() {
  const game = JSON.parse(document.getElementById("solver-game").textContent);
  const cells = [...part("board").tBodies[0].rows].flatMap((row) => [...row.cells]);
  const last = game.clicks.length;
  const [slider, button] = [part("step"), part("play")];
  let step = Number(slider.value);
  let timer = null;

  // The text and the classes of each cell after `step` clicks, as the server draws them.
  function looks() {
    const turn = game.turns[step < last ? game.clicks[step].turn : game.turns.length - 1];
    const found = cells.map(() => ["", "closed"]);
    for (const look of turn.looks) for (const cell of look.cells) found[cell] = [look.shown, `closed ${look.classes}`];
    for (const click of game.clicks.slice(0, step)) {
      for (const cell of click.opened) found[cell] = [game.numbers[cell] || "", `open t${game.numbers[cell]}`];
    }
    if (step < last) {
      const { cell, marks } = game.clicks[step];
      found[cell][1] += " advised";
      for (const [mark, places] of Object.entries(marks)) for (const place of places) found[place][1] += ` on-${mark}`;
    }
    return { found, turn };
  }

  function show() {
    const { found, turn } = looks();
    found.forEach(([shown, classes], place) => {
      const cell = cells[place];
      if (cell.textContent !== String(shown)) cell.textContent = shown;
      if (cell.className !== classes) cell.className = classes;
    });
    part("words").textContent = step < last ? game.clicks[step].words : game.end;
    part("facts").textContent = turn.facts;
    const count = part("count");
    count.textContent = count.dataset.text.replace("{step}", step).replace("{all}", last);
    slider.value = step;
    disable("back", step === 0);
    disable("on", step === last);
    if (step < last) bringIntoView(cells[game.clicks[step].cell]);
  }

  function disable(name, off) {
    const link = page.querySelector(`[data-go="${name}"]`);
    link.href = address(step + (name === "on" ? 1 : -1));
    if (off) link.setAttribute("aria-disabled", "true");
    else link.removeAttribute("aria-disabled");
  }

  function address(to) {
    return `${page.dataset.link}&step=${Math.min(last, Math.max(0, to))}`;
  }

  // Scroll the board, never the page.
  function bringIntoView(cell) {
    const frame = page.querySelector(".position-frame");
    const [inner, outer] = [cell.getBoundingClientRect(), frame.getBoundingClientRect()];
    if (inner.left < outer.left || inner.right > outer.right) frame.scrollLeft += inner.left - outer.left - outer.width / 2;
    if (inner.top < outer.top || inner.bottom > outer.bottom) frame.scrollTop += inner.top - outer.top - outer.height / 2;
  }

  function go(to) {
    step = Math.min(last, Math.max(0, to));
    show();
    if (timer === null) keepAddress();
  }

  function keepAddress() {
    history.replaceState(null, "", address(step));
  }

  function move(name) {
    stop();
    go({ first: 0, back: step - 1, on: step + 1, last }[name]);
  }

  function stop() {
    if (timer === null) return;
    clearInterval(timer);
    timer = null;
    button.textContent = button.dataset.playText;
    button.setAttribute("aria-pressed", "false");
    keepAddress();
  }

  function toggle() {
    if (timer !== null) return stop();
    if (step === last) step = 0;
    button.textContent = button.dataset.pauseText;
    button.setAttribute("aria-pressed", "true");
    timer = setInterval(() => {
      go(step + 1);
      if (step === last) stop();
    }, 1000 / CLICKS_A_SECOND);
    show();
  }

  for (const link of page.querySelectorAll("[data-go]")) {
    link.setAttribute("role", "button");
    link.addEventListener("click", (event) => {
      event.preventDefault();
      move(link.dataset.go);
    });
  }
  slider.addEventListener("input", () => {
    stop();
    go(slider.valueAsNumber);
  });
  button.addEventListener("click", toggle);
  document.addEventListener("keydown", (event) => {
    const busy = event.target.closest("input:not([type=range]), select, textarea");
    if (busy || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (KEYS[event.key]) move(KEYS[event.key]);
    else if (event.key === " " && !event.target.closest("button, a, summary")) toggle();
    else return;
    event.preventDefault();
  });
  page.dataset.ready = ""; // shows what needs a script
  show();
}

if (page) start();
