// @ts-check
// The scrubber: its value, and marks above and below its track. Each kind of mark has a place, a shape and a colour of its own: commands
// are flags, conditions diamonds, decisions ticks, and bounds that did not hold bars, which are hollow where the rules allow it.
import { move } from "./course.js";
import { $, blank } from "./dom.js";
import { byKind, marksAt, placeOf } from "./marks.js";
import { hiddenFrom } from "./plot.js";
import { color, onThemeChange } from "./theme.js";

/** @typedef {import("./go").Mark} Mark */
/** @typedef {CanvasRenderingContext2D} Pen */
/** @typedef {(t: number) => number} Scale */

/** @type {(t: number) => void} */
let send = () => {};
/** @type {(record: number) => string | null} */
let describe = () => "";
/** @type {number | null} */
let wanted = null; // the last place of a drag since the last frame
let end = 1;
let shown = byKind([], []);
let section = { a: 0, b: 0, set: 0 };

const input = () => /** @type {HTMLInputElement | null} */ ($("scrub"));

/**
 * mountScrub takes the functions that seek and that describe a record.
 * @param {(t: number) => void} report
 * @param {(record: number) => string | null} tell
 */
export function mountScrub(report, tell) {
  send = report;
  describe = tell;
  const scrub = input();
  if (!scrub) return;
  scrub.addEventListener("input", () => seek(Number(scrub.value)));
  scrub.addEventListener("pointermove", (e) => { pointed = e.pointerType === "mouse" ? e.clientX : null; showTip(); });
  scrub.addEventListener("pointerleave", () => { pointed = null; showTip(); });
  new ResizeObserver(() => { size = null; drawScrub(); }).observe(scrub);
}

/**
 * seek goes to a time, once for each animation frame however often the pointer moves.
 * @param {number} t
 */
export function seek(t) {
  if (wanted === null) {
    requestAnimationFrame(() => {
      const to = wanted;
      wanted = null;
      if (to !== null) send(to);
    });
  }
  wanted = t;
}

/**
 * place shows the cursor's time, unless somebody drags the thumb. Without a text it only moves the thumb, if that can be seen.
 * @param {number} t
 * @param {number} max
 * @param {string} [text]
 */
export function place(t, max, text) {
  const scrub = input();
  if (!scrub) return;
  if (Number(scrub.max) !== Math.max(max, 1)) {
    end = Math.max(max, 1);
    scrub.max = String(end);
    drawScrub();
  }
  if (wanted === null && (text || Math.abs(t - Number(scrub.value)) * (size?.width ?? end) > 0.5 * end)) scrub.value = String(t);
  if (!text) return;
  scrub.setAttribute("aria-valuetext", text);
  const known = String(max ? Math.min(hiddenFrom() / max, 1) : 1);
  const { style } = /** @type {HTMLElement} */ (scrub.parentElement);
  if (style.getPropertyValue("--known") !== known) style.setProperty("--known", known);
}

/**
 * drawDone fills the track up to the cursor, without a layout and without the style of another element.
 * @param {number} max
 */
export function drawDone(max) {
  const done = /** @type {HTMLElement | null | undefined} */ (input()?.parentElement?.querySelector(".scrub-done"));
  if (done) move(done, "transform", (t) => `scaleX(${(max ? t / max : 0).toFixed(5)})`);
}

/**
 * scrubMarks takes the marks with a kind, and the decisions as pairs of a time and a record.
 * @param {Mark[]} marks
 * @param {Float64Array} pairs
 */
export function scrubMarks(marks, pairs) {
  shown = byKind(marks, pairs);
  drawScrub();
}

/**
 * scrubLoop takes the section that plays repeatedly: set is 0 without a section, 1 if only its start is chosen, 2 otherwise.
 * @param {{ a: number, b: number, set: number }} loop
 */
export function scrubLoop(loop) {
  section = loop;
  drawScrub();
}

// size is the canvas's size. It is measured when it changes, because reading it makes the browser lay out the page.
/** @type {{ width: number, height: number } | null} */
let size = null;

function drawScrub() {
  const canvas = input()?.parentElement?.querySelector("canvas.ticks");
  if (!(canvas instanceof HTMLCanvasElement)) return;
  size ??= { width: canvas.clientWidth, height: canvas.clientHeight };
  const { width, height } = size;
  const ctx = blank(canvas, width, height);
  /** @type {Scale} */
  const x = (t) => placeOf(t, end, width);
  drawSection(ctx, x, height);
  drawDecisions(ctx, x);
  drawViolations(ctx, x, height);
  drawConditions(ctx, x);
  drawCommands(ctx, x);
  drawBranches(ctx, x, height);
}

/**
 * @param {Pen} ctx
 * @param {Scale} x
 * @param {number} height
 */
function drawSection(ctx, x, height) {
  if (!section.set) return;
  ctx.fillStyle = color("--accent");
  ctx.fillRect(x(section.a) - 1, 0, 2, height);
  if (section.set < 2) return;
  ctx.fillRect(x(section.b) - 1, 0, 2, height);
  ctx.globalAlpha = 0.16;
  ctx.fillRect(x(section.a), 0, x(section.b) - x(section.a), height);
  ctx.globalAlpha = 1;
}

/**
 * @param {Pen} ctx
 * @param {Scale} x
 */
function drawDecisions(ctx, x) {
  ctx.fillStyle = color("--tick");
  for (const d of shown.decisions) ctx.fillRect(x(d.t) - 0.5, 14, 1, 7);
}

/**
 * @param {Pen} ctx
 * @param {Scale} x
 * @param {number} height
 */
function drawViolations(ctx, x, height) {
  ctx.fillStyle = ctx.strokeStyle = color("--warn");
  for (const v of shown.violation) {
    const width = Math.max(x(v.to) - x(v.t), 2);
    if (v.failed) ctx.fillRect(x(v.t), height - 6, width, 6);
    else ctx.strokeRect(x(v.t) + 0.5, height - 4.5, width, 3);
  }
  ctx.fillStyle = color("--bad");
  for (const o of shown.outage) ctx.fillRect(x(o.t), height - 6, Math.max(x(o.to) - x(o.t), 2), 6);
}

/**
 * @param {Pen} ctx
 * @param {Scale} x
 */
function drawConditions(ctx, x) {
  ctx.fillStyle = color("--good");
  for (const c of shown.condition) polygon(ctx, [[x(c.t), 6], [x(c.t) + 4, 10], [x(c.t), 14], [x(c.t) - 4, 10]]);
}

/**
 * @param {Pen} ctx
 * @param {Scale} x
 */
function drawCommands(ctx, x) {
  const good = color("--accent");
  const bad = color("--bad");
  for (const m of shown.command) {
    ctx.fillStyle = m.failed ? bad : good;
    polygon(ctx, [[x(m.t) - 1, 0], [x(m.t) + 7, 3], [x(m.t) + 1, 6], [x(m.t) + 1, 22], [x(m.t) - 1, 22]]);
  }
}

/**
 * drawBranches draws a branch as a hook that leaves the track downwards.
 * @param {Pen} ctx
 * @param {Scale} x
 * @param {number} height
 */
function drawBranches(ctx, x, height) {
  ctx.strokeStyle = color("--c-available");
  ctx.lineWidth = 2;
  for (const b of shown.branch) {
    ctx.beginPath();
    ctx.moveTo(x(b.t), height / 2 + 6);
    ctx.lineTo(x(b.t), height - 3);
    ctx.lineTo(x(b.t) + 7, height - 3);
    ctx.stroke();
  }
  ctx.lineWidth = 1;
}

/**
 * @param {Pen} ctx
 * @param {[number, number][]} points
 */
function polygon(ctx, points) {
  ctx.beginPath();
  for (const [px, py] of points) ctx.lineTo(px, py);
  ctx.closePath();
  ctx.fill();
}

onThemeChange(drawScrub);

/** @type {number | null} */
let pointed = null; // the mouse over the scrubber, null elsewhere

// showTip lists the marks near the mouse, once the program has a moment to answer.
function showTip() {
  const tip = $("scrub-tip");
  const scrub = input();
  if (!tip || !scrub) return;
  const box = scrub.getBoundingClientRect();
  const px = pointed === null ? null : pointed - box.left;
  const hides = px !== null && px > placeOf(hiddenFrom(), end, box.width); // what a question hides is not listed
  const lines = px === null || hides ? [] : marksAt(shown, px, end, box.width, describe);
  if (!lines) {
    requestAnimationFrame(showTip);
    return;
  }
  tip.hidden = lines.length === 0;
  if (tip.hidden) return;
  tip.textContent = lines.join("\n");
  const half = tip.offsetWidth / 2;
  tip.style.left = `${Math.min(Math.max(px ?? 0, half), Math.max(box.width - half, half))}px`;
}
