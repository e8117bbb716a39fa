// What moves in every frame, above the chart and in the transport: the cursor's line, the scrubber, the time. It
// never touches the chart itself.
import { follow, onSpan, part, setRun, span, timeAt, zoom } from "./span.js";
import { color, onThemeChange } from "./theme.js";

let plot = null;
let line, hover, hoverTime;
let shownMarks = [];
let shownSyncs = [];
let lastCursor = null;

const $ = (act) => document.querySelector(`[data-act="${act}"]`);

function element(className, parent, tag = "div") {
  const e = document.createElement(tag);
  e.className = className;
  parent.append(e);
  return e;
}

export function mountOverlay(into, seek) {
  plot = into;
  hover = element("hover-line", plot);
  hoverTime = element("hover-time", hover, "span");
  line = element("cursor-line", plot);
  element("cursor-knob", line);
  plot.addEventListener("pointerdown", (e) => {
    if (e.button !== 0 || e.target.closest(".mark")) return;
    plot.setPointerCapture(e.pointerId);
    seek(pointed(e));
  });
  plot.addEventListener("pointermove", (e) => {
    showHover(e);
    if (plot.hasPointerCapture(e.pointerId)) seek(pointed(e));
  });
  plot.addEventListener("wheel", onWheel, { passive: false });
  plot.addEventListener("pointerleave", () => { hover.style.opacity = 0; });
  plot.addEventListener("click", (e) => {
    const mark = e.target.closest(".mark");
    if (mark) seek(Number(mark.dataset.t));
  });
  new ResizeObserver(() => { drawTicks(); drawMarks(); }).observe(plot);
}

function pointed(e) {
  const box = plot.getBoundingClientRect();
  return timeAt((e.clientX - box.left) / box.width);
}

// A pinch on a trackpad comes as a wheel with Ctrl; a plain wheel scrolls the page.
function onWheel(e) {
  if (!e.ctrlKey && !e.metaKey) return;
  e.preventDefault();
  zoom(Math.exp(Math.min(Math.max(e.deltaY, -60), 60) / 120), pointed(e));
}

function showHover(e) {
  const t = pointed(e);
  hover.style.opacity = e.pointerType === "mouse" ? 1 : 0;
  hover.style.left = percent(t);
  hoverTime.textContent = seconds(t);
}

const percent = (t) => `${(100 * part(t)).toFixed(4)}%`;
const visible = (m) => m.t >= span().from && m.t <= span().to;

export function seconds(ms) {
  const s = ms / 1000;
  if (s < 60) return `${s.toFixed(1)} s`;
  return `${Math.floor(s / 60)}:${String(Math.floor(s % 60)).padStart(2, "0")}`;
}

export function cursor(t, end, text, endText) {
  const moved = lastCursor?.[0] !== t;
  lastCursor = [t, end, text, endText];
  const scrub = $("scrub");
  const time = $("time");
  if (!scrub || !time) return;
  if (Number(scrub.max) !== end) {
    scrub.max = Math.max(end, 1);
    drawTicks();
  }
  scrub.value = t;
  scrub.setAttribute("aria-valuetext", `${text} of ${endText}`);
  scrub.style.setProperty("--done", `${end ? (100 * t) / end : 0}%`);
  if (time.dataset.text !== text + endText) {
    time.dataset.text = text + endText;
    const now = document.createElement("b");
    now.textContent = text;
    time.replaceChildren(now, ` / ${endText}`);
  }
  if (moved) follow(t);
  placeLine();
}

// cursorTime is where the cursor is, for zooming.
export const cursorTime = () => lastCursor?.[0] ?? 0;

function placeLine() {
  if (!line || !lastCursor) return;
  line.style.left = percent(lastCursor[0]);
  line.hidden = !visible({ t: lastCursor[0] });
}

onSpan(() => { drawMarks(); placeLine(); });

// marks shows the commands as flags above the plot, and the reconciles as ticks on the scrubber.
export function marks(commands, syncs, end, busy) {
  shownMarks = commands;
  shownSyncs = syncs;
  setRun(end, busy);
  follow(cursorTime());
  drawMarks();
  drawTicks();
  if (lastCursor) cursor(...lastCursor);
}

function drawMarks() {
  if (!plot) return;
  for (const old of plot.querySelectorAll(".mark, .mark-line")) old.remove();
  for (const m of shownMarks.filter(visible)) element(m.failed ? "mark-line failed" : "mark-line", plot).style.left = percent(m.t);
  for (const group of groups()) drawFlag(group);
}

// groups joins commands whose flags would lie on one another.
function groups() {
  const flagWidth = 26;
  const x = (m) => part(m.t) * plot.clientWidth;
  const all = [];
  shownMarks.forEach((m, i) => {
    if (!visible(m)) return;
    const last = all.at(-1);
    const numbered = { ...m, number: i + 1 };
    if (last && x(m) - x(last.at(-1)) < flagWidth) last.push(numbered);
    else all.push([numbered]);
  });
  return all;
}

function drawFlag(group) {
  const first = group[0];
  const last = group.at(-1);
  const mark = element(group.some((m) => m.failed) ? "mark failed" : "mark", plot, "button");
  mark.type = "button";
  mark.dataset.t = first.t;
  mark.title = group.map((m) => `${seconds(m.t)}  ${m.line}`).join("\n");
  mark.setAttribute("aria-label", `Command ${first.number}. ${mark.title}`);
  mark.style.left = percent((first.t + last.t) / 2);
  element("flag", mark, "span").textContent = group.length > 1 ? `${first.number}–${last.number}` : first.number;
}

// The thumb's middle does not reach the ends of a range input; the ticks keep to where it goes.
const thumb = 16;

function drawTicks() {
  const canvas = document.querySelector("canvas.ticks");
  const scrub = $("scrub");
  if (!canvas || !scrub) return;
  const width = scrub.clientWidth;
  const height = 10;
  const ratio = devicePixelRatio || 1;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const ctx = canvas.getContext("2d");
  ctx.scale(ratio, ratio);
  const end = Math.max(Number(scrub.max), 1);
  const x = (t) => thumb / 2 + (t / end) * (width - thumb);
  ctx.fillStyle = color("--tick");
  for (const t of shownSyncs) ctx.fillRect(x(t) - 0.5, 4, 1, 5);
  for (const m of shownMarks) {
    ctx.fillStyle = color(m.failed ? "--bad" : "--accent");
    ctx.fillRect(x(m.t) - 1, 0, 2, 10);
  }
}

onThemeChange(drawTicks);
