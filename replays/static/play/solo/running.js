// The running game, kept in this browser, so that the page goes on with it when it is loaded again.
//
// It is in localStorage, for a tab that was killed or closed and is opened anew has nothing else.  A lock, which ends with
// its tab however that ends, keeps a second tab away from a game that is being played.

const PREFIX = "play-running-1 "; // and the game's name
const KEPT_MS = 12 * 3600_000; // no socket is open for longer
const LOCK_MS = 500; // a page that is just being left still has its lock

export class Running {
  // `account` plays, 0 a guest; `sitting`: level and rules of this page.
  constructor({ account, sitting }) {
    Object.assign(this, { account, sitting });
    this.id = null;
    this.release = () => {};
  }

  // The newest game of this sitting that no other tab plays, which this one plays from now on; null if there is none.
  async take() {
    for (const game of this.#kept()) if (await this.#hold(game.id)) return game;
    this.id = null;
    return null;
  }

  // Keep `game`: {id, at, …}, all of which JSON can say.
  keep(game) {
    if (game.id !== this.id) this.#hold(game.id);
    const { account, sitting } = this;
    changed(() => localStorage.setItem(PREFIX + game.id, JSON.stringify({ ...game, account, sitting })));
  }

  forget() {
    if (this.id) changed(() => localStorage.removeItem(PREFIX + this.id));
    this.id = null;
    this.release();
  }

  // Whether this tab has the lock of the game.  Where there are no locks (http without localhost) only a tab that was loaded
  // again goes on: another one might take the game from under the player's hands.
  #hold(id) {
    this.release();
    this.id = id;
    if (!navigator.locks) return performance.getEntriesByType("navigation")[0]?.type !== "navigate";
    return new Promise((answer) => {
      const held = () => {
        answer(true);
        return new Promise((release) => (this.release = release));
      };
      navigator.locks.request(PREFIX + id, { signal: AbortSignal.timeout(LOCK_MS) }, held).catch(() => answer(false));
    });
  }

  #kept() {
    const games = [];
    changed(() => {
      for (const key of Object.keys(localStorage).filter((name) => name.startsWith(PREFIX))) {
        const game = parsed(localStorage.getItem(key));
        if (!game || Date.now() - game.at > KEPT_MS) localStorage.removeItem(key);
        else if (game.account === this.account && game.sitting === this.sitting) games.push(game);
      }
    });
    return games.sort((one, other) => other.at - one.at);
  }
}

// Private windows may refuse all of it, and then a game lasts as long as its page.
function changed(change) {
  try {
    change();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
