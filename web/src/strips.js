// The strips under the chart, on its time axis: what the conditions said, and when a bound did not hold. One row each,
// made of segments; a click on a segment goes to the moment in which it began.
import { onSpan, span } from "./span.js";

let host = null;
let look = () => {};
let rows = [];

export function mountStrips(root, lookAt) {
  host = root;
  look = lookAt;
  host.addEventListener("click", (e) => {
    const segment = e.target.closest(".segment");
    if (segment) look(Number(segment.dataset.record));
  });
  draw();
}

// strips takes rows of { name, label, segments: [{ from, to, record, kind, text, title }] }.
export function strips(data) {
  rows = data;
  draw();
}

onSpan(draw);

const readable = 34; // px; a narrower segment has no room for a word
let width = 0; // of a lane, px

function draw() {
  if (!host) return;
  width = host.clientWidth - 58; // without the labels' column and the chart's right edge
  host.replaceChildren(...rows.map(row));
}

function row(r) {
  const element = document.createElement("div");
  element.className = "strip";
  element.dataset.act = "strip";
  element.dataset.name = r.name;
  const label = document.createElement("span");
  label.className = "strip-label";
  label.textContent = r.label;
  label.title = r.name;
  const lane = document.createElement("div");
  lane.className = "strip-lane";
  lane.setAttribute("role", "group");
  lane.setAttribute("aria-label", r.name);
  lane.append(...visible(r.segments).map(segment));
  element.append(label, lane);
  return element;
}

const least = 1 / 1500; // of the width: what is narrower is drawn so wide, unless it lies on its neighbour

// visible cuts segments to the span of the chart and leaves out those that nobody could see.
function visible(segments) {
  const { from, to } = span();
  const out = [];
  let end = -1;
  for (const s of segments) {
    if (s.to <= from || s.from >= to) continue;
    const left = Math.max(0, (s.from - from) / (to - from));
    const right = Math.min(1, Math.max((s.to - from) / (to - from), left + least));
    if (right <= end + least / 2) continue;
    out.push({ ...s, left: Math.max(left, end), right });
    end = right;
  }
  return out;
}

function segment(s) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = `segment ${s.kind}`;
  element.dataset.record = s.record;
  element.title = s.title;
  element.setAttribute("aria-label", s.title);
  element.style.left = `${100 * s.left}%`;
  element.style.width = `${100 * (s.right - s.left)}%`;
  if ((s.right - s.left) * width >= readable) element.textContent = s.text;
  return element;
}
