// The digits of open cells on a canvas of their own, over layers and trail: nothing but marks and the cursor covers a digit.

import { UNIT, digit, skinTheme } from "../../play/skin.js";

export class Digits {
  constructor(stage, size) {
    Object.assign(this, { stage, shown: new Uint8Array(size), skin: null });
    const [cells] = stage.layers;
    const canvas = document.createElement("canvas");
    canvas.className = "film-digits";
    Object.assign(canvas, { width: cells.width, height: cells.height });
    Object.assign(canvas.style, { width: cells.style.width, height: cells.style.height });
    stage.trail.canvas.after(canvas);
    stage.layers.splice(stage.layers.indexOf(stage.trail.canvas) + 1, 0, canvas); // it is resized like the others, and in pictures
    this.ctx = canvas.getContext("2d");
    this.atlas = document.createElement("canvas").getContext("2d");
  }

  // Draw the digit of `face` up here; the face that stays below.
  raise(cell, face) {
    const { ctx, atlas, shown, stage, stage: { cell: size, skin } } = this;
    if (this.skin !== skin) this.#anew(skin); // the stage was painted anew
    const number = face < 9 ? face : 0;
    if (shown[cell] !== number) {
      const [x, y] = stage.corner(cell);
      if (shown[cell]) ctx.clearRect(x, y, size, size);
      if (number) ctx.drawImage(atlas.canvas, number * size, 0, size, size, x, y, size, size);
      shown[cell] = number;
    }
    return number ? 0 : face;
  }

  #anew(skin) {
    const { ctx, atlas, stage: { cell: size, frame } } = this;
    const theme = skinTheme(frame);
    this.skin = skin;
    this.shown.fill(0);
    ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
    Object.assign(atlas.canvas, { width: size * 9, height: size });
    for (let number = 1; number < 9; number += 1) {
      atlas.setTransform(size / UNIT, 0, 0, size / UNIT, number * size, 0);
      digit(atlas, number, theme);
    }
  }
}
