// The edges of the panes: separators that a mouse, a finger or keys move. The browser remembers the sizes. A drawer changes its
// width; the tabs change their height, and the page scrolls so that they fill the window below their row.
const key = "rollplay/sizes";
const step = 24;
const stageMin = 420; // px that a drawer leaves for the figure
const edges = {
  code: { least: 260, toward: { ArrowRight: 1, ArrowLeft: -1 }, sign: 1 },
  why: { least: 240, toward: { ArrowLeft: 1, ArrowRight: -1 }, sign: -1 },
  tabs: { least: 160, toward: { ArrowUp: 1, ArrowDown: -1 }, sign: -1 },
};
let sizes = {}; // by name, in px; what is missing has the size of the style sheet
let before = {}; // a maximized pane's size before
let drag = null; // { name, at, size }

const edge = (name) => document.querySelector(`[data-edge="${name}"]`);
const nameOf = (e) => (e.target instanceof Element ? e.target.closest("[data-edge]")?.dataset.edge : undefined);

export function mountPanes() {
  try { sizes = JSON.parse(window.rollplay.load(key)) ?? {}; } catch { sizes = {}; }
  for (const name of Object.keys(edges)) if (sizes[name]) apply(name, sizes[name]);
  document.addEventListener("pointerdown", press);
  document.addEventListener("pointermove", (e) => drag && resize(drag.name, drag.size + edges[drag.name].sign * (place(drag.name, e) - drag.at)));
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, release);
  document.addEventListener("dblclick", (e) => nameOf(e) && reset(nameOf(e)));
  document.addEventListener("click", (e) => {
    const name = e.target.closest?.("[data-max]")?.dataset.max;
    if (!name) return;
    maximize(name);
    keep();
  });
  document.addEventListener("keydown", onKey);
  document.addEventListener("focusin", (e) => nameOf(e) && tell(nameOf(e)));
  window.addEventListener("resize", () => { for (const name of Object.keys(sizes)) apply(name, sizes[name]); });
  for (const name of Object.keys(edges)) tell(name);
}

const place = (name, e) => (name === "tabs" ? e.clientY : e.clientX);

// most is how large a pane may become in this window.
function most(name) {
  if (name === "tabs") return Math.max(window.innerHeight - headHeight() - (row()?.offsetHeight ?? 0), edges.tabs.least);
  const other = document.getElementById(name === "code" ? "pane-why" : "pane-code");
  return Math.max(window.innerWidth - (other?.offsetWidth ?? 0) - stageMin, edges[name].least);
}

const headHeight = () => document.querySelector(".header")?.offsetHeight ?? 0;
const row = () => document.querySelector(".stage > .bar");

// now is the size that a pane has.
function now(name) {
  if (name === "tabs") return document.querySelector(".stage > .tabs")?.offsetHeight || 0;
  return document.getElementById(`pane-${name}`)?.offsetWidth || 0;
}

// inSight is the size that somebody drags: the tabs may be below the window, or half of them.
const inSight = (name) => (name === "tabs" ? Math.max(window.innerHeight - (row()?.getBoundingClientRect().bottom ?? 0), 0) : now(name));

function press(e) {
  const name = nameOf(e);
  if (!name || e.button !== 0) return;
  e.preventDefault();
  edge(name).focus({ preventScroll: true });
  edge(name).setPointerCapture(e.pointerId);
  drag = { name, at: place(name, e), size: inSight(name), moved: false };
}

function release() {
  if (drag?.moved) keep();
  drag = null;
}

// resize is what a person does: it moves the edge there.
function resize(name, size) {
  if (drag) drag.moved = true;
  sizes[name] = Math.round(Math.min(Math.max(size, edges[name].least), most(name)));
  apply(name, sizes[name]);
  if (name === "tabs") window.scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
  tell(name);
}

function apply(name, size) {
  size = Math.min(size, most(name));
  document.documentElement.style.setProperty(`--size-${name}`, `${size}px`);
  if (name === "tabs") document.documentElement.dataset.tabs = "sized";
  tell(name);
}

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

function maximize(name) {
  const size = now(name);
  if (size >= most(name) - 1) {
    if (before[name]) resize(name, before[name]);
    else reset(name);
    return;
  }
  before[name] = size;
  resize(name, most(name));
}

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

// tell says to screen readers where the edge is.
function tell(name) {
  const e = edge(name);
  if (!e) return;
  e.setAttribute("aria-valuemin", edges[name].least);
  e.setAttribute("aria-valuemax", Math.round(most(name)));
  e.setAttribute("aria-valuenow", Math.round(Math.min(Math.max(now(name), edges[name].least), most(name))));
}
