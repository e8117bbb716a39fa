// The chart: ECharts with the parts that it uses, the base option from Go, and data as typed arrays.
import { LineChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { color } from "./theme.js";

use([LineChart, GridComponent, CanvasRenderer]);

let chart = null;
let shown = ""; // the base option that the chart has
let latest = null;

export function mount(host) {
  chart = init(host, null, { renderer: "canvas" });
  new ResizeObserver(() => chart.resize()).observe(host);
  if (latest) draw(latest);
}

export function option() { return chart?.getOption(); }

// draw shows data. The whole option goes to ECharts only when the set of lines changed: that costs several times
// as much as new data for the lines there are.
export function draw(data) {
  latest = data;
  if (!chart) return;
  const change = {
    xAxis: { max: data.time.Max, minInterval: data.time.Step, maxInterval: data.time.Step },
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
  Object.assign(base.xAxis, change.xAxis);
  Object.assign(base.yAxis, change.yAxis);
  base.xAxis.axisLabel.formatter = tick;
  base.series?.forEach((s, i) => { s.data = data.data[i]; s.silent = true; s.z = s.stack ? 1 : 2; });
  chart.setOption(base, { replaceMerge: ["series"] });
}

// recolor takes the colours of another theme.
export function recolor() {
  shown = "";
  if (latest) draw(latest);
}

// tick writes seconds below a minute and minutes above. The last value is the end of the run, no round number.
function tick(ms) {
  const step = latest?.time.Step ?? 1000;
  if (ms % step !== 0) return "";
  const s = ms / 1000;
  if (s < 60 && latest.time.Max < 120000) return `${s} s`;
  return `${Math.floor(s / 60)}:${String(Math.floor(s % 60)).padStart(2, "0")}`;
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
