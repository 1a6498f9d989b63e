// The inks of a room's board: the colours of the page and of the players, and an atlas of faces for each player.

import { makeSkin, skinTheme } from "../../skin.js";
import { colours, css } from "./palette.js";

const ATLASES = 150;

export class Inks {
  constructor(element, playerOf) {
    const style = getComputedStyle(element);
    const token = (name) => style.getPropertyValue(name).trim();
    this.playerOf = playerOf;
    this.theme = skinTheme(element);
    this.ground = token("--stage");
    this.accent = token("--accent");
    this.text = token("--ink");
    this.edge = token("--sheet");
    this.plain = { closed: rgbOf(this.theme.closed), open: rgbOf(this.theme.open), mine: rgbOf(token("--cloth")), flag: rgbOf(token("--cloth")) };
    this.forget();
  }

  // Forget the players' colours.
  forget() {
    this.players = new Map();
    this.atlases = new Map();
  }

  // The colours of a player, as in palette.js.
  colour(player) {
    if (!this.players.has(player)) {
      const { hue, shade } = this.playerOf(player);
      this.players.set(player, colours(hue, shade, this.theme.dark, this.plain.open));
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

  // Digits, flags and mines look as in any game; the owner is the ground of the open cell.
  #themeOf(player) {
    return { ...this.theme, open: css(this.colour(player).fill) };
  }
}

function rgbOf(colour) {
  const ctx = new OffscreenCanvas(1, 1).getContext("2d");
  ctx.fillStyle = colour;
  ctx.fillRect(0, 0, 1, 1);
  return [...ctx.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}
