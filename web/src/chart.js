// The chart: ECharts with the parts that it uses, the base option from Go, and data as typed arrays.
import { LineChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { plotRight } from "./notes.js";
import { onSpan, span, step } from "./span.js";
import { color } from "./theme.js";

use([LineChart, GridComponent, CanvasRenderer]);

let chart = null;
let shown = ""; // the base option that the chart has
let latest = null;

export function mount(host) {
  chart = init(host, null, { renderer: "canvas" });
  new ResizeObserver(() => {
    chart.resize();
    if (shown) chart.setOption({ grid: { right: plotRight() } });
  }).observe(host);
  if (latest) draw(latest);
}

// drawNow shows data in this frame. ECharts would paint it in the next one.
export function drawNow(data) {
  draw(data);
  chart?.getZr().flush();
}

export function option() { return chart?.getOption(); }

// draw shows data. The whole option goes to ECharts only when the set of lines changed: that costs several times
// as much as new data for the lines there are.
export function draw(data) {
  latest = data;
  if (!chart) return;
  const change = {
    grid: { right: plotRight() },
    xAxis: timeAxis(),
    yAxis: { max: data.count.Max, minInterval: data.count.Step, maxInterval: data.count.Step },
  };
  if (shown === data.option) {
    change.series = data.ids.map((id, i) => ({ id, data: data.data[i] }));
    chart.setOption(change);
    return;
  }
  shown = data.option;
  const base = resolve(JSON.parse(data.option));
  base.textStyle = { fontFamily: getComputedStyle(document.body).fontFamily };
  Object.assign(base.grid, change.grid);
  Object.assign(base.xAxis, change.xAxis);
  Object.assign(base.yAxis, change.yAxis);
  base.xAxis.axisLabel.formatter = tick;
  if ("presenting" in document.documentElement.dataset) base.xAxis.axisLabel.fontSize = base.yAxis.axisLabel.fontSize = 16;
  base.series?.forEach((s, i) => { s.data = data.data[i]; s.silent = true; s.z = s.stack ? 1 : 2; });
  chart.setOption(base, { replaceMerge: ["series"] });
}

// recolor takes the colours of another theme.
export function recolor() {
  shown = "";
  if (latest) draw(latest);
}

function timeAxis() {
  const { from, to } = span();
  return { min: from, max: to, minInterval: step(), maxInterval: step() };
}

onSpan(() => { if (chart && shown) chart.setOption({ xAxis: timeAxis() }); });

// tick writes seconds below two minutes and minutes above. The ends of the span are no round numbers.
function tick(ms) {
  if (ms % step() !== 0) return "";
  const s = ms / 1000;
  if (span().to < 120000) return `${Number(s.toFixed(2))} s`;
  const rest = s % 60;
  return `${Math.floor(s / 60)}:${rest < 10 ? "0" : ""}${Number(rest.toFixed(2))}`;
}

// resolve puts in colours for the names of CSS variables, which a canvas does not know.
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
