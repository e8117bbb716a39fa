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
  const pen = blank(canvas, size.w, size.h);
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
      if (s.areaStyle) fill(pen, s.areaStyle, outline(high, x, y, s.step), low && outline(low, x, y, s.step), y(0));
    });
    layers.forEach(({ high }, i) => {
      const { stack, lineStyle, step } = series[i];
      if (high.length && !stack === over) stroke(pen, lineStyle, patternFor(lineStyle.type, high, highest), outline(high, x, y, step));
    });
  }
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
 * @param {CanvasRenderingContext2D} pen
 * @param {Point[]} points
 */
function trace(pen, points) {
  let gap = true;
  for (const [px, py] of points) {
    if (Number.isNaN(px) || Number.isNaN(py)) gap = true;
    else if (gap) {
      pen.moveTo(px, py);
      gap = false;
    } else pen.lineTo(px, py);
  }
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
