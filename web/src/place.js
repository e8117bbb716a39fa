// @ts-check
// The places of the texts on the chart, as app/chart/labels.go has them, for a page that has no program yet.

/** @typedef {import("./go").Note} Note */
/** @typedef {{ ID: string, Text: string, Color: string, Count: number }} End */
/**
 * What the program's chart writes at a moment: see app/stage/first.go.
 * @typedef {{ upper: string, lower: string, counts: [number, number, number], since: number, ends: End[] | null, edges: boolean, asks: boolean, hidden: number, said: string, on: string }} Written
 */
/** @typedef {{ w: number, h: number, from: number, to: number, max: number }} Plot */

const lineHeight = 14, half = lineHeight / 2 + 2;

/** @param {string} text */
const columns = (text) => Array.from(text, (c) => (/[\u3000-\u9fff\uff00-\uffef]/.test(c) ? 2 : 1)).reduce((a, b) => a + b, 0);
/** @param {string} text */
const width = (text) => 6.8 * columns(text);

/**
 * @param {Plot} p
 * @param {Written} now
 * @param {[t: number, said: string][]} commands
 */
export function notesOf(p, now, commands) {
  /** @type {(t: number) => number} */
  const x = (t) => (p.w * (t - p.from)) / Math.max(p.to - p.from, 1);
  /** @type {(n: number) => number} */
  const y = (n) => p.h * (1 - n / p.max);
  /** @type {Note[]} */
  const all = [];
  const visible = commands.filter(([t]) => t >= p.from && t <= p.to && t <= now.hidden);
  visible.forEach(([t, said], i) => {
    const room = (i + 1 < visible.length ? x(visible[i + 1][0]) : p.w) - x(t);
    const text = shorten(said, Math.trunc((room - 13 - 5) / 6.1));
    if (text) all.push({ kind: "command", text, x: x(t) + 13, y: 0, w: 6.1 * columns(text) });
  });
  if (now.asks) return all;
  const [high, middle, low] = now.counts.map(y), at = Math.max(x(now.since), 0) + 8;
  bound(p, all, "upper", now.upper, high + half, high - half, middle - high, at);
  bound(p, all, "lower", now.lower, low - half, low + half, low - middle, at);
  if (p.w >= 520 && p.to <= now.hidden) ends(p, all, now.ends ?? [], y);
  if (now.edges) {
    const [upper, desired, lower] = now.counts;
    for (const [id, pods, level] of /** @type {[string, number, number][]} */ ([["maxSurge", upper - desired, upper], ["maxUnavailable", desired - lower, lower]])) {
      all.push({ kind: "edge", id, text: String(pods), w: Math.max(desired, 1), x: 0, y: y(level) });
    }
  }
  return all;
}

/**
 * bound places the text of a bound inside its band if that is high enough, otherwise just outside of it.
 * @param {Plot} p
 * @param {Note[]} all
 * @param {string} kind
 * @param {string} text
 * @param {number} inside
 * @param {number} outside
 * @param {number} band
 * @param {number} at
 */
function bound(p, all, kind, text, inside, outside, band, at) {
  if (text === "") return;
  const high = band >= lineHeight + 2, k = text.search(/[(（]/);
  if (k > 0 && !high && width(text) > p.w - 60) text = text.slice(0, k).trim();
  const w = width(text), y = Math.min(Math.max(high ? inside : outside, lineHeight / 2), p.h - lineHeight / 2);
  all.push({ kind, text, w, x: at + w > p.w ? Math.max(at - w - 18, 0) : at, y });
}

/**
 * ends places the names of lines right of the plot, at the height of its line or as near as its neighbours allow.
 * @param {Plot} p
 * @param {Note[]} all
 * @param {End[]} list
 * @param {(n: number) => number} y
 */
function ends(p, all, list, y) {
  const sorted = [...list].sort((a, b) => b.Count - a.Count);
  /** @type {{ n: number, middle: number }[]} */
  const groups = [];
  for (const e of sorted) {
    groups.push({ n: 1, middle: y(e.Count) });
    for (;;) {
      const last = groups[groups.length - 1], above = groups[groups.length - 2], tall = (lineHeight / 2) * last.n;
      last.middle = Math.max(Math.min(last.middle, p.h - tall), tall);
      if (!above || above.middle + (lineHeight / 2) * above.n <= last.middle - tall) break;
      const n = above.n + last.n;
      groups.splice(-2, 2, { n, middle: (above.middle * above.n + last.middle * last.n) / n });
    }
  }
  let next = 0;
  for (const g of groups) {
    for (let i = 0; i < g.n; i++) {
      const e = sorted[next++];
      all.push({ kind: "end", id: e.ID, text: e.Text, color: e.Color, x: p.w + 6, y: g.middle + lineHeight * (i - (g.n - 1) / 2), w: width(e.Text) });
    }
  }
}

/**
 * @param {string} text
 * @param {number} n
 */
function shorten(text, n) {
  const letters = [...text];
  if (letters.length <= n) return text;
  return n < 8 ? "" : `${letters.slice(0, n - 1).join("").trimEnd()}…`;
}
