// @ts-check
// Few requests are dots that travel to the tiles of their pods while the run plays: served ones are discs, slow ones rings, failed ones
// crosses. The strip of requests says the same in words, so screen readers pass over them. With reduced motion there are none.
import { element } from "./dom.js";
import { playing } from "./overlay.js";
import { tilePlace } from "./pods.js";
import { color } from "./theme.js";

/** @typedef {import("./go").RequestDots} RequestDots */
/** @typedef {{ start: number, x: number, y: number, kind: string }} Dot a dot on its way to a place in the view */

const most = 200; // dots at a time; where a quarter more would be on their way, there are none
const flight = 400; // ms
const highest = 800; // px of the view that dots reach
const still = matchMedia("(prefers-reduced-motion: reduce)");
/** @type {HTMLCanvasElement | undefined} */
let canvas;
/** @type {RequestDots | null} */
let all = null;
/** @type {Dot[]} */
let dots = [];
let before = -1; // ms of the run, the last moment of the cursor
let seen = 0; // ms of the page, when it was there
let pace = 0; // ms of the run in one of the page
let turn = 0;
let middle = 0; // px, of the canvas: asking for it in each frame would make the browser lay the page out
let moving = false;

/**
 * requestDots takes the requests of the run.
 * @param {import("./go").Strip[]} rows
 */
export function requestDots(rows) {
  all = rows.find((r) => r.dots)?.dots ?? null;
  if (!all) dots = [];
}

/**
 * sendDots sends the requests that have come since the last moment of the cursor.
 * @param {number} t the cursor, in ms of the run
 */
export function sendDots(t) {
  const now = performance.now(), from = before, passed = now - seen;
  before = t;
  seen = now;
  if (!all || still.matches || !playing() || t <= from || from < 0 || passed > 250) {
    pace = 0;
    return;
  }
  const present = (t - from) / Math.max(passed, 1);
  pace = pace ? 0.9 * pace + 0.1 * present : present; // frames differ, and dots must not come and go with them
  const ms = 1000 / all.rate, first = Math.ceil(from / ms), count = Math.ceil(t / ms) - first;
  if (pace * flight / ms > 1.25 * most) return;
  const at = (all.stretches ?? []).filter((s) => s.from <= t && s.to > from);
  for (let k = 0; k < count && dots.length < most; k++) {
    const open = at.filter((s) => s.from <= (first + k) * ms && s.to > (first + k) * ms);
    const to = open[turn++ % open.length];
    const place = to && tilePlace(to.pod);
    if (place) dots.push({ start: now + passed * k / count, ...place, kind: to.kind });
  }
  if (dots.length && !moving) {
    moving = true;
    requestAnimationFrame(draw);
  }
}

/** @type {[string, string][]} */
const colors = [["good", "--c-available"], ["legal", "--warn"], ["bad", "--bad"]];

/** @param {number} now */
function draw(now) {
  const view = document.querySelector(".pod-view");
  dots = dots.filter((d) => now - d.start < flight);
  moving = dots.length > 0 && !!view;
  if (!view || !moving) {
    dots = [];
    canvas?.remove();
    canvas = undefined;
    return;
  }
  if (canvas?.parentElement !== view) canvas = canvasIn(view);
  const pen = canvas.getContext("2d"), from = { x: middle, y: 2 };
  if (!pen) return;
  pen.clearRect(0, 0, canvas.width, canvas.height);
  for (const [kind, name] of colors) {
    pen.beginPath();
    for (const d of dots) if (d.kind === kind && now >= d.start) trace(pen, kind, between(from, d, (now - d.start) / flight));
    pen.fillStyle = pen.strokeStyle = color(name);
    if (kind === "good") pen.fill();
    else pen.stroke();
  }
  requestAnimationFrame(draw);
}

/**
 * canvasIn puts a canvas over the tiles. It is there only while dots are.
 * @param {Element} view
 */
function canvasIn(view) {
  canvas?.remove();
  const made = element("canvas", "request-dots"), ratio = Math.min(devicePixelRatio || 1, 2);
  const width = view.clientWidth, height = Math.min(view.scrollHeight, highest);
  middle = width / 2;
  made.ariaHidden = "true";
  made.width = width * ratio;
  made.height = height * ratio;
  made.style.width = `${width}px`;
  made.style.height = `${height}px`;
  const pen = made.getContext("2d");
  pen?.scale(ratio, ratio);
  if (pen) pen.lineWidth = 2;
  view.append(made);
  return made;
}

/**
 * between is the place of a dot after a part of its way.
 * @param {{ x: number, y: number }} from
 * @param {{ x: number, y: number }} to
 * @param {number} part
 */
const between = (from, to, part) => ({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part });

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {string} kind
 * @param {{ x: number, y: number }} at
 */
function trace(pen, kind, { x, y }) {
  if (kind === "bad") {
    pen.moveTo(x - 3, y - 3);
    pen.lineTo(x + 3, y + 3);
    pen.moveTo(x + 3, y - 3);
    pen.lineTo(x - 3, y + 3);
    return;
  }
  pen.moveTo(x + 3, y);
  pen.arc(x, y, 3, 0, 2 * Math.PI);
}
