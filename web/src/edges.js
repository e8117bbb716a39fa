// The edges of the bands as sliders: the upper one is maxSurge, the lower one maxUnavailable. While one is dragged, with mouse,
// finger or keys, Go computes the run that would follow and the chart draws it in the same frame.
import { element } from "./dom.js";
import { perPod } from "./plot.js";
import { say } from "./words.js";

let plot = null;
let ask = () => "";
let send = () => {};
let hold = () => {};
let refresh = () => {};
const edges = {}; // by field: { grip, tip, pods, y }
let drag = null; // { field, pods, y, perPod, now, shown }

// mountEdges takes the plot and the functions that compute a preview, make a choice, begin a drag and redraw the numbers.
export function mountEdges(into, on) {
  plot = into;
  ask = on.preview;
  send = on.choose;
  hold = on.begin;
  refresh = on.refresh;
  for (const field of ["maxSurge", "maxUnavailable"]) edges[field] = { grip: makeGrip(field), pods: 0, y: 0 };
}

function makeGrip(field) {
  const grip = element("div", `edge ${field}`, plot, `edge-${field}`);
  grip.hidden = true;
  grip.tabIndex = 0;
  for (const [name, value] of Object.entries({ role: "slider", "aria-label": field, "aria-orientation": "vertical", "aria-valuemin": 0 })) grip.setAttribute(name, value);
  element("span", "edge-grip", grip).textContent = "⇕";
  element("span", "edge-tip", grip, "edge-tip").hidden = true;
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
  grip.addEventListener("keydown", onKey);
  grip.addEventListener("keyup", (e) => { if (steps[e.key] && drag?.keys) finish(true); });
  return grip;
}

// A pointermove waits for the next frame, which would then begin with computing a run. A raw update comes at once, so that the frame only
// has to draw. Chromium has it, on pages with https.
const atOnce = "onpointerrawupdate" in window ? "pointerrawupdate" : "pointermove";

// The keys move the edge, as the pointer does.
const steps = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 };

function onKey(e) {
  if (e.key === "Escape" && drag) finish(false);
  else if (steps[e.key]) {
    if (!drag) start(fieldOf(e.currentTarget), 0);
    drag.keys = true;
    drag.up = (drag.up ?? 0) + steps[e.key];
    move(drag.up);
  } else return;
  e.preventDefault();
}

const fieldOf = (grip) => grip.getAttribute("aria-label");
const up = (field) => (field === "maxSurge" ? 1 : -1); // an edge that moves up means more surge, but fewer unavailable pods

function start(field, y) {
  if (drag) finish(false);
  drag = { field, pods: edges[field].pods, y, perPod: Math.max(perPod(), 0.01), now: edges[field].pods, shown: edges[field].pods, step: 1 };
  hold();
  setTimeout(foresee);
}

// within keeps a bound to what it may be. Both bounds 0 would stop every rollout: Kubernetes refuses that.
function within(field, pods) {
  if (field === "maxSurge") return Math.max(pods, edges.maxUnavailable.pods === 0 ? 1 : 0);
  return Math.min(Math.max(pods, edges.maxSurge.pods === 0 ? 1 : 0), Number(edges.maxUnavailable.grip.getAttribute("aria-valuemax")));
}

let waits = false; // the present frame has its run

function move(pods) {
  drag.now = within(drag.field, drag.pods + up(drag.field) * pods);
  if (!waits) follow();
}

// follow shows the run of the present place, once for each frame; a long run is computed in slices.
function follow() {
  if (!drag || drag.now === drag.shown && !drag.more) return;
  drag.step = drag.now < drag.shown ? -1 : 1;
  drag.shown = drag.now;
  tell();
  drag.more = ask("preview", `${drag.field} ${drag.now}`) !== "done"; // there is no answer while the program is at work
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

// foresee computes the next runs while nothing moves: the one that the drag comes to if it goes on, then the one beside it on the other side.
function foresee() {
  if (!drag || waits || drag.more) return;
  for (const pods of [drag.now + drag.step, drag.now - drag.step]) {
    if (pods !== within(drag.field, pods) || ask("foresee", `${drag.field} ${pods}`) === "") continue;
    setTimeout(foresee);
    return;
  }
}

function tell() {
  const { grip } = edges[drag.field];
  const text = say("bound-drag", drag.field, drag.pods, drag.now);
  grip.setAttribute("aria-valuetext", text);
  grip.querySelector(".edge-tip").textContent = text;
  grip.querySelector(".edge-tip").hidden = false;
  grip.classList.add("dragged");
  plot.classList.add("dragging");
}

// finish makes the choice true, or goes back to the run that was there.
function finish(chosen) {
  if (!drag) return;
  const { field, pods, now } = drag;
  drag = null;
  edges[field].grip.classList.remove("dragged");
  plot.classList.remove("dragging");
  edges[field].grip.querySelector(".edge-tip").hidden = true;
  if (chosen && now !== pods) send(`${field} ${now}`);
  else endPreview();
}

function endPreview() {
  if (drag) return;
  if (ask("preview", "") !== "done") requestAnimationFrame(endPreview);
  refresh();
}

export const dragging = () => drag !== null;

// setEdges takes the edges that there are: their field, their number of pods, the largest one and their height.
export function setEdges(all) {
  for (const [field, e] of Object.entries(edges)) {
    const n = all.find((a) => a.id === field);
    e.grip.hidden = !n;
    if (!n) continue;
    e.pods = drag?.field === field ? e.pods : Number(n.text);
    e.grip.style.top = `${n.y.toFixed(1)}px`;
    e.grip.setAttribute("aria-valuemax", n.w);
    e.grip.setAttribute("aria-valuenow", n.text);
    if (drag?.field !== field) e.grip.setAttribute("aria-valuetext", `${field} ${n.text}`);
  }
}
