// The numbers of this sitting, kept for the tab, and how far the next sub-N is.

const KEY = "play-session";
const NOTHING = { games: 0, wins: 0, sum: 0, best: null, streak: 0 };

export class Session {
  // `root` has an element [data-session=NAME] for each number; `name`: of the level and its rules.
  // `seconds(ms)`: a time on the visitor's clock.
  constructor({ root, name, seconds }) {
    this.at = Object.fromEntries([...root.querySelectorAll("[data-session]")].map((item) => [item.dataset.session, item]));
    this.name = name;
    this.seconds = seconds;
    this.all = stored();
    this.#show();
  }

  over(won, timeMs) {
    const { games, wins, sum, best, streak } = this.numbers;
    const lost = { games: games + 1, wins, sum, best, streak: 0 };
    const better = { games: games + 1, wins: wins + 1, sum: sum + timeMs, best: best === null ? timeMs : Math.min(best, timeMs), streak: streak + 1 };
    this.all[this.name] = won ? better : lost;
    try {
      sessionStorage.setItem(KEY, JSON.stringify(this.all));
    } catch (error) {
      if (!(error instanceof DOMException)) throw error; // kept as long as the page
    }
    this.#show();
  }

  get numbers() {
    return this.all[this.name] ?? NOTHING;
  }

  #show() {
    const { games, wins, sum, best, streak } = this.numbers;
    const time = (ms) => (wins ? this.seconds(ms) : "–");
    const shown = { games, wins, share: games ? `${Math.round((100 * wins) / games)}%` : "", best: time(best), mean: time(sum / wins), streak };
    for (const [name, item] of Object.entries(this.at)) item.textContent = shown[name];
  }
}

function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY)) ?? {};
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return {};
    throw error;
  }
}

// The next sub-N of a best time in ms: seconds count from 1, so sub-45 is a time below 44 s.
export function showGoal(root, bestMs) {
  root.hidden = bestMs === null || bestMs < 1000;
  if (root.hidden) return;
  const whole = Math.floor(bestMs / 1000);
  const missing = bestMs - whole * 1000 + 1;
  const name = root.querySelector("[data-goal-name]");
  name.textContent = name.dataset.text.replace("{n}", whole + 1).replace("{seconds}", whole);
  const left = root.querySelector("[data-goal-left]");
  left.textContent = left.dataset.text.replace("{seconds}", (missing / 1000).toFixed(3));
  root.querySelector("[data-goal-meter]").setAttribute("width", Math.max(0, 100 - missing / 10));
}
