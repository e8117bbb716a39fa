// The lines and bands of the chart on a canvas of our own, while somebody drags an edge of a band: ECharts needs 12 ms for new data,
// which is most of a frame. It keeps the axes meanwhile, and the styles are those of its option.
import { blank, element } from "./dom.js";
import { size } from "./plot.js";
import { part } from "./span.js";

let canvas = null;

export function mountSketch(host) {
  canvas = element("canvas", "sketch", host);
  canvas.hidden = true;
}

// sketch draws series of an option whose colours are resolved: data has a flat array of times and counts for each.
export function sketch(series, data, highest) {
  canvas.hidden = false;
  const pen = blank(canvas, size.w, size.h);
  pen.lineJoin = "bevel";
  const x = (t) => part(t) * size.w;
  const y = (n) => size.h * (1 - n / highest);
  const layers = stacked(series, data);
  for (const over of [false, true]) { // as ECharts has them: what is stacked lies below
    layers.forEach(({ low, high }, i) => {
      const s = series[i];
      if (!high.length || !s.stack !== over) return;
      if (s.areaStyle) fill(pen, s, outline(high, x, y, s.step), low && outline(low, x, y, s.step), y(0));
    });
    layers.forEach(({ high }, i) => { if (high.length && !series[i].stack === over) stroke(pen, series[i].lineStyle, patternFor(series[i].lineStyle.type, high, highest), outline(high, x, y, series[i].step)); });
  }
}

export function endSketch() { if (canvas) canvas.hidden = true; }

// stacked adds to each line those below it in its stack, by index.
function stacked(series, data) {
  const tops = new Map();
  return series.map((s, i) => {
    if (!s.stack) return { high: data[i] };
    const low = tops.get(s.stack);
    const high = low ? data[i].map((v, k) => (k % 2 ? v + (low[k] ?? 0) : v)) : data[i];
    tops.set(s.stack, high);
    return { low, high };
  });
}

// outline makes the points of a line in px; a step goes on to the time of the next point first. A gap is a point that is NaN.
function outline(line, x, y, step) {
  const points = [];
  for (let k = 0; k < line.length; k += 2) {
    const to = [x(line[k]), y(line[k + 1])];
    if (step && k > 0) points.push([to[0], points.at(-1)[1]]);
    points.push(to);
  }
  return points;
}

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

function fill(pen, { areaStyle }, above, below, ground) {
  pen.beginPath();
  trace(pen, [...above, ...(below ?? [[above[0][0], ground], [above.at(-1)[0], ground]]).toReversed()]);
  pen.globalAlpha = areaStyle.opacity ?? 1;
  pen.fillStyle = areaStyle.color;
  pen.fill();
  pen.globalAlpha = 1;
}

// patternFor is the pattern of a line of times and counts. A line that goes up and down many times has none: nobody could read it there, and
// the browser takes 60 ms to cut such a line into dashes.
export function patternFor(type, data, highest) {
  let way = 0;
  for (let k = 3; k < data.length; k += 2) way += Math.abs(data[k] - data[k - 2]);
  return way > 4 * highest ? "solid" : type;
}

function stroke(pen, { width, color }, type, points) {
  pen.beginPath();
  trace(pen, points);
  pen.setLineDash(type === "dashed" ? [4 * width, 2 * width] : type === "dotted" ? [width, width] : []);
  pen.lineWidth = width;
  pen.strokeStyle = color;
  pen.stroke();
}
