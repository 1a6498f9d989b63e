// The time of a film: t = t0 + (now - n0) * rate, anchored anew whenever something changes it.

const LONGEST_FRAME_MS = 250; // after a longer gap (a hidden tab, a busy machine) the film goes on where it was

export class Clock {
  constructor(begin, end) {
    Object.assign(this, { begin, end, rate: 1, playing: false, time: begin, anchor: null, last: null });
  }

  // Begin to play; from the end it begins again.
  play() {
    if (this.time >= this.end) this.time = this.begin;
    this.playing = true;
    this.anchor = null;
  }

  pause() {
    this.playing = false;
  }

  seek(time) {
    this.time = Math.min(Math.max(time, this.begin), this.end);
    this.anchor = null;
  }

  setRate(rate) {
    this.rate = Math.min(Math.max(rate, 0.05), 16);
    this.anchor = null;
  }

  // The time of the frame at `now`; at the end it stops.
  frame(now) {
    if (!this.playing) return this.time;
    if (this.anchor === null || now - this.last > LONGEST_FRAME_MS) this.anchor = { now, time: this.time };
    this.last = now;
    this.time = this.anchor.time + (now - this.anchor.now) * this.rate;
    if (this.time >= this.end) {
      this.time = this.end;
      this.playing = false;
    }
    return this.time;
  }
}
