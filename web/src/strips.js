// The strips under the chart, on its time axis: the conditions, and when a bound did not hold. One row each,
// made of segments; a click on a segment goes to the moment in which it began.
import { element } from "./dom.js";
import { plotSides } from "./notes.js";
import { onSpan, span } from "./span.js";

let host = null;
let look = () => {};
let rows = [];

export function mountStrips(root, lookAt, choose) {
  host = root;
  look = lookAt;
  host.addEventListener("click", (e) => {
    const chart = e.target.closest(".small-chart");
    if (chart) choose(chart.dataset.workload);
    const segment = e.target.closest(".segment");
    if (segment) look(Number(segment.dataset.record));
  });
  draw();
}

// strips takes rows of { name, title, label, segments: [{ from, to, record, kind, text, title }] }.
export function strips(data) {
  rows = data;
  draw();
}

onSpan(draw);

const readable = 34; // px; a narrower segment has no room for a word
let width = 0; // of a lane, px

function draw() {
  if (!host) return;
  width = host.clientWidth - plotSides(); // without the labels' column and the chart's right edge
  host.replaceChildren(...rows.map((r) => (r.chart ? smallChart(r) : row(r))));
}

const svg = (name, attributes) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  return e;
};

// smallChart draws another workload on the same time axis: its bands, total and available pods. A click chooses it.
function smallChart(r) {
  const button = element("button", "small-chart", null, "small-chart");
  button.type = "button";
  button.dataset.workload = r.chart.workload;
  button.title = r.title;
  element("span", "small-title", button).textContent = r.name;
  const height = 46;
  const wide = Math.max(width, 10);
  const drawing = svg("svg", { viewBox: `0 0 ${wide} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  const y = (value) => height - 2 - (value / Math.max(1, r.chart.top)) * (height - 6);
  drawing.append(
    svg("path", { d: `${steps(r.chart.upper, wide, y)}${back(r.chart.lower, wide, y)}Z`, class: "band" }),
    svg("path", { d: steps(r.chart.total, wide, y), class: "total" }),
    svg("path", { d: steps(r.chart.available, wide, y), class: "available" }),
  );
  button.append(drawing);
  return button;
}

// corners are the corners of a step line of t, value pairs, cut to the span of the chart.
function corners(points, wide, y) {
  const { from, to } = span();
  const x = (t) => (Math.min(Math.max((t - from) / (to - from), 0), 1) * wide).toFixed(1);
  const out = [];
  for (let i = 0; i < points.length; i += 2) {
    if (i > 0) out.push(`${x(points[i])} ${y(points[i - 1]).toFixed(1)}`);
    out.push(`${x(points[i])} ${y(points[i + 1]).toFixed(1)}`);
  }
  return out;
}

const steps = (points, wide, y) => `M${corners(points, wide, y).join("L")}`;
const back = (points, wide, y) => `L${corners(points, wide, y).reverse().join("L")}`;

function row(r) {
  const strip = element("div", r.lane ? "strip lane" : "strip", null, "strip");
  strip.dataset.name = r.name;
  const label = element("span", "strip-label", strip);
  label.textContent = r.label;
  label.title = r.title;
  const lane = element("div", "strip-lane", strip);
  lane.setAttribute("role", "group");
  lane.setAttribute("aria-label", r.title);
  lane.append(...visible(r.segments).map(segment));
  return strip;
}

const least = 1 / 1500; // of the width: narrower segments get this width, unless they would cover their neighbour

// visible cuts segments to the span of the chart and leaves out invisible ones.
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
  const e = element("button", s.color > 0 ? `segment ${s.kind} rev rev-${s.color - 1}` : `segment ${s.kind}`);
  e.type = "button";
  e.dataset.record = s.record;
  e.title = s.title;
  e.setAttribute("aria-label", s.title);
  e.style.left = `${100 * s.left}%`;
  e.style.width = `${100 * (s.right - s.left)}%`;
  if ((s.right - s.left) * width >= readable) e.textContent = s.text;
  return e;
}
