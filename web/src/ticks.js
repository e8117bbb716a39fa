// @ts-check
// The words at the ticks of the time axis.
import { span, step } from "./span.js";

/**
 * tick writes seconds below two minutes and minutes above. It leaves out the ends of the span, which are rarely round numbers.
 * @param {number} ms
 */
export function tick(ms) {
  if (ms % step() !== 0) return "";
  const s = ms / 1000;
  if (span().to < 120000) return `${Number(s.toFixed(2))} s`;
  const rest = s % 60;
  return `${Math.floor(s / 60)}:${rest < 10 ? "0" : ""}${Number(rest.toFixed(2))}`;
}
