// @ts-check
// The edges of the panes: separators that a mouse, a finger or keys move. The browser remembers the sizes. A drawer changes its
// width; the tabs change their height, and the page scrolls so that they fill the window below their row.
import { around } from "./dom.js";

const key = "rollplay/sizes";
const step = 24;
const stageMin = 420; // px that a drawer leaves for the figure
/** @typedef {"code" | "why" | "tabs"} Name */

/** @type {Record<Name, { least: number, toward: Record<string, number>, sign: number }>} */
const edges = {
  code: { least: 260, toward: { ArrowRight: 1, ArrowLeft: -1 }, sign: 1 },
  why: { least: 240, toward: { ArrowLeft: 1, ArrowRight: -1 }, sign: -1 },
  tabs: { least: 160, toward: { ArrowUp: 1, ArrowDown: -1 }, sign: -1 },
};
const names = /** @type {Name[]} */ (Object.keys(edges));
/** @type {Partial<Record<Name, number>>} */
let sizes = {}; // in px; a missing pane has the size of the style sheet
/** @type {Partial<Record<Name, number>>} */
let before = {}; // a maximized pane's size before
/** @type {{ name: Name, at: number, size: number, moved: boolean } | null} */
let drag = null;

/**
 * @param {Name} name
 * @returns {HTMLElement | null}
 */
const edge = (name) => document.querySelector(`[data-edge="${name}"]`);
/** @param {Event} e */
const nameOf = (e) => /** @type {Name | undefined} */ (around(e, "[data-edge]")?.dataset.edge);

export function mountPanes() {
  try { sizes = JSON.parse(window.rollplay.load(key)) ?? {}; } catch { sizes = {}; }
  const applyAll = () => names.forEach((name) => { if (sizes[name]) apply(name, sizes[name]); });
  applyAll();
  document.addEventListener("pointerdown", press);
  document.addEventListener("pointermove", (e) => drag && resize(drag.name, drag.size + edges[drag.name].sign * (place(drag.name, e) - drag.at)));
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, release);
  document.addEventListener("dblclick", (e) => {
    const name = nameOf(e);
    if (name) reset(name);
  });
  document.addEventListener("click", (e) => {
    const name = /** @type {Name | undefined} */ (around(e, "[data-max]")?.dataset.max);
    if (!name) return;
    maximize(name);
    keep();
  });
  document.addEventListener("keydown", onKey);
  document.addEventListener("focusin", (e) => {
    const name = nameOf(e);
    if (name) tell(name);
  });
  window.addEventListener("resize", applyAll);
  names.forEach(tell);
}

/**
 * @param {Name} name
 * @param {PointerEvent} e
 */
const place = (name, e) => (name === "tabs" ? e.clientY : e.clientX);

/**
 * most is how large a pane may become in this window.
 * @param {Name} name
 */
function most(name) {
  if (name === "tabs") return Math.max(window.innerHeight - headHeight() - (row()?.offsetHeight ?? 0), edges.tabs.least);
  const other = document.getElementById(name === "code" ? "pane-why" : "pane-code");
  return Math.max(window.innerWidth - (other?.offsetWidth ?? 0) - stageMin, edges[name].least);
}

const headHeight = () => heightOf(".header");
/** @param {string} selector */
const heightOf = (selector) => /** @type {HTMLElement | null} */ (document.querySelector(selector))?.offsetHeight ?? 0;
/** @returns {HTMLElement | null} */
const row = () => document.querySelector(".stage > .bar");

/**
 * now is the present size of a pane.
 * @param {Name} name
 */
function now(name) {
  if (name === "tabs") return heightOf(".stage > .tabs");
  return document.getElementById(`pane-${name}`)?.offsetWidth || 0;
}

/**
 * inSight is the size at the begin of a drag: the tabs may be below the window, or half of them.
 * @param {Name} name
 */
const inSight = (name) => (name === "tabs" ? Math.max(window.innerHeight - (row()?.getBoundingClientRect().bottom ?? 0), 0) : now(name));

/** @param {PointerEvent} e */
function press(e) {
  const name = nameOf(e);
  if (!name || e.button !== 0) return;
  e.preventDefault();
  edge(name)?.focus({ preventScroll: true });
  edge(name)?.setPointerCapture(e.pointerId);
  drag = { name, at: place(name, e), size: inSight(name), moved: false };
}

function release() {
  if (drag?.moved) keep();
  drag = null;
}

/**
 * resize moves an edge for a person, and remembers the size.
 * @param {Name} name
 * @param {number} size
 */
function resize(name, size) {
  if (drag) drag.moved = true;
  const chosen = sizes[name] = Math.round(Math.min(Math.max(size, edges[name].least), most(name)));
  apply(name, chosen);
  if (name === "tabs") window.scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
  tell(name);
}

/**
 * @param {Name} name
 * @param {number} size
 */
function apply(name, size) {
  size = Math.min(size, most(name));
  document.documentElement.style.setProperty(`--size-${name}`, `${size}px`);
  if (name === "tabs") document.documentElement.dataset.tabs = "sized";
  tell(name);
}

/** @param {Name} name */
function reset(name) {
  delete sizes[name];
  delete before[name];
  document.documentElement.style.removeProperty(`--size-${name}`);
  if (name === "tabs") delete document.documentElement.dataset.tabs;
  if (name === "tabs") window.scrollTo({ top: 0, behavior: "instant" });
  keep();
  tell(name);
}

function keep() { window.rollplay.store(key, JSON.stringify(sizes)); }

/** @param {Name} name */
function maximize(name) {
  const size = now(name);
  const earlier = before[name];
  if (size >= most(name) - 1) {
    if (earlier) resize(name, earlier);
    else reset(name);
    return;
  }
  before[name] = size;
  resize(name, most(name));
}

/** @param {KeyboardEvent} e */
function onKey(e) {
  const name = nameOf(e);
  if (!name || e.ctrlKey || e.metaKey || e.altKey) return;
  if (edges[name].toward[e.key]) resize(name, now(name) + step * edges[name].toward[e.key]);
  else if (e.key === "Home") resize(name, edges[name].least);
  else if (e.key === "End") resize(name, most(name));
  else if (e.key === "Enter") maximize(name);
  else if (e.key === "Delete" || e.key === "Backspace") {
    e.preventDefault();
    reset(name);
    return;
  } else return;
  e.preventDefault();
  keep();
}

/**
 * tell gives screen readers the place of an edge.
 * @param {Name} name
 */
function tell(name) {
  const e = edge(name);
  if (!e) return;
  e.setAttribute("aria-valuemin", String(edges[name].least));
  e.setAttribute("aria-valuemax", String(Math.round(most(name))));
  e.setAttribute("aria-valuenow", String(Math.round(Math.min(Math.max(now(name), edges[name].least), most(name)))));
}
