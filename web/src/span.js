// @ts-check
// The part of the run that the chart shows: what it opens with, all of it, or what somebody zoomed in to. A broken image is tried
// again for half an hour, but the interesting part is in the first twenty seconds.
let max = 1000; // virtual ms at the end of the run
let from = 0;
let to = 1000;
const least = 200; // ms; below that there is nothing more to see
/** @type {(() => void)[]} */
const listeners = [];

/** @param {() => void} listener */
export function onSpan(listener) { listeners.push(listener); }

export const span = () => ({ from, to });

/**
 * part is the place of a time on the plot: 0 at its left edge, 1 at its right edge.
 * @param {number} t
 */
export const part = (t) => (t - from) / (to - from);

/** @param {number} p */
export const timeAt = (p) => Math.round(from + Math.min(Math.max(p, 0), 1) * (to - from));

// The choice of the span: "opening" shows the first rollout, as a run opens; "whole" and "own" follow a wish of the reader. It holds
// for one scenario, which the key names.
let choice = "opening";
let opening = { from: 0, to: 1000 };
let away = false; // the cursor has left the opening
let key = 0;

/**
 * setRun takes the end of a run, the part that it opens with, and the key of its scenario.
 * @param {number} end
 * @param {{ from: number, to: number }} open
 * @param {number} of
 */
export function setRun(end, open, of) {
  max = end;
  if (open.from !== opening.from || open.to !== opening.to) away = false; // the run has grown, or is another one
  opening = open;
  if (of !== key) {
    key = of;
    choice = "opening";
    away = false;
  }
  if (choice === "opening" && !away) show(opening.from, opening.to);
  else if (choice === "whole") show(0, max);
  else show(from, to);
}

/**
 * @param {number} a
 * @param {number} b
 */
function show(a, b) {
  const before = `${from} ${to}`;
  const length = Math.min(Math.max(b - a, least), max);
  from = Math.min(Math.max(a, 0), max - length);
  to = from + length;
  if (`${from} ${to}` === before) return;
  for (const listener of listeners) listener();
}

/**
 * zoom makes the span that many times as long, and keeps time t where it is on the plot.
 * @param {number} factor
 * @param {number} t
 */
export function zoom(factor, t) {
  choice = "own";
  const length = Math.min(Math.max((to - from) * factor, least), max);
  const start = t - part(t) * length;
  show(start, start + length);
}

/**
 * zoomAround is for buttons: it brings time t well into the plot.
 * @param {number} factor
 * @param {number} t
 */
export function zoomAround(factor, t) {
  choice = "own";
  const length = Math.min(Math.max((to - from) * factor, least), max);
  show(t - length / 3, t + (length * 2) / 3);
}

// stay keeps the span as it is, also for the next run.
export function stay() { choice = "own"; }

export function fit() {
  choice = "whole";
  show(0, max);
}

/**
 * follow moves the span on when the cursor leaves it. The opening waits for a run that plays from zero, and comes back with the
 * cursor.
 * @param {number} t
 * @param {boolean} playing
 */
export function follow(t, playing) {
  if (t >= from && t <= to) return;
  if (choice === "opening") {
    away = !(t === 0 || (playing ? t <= opening.to : t >= opening.from && t <= opening.to));
    if (!away) {
      show(opening.from, opening.to);
      return;
    }
  }
  const start = t - (to - from) * 0.1;
  show(start, start + to - from);
}

// step is the distance of the ticks: a round time, about eight of them.
export function step() {
  const round = [50, 100, 200, 500, 1000, 2000, 5000, 10000, 15000, 30000, 60000, 120000, 300000, 600000, 1800000, 3600000];
  return round.find((s) => to - from <= s * 8) ?? (to - from) / 8;
}
