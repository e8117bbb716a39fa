// @ts-check
// The chart: ECharts with the parts that it uses, the base option from Go, and data as typed arrays.
import { LineChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { draw as inTime, timed } from "./dom.js";
import { plotRight } from "./plot.js";
import { endSketch, mountSketch, patternFor, sketch } from "./sketch.js";
import { onSpan, span, step } from "./span.js";
import { color } from "./theme.js";
import { tick } from "./ticks.js";

use([LineChart, GridComponent, CanvasRenderer]);

/** @typedef {import("./sketch.js").Series} Series */
/** @typedef {import("echarts/core").EChartsCoreOption} ChartOption */
/**
 * The newest data: the base option, the ids of its lines, and for each line an array of times and counts in turn.
 * @typedef {{ option: string, ids: string[], data: Float64Array[], count: import("./go").Axis }} Data
 */
/**
 * The base option, as app/chart writes it.
 * @typedef {object} Base
 * @property {object} grid
 * @property {{ axisLabel: { fontSize?: number, lineHeight?: number, formatter?: (ms: number) => string } }} xAxis
 * @property {{ axisLabel: { fontSize?: number, lineHeight?: number } }} yAxis
 * @property {{ fontFamily: string }} textStyle
 * @property {(Series & { data: Float64Array, silent: boolean, z: number })[]} [series]
 */

/** @type {import("echarts/core").EChartsType | null} */
let chart = null;
let shown = ""; // the base option that the chart has
/** @type {Data | null} */
let latest = null;

/** @param {HTMLElement} host */
export function mount(host) {
  const made = chart = init(host, null, { renderer: "canvas" });
  mountSketch(host);
  new ResizeObserver(() => {
    made.resize();
    if (shown) made.setOption({ grid: { right: plotRight() } });
  }).observe(host);
  if (latest) draw(latest);
}

/**
 * drawNow shows data in this frame, for a drag: ECharts keeps only the axes until the next draw.
 * @param {Data} data
 */
export function drawNow(data) {
  latest = data;
  if (!chart) return;
  if (sketched.option !== data.option) sketched = { option: data.option, series: baseOf(data).series ?? [], axes: "" };
  const change = frame(data);
  const axes = JSON.stringify(change);
  if (shown || sketched.axes !== axes) {
    if (shown) change.series = [];
    shown = "";
    sketched.axes = axes;
    chart.setOption(change, { replaceMerge: ["series"] });
    chart.getZr().flush();
  }
  sketch(sketched.series, data.data, data.count.Max);
}

/** @type {{ option: string, series: Series[], axes: string }} */
let sketched = { option: "", series: [], axes: "" };

export function option() { return shown ? chart?.getOption() : { series: sketched.series }; }

/**
 * draw shows data. The whole option goes to ECharts only when the set of lines changed: it costs several times as much as new data for
 * the same lines.
 * @param {Data} data
 */
export function draw(data) {
  latest = data;
  if (!chart) return;
  endSketch();
  spanWaits = false;
  const change = frame(data);
  if (shown === data.option) {
    change.series = data.ids.map((id, i) => ({ id, data: data.data[i], ...pattern(data, i) }));
    chart.setOption(change);
    return;
  }
  shown = data.option;
  chart.setOption(whole(data), { replaceMerge: ["series"] });
}

/**
 * drawAxes draws the axes before the first lines, in a task of their own: what runs for the first time is slow, and both would keep a phone's
 * thread for a fifth of a second. It says whether it was the first time.
 * @param {Data} data
 */
export function drawAxes(data) {
  if (!chart || drawn) return false;
  drawn = true;
  const { series, ...axes } = whole(data);
  chart.setOption(axes);
  return true;
}

let drawn = false;

/**
 * whole is the base option with all of the data.
 * @param {Data} data
 */
function whole(data) {
  const base = baseOf(data), change = frame(data);
  lines = base.series?.map(({ lineStyle, stack }) => ({ type: lineStyle.type, stack })) ?? [];
  base.textStyle = { fontFamily: getComputedStyle(document.body).fontFamily };
  Object.assign(base.grid, change.grid);
  Object.assign(base.xAxis, change.xAxis);
  Object.assign(base.yAxis, change.yAxis);
  base.xAxis.axisLabel.formatter = tick;
  for (const { axisLabel } of [base.xAxis, base.yAxis]) {
    if ("presenting" in document.documentElement.dataset) axisLabel.fontSize = 16;
    axisLabel.lineHeight = axisLabel.fontSize; // otherwise that of the font in which the browser finds Chinese characters
  }
  base.series?.forEach((s, i) => { s.data = data.data[i]; s.silent = true; Object.assign(s.lineStyle, pattern(data, i).lineStyle); s.z = s.stack ? 1 : 2; });
  return base;
}

/** @type {{ type: import("./sketch.js").Pattern, stack?: string }[]} */
let lines = []; // the patterns and stacks of the option's lines

/**
 * pattern is the style of the i-th line. A stacked line also moves when the line below it moves.
 * @param {Data} data
 * @param {number} i
 */
function pattern({ data, count }, i) {
  const { type, stack } = lines[i];
  const below = stack && stack === lines[i - 1]?.stack ? data[i - 1] : [];
  return { lineStyle: { type: patternFor(patternFor(type, below, count.Max), data[i], count.Max) } };
}

/**
 * frame is the option of the axes and of the room around the lines.
 * @param {Data} data
 * @returns {ChartOption}
 */
function frame(data) {
  return {
    grid: { right: plotRight() },
    xAxis: timeAxis(),
    yAxis: { max: data.count.Max, minInterval: data.count.Step, maxInterval: data.count.Step },
  };
}

// recolor takes the colours of another theme.
export function recolor() {
  shown = sketched.option = "";
  if (latest) draw(latest);
}

function timeAxis() {
  const { from, to } = span();
  return { min: from, max: to, minInterval: step(), maxInterval: step() };
}

// Another span is drawn with the data, if that comes first.
let spanWaits = false;

onSpan(() => {
  if (spanWaits) return;
  spanWaits = true;
  inTime(() => {
    if (spanWaits && shown) timed(() => chart?.setOption({ xAxis: timeAxis() }));
    spanWaits = false;
  });
});

/**
 * @param {Data} data
 * @returns {Base}
 */
const baseOf = (data) => /** @type {Base} */ (resolve(JSON.parse(data.option)));

/**
 * resolve replaces the names of CSS variables by colours, because a canvas understands no variables.
 * @param {unknown} value
 * @returns {unknown}
 */
function resolve(value) {
  if (typeof value === "string") {
    const variable = /^var\((--[\w-]+)\)$/.exec(value);
    return variable ? color(variable[1]) : value;
  }
  if (Array.isArray(value)) return value.map(resolve);
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, resolve(v)]));
  }
  return value;
}
