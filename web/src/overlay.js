// @ts-check
// The parts that move in every frame, above the chart and in the transport: the cursor's line, the scrubber, the time. This module
// never touches the chart itself.
import { move, steer, stop } from "./course.js";
import { $, around, element } from "./dom.js";
import { dragging, mountEdges } from "./edges.js";
import { hover, mountHover, refresh } from "./hover.js";
import { moveLabels, placeLabels } from "./labels.js";
import { measure, mountNotes, placeSoon } from "./notes.js";
import { hiddenFrom, seconds, setCursorTime, setHiddenFrom, size } from "./plot.js";
import { point } from "./point.js";
import { mountQuestion } from "./question.js";
import { drawDone, place, scrubLoop, scrubMarks } from "./scrub.js";
import { follow, onSpan, part, setRun, span, stay, timeAt, zoom } from "./span.js";
import { say } from "./words.js";

/** @typedef {import("./go").Mark} Mark */
/** @typedef {{ box: HTMLElement, text: HTMLElement, button: HTMLElement }} Sentence */

/** @type {HTMLElement} */
let plot;
/** @type {HTMLElement} */
let line;
/** @type {HTMLElement} */
let future; // what is beyond the cursor
/** @type {HTMLElement} */
let veil; // over what a question hides
let asks = false; // a question waits for its answer
/** @type {Sentence} */
let sheet; // of a phone: the caption above the transport
const roomForLesson = { w: 520, h: 180 }; // as in app/stage/notes.go
/** @type {HTMLElement} */
let section; // element of the loop
/** @type {Mark[]} */
let shownMarks = [];
/** @type {Mark[]} */
let shownViolations = [];
/** @type {Mark[]} */
let shownPartings = [];
let shownLoop = { a: 0, b: 0, set: 0 };
/** @type {[t: number, end: number, pace: number, text: string, endText: string] | null} */
let lastCursor = null;
let follows = false; // the next cursor is of another run, so that it may be outside of the span wherever it is

/**
 * mountOverlay takes the plot and the functions that seek, answer a query, choose a bound, continue the run and explain a number.
 * @param {HTMLElement} into
 * @param {{ seek: (t: number) => void, query: import("./page").Query, choose: (bound: string) => void, onwards: () => void, explain: () => void }} on
 */
export function mountOverlay(into, { seek, query, choose, onwards, explain }) {
  plot = into;
  future = element("div", "future", plot);
  section = element("div", "loop-range", plot);
  mountNotes(plot, query);
  mountHover(plot, query);
  mountEdges(plot, { preview: query, choose, begin: stay, refresh });
  veil = element("div", "veil", plot);
  line = element("div", "cursor-line", plot);
  element("div", "cursor-knob", line);
  mountQuestion(plot);
  sheet ??= makeSentence("callout sheet", plot.closest(".page, .embed")?.parentElement ?? document.body, "sheet", onwards);
  sheet.button.hidden = sheet.text.textContent === ""; // until the first sentence
  plot.addEventListener("pointerdown", (e) => {
    if (e.button !== 0 || around(e, ".mark, .edge, .note, button") || unknown(e)) return;
    plot.setPointerCapture(e.pointerId);
    hover(pointed(e));
    seek(pointed(e));
  });
  plot.addEventListener("pointermove", (e) => {
    hover(pointed(e));
    if (plot.hasPointerCapture(e.pointerId) && !unknown(e)) seek(pointed(e));
  });
  plot.addEventListener("wheel", onWheel, { passive: false });
  for (const end of ["pointerleave", "pointercancel"]) plot.addEventListener(end, () => hover(null));
  plot.addEventListener("click", (e) => {
    const mark = around(e, ".mark");
    if (mark) seek(Number(mark.dataset.t));
    else if (around(e, ".note")) explain();
  });
  $("legend")?.addEventListener("click", explain);
  new ResizeObserver(() => {
    if (!plot.isConnected) return; // the page before the program has gone
    measure();
    chooseSheet();
    placeSoon();
    drawMarks();
    placeAgain();
  }).observe(plot);
  drawLoop();
}

/**
 * makeSentence makes the place of a caption. It is hidden from screen readers, because the lesson has the same text and button.
 * @param {string} className
 * @param {HTMLElement} into
 * @param {string} act
 * @param {() => void} onwards
 * @returns {Sentence}
 */
function makeSentence(className, into, act, onwards) {
  const box = element("div", className, into, act);
  box.hidden = true;
  box.setAttribute("aria-hidden", "true");
  const text = element("span", "", box);
  const button = element("button", "button primary", box);
  button.tabIndex = -1;
  button.addEventListener("click", onwards);
  return { box, text, button };
}

/**
 * unknown says that a pointer is where a question hides the run.
 * @param {MouseEvent} e
 */
const unknown = (e) => pointed(e) > hiddenFrom();

/** @param {MouseEvent} e */
function pointed(e) {
  const box = plot.getBoundingClientRect();
  return timeAt((e.clientX - box.left) / box.width);
}

/**
 * onWheel zooms. A pinch on a trackpad comes as a wheel with Ctrl; a plain wheel scrolls the page.
 * @param {WheelEvent} e
 */
function onWheel(e) {
  if (!e.ctrlKey && !e.metaKey) return;
  e.preventDefault();
  zoom(Math.exp(Math.min(Math.max(e.deltaY, -60), 60) / 120), pointed(e));
}

/** @param {number} t */
const percent = (t) => `${(100 * part(t)).toFixed(4)}%`;
const known = () => Math.min(span().to, hiddenFrom());
/** @param {Mark} m */
const visible = (m) => m.t >= span().from && m.t <= known();

/**
 * cursor moves the cursor to a time of a run with an end, and writes both. Pace is how many ms of the run pass in one of the page, 0 at rest.
 * @param {number} t
 * @param {number} end
 * @param {number} pace
 * @param {string} text
 * @param {string} endText
 */
export function cursor(t, end, pace, text, endText) {
  const moved = lastCursor?.[0] !== t;
  const changed = lastCursor?.[1] !== end;
  lastCursor = [t, end, pace, text, endText];
  setCursorTime(t);
  const time = $("time");
  if (!time) return;
  if (moved || follows) follow(t, playing());
  follows = false;
  if (changed) stop();
  const due = steer(t, t < span().from ? 0 : pace, span().to, Number(document.timeline.currentTime));
  place(t, end, due ? say("time-of", text, endText) : undefined);
  if (due) showTime(time, text, ` / ${endText}`);
  if (due === "place") placeLine();
  else labels();
}

/**
 * showTime writes the time over the one before: elements that stay cost the browser less than new ones.
 * @param {HTMLElement} into
 * @param {string} now
 * @param {string} ofAll
 */
function showTime(into, now, ofAll) {
  if (!into.contains(clock.now)) {
    const line = element("span", "clock", into);
    element("b", "", line).append(clock.now);
    line.append(clock.all);
  }
  if (clock.now.data !== now) clock.now.data = now;
  if (clock.all.data !== ofAll) clock.all.data = ofAll;
}

const clock = { now: new Text(), all: new Text() };

/**
 * callout takes the sentence of the moment, the words on the button that continues the run (empty without a button), whether it is a
 * question, and the time after which the chart shows nothing. The lesson shows the sentence; here it marks what it names.
 * @param {string} text
 * @param {string} continues
 * @param {boolean} isQuestion
 * @param {number} hidden
 */
export function callout(text, continues, isQuestion, hidden) {
  asks = isQuestion;
  setHiddenFrom(hidden);
  drawMarks();
  placeSoon();
  point(text);
  sheet.text.textContent = text;
  sheet.button.textContent = continues;
  sheet.button.hidden = continues === "" || text === "";
  chooseSheet();
  placeAgain();
}

// chooseSheet shows the sentence above the transport while the run waits and the plot is small. A question is in the lesson there.
function chooseSheet() {
  const small = size.w < roomForLesson.w || size.h < roomForLesson.h;
  sheet.box.hidden = !small || asks || sheet.button.hidden;
  document.documentElement.toggleAttribute("data-sheet", !sheet.box.hidden); // what is scrolled into sight comes above it
}

export const playing = () => $("play")?.dataset.playing === "true";

// A cursor left of the span waits at the edge: a run that plays from zero comes into its opening there.
function placeLine() {
  if (!line || !lastCursor) return;
  const t = lastCursor[0];
  move(line, "translate", (at) => `${(Math.max(part(at), 0) * size.w).toFixed(2)}px`); // without a layout of the page
  line.classList.toggle("before", t < span().from);
  if (t < span().from) line.dataset.time = `◂ ${seconds(t)}`;
  line.hidden = t > span().to;
  const veiled = hiddenFrom() <= span().to;
  if (veil.hidden === veiled) veil.hidden = !veiled; // an attribute that is set again is a change for the browser
  document.documentElement.toggleAttribute("data-veiled", hiddenFrom() <= lastCursor[1]);
  veil.style.left = percent(Math.max(hiddenFrom(), span().from));
  move(future, "transform", (at) => `scaleX(${(1 - within(at)).toFixed(5)})`);
  drawDone(lastCursor[1]);
  labels(true);
}

/** @param {number} t */
const within = (t) => Math.min(Math.max(part(t), 0), 1);

/**
 * labels puts the numbers beside the line. Where they are placed anew, they get its course.
 * @param {boolean} [anew]
 */
function labels(anew = false) {
  if (!line || !lastCursor) return;
  const [t] = lastCursor;
  placeLabels(line.hidden || t < span().from ? null : within(t) * size.w);
  const rests = !lastCursor?.[2]; // then on whole pixels, where letters are sharp
  if (anew) moveLabels((e) => move(e, "translate", (at) => `${rests ? Math.round(within(at) * size.w) : (within(at) * size.w).toFixed(2)}px`));
}

// placeAgain is for another plot or other words: what moves is placed in it, and the next frame gives it its course.
function placeAgain() {
  stop();
  placeLine();
}

onSpan(() => { drawMarks(); drawLoop(); placeAgain(); });

/**
 * loop shades the section that plays repeatedly: set is 0 without a section, 1 if only its start is chosen, 2 otherwise.
 * @param {number} a
 * @param {number} b
 * @param {number} set
 */
export function loop(a, b, set) {
  if (a === shownLoop.a && b === shownLoop.b && set === shownLoop.set) return;
  shownLoop = { a, b, set };
  scrubLoop(shownLoop);
  drawLoop();
}

function drawLoop() {
  if (!section) return;
  const { a, b, set } = shownLoop;
  const to = set === 2 ? b : a;
  section.hidden = set === 0 || to < span().from || a > span().to;
  if (section.hidden) return;
  const left = Math.max(part(a), 0);
  section.style.left = `${(100 * left).toFixed(4)}%`;
  section.style.width = `${(100 * (Math.min(part(to), 1) - left)).toFixed(4)}%`;
  section.classList.toggle("from", a >= span().from);
  section.classList.toggle("to", set === 2 && b <= span().to);
}

/**
 * marks shows the commands as flags above the plot, and all marks on the scrubber.
 * @param {{ all: Mark[], decisions: Float64Array, end: number, opening: import("./page").Span, key: number }} run
 */
export function marks({ all, decisions, end, opening, key }) {
  shownMarks = all.filter((m) => m.kind === "command");
  shownPartings = all.filter((m) => m.kind === "parting");
  shownViolations = all.filter((m) => m.kind === "violation" || m.kind === "outage");
  setRun(end, opening, key);
  drawMarks();
  if (!dragging()) scrubMarks(all, decisions); // the scrubber shows the run, not the preview
  follows = false; // not to where the cursor was in the run before
  if (lastCursor) cursor(...lastCursor);
  follows = true;
}

let drawnMarks = "";

function drawMarks() {
  if (!plot) return;
  const now = JSON.stringify([shownMarks, shownViolations, shownPartings, span(), known(), size.w, document.documentElement.lang]);
  if (now === drawnMarks) return;
  drawnMarks = now;
  for (const old of plot.querySelectorAll(".mark, .mark-line, .parting, .violated, .outage")) old.remove();
  for (const v of shownViolations) shade(v);
  for (const m of shownMarks.filter(visible)) element("div", m.failed ? "mark-line failed" : "mark-line", plot).style.left = percent(m.t);
  for (const m of shownPartings.filter(visible)) element("div", "parting", plot, "parting").style.left = percent(m.t);
  for (const group of groups()) drawFlag(group);
}

/**
 * shade tints the time in which a bound did not hold, or in which no pod was available. The strip below the chart says why. A time that
 * is too short to see is a hairline, so that it does not look like an outage.
 * @param {Mark} v
 */
function shade(v) {
  const { from } = span();
  const to = known();
  if (v.to <= from || v.t >= to) return;
  const area = element("div", v.kind === "outage" ? "outage" : v.failed ? "violated broken" : "violated", plot, v.kind);
  area.style.left = percent(Math.max(v.t, from));
  area.style.right = `${(100 * (1 - part(Math.min(v.to, to)))).toFixed(4)}%`;
  if ((part(v.to) - part(v.t)) * size.w < 3) area.classList.add("moment");
}

// groups joins commands whose flags would overlap.
function groups() {
  const flagWidth = 26;
  /** @param {Mark} m */
  const x = (m) => part(m.t) * size.w;
  /** @type {Numbered[][]} */
  const all = [];
  shownMarks.forEach((m, i) => {
    if (!visible(m)) return;
    const last = all.at(-1);
    const numbered = { ...m, number: i + 1 };
    if (last && x(m) - x(last[last.length - 1]) < flagWidth) last.push(numbered);
    else all.push([numbered]);
  });
  return all;
}

/** @typedef {Mark & { number: number }} Numbered a command with its place among the commands, from 1 */

/** @param {Numbered[]} group */
function drawFlag(group) {
  const first = group[0];
  const last = group[group.length - 1];
  const mark = element("button", group.some((m) => m.failed) ? "mark failed" : "mark", plot);
  mark.type = "button";
  mark.dataset.t = String(first.t);
  mark.title = group.map((m) => `${seconds(m.t)}  ${m.line}`).join("\n");
  const flag = group.length > 1 ? `${first.number}–${last.number}` : String(first.number);
  mark.setAttribute("aria-label", say("command-mark", flag, mark.title));
  mark.style.left = percent((first.t + last.t) / 2);
  element("span", "flag", mark).textContent = flag;
}
