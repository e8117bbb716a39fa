// The plot's measures, which everything on the chart shares: its size, the free room beside it, the height of a pod and the time of
// the cursor. This module imports nothing, so that every other one may import it.

const narrow = 18;
const wide = 112;
const roomForEnds = 520; // as in app/stage/notes.go
const left = 40;
let room = narrow; // free at the right of the plot: room for the names of the lines if the chart is wide enough
let highest = 1;
let time = 0;

// size is the plot's size in px. It is measured when it changes: reading it in every frame would make the browser lay out the page.
export const size = { w: 0, h: 0 };

// measure takes the width of the chart and the size of its plot.
export function measure(chartWidth, w, h) {
  size.w = w;
  size.h = h;
  room = chartWidth - left - wide >= roomForEnds ? wide : narrow;
}

export const plotRight = () => room;
export const plotSides = () => left + room;

// setTopCount takes the count at the upper edge of the plot.
export function setTopCount(count) { highest = count; }
export const topCount = () => highest;

// perPod is the height of one pod in px.
export const perPod = () => size.h / highest;

// cursorTime is where the cursor is, in virtual ms.
export const cursorTime = () => time;
export function setCursorTime(t) { time = t; }

export function seconds(ms, digits = 1) {
  const s = ms / 1000;
  if (s < 60) return `${s.toFixed(digits)} s`;
  return `${Math.floor(s / 60)}:${String(Math.floor(s % 60)).padStart(2, "0")}`;
}
