// @ts-check
// The numbers at the cursor, beside its line and as high as what they count. The program draws them as the chart's legend; this module
// puts them in their places.
import { $ } from "./dom.js";
import { onTextsInside, textsInside } from "./notes.js";
import { perPod, plotRight, size } from "./plot.js";

const height = 17; // px of a label
const gap = 7; // between the line and its labels
const half = 7; // of the height of a text inside the plot
const edge = 44; // px at the right that the grips of the bands take
const shown = ["total", "available"];

/** @type {number | null} */
let last = null;

/**
 * placeLabels puts the labels beside a line at x px, or where they were last; null hides them.
 * @param {number | null} [x]
 */
export function placeLabels(x = last) {
  last = x;
  const legend = $("legend");
  if (!legend?.closest(".chart") || size.w === 0) return;
  const all = labels(legend);
  const named = x !== null && x > size.w - 2 && plotRight() > 40 && !all.some((e) => e.textContent?.includes("(")); // the lines' ends say the same
  legend.classList.toggle("away", x === null || named);
  if (x === null || named) return;
  let free = -Infinity;
  for (const e of all) {
    const count = parseInt(e.querySelector(".legend-value")?.textContent ?? "", 10);
    const width = 7 * (e.textContent?.length ?? 0) + 16;
    const left = x + gap + width > size.w - edge ? x - gap : x + gap;
    const from = left < x ? left - width : left;
    const y = clear(Math.min(Math.max(size.h - count * perPod() - height - 1, free, -6), size.h - height), free, from, from + width);
    free = y + height;
    const place = Number.isNaN(count) ? "none" : `translate(${left < x ? -gap : gap}px, ${Math.round(y)}px)${left < x ? " translateX(-100%)" : ""}`; // from the line
    if (e.dataset.place !== place) {
      e.dataset.place = place;
      e.style.transform = place;
      e.style.visibility = place === "none" ? "hidden" : "";
    }
  }
}

/** @param {HTMLElement} legend */
const labels = (legend) => shown.map((id) => /** @type {HTMLElement | null} */ (legend.querySelector(`[data-series="${id}"]`))).filter((e) => e !== null);

/**
 * moveLabels lets a function move each label along with the line.
 * @param {(label: HTMLElement) => void} along
 */
export function moveLabels(along) {
  const legend = $("legend");
  if (legend?.closest(".chart")) labels(legend).forEach(along);
}

onTextsInside(() => placeLabels());

/**
 * clear is the place nearest to y, and not above free, where a label from one x to another covers no text of a bound or an outage.
 * @param {number} y
 * @param {number} free
 * @param {number} from
 * @param {number} to
 */
function clear(y, free, from, to) {
  const taken = textsInside().filter((n) => n.x < to && from < n.x + 1.15 * n.w).map((n) => n.y);
  const covers = (/** @type {number} */ top) => taken.some((at) => at + half > top && at - half < top + height);
  const places = [y, ...taken.flatMap((at) => [at - half - height, at + half])].filter((top) => top >= Math.max(free, -6) && top <= size.h - height && !covers(top));
  return places.sort((a, b) => Math.abs(a - y) - Math.abs(b - y))[0] ?? y;
}
