// @ts-check
// The axes of the chart on a canvas of our own, as ECharts draws them: first.js has no ECharts, which is larger than all of it.
import { blank, element } from "./dom.js";
import { plotSides, size } from "./plot.js";
import { span, step } from "./span.js";
import { color } from "./theme.js";

const left = 40, top = 22, fontSize = 11; // as in app/chart/option.go
const tickColor = "#54555a"; // of ECharts
/** @type {HTMLCanvasElement} */
let canvas;

/** @param {HTMLElement} host */
export function mountAxes(host) {
  canvas = element("canvas", "axes", host);
}

/**
 * axes draws the grid, the lines and the ticks of both axes.
 * @param {import("./go").Axis} count
 * @param {(ms: number) => string} tick
 */
export function axes(count, tick) {
  const pen = blank(canvas, size.w + plotSides(), top + size.h + 28);
  const { from, to } = span();
  const bottom = top + size.h, right = left + size.w;
  /** @type {(n: number) => number} */
  const sharp = (n) => (Math.round(2 * n) % 2 ? Math.round(2 * n) : Math.round(2 * n) + 1) / 2; // a line of one pixel is in its middle
  /** @type {(c: string, x1: number, y1: number, x2: number, y2: number) => void} */
  const line = (c, x1, y1, x2, y2) => {
    pen.strokeStyle = c;
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(x2, y2);
    pen.stroke();
  };
  pen.font = `${fontSize}px ${getComputedStyle(document.body).fontFamily}`;
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  /** @type {[n: number, y: number][]} */
  const counts = [];
  for (let n = 0; n <= count.Max; n += count.Step) counts.push([n, bottom - (n / count.Max) * size.h]);
  for (const [, y] of counts) line(color("--chart-grid"), left, sharp(y), right, sharp(y));
  pen.lineCap = "round";
  line(color("--chart-axis"), left, sharp(bottom), right, sharp(bottom));
  pen.lineCap = "butt";
  pen.fillStyle = color("--chart-label");
  for (const [n, y] of counts) {
    line(tickColor, left - 5, sharp(y), left, sharp(y));
    pen.fillText(String(n), left - 8, y);
  }
  pen.textAlign = "center";
  for (let t = Math.ceil(from / step()) * step(); t <= to; t += step()) pen.fillText(tick(t), left + ((t - from) / (to - from)) * size.w, bottom + 8 + fontSize / 2);
}
