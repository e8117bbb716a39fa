// @ts-check
// Draws dots on their way: served ones are discs, slow ones rings, failed ones crosses. It runs in a worker, so that they move evenly while
// the page works, or in the page where a worker is refused.

/** @typedef {{ start: number, x: number, y: number, kind: string }} Dot when it sets out, in ms of every clock, and where to, in px */
/** @typedef {{ number: number, dots: Dot[], colors: Record<string, string>, canvas?: OffscreenCanvas | HTMLCanvasElement, ratio?: number, middle?: number }} Sent dots, and the canvas if there is a new one */

/** The file of this module, for a worker. */
export const file = import.meta.url.replace(/.*\//, "");

export const flight = 400; // ms

/** now is the time that the page and its workers have in common. */
export const now = () => performance.timeOrigin + performance.now();

/**
 * makePen returns what takes messages. It tells the number of the last one when all dots have arrived.
 * @param {(number: number) => void} tell
 * @returns {(sent: Sent) => void}
 */
export function makePen(tell) {
  /** @type {OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D | null} */
  let pen = null;
  /** @type {Dot[]} */
  let dots = [];
  /** @type {Record<string, string>} */
  let colors = {};
  let middle = 0, last = 0, moving = false;

  function draw() {
    const t = now();
    dots = dots.filter((d) => t - d.start < flight);
    moving = dots.length > 0;
    if (!moving) {
      tell(last);
      return;
    }
    pen?.clearRect(0, 0, pen.canvas.width, pen.canvas.height);
    for (const [kind, color] of Object.entries(colors)) stroke(kind, color, t);
    requestAnimationFrame(draw);
  }

  /**
   * stroke draws the dots of a kind.
   * @param {string} kind
   * @param {string} color
   * @param {number} t
   */
  function stroke(kind, color, t) {
    if (!pen) return;
    pen.beginPath();
    for (const d of dots) {
      const part = (t - d.start) / flight;
      if (d.kind === kind && part >= 0) trace(pen, kind, middle + (d.x - middle) * part, 2 + (d.y - 2) * part);
    }
    pen.fillStyle = pen.strokeStyle = color;
    if (kind === "good") pen.fill();
    else pen.stroke();
  }

  return (sent) => {
    if (sent.canvas) {
      pen = /** @type {OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D | null} */ (sent.canvas.getContext("2d"));
      pen?.scale(sent.ratio ?? 1, sent.ratio ?? 1);
      if (pen) pen.lineWidth = 2;
      middle = sent.middle ?? 0;
    }
    dots.push(...sent.dots);
    colors = sent.colors;
    last = sent.number;
    if (moving) return;
    moving = true;
    requestAnimationFrame(draw);
  };
}

/**
 * @param {OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D} pen
 * @param {string} kind
 * @param {number} x
 * @param {number} y
 */
function trace(pen, kind, x, y) {
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

if (typeof document === "undefined") {
  const take = makePen((number) => self.postMessage(number));
  self.onmessage = ({ data }) => take(data);
}
