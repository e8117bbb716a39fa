// The texts on the chart: the bounds inside their bands, the names of the lines at their ends, what the commands are, and how long
// no pod was available. Go places them for the plot that is measured here, as it places those of the posters.
import { draw, element } from "./dom.js";
import { setEdges } from "./edges.js";
import { measure as measurePlot, plotRight, setTopCount, size, topCount } from "./plot.js";
import { onSpan, span } from "./span.js";

let plot = null;
let host = null;
let ask = () => "[]";
let waits = false;

export function mountNotes(into, answer) {
  plot = into;
  ask = answer;
  host = element("div", "notes", plot);
  host.setAttribute("aria-hidden", "true"); // the legend, the table and the timeline have the same for screen readers
  measure();
}

// measure reads the plot's size, and tells the style sheet the room at its right.
export function measure() {
  const card = plot?.closest(".chart");
  if (!card) return;
  measurePlot(card.clientWidth, plot.clientWidth, plot.clientHeight);
  card.parentElement.style.setProperty("--plot-right", `${plotRight()}px`);
}

// setHighest takes the count at the upper edge.
export function setHighest(count) {
  setTopCount(count);
  placeSoon();
}

// placeSoon asks for the texts with the next drawing, however often something changes.
export function placeSoon() {
  if (waits) return;
  waits = true;
  draw(() => { if (waits) placeNow(); });
}

export function placeNow() {
  waits = false;
  if (size.w === 0) return;
  const { from, to } = span();
  const answer = ask("place", [size.w, size.h, from, to, topCount()].join(" "));
  if (answer !== null) notes(JSON.parse(answer || "[]"));
  else { // the program is at work: ask in the next frame
    waits = true;
    requestAnimationFrame(placeNow);
  }
}

onSpan(placeSoon);

// notes writes texts at their places. Elements stay, and only what differs is written: while an edge is dragged they come in every
// frame.
export function notes(all) {
  if (!host) return;
  setEdges(all.filter((n) => n.kind === "edge"));
  const texts = all.filter((n) => n.kind !== "edge");
  while (host.childElementCount > texts.length) host.lastElementChild.remove();
  texts.forEach((n, i) => write(host.children[i] ?? element("span", "", host), n));
}

function write(e, n) {
  const now = JSON.stringify(n);
  if (e.note === now) return;
  e.note = now;
  e.className = `note note-${n.kind}`;
  e.dataset.act = `note-${n.kind}`;
  if (e.textContent !== n.text) e.textContent = n.text;
  if (n.id) e.dataset.series = n.id;
  else delete e.dataset.series;
  e.style.color = n.color ? `color-mix(in srgb, var(--c-${n.color}) 65%, var(--text))` : "";
  e.style.transform = `translate(${n.x.toFixed(1)}px, ${n.kind === "command" ? 0 : n.y.toFixed(1)}px)`;
}
