// @ts-check
// The marks on the scrubber: their kinds, their places, and the lines of the marks near the pointer.
import { say } from "./words.js";

/** @typedef {import("./go").Mark} Mark */
/** @typedef {{ t: number, record: number }} Decision */
/** @typedef {Record<"command" | "condition" | "violation" | "outage" | "branch", Mark[]> & { decisions: Decision[] }} Marks */

/**
 * byKind sorts marks by their kind, and reads the decisions, which are pairs of a time and a record.
 * @param {Mark[]} marks
 * @param {ArrayLike<number>} pairs
 */
export function byKind(marks, pairs) {
  /** @type {Marks} */
  const all = { command: [], condition: [], violation: [], outage: [], branch: [], decisions: [] };
  for (const m of marks) /** @type {Record<string, Mark[]>} */ (/** @type {unknown} */ (all))[m.kind]?.push(m);
  for (let i = 0; i + 1 < pairs.length; i += 2) all.decisions.push({ t: pairs[i], record: pairs[i + 1] });
  return all;
}

const thumb = 16;

/**
 * placeOf is the place of a time in px. The thumb's middle does not reach the ends of a range input, so neither do the marks.
 * @param {number} t
 * @param {number} end of the run
 * @param {number} width of the scrubber
 */
export const placeOf = (t, end, width) => thumb / 2 + (t / end) * (width - thumb);

const near = 6; // px
const linesMax = 5;

/**
 * marksAt lists the marks at a place of the scrubber, of the decisions only the nearest, or returns null while the program is at work.
 * @param {Marks} marks
 * @param {number} px
 * @param {number} end of the run
 * @param {number} width of the scrubber
 * @param {(record: number) => string | null} describe
 */
export function marksAt(marks, px, end, width, describe) {
  /** @param {number} t */
  const off = (t) => Math.abs(placeOf(t, end, width) - px);
  /** @param {Mark} v */
  const inside = (v) => placeOf(v.t, end, width) - near < px && px < placeOf(v.to, end, width) + near;
  /** @type {{ t: number, line: string }[]} */
  const found = [
    ...[...marks.command, ...marks.condition, ...marks.branch].filter((m) => off(m.t) < near),
    ...[...marks.violation, ...marks.outage].filter(inside),
  ];
  /** @type {Decision | null} */
  let nearest = null;
  for (const d of marks.decisions) if (off(d.t) < near && (!nearest || off(d.t) < off(nearest.t))) nearest = d;
  if (nearest) {
    const line = describe(nearest.record);
    if (line === null) return null;
    found.push({ t: nearest.t, line });
  }
  found.sort((a, b) => a.t - b.t);
  const lines = found.slice(0, linesMax).map((m) => `${(m.t / 1000).toFixed(3)} s  ${m.line}`);
  if (found.length > linesMax) lines.push(say("and-more", found.length - linesMax));
  return lines;
}
