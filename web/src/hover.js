// What the chart shows under the pointer or the finger: a line, the time, and all counts at that moment, in a small box and in the
// legend.
import { $, asked, element } from "./dom.js";
import { cursorTime, seconds, size } from "./plot.js";
import { part } from "./span.js";

let plot = null;
let ask = () => "";
let line, box;
let at = null; // virtual ms, null while nothing is pointed at
let waits = false;

export function mountHover(into, answer) {
  plot = into;
  ask = answer;
  line = element("div", "hover-line", plot);
  box = element("div", "hover-box", plot, "hover-box");
  line.hidden = box.hidden = true;
  box.setAttribute("aria-hidden", "true"); // the table has the same numbers
}

// hover shows a time, and null gives the legend back to the cursor. What a question hides stays hidden.
export function hover(t) {
  at = t > cursorTime() && asked() ? null : t;
  if (waits || !plot) return;
  waits = true;
  requestAnimationFrame(draw);
}

// refresh writes the numbers of another run at the cursor.
export function refresh() {
  if (at === null) showInLegend(numbersAt(""));
}

// numbersAt returns the numbers at a time. While the program is at work there are none yet, and the next frame draws again.
function numbersAt(t) {
  const answer = ask("numbers", t);
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
  box.replaceChildren(time, ...numbers.map(row).filter(Boolean));
  const x = part(at) * size.w;
  const room = 10;
  const right = x + room + box.offsetWidth <= size.w;
  box.style.left = `${right ? x + room : Math.max(x - room - box.offsetWidth, 0)}px`;
}

const chip = (id) => $("legend")?.querySelector(`[data-series="${CSS.escape(id)}"]`);

function row([id, value]) {
  const of = chip(id);
  if (!of || value === "–" || (value === "0" && id.startsWith("rs:"))) return null;
  const e = element("span", "hover-row", null);
  e.append(of.querySelector(".swatch").cloneNode(), of.querySelector(".legend-label").textContent);
  element("b", "", e).textContent = value;
  return e;
}

// The text nodes belong to the program, which writes into them when the cursor moves.
function showInLegend(numbers) {
  for (const [id, value] of numbers) {
    const text = chip(id)?.querySelector(".legend-value").firstChild;
    if (text && text.data !== value) text.data = value;
  }
}
