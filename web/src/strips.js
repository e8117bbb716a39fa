// @ts-check
// The strips under the chart, on its time axis: the conditions, and when a bound did not hold. Each is a row of segments; a click on a
// segment goes to the moment at which it began.
import { around, element } from "./dom.js";
import { plotSides } from "./plot.js";
import { onSpan, span } from "./span.js";

/** @typedef {import("./go").Strip} Strip */
/** @typedef {import("./go").StripSegment} Segment */
/** @typedef {ArrayLike<number>} Points times and counts in turn */

/** @type {Map<HTMLElement, number>} the boxes with their widths, measured when they change, see plot.js: one under the plot for requests, one for the rest */
const hosts = new Map();
/** @type {(record: number) => void} */
let look = () => {};
/** @type {(ms: string) => void} */
let tell = () => {};
/** @type {Strip[]} */
let rows = [];

/**
 * @param {HTMLElement} root
 * @param {(record: number) => void} lookAt
 * @param {(workload: string) => void} choose
 * @param {(ms: string) => void} tellOf what became of requests
 */
export function mountStrips(root, lookAt, choose, tellOf) {
  hosts.set(root, 0);
  look = lookAt;
  tell = tellOf;
  root.addEventListener("click", (e) => {
    const chart = around(e, ".small-chart");
    if (chart) choose(chart.dataset.workload ?? "");
    const segment = around(e, ".segment");
    if (segment) goTo(segment);
  });
  root.addEventListener("keydown", walk);
  new ResizeObserver(() => {
    if (hosts.get(root) === root.clientWidth || !root.isConnected) return;
    hosts.set(root, root.clientWidth);
    draw();
  }).observe(root);
  draw();
}

// A strip is one stop of the Tab key. The arrows go along it, and the cursor goes with them.
let chosen = { name: "", record: "" };

/** @param {KeyboardEvent} e */
function walk(e) {
  const lane = around(e, ".strip-lane");
  if (!lane?.children.length || e.ctrlKey || e.metaKey || e.altKey) return;
  const all = /** @type {HTMLElement[]} */ ([...lane.children]);
  const i = all.findIndex((s) => s.ariaSelected === "true"), last = all.length - 1;
  /** @type {Record<string, number>} */
  const keys = { ArrowLeft: Math.max(i - 1, 0), ArrowRight: Math.min(i + 1, last), Home: 0, End: last, Enter: Math.max(i, 0), " ": Math.max(i, 0) };
  const to = keys[e.key];
  if (to === undefined) return;
  e.preventDefault();
  goTo(all[to]);
}

/** @param {HTMLElement} segment */
function goTo(segment) {
  chosen = { name: nameOf(segment), record: segment.dataset.record ?? "" };
  document.querySelectorAll(".strip-lane").forEach(mark);
  if (segment.matches(".requests .segment:not(.good)")) tell(segment.dataset.from ?? "");
  else look(Number(segment.dataset.record));
}

/**
 * @param {Element} e
 * @returns {string} the name of the strip around
 */
const nameOf = (e) => /** @type {HTMLElement | null} */ (e.closest(".strip"))?.dataset.name ?? "";

/**
 * mark tells screen readers which segment of a lane is the chosen one.
 * @param {Element} lane
 */
function mark(lane) {
  const name = nameOf(lane);
  lane.removeAttribute("aria-activedescendant");
  for (const s of /** @type {Iterable<HTMLElement>} */ (/** @type {unknown} */ (lane.children))) {
    const on = name === chosen.name && s.dataset.record === chosen.record;
    s.ariaSelected = String(on);
    if (on) lane.setAttribute("aria-activedescendant", s.id);
  }
}

/** @param {Strip[]} data */
export function strips(data) {
  rows = data;
  draw();
}

onSpan(draw);

const readable = 34; // px; a narrower segment has no room for a word
let width = 0; // of a lane, px

function draw() {
  for (const host of hosts.keys()) {
    if (host.isConnected) drawIn(host);
    else hosts.delete(host);
  }
}

/** @param {HTMLElement} host */
function drawIn(host) {
  hosts.set(host, hosts.get(host) || host.clientWidth);
  width = (hosts.get(host) ?? 0) - plotSides(); // without the labels' column and the chart's right edge
  const focused = document.activeElement && host.contains(document.activeElement) ? focusName(document.activeElement) : "";
  const lanes = element("div", "strip-rows"), own = rows.filter((r) => r.requests === host.classList.contains("requests"));
  lanes.append(...own.filter((r) => !r.chart).map(row));
  if (lanes.querySelector(".segment")) lanes.role = "listbox";
  lanes.ariaLabel = host.ariaLabel;
  host.closest(".chart-card")?.toggleAttribute("data-crowded", own.length > 3 || own.some((r) => r.lane || r.chart));
  host.replaceChildren(lanes, ...own.flatMap((r) => (r.chart ? [smallChart(r, r.chart)] : [])));
  if (!focused) return;
  for (const e of host.querySelectorAll(".strip-lane, .small-chart")) {
    if (focusName(e) === focused && e instanceof HTMLElement) return e.focus({ preventScroll: true });
  }
}

/** @param {Element} e */
const focusName = (e) => (e instanceof HTMLElement && e.dataset.workload) || nameOf(e);

/**
 * @param {string} name
 * @param {Record<string, string>} attributes
 */
const svg = (name, attributes) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  return e;
};

/**
 * smallChart draws another workload on the same time axis: its bands, total and available pods. A click chooses it.
 * @param {Strip} r
 * @param {import("./go").Small} chart
 */
function smallChart(r, chart) {
  const button = element("button", "small-chart", null, "small-chart");
  button.type = "button";
  button.dataset.workload = chart.workload;
  button.title = r.title;
  element("span", "small-title", button).textContent = r.name;
  const height = 46;
  const wide = Math.max(width, 10);
  const drawing = svg("svg", { viewBox: `0 0 ${wide} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  /** @param {number} value */
  const y = (value) => height - 2 - (value / Math.max(1, chart.top)) * (height - 6);
  drawing.append(
    svg("path", { d: `${steps(chart.upper, wide, y)}${back(chart.lower, wide, y)}Z`, class: "band" }),
    svg("path", { d: steps(chart.total, wide, y), class: "total" }),
    svg("path", { d: steps(chart.available, wide, y), class: "available" }),
  );
  button.append(drawing);
  return button;
}

/**
 * corners returns the corners of a step line, cut to the span of the chart.
 * @param {Points | null} points
 * @param {number} wide
 * @param {(value: number) => number} y
 */
function corners(points, wide, y) {
  const { from, to } = span();
  if (!points) return [];
  /** @param {number} t */
  const x = (t) => (Math.min(Math.max((t - from) / (to - from), 0), 1) * wide).toFixed(1);
  const out = [];
  for (let i = 0; i < points.length; i += 2) {
    if (i > 0) out.push(`${x(points[i])} ${y(points[i - 1]).toFixed(1)}`);
    out.push(`${x(points[i])} ${y(points[i + 1]).toFixed(1)}`);
  }
  return out;
}

/** @type {(points: Points | null, wide: number, y: (value: number) => number) => string} */
const steps = (points, wide, y) => `M${corners(points, wide, y).join("L")}`;
/** @type {(points: Points | null, wide: number, y: (value: number) => number) => string} */
const back = (points, wide, y) => `L${corners(points, wide, y).reverse().join("L")}`;

/**
 * @param {Strip} r
 * @param {number} k
 */
function row(r, k) {
  const strip = element("div", r.lane ? "strip lane" : "strip", null, "strip");
  strip.dataset.name = r.name;
  const label = element("span", "strip-label", strip);
  label.textContent = r.label;
  label.title = r.title;
  const lane = element("div", "strip-lane", strip);
  lane.append(...visible(r.segments ?? []).map((s, i) => segment(s, `strip-${k}-${i}`)));
  lane.setAttribute("role", "group");
  lane.setAttribute("aria-label", r.title);
  if (lane.children.length) lane.tabIndex = 0;
  mark(lane);
  return strip;
}

const least = 1 / 1500; // of the width: narrower segments get this width, unless they would cover their neighbour

/** @typedef {Segment & { left: number, right: number }} Placed a segment with its ends as parts of the width */

/**
 * visible cuts segments to the span of the chart and leaves out invisible segments.
 * @param {Segment[]} segments
 */
function visible(segments) {
  const { from, to } = span();
  /** @type {Placed[]} */
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

/**
 * @param {Placed} s
 * @param {string} id
 */
function segment(s, id) {
  const e = element("div", s.color > 0 ? `segment ${s.kind} rev rev-${s.color - 1}` : `segment ${s.kind}`);
  e.role = "option";
  e.id = id;
  e.dataset.record = String(s.record);
  e.dataset.from = String(s.from);
  if (s.mix) e.style.setProperty("--mix", s.mix);
  e.title = s.title;
  e.setAttribute("aria-label", s.title.includes(s.text) ? s.title : `${s.text}, ${s.title}`);
  e.style.left = `${100 * s.left}%`;
  e.style.width = `${100 * (s.right - s.left)}%`;
  if ((s.right - s.left) * width >= readable) e.textContent = s.text;
  return e;
}
