// What the board of a room is drawn with: the colours of the page and of the players, and an atlas of faces for each player.

import { makeSkin, skinTheme } from "../../skin.js";
import { colours, css } from "./palette.js";

const ATLASES = 150;

export class Inks {
  constructor(element, playerOf) {
    const style = getComputedStyle(element);
    const token = (name) => style.getPropertyValue(name).trim();
    this.playerOf = playerOf;
    this.theme = skinTheme(element);
    this.ground = token("--sunken");
    this.accent = token("--accent");
    this.text = token("--text");
    this.edge = token("--panel");
    this.plain = { closed: rgbOf(this.theme.closed), open: rgbOf(this.theme.open), mine: rgbOf(this.theme.mine) };
    this.forget();
  }

  // Forget the players' colours.
  forget() {
    this.players = new Map();
    this.atlases = new Map();
  }

  // {fill, ink, strong} of a player, each [red, green, blue].
  colour(player) {
    if (!this.players.has(player)) {
      const { hue, shade } = this.playerOf(player);
      this.players.set(player, colours(hue, shade, this.theme.dark));
    }
    return this.players.get(player);
  }

  // The faces of a player's cells, or of nobody's (0), with sides of `size` device px.
  atlas(player, size) {
    const key = player * 1000 + size;
    let atlas = this.atlases.get(key);
    if (!atlas) {
      if (this.atlases.size >= ATLASES) this.atlases.clear();
      atlas = makeSkin({ cellPx: size, dpr: 1, theme: player ? this.#themeOf(player) : this.theme });
      this.atlases.set(key, atlas);
    }
    return atlas;
  }

  #themeOf(player) {
    const { fill, ink, strong } = this.colour(player);
    const digits = this.theme.digits.map((digit) => digit && css(ink));
    return { ...this.theme, open: css(fill), digits, mine: css(ink), flag: css(strong), blast: css(strong) };
  }
}

function rgbOf(colour) {
  const ctx = new OffscreenCanvas(1, 1).getContext("2d");
  ctx.fillStyle = colour;
  ctx.fillRect(0, 0, 1, 1);
  return [...ctx.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}
