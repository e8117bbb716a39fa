// @ts-check
// Few requests are dots that travel to the tiles of their pods while the run plays. This module says when they set out and where to;
// pen.js draws them. The strip of requests says the same in words, so screen readers pass over them. With reduced motion there are none.
import { element } from "./dom.js";
import { playing } from "./overlay.js";
import { tilePlace } from "./pods.js";
import { color } from "./theme.js";

/** @typedef {import("./go").RequestDots} RequestDots */
/** @typedef {import("./pen.js").Dot} Dot */
/** @typedef {import("./pen.js").Sent} Sent */
/** @typedef {{ send: (sent: Sent, ...given: Transferable[]) => void, apart: boolean, flight: number, now: () => number }} Pen in a worker, apart from the page, or not */

const most = 200; // dots at a time; where a quarter more would be on their way, there are none
const highest = 800; // px of the view that dots reach
const every = 45; // ms between messages to the pen: each costs as much as all else that a dot needs
const still = matchMedia("(prefers-reduced-motion: reduce)");
/** @type {Pen | undefined} */
let pen;
let comes = false; // the pen, or nothing ever
/** @type {HTMLCanvasElement | undefined} */
let canvas;
/** @type {RequestDots | null} */
let all = null;
/** @type {number[]} */
let flying = []; // when the dots on their way have set out
let before = -1; // ms of the run, the last moment of the cursor
let seen = 0; // ms of the page, when it was there
let turn = 0;
let number = 0; // of the last message to the pen

/**
 * requestDots takes the requests of the run.
 * @param {import("./go").Strip[]} rows
 */
export function requestDots(rows) {
  all = rows.find((r) => r.dots)?.dots ?? null;
}

/**
 * sendDots sends the requests that have come since the last moment of the cursor.
 * @param {number} t the cursor, in ms of the run
 * @param {number} pace how many ms of the run pass in one of the page: whether there are dots must not differ with the frames of a machine
 */
export function sendDots(t, pace) {
  const now = performance.now(), from = before, passed = now - seen;
  if (passed < every && t > from && playing()) return;
  before = t;
  seen = now;
  if (!all || still.matches || !playing() || t <= from || from < 0 || passed > 250) return;
  const drawn = pen ?? fetchPen();
  if (!drawn) return;
  const ms = 1000 / all.rate, first = Math.ceil(from / ms), count = Math.ceil(t / ms) - first;
  if (pace * drawn.flight / ms > 1.25 * most) return;
  const at = (all.stretches ?? []).filter((s) => s.from <= t && s.to > from), time = drawn.now();
  flying = flying.filter((start) => time - start < drawn.flight);
  /** @type {Dot[]} */
  const dots = [];
  for (let k = 0; k < count && flying.length < most; k++) {
    const open = at.filter((s) => s.from <= (first + k) * ms && s.to > (first + k) * ms);
    const to = open[turn++ % open.length];
    const place = to && tilePlace(to.pod);
    if (!place) continue;
    dots.push({ start: time + passed * k / count, ...place, kind: to.kind });
    flying.push(time + passed * k / count);
  }
  if (dots.length) send(drawn, dots);
}

/**
 * send gives dots to the pen, with a canvas over the tiles if there is none. It is there only while dots are.
 * @param {Pen} drawn
 * @param {Dot[]} dots
 */
function send(drawn, dots) {
  const view = document.querySelector(".pod-view");
  if (!view) return;
  /** @type {Sent} */
  const sent = { number: ++number, dots, colors: { good: color("--c-available"), legal: color("--warn"), bad: color("--bad") } };
  if (canvas?.parentElement === view) {
    drawn.send(sent);
    return;
  }
  canvas?.remove();
  const ratio = Math.min(devicePixelRatio || 1, 2), width = view.clientWidth, height = Math.min(view.scrollHeight, highest);
  canvas = element("canvas", "request-dots");
  Object.assign(canvas, { ariaHidden: "true", width: width * ratio, height: height * ratio });
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  view.append(canvas);
  const given = drawn.apart ? canvas.transferControlToOffscreen() : canvas;
  drawn.send({ ...sent, canvas: given, ratio, middle: width / 2 }, ...(drawn.apart ? [/** @type {OffscreenCanvas} */ (given)] : []));
}

/** @param {number} last the number of the message whose dots have arrived */
function arrived(last) {
  if (last !== number) return;
  canvas?.remove();
  canvas = undefined;
}

// fetchPen starts a worker that draws. A frame without an origin may have none; there the page draws.
function fetchPen() {
  if (comes) return undefined;
  comes = true;
  import("./pen.js").then(({ file, makePen, flight, now }) => {
    const take = makePen(arrived);
    const here = { send: (/** @type {Sent} */ sent) => take(sent), apart: false, flight, now };
    try {
      const worker = new Worker(file, { type: "module" });
      worker.onmessage = ({ data }) => arrived(data);
      worker.onerror = () => { pen = here; arrived(number); };
      pen = { send: (sent, ...given) => worker.postMessage(sent, given), apart: true, flight, now };
    } catch {
      pen = here;
    }
  }, () => {}); // without them nothing is missing
  return undefined;
}
