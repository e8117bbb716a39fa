// @ts-check
// The lines and bands of the chart on a canvas of our own, while somebody drags an edge of a band: ECharts needs 12 ms for new data,
// most of a frame. Meanwhile ECharts keeps the axes, and its option gives the styles.
import { blank, element } from "./dom.js";
import { size } from "./plot.js";
import { part } from "./span.js";

/** @typedef {ArrayLike<number>} Points times and counts in turn */
/** @typedef {"solid" | "dashed" | "dotted"} Pattern */
/**
 * A line of the chart's option, as app/chart writes it.
 * @typedef {object} Series
 * @property {string} [stack]
 * @property {boolean | string} [step]
 * @property {{ type: Pattern, width: number, color: string }} lineStyle
 * @property {{ opacity?: number, color: string }} [areaStyle]
 */
/** @typedef {[x: number, y: number]} Point in px */
/** @typedef {(value: number) => number} Scale */

/** @type {HTMLCanvasElement} */
let canvas;

/** @param {HTMLElement} host */
export function mountSketch(host) {
  canvas = element("canvas", "sketch", host);
  canvas.hidden = true;
}

/**
 * sketch draws series of an option whose colours are resolved.
 * @param {Series[]} series
 * @param {Points[]} data for each series
 * @param {number} highest the count at the upper edge
 */
export function sketch(series, data, highest) {
  canvas.hidden = false;
  const pen = blank(canvas, size.w + 2 * around, size.h + 2 * around);
  pen.translate(around, around);
  pen.lineJoin = "bevel";
  /** @type {Scale} */
  const x = (t) => part(t) * size.w;
  /** @type {Scale} */
  const y = (n) => size.h * (1 - n / highest);
  const layers = stacked(series, data);
  for (const over of [false, true]) { // as in ECharts: stacked series are below the others
    layers.forEach(({ low, high }, i) => {
      const s = series[i];
      if (!high.length || !s.stack !== over) return;
      const { areaStyle } = s;
      if (areaStyle) within(pen, s, () => fill(pen, areaStyle, outline(high, x, y, s.step), low && outline(low, x, y, s.step), y(0)));
    });
    layers.forEach(({ high }, i) => {
      const { stack, lineStyle, step } = series[i];
      if (high.length && !stack === over) within(pen, series[i], () => stroke(pen, lineStyle, patternFor(lineStyle.type, high, highest), outline(high, x, y, step)));
    });
  }
}

const around = 4; // px that lines may lie outside of the plot, as in chart.css

/**
 * within draws inside the plot and half a line around it, as ECharts does.
 * @param {CanvasRenderingContext2D} pen
 * @param {Series} series
 * @param {() => void} run
 */
function within(pen, { lineStyle: { width } }, run) {
  const x = -width / 2, more = x === Math.floor(x) ? 0 : 1;
  pen.save();
  pen.beginPath();
  pen.rect(Math.floor(x), x, Math.ceil(size.w + width) + more, size.h + width);
  pen.clip();
  run();
  pen.restore();
}

export function endSketch() { if (canvas) canvas.hidden = true; }

/**
 * stacked adds to each line the lines below it in its stack, by index.
 * @param {Pick<Series, "stack">[]} series
 * @param {Points[]} data
 * @returns {{ low?: Points, high: Points }[]}
 */
export function stacked(series, data) {
  /** @type {Map<string, Points>} */
  const tops = new Map();
  return series.map((s, i) => {
    if (!s.stack) return { high: data[i] };
    const low = tops.get(s.stack);
    const high = low ? Float64Array.from(data[i], (v, k) => (k % 2 ? v + (low[k] ?? 0) : v)) : data[i];
    tops.set(s.stack, high);
    return { low, high };
  });
}

/**
 * outline makes the points of a line in px. A step keeps its count until the time of the next point. A gap is a point that is NaN.
 * @param {Points} line
 * @param {Scale} x
 * @param {Scale} y
 * @param {boolean | string} [step]
 */
export function outline(line, x, y, step) {
  /** @type {Point[]} */
  const points = [];
  for (let k = 0; k < line.length; k += 2) {
    /** @type {Point} */
    const to = [x(line[k]), y(line[k + 1])];
    if (step && k > 0) points.push([to[0], points[points.length - 1][1]]);
    points.push(to);
  }
  return points;
}

/**
 * trace follows points, but none within two pixels of the last one, as ECharts does.
 * @param {CanvasRenderingContext2D} pen
 * @param {Point[]} points
 */
function trace(pen, points) {
  const near = 2 / (devicePixelRatio || 1);
  /** @type {Point | null} */
  let last = null;
  /** @type {Point | null} */
  let left = null; // the farthest of those that were left out since
  const end = () => { if (left) pen.lineTo(...left); left = null; };
  /** @param {Point} p */
  const far = (p) => (last ? (p[0] - last[0]) ** 2 + (p[1] - last[1]) ** 2 : 0);
  for (const p of points) {
    if (Number.isNaN(p[0]) || Number.isNaN(p[1])) {
      end();
      last = null;
    } else if (!last) {
      pen.moveTo(...p);
      last = p;
    } else if (Math.abs(p[0] - last[0]) > near || Math.abs(p[1] - last[1]) > near) {
      pen.lineTo(...p);
      [last, left] = [p, null];
    } else if (far(p) > (left ? far(left) : 0)) left = p;
  }
  end();
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {{ opacity?: number, color: string }} style
 * @param {Point[]} above
 * @param {Point[] | undefined} below the line below it in its stack
 * @param {number} ground
 */
function fill(pen, style, above, below, ground) {
  pen.beginPath();
  const back = below ? [...below].reverse() : /** @type {Point[]} */ ([[above[above.length - 1][0], ground], [above[0][0], ground]]);
  trace(pen, [...above, ...back]);
  pen.globalAlpha = style.opacity ?? 1;
  pen.fillStyle = style.color;
  pen.fill();
  pen.globalAlpha = 1;
}

/**
 * patternFor is the pattern of a line. A line that goes up and down many times is solid: a pattern would not be readable there, and the
 * browser takes 60 ms to cut such a line into dashes.
 * @param {Pattern} type
 * @param {Points} data
 * @param {number} highest the count at the upper edge
 * @returns {Pattern}
 */
export function patternFor(type, data, highest) {
  let way = 0;
  for (let k = 3; k < data.length; k += 2) way += Math.abs(data[k] - data[k - 2]);
  return way > 4 * highest ? "solid" : type;
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {{ width: number, color: string }} style
 * @param {Pattern} type
 * @param {Point[]} points
 */
function stroke(pen, { width, color }, type, points) {
  pen.beginPath();
  trace(pen, points);
  pen.setLineDash(type === "dashed" ? [4 * width, 2 * width] : type === "dotted" ? [width, width] : []);
  pen.lineWidth = width;
  pen.strokeStyle = color;
  pen.stroke();
}
