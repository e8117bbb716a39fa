// @ts-check
// The line under the pointer or the finger, with the time and all counts at that moment in a small box and in the legend.
import { $, element } from "./dom.js";
import { placeLabels } from "./labels.js";
import { hiddenFrom, seconds, size } from "./plot.js";
import { part } from "./span.js";

/** @type {HTMLElement | null} */
let plot = null;
/** @type {import("./page").Query} */
let query = () => "";
/** @type {HTMLElement} */
let line;
/** @type {HTMLElement} */
let box;
/** @type {number | null} */
let at = null; // virtual ms, null while the pointer is elsewhere
let waits = false;

/**
 * @param {HTMLElement} into
 * @param {import("./page").Query} answer
 */
export function mountHover(into, answer) {
  plot = into;
  query = answer;
  line = element("div", "hover-line", plot);
  box = element("div", "hover-box", plot, "hover-box");
  line.hidden = box.hidden = true;
  box.setAttribute("aria-hidden", "true"); // the table has the same numbers
}

/**
 * hover shows a time, and null gives the legend back to the cursor. Times that a question hides stay hidden.
 * @param {number | null} t
 */
export function hover(t) {
  at = t !== null && t > hiddenFrom() ? null : t;
  if (waits || !plot) return;
  waits = true;
  requestAnimationFrame(draw);
}

// refresh writes the numbers of another run at the cursor.
export function refresh() {
  if (at === null) showInLegend(numbersAt(""));
}

/**
 * numbersAt returns the numbers at a time. While the program is at work there are no numbers, and the next frame draws again.
 * @param {string} t
 */
function numbersAt(t) {
  const answer = query("numbers", t);
  if (answer === null) hover(at);
  return (answer ?? "").split("\n").filter(Boolean).map((l) => l.split("\t"));
}

function draw() {
  waits = false;
  line.hidden = box.hidden = at === null;
  const numbers = numbersAt(at === null ? "" : String(at));
  showInLegend(numbers);
  if (at === null) return;
  line.style.left = `${100 * part(at)}%`;
  const time = element("b", "hover-time", null);
  time.textContent = seconds(at, 2);
  box.replaceChildren(time, ...numbers.flatMap(row));
  const x = part(at) * size.w;
  const room = 10;
  const right = x + room + box.offsetWidth <= size.w;
  box.style.left = `${right ? x + room : Math.max(x - room - box.offsetWidth, 0)}px`;
}

/**
 * @param {string} id
 * @returns {HTMLElement | null | undefined}
 */
const chip = (id) => $("legend")?.querySelector(`[data-series="${CSS.escape(id)}"]`);

/** @param {string[]} line an id and a count */
function row([id, value]) {
  const of = chip(id);
  if (!of || value === "–" || (value === "0" && id.startsWith("rs:"))) return [];
  const e = element("span", "hover-row", null);
  const swatch = of.querySelector(".swatch");
  if (swatch) e.append(swatch.cloneNode());
  e.append(of.querySelector(".legend-label")?.textContent ?? "");
  element("b", "", e).textContent = value;
  return [e];
}

/**
 * showInLegend writes into the text nodes of the program, which it changes itself when the cursor moves. A legend at the cursor keeps the
 * numbers of the cursor.
 * @param {string[][]} numbers
 */
function showInLegend(numbers) {
  if (at !== null && $("legend")?.closest(".chart")) return;
  for (const [id, value] of numbers) {
    const text = chip(id)?.querySelector(".legend-value")?.firstChild;
    if (text && text.nodeValue !== value) text.nodeValue = value;
  }
  placeLabels();
}
