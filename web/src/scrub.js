// The scrubber: its value, and above and below its track what happened when. Each kind of mark has a place, a shape and
// a colour of its own: commands are flags, conditions diamonds, decisions ticks, and bounds that did not hold bars, hollow
// ones where the rules allow it.
import { $, asked, blank } from "./dom.js";
import { color, onThemeChange } from "./theme.js";
import { say } from "./words.js";

let send = () => {};
let describe = () => "";
let wanted = null; // where a drag has got to since the last frame
let end = 1;
let shown = { command: [], condition: [], violation: [], outage: [], branch: [] };
let decisions = []; // { t, record }
let section = { a: 0, b: 0, set: 0 };

// mountScrub hands over what to do with a wish to seek, and who can say what a record is.
export function mountScrub(report, tell) {
  send = report;
  describe = tell;
  const scrub = $("scrub");
  scrub.addEventListener("input", () => seek(Number(scrub.value)));
  scrub.addEventListener("pointermove", (e) => { pointed = e.pointerType === "mouse" ? e.clientX : null; showTip(); });
  scrub.addEventListener("pointerleave", () => { pointed = null; showTip(); });
  new ResizeObserver(() => { size = null; drawScrub(); }).observe(scrub);
}

// seek goes where the pointer is, once for each animation frame however often it moves.
export function seek(t) {
  if (wanted === null) {
    requestAnimationFrame(() => {
      const to = wanted;
      wanted = null;
      send(to);
    });
  }
  wanted = t;
}

// place shows where the cursor is; a drag that is under way knows better.
export function place(t, max, text) {
  const scrub = $("scrub");
  if (!scrub) return;
  if (Number(scrub.max) !== Math.max(max, 1)) {
    scrub.max = end = Math.max(max, 1);
    drawScrub();
  }
  if (wanted === null) scrub.value = t;
  scrub.setAttribute("aria-valuetext", text);
  scrub.parentElement.style.setProperty("--done", max ? t / max : 0);
}

// scrubMarks takes the marks with a kind, and the decisions as pairs of a time and a record.
export function scrubMarks(marks, pairs) {
  shown = { command: [], condition: [], violation: [], outage: [], branch: [] };
  for (const m of marks) shown[m.kind]?.push(m);
  decisions = [];
  for (let i = 0; i + 1 < pairs.length; i += 2) decisions.push({ t: pairs[i], record: pairs[i + 1] });
  drawScrub();
}

// scrubLoop takes the section that is played over and over: set is 0 for none, 1 if only its start is known.
export function scrubLoop(loop) {
  section = loop;
  drawScrub();
}

// The thumb's middle does not reach the ends of a range input; the marks keep to where it goes.
const thumb = 16;
const at = (t, width) => thumb / 2 + (t / end) * (width - thumb);

// size is that of the canvas. It is measured when it changes: to ask the browser makes it lay out the page.
let size = null;

function drawScrub() {
  const canvas = document.querySelector("canvas.ticks");
  if (!canvas) return;
  size ??= { width: canvas.clientWidth, height: canvas.clientHeight };
  const { width, height } = size;
  const ctx = blank(canvas, width, height);
  const x = (t) => at(t, width);
  drawSection(ctx, x, height);
  drawDecisions(ctx, x);
  drawViolations(ctx, x, height);
  drawConditions(ctx, x);
  drawCommands(ctx, x);
  drawBranches(ctx, x, height);
}

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

function drawDecisions(ctx, x) {
  ctx.fillStyle = color("--tick");
  for (const d of decisions) ctx.fillRect(x(d.t) - 0.5, 14, 1, 7);
}

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

function drawConditions(ctx, x) {
  ctx.fillStyle = color("--good");
  for (const c of shown.condition) polygon(ctx, [[x(c.t), 6], [x(c.t) + 4, 10], [x(c.t), 14], [x(c.t) - 4, 10]]);
}

function drawCommands(ctx, x) {
  const good = color("--accent");
  const bad = color("--bad");
  for (const m of shown.command) {
    ctx.fillStyle = m.failed ? bad : good;
    polygon(ctx, [[x(m.t) - 1, 0], [x(m.t) + 7, 3], [x(m.t) + 1, 6], [x(m.t) + 1, 22], [x(m.t) - 1, 22]]);
  }
}

// A branch is a hook that leaves the track downwards.
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

function polygon(ctx, points) {
  ctx.beginPath();
  for (const [px, py] of points) ctx.lineTo(px, py);
  ctx.closePath();
  ctx.fill();
}

onThemeChange(drawScrub);

const near = 6; // px
const linesMax = 5;

let pointed = null; // where the mouse is over the scrubber

// showTip says what is marked near the mouse, once the program has a moment to answer.
function showTip() {
  const tip = $("scrub-tip");
  const box = $("scrub").getBoundingClientRect();
  const lines = pointed === null ? [] : marked(pointed - box.left, box.width);
  if (!lines) {
    requestAnimationFrame(showTip);
    return;
  }
  tip.hidden = lines.length === 0;
  if (tip.hidden) return;
  tip.textContent = lines.join("\n");
  const half = tip.offsetWidth / 2;
  tip.style.left = `${Math.min(Math.max(pointed - box.left, half), Math.max(box.width - half, half))}px`;
}

// marked lists what is marked at a place of the scrubber, of the decisions only the nearest one, or returns null while the program
// is at work. What a question hides is not marked.
function marked(px, width) {
  if (asked() && px > at(Number($("scrub").value), width)) return [];
  const off = (t) => Math.abs(at(t, width) - px);
  const inside = (v) => at(v.t, width) - near < px && px < at(v.to, width) + near;
  const found = [
    ...shown.command.filter((m) => off(m.t) < near),
    ...shown.condition.filter((m) => off(m.t) < near),
    ...shown.branch.filter((m) => off(m.t) < near),
    ...shown.violation.filter(inside),
    ...shown.outage.filter(inside),
  ];
  let nearest = null;
  for (const d of decisions) if (off(d.t) < near && (!nearest || off(d.t) < off(nearest.t))) nearest = d;
  const line = nearest && describe(nearest.record);
  if (nearest && line === null) return null;
  if (nearest) found.push({ t: nearest.t, line });
  found.sort((a, b) => a.t - b.t);
  const lines = found.slice(0, linesMax).map((m) => `${(m.t / 1000).toFixed(3)} s  ${m.line}`);
  if (found.length > linesMax) lines.push(say("and-more", found.length - linesMax));
  return lines;
}
