// @ts-check
// The measures of the plot, which everything on the chart shares: its size, the room at its right, the height of a pod, the time of
// the cursor, and from when on a question hides the run. This module imports nothing, so every other module may import it.

const narrow = 18;
const wide = 112;
const roomForEnds = 520; // as in app/stage/notes.go
const left = 40;
let room = narrow; // free at the right of the plot: room for the names of the lines if the chart is wide enough
let highest = 1;
let time = 0;
let hidden = Infinity;

// size is the plot's size in px. It is measured when it changes: reading it in every frame would make the browser lay out the page.
export const size = { w: 0, h: 0 };

/**
 * measure takes the width of the chart and the size of its plot.
 * @param {number} chartWidth
 * @param {number} w
 * @param {number} h
 */
export function measure(chartWidth, w, h) {
  size.w = w;
  size.h = h;
  room = chartWidth - left - wide >= roomForEnds ? wide : narrow;
}

export const plotRight = () => room;
export const plotSides = () => left + room;

/**
 * setTopCount takes the count at the upper edge of the plot.
 * @param {number} count
 */
export function setTopCount(count) { highest = count; }
export const topCount = () => highest;

// perPod is the height of one pod in px.
export const perPod = () => size.h / highest;

// cursorTime is where the cursor is, in virtual ms.
export const cursorTime = () => time;
/** @param {number} t */
export function setCursorTime(t) { time = t; }

// hiddenFrom is the virtual ms of the next question without an answer: nothing may show what comes after it.
export const hiddenFrom = () => hidden;
/** @param {number} t */
export function setHiddenFrom(t) { hidden = t; }

/**
 * seconds writes a time: 12.5 s, or 1:05 from a minute on.
 * @param {number} ms
 * @param {number} [digits]
 */
export function seconds(ms, digits = 1) {
  const s = ms / 1000;
  if (s < 60) return `${s.toFixed(digits)} s`;
  return `${Math.floor(s / 60)}:${String(Math.floor(s % 60)).padStart(2, "0")}`;
}
