// @ts-check
// The texts on the chart: the bounds inside their bands, the names of the lines at their ends, the commands, and how long no pod was
// available. Go places them for the plot's size, as it places those of the posters.
import { draw, element, read } from "./dom.js";
import { setEdges } from "./edges.js";
import { measure as measurePlot, plotRight, setTopCount, size, topCount } from "./plot.js";
import { onSpan, span } from "./span.js";

/** @typedef {import("./go").Note} Note */

/** @type {HTMLElement | null} */
let plot = null;
/** @type {HTMLElement | null} */
let host = null;
/** @type {import("./page").Query} */
let query = () => "[]";
let waits = false;
/** @type {() => void} */
let placed = () => {};

/**
 * whenPlaced calls back once no text waits for its place.
 * @param {() => void} then
 */
export function whenPlaced(then) {
  placed = then;
  if (!waits) tellPlaced();
}

function tellPlaced() {
  placed();
  placed = () => {};
}

/**
 * @param {HTMLElement} into
 * @param {import("./page").Query} answer
 */
export function mountNotes(into, answer) {
  plot = into;
  query = answer;
  host = element("div", "notes", plot);
  written = [];
  host.setAttribute("aria-hidden", "true"); // the legend, the table and the timeline have the same for screen readers
  measure();
}

// measure reads the plot's size, and tells the style sheet the room at its right.
export function measure() {
  const card = plot?.closest(".chart");
  if (!plot || !card) return;
  measurePlot(card.clientWidth, plot.clientWidth, plot.clientHeight);
  /** @type {HTMLElement} */ (card.closest("#stage") ?? card).style.setProperty("--plot-right", `${plotRight()}px`);
}

/**
 * setHighest takes the count at the upper edge.
 * @param {number} count
 */
export function setHighest(count) {
  setTopCount(count);
  placeSoon();
}

// placeSoon places the texts with the next drawing, once for all changes until then.
export function placeSoon() {
  if (waits) return;
  waits = true;
  draw(() => { if (waits) placeNow(); });
}

export function placeNow() {
  waits = false;
  if (size.w === 0) return;
  const { from, to } = span();
  const answer = query("place", [size.w, size.h, from, to, topCount()].join(" "));
  if (answer !== null) {
    notes(read(/** @type {import("./go").Json<Note[]>} */ (answer || "[]")));
    tellPlaced();
  } else { // the program is at work: try again in the next frame
    waits = true;
    requestAnimationFrame(placeNow);
  }
}

onSpan(placeSoon);

/**
 * notes writes texts at their places. It keeps the elements and writes only the differences, because a drag of an edge sends texts in
 * every frame.
 * @param {Note[]} all
 */
export function notes(all) {
  if (!host) return;
  setEdges(all.filter((n) => n.kind === "edge"));
  const texts = all.filter((n) => n.kind !== "edge");
  inside = all.filter((n) => n.kind === "upper" || n.kind === "lower" || n.kind === "outage");
  while (written.length > texts.length) written.pop()?.e.remove();
  texts.forEach((n, i) => write(written[i] ??= { e: element("span", "", host), note: "" }, n));
  told();
}

/** @type {Note[]} */
let inside = [];

// textsInside has the texts of bounds and outages, which the numbers at the cursor leave free. onTextsInside is called when they change.
export const textsInside = () => inside;
let told = () => {};
/** @param {() => void} f */
export const onTextsInside = (f) => { told = f; };

/** @type {{ e: HTMLElement, note: string }[]} */
let written = []; // the elements, and what they show

/**
 * @param {{ e: HTMLElement, note: string }} text
 * @param {Note} n
 */
function write(text, n) {
  const { e } = text;
  const now = JSON.stringify(n);
  if (text.note === now) return;
  text.note = now;
  e.className = `note note-${n.kind}`;
  e.dataset.act = `note-${n.kind}`;
  if (e.textContent !== n.text) e.textContent = n.text;
  if (n.id) e.dataset.series = n.id;
  else delete e.dataset.series;
  e.style.color = n.color ? `color-mix(in srgb, var(--c-${n.color}) 65%, var(--text))` : "";
  e.style.transform = `translate(${n.x.toFixed(1)}px, ${n.kind === "command" ? 0 : n.y.toFixed(1)}px)`;
}
