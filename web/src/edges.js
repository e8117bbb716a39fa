// @ts-check
// The edges of the bands as sliders: the upper one is maxSurge, the lower one maxUnavailable. While one is dragged, with mouse,
// finger or keys, Go computes the run that would follow and the chart draws it in the same frame.
import { element } from "./dom.js";
import { perPod } from "./plot.js";
import { say } from "./words.js";

/** @typedef {{ grip: HTMLElement, tip: HTMLElement, pods: number, desired: number }} Edge */
/**
 * A drag of an edge: the pods that it began with, those under the pointer now and those of the preview.
 * @typedef {object} Drag
 * @property {string} field
 * @property {number} pods
 * @property {number} now
 * @property {number} shown
 * @property {number} y where it began
 * @property {number} perPod
 * @property {number} step the direction of the last move
 * @property {number} up by keys: how far
 * @property {boolean} keys
 * @property {boolean} more the preview is not computed to its end
 */

/** @type {HTMLElement} */
let plot;
/** @type {import("./page").Query} */
let query = () => "";
/** @type {(bound: string) => void} */
let send = () => {};
let hold = () => {};
let refresh = () => {};
/** @type {Record<string, Edge>} */
const edges = {}; // by field
/** @type {Drag | null} */
let drag = null;

/**
 * mountEdges takes the plot and the functions that compute a preview, make a choice, begin a drag and redraw the numbers.
 * @param {HTMLElement} into
 * @param {{ preview: import("./page").Query, choose: (bound: string) => void, begin: () => void, refresh: () => void }} on
 */
export function mountEdges(into, on) {
  plot = into;
  query = on.preview;
  send = on.choose;
  hold = on.begin;
  refresh = on.refresh;
  for (const field of ["maxSurge", "maxUnavailable"]) edges[field] = makeEdge(field);
}

/**
 * @param {string} field
 * @returns {Edge}
 */
function makeEdge(field) {
  const grip = element("div", `edge ${field}`, plot, `edge-${field}`);
  grip.hidden = true;
  grip.tabIndex = 0;
  for (const [name, value] of Object.entries({ role: "slider", "aria-label": field, "aria-orientation": "vertical", "aria-valuemin": "0" })) grip.setAttribute(name, value);
  element("span", "edge-grip", grip).textContent = "⇕";
  const tip = element("span", "edge-tip", grip, "edge-tip");
  tip.hidden = true;
  grip.addEventListener("pointerdown", (e) => {
    if (e.button !== 0) return;
    e.stopPropagation();
    e.preventDefault();
    grip.focus();
    grip.setPointerCapture(e.pointerId);
    start(field, e.clientY);
  });
  grip.addEventListener(atOnce, (e) => {
    if (drag && grip.hasPointerCapture(e.pointerId)) move(Math.round((drag.y - e.clientY) / drag.perPod));
  });
  grip.addEventListener("pointermove", (e) => e.stopPropagation());
  grip.addEventListener("pointerup", () => finish(true));
  grip.addEventListener("pointercancel", () => finish(false));
  grip.addEventListener("blur", () => finish(false));
  grip.addEventListener("keydown", (e) => onKey(field, e));
  grip.addEventListener("keyup", (e) => { if (steps[e.key] && drag?.keys) finish(true); });
  return { grip, tip, pods: 0, desired: 0 };
}

// A pointermove waits for the next frame, which would then begin with computing a run. A raw update comes at once, so that the frame only
// has to draw. Chromium has it, on pages with https.
const atOnce = /** @type {"pointermove"} */ ("onpointerrawupdate" in window ? "pointerrawupdate" : "pointermove");

// The keys move the edge, as the pointer does.
/** @type {Record<string, number>} */
const steps = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 };

/**
 * @param {string} field
 * @param {KeyboardEvent} e
 */
function onKey(field, e) {
  if (e.key === "Escape" && drag) finish(false);
  else if (steps[e.key]) {
    const now = drag ?? start(field, 0);
    now.keys = true;
    now.up += steps[e.key];
    move(now.up);
  } else return;
  e.preventDefault();
}

/** @param {string} field */
const up = (field) => (field === "maxSurge" ? 1 : -1); // an edge that moves up means more surge, but fewer unavailable pods

/**
 * @param {string} field
 * @param {number} y
 */
function start(field, y) {
  if (drag) finish(false);
  const { pods } = edges[field];
  drag = { field, pods, now: pods, shown: pods, y, perPod: Math.max(perPod(), 0.01), step: 1, up: 0, keys: false, more: false };
  hold();
  setTimeout(foresee);
  return drag;
}

/**
 * within keeps a bound in its range. Both bounds 0 would stop every rollout: Kubernetes refuses that.
 * @param {string} field
 * @param {number} pods
 */
function within(field, pods) {
  if (field === "maxSurge") return Math.max(pods, edges.maxUnavailable.pods === 0 ? 1 : 0);
  return Math.min(Math.max(pods, edges.maxSurge.pods === 0 ? 1 : 0), Number(edges.maxUnavailable.grip.getAttribute("aria-valuemax")));
}

let waits = false; // the present frame has its preview

/** @param {number} pods */
function move(pods) {
  if (!drag) return;
  drag.now = within(drag.field, drag.pods + up(drag.field) * pods);
  if (!waits) follow();
}

// follow previews the bound under the pointer, once for each frame; a long run is computed in slices.
function follow() {
  if (!drag || drag.now === drag.shown && !drag.more) return;
  drag.step = drag.now < drag.shown ? -1 : 1;
  drag.shown = drag.now;
  tell(drag);
  drag.more = query("preview", `${drag.field} ${drag.now}`) !== "done"; // there is no answer while the program is at work
  refresh();
  onFrame();
}

function onFrame() {
  if (waits) return;
  waits = true;
  requestAnimationFrame(() => {
    waits = false;
    follow();
    setTimeout(foresee); // after this frame is drawn
  });
}

// foresee computes the neighbouring runs while nothing moves: first the next run in the direction of the drag, then the run on the other side.
function foresee() {
  if (!drag || waits || drag.more) return;
  for (const pods of [drag.now + drag.step, drag.now - drag.step]) {
    if (pods !== within(drag.field, pods) || query("foresee", `${drag.field} ${pods}`) === "") continue;
    setTimeout(foresee);
    return;
  }
}

/**
 * meant is a number of pods of a bound with what it means: 4: at most 14 pods.
 * @param {string} field
 * @param {number} pods
 */
function meant(field, pods) {
  const { desired } = edges[field];
  return field === "maxSurge" ? say("bound-most", pods, desired + pods) : say("bound-least", pods, desired - pods);
}

/** @param {Drag} drag */
function tell(drag) {
  const { grip, tip } = edges[drag.field];
  grip.setAttribute("aria-valuetext", meant(drag.field, drag.now));
  tip.textContent = say("bound-drag", drag.field, drag.pods, drag.now);
  tip.hidden = false;
  grip.classList.add("dragged");
  plot.classList.add("dragging");
}

/**
 * finish applies the choice, or goes back to the earlier run.
 * @param {boolean} chosen
 */
function finish(chosen) {
  if (!drag) return;
  const { field, pods, now } = drag;
  drag = null;
  edges[field].grip.classList.remove("dragged");
  plot.classList.remove("dragging");
  edges[field].tip.hidden = true;
  if (chosen && now !== pods) send(`${field} ${now}`);
  else endPreview();
}

function endPreview() {
  if (drag) return;
  if (query("preview", "") !== "done") requestAnimationFrame(endPreview);
  refresh();
}

export const dragging = () => drag !== null;

/**
 * setEdges takes the edges of the present bounds: the id is their field, the text their number of pods, and w its maximum.
 * @param {import("./go").Note[]} all
 */
export function setEdges(all) {
  for (const [field, e] of Object.entries(edges)) {
    const n = all.find((a) => a.id === field);
    e.grip.hidden = !n;
    if (!n) continue;
    e.pods = drag?.field === field ? e.pods : Number(n.text);
    e.grip.style.top = `${n.y.toFixed(1)}px`;
    e.grip.setAttribute("aria-valuemax", String(n.w));
    e.grip.setAttribute("aria-valuenow", n.text);
    e.desired = n.w;
    if (drag?.field !== field) e.grip.setAttribute("aria-valuetext", meant(field, Number(n.text)));
  }
}
