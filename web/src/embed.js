// @ts-check
// The embed while the program runs. web/shell/embed.js handles everything before that, and the messages of the page around.
import { onWords } from "./words.js";

const embed = window.rollplayEmbed; // undefined in the playground

// The bar is there before the program, whose link may have another language.
onWords(() => embed?.speak(document.documentElement.lang));

export const embedOptions = () => embed?.options() ?? "";

/**
 * embedStarted lets the page around act, once the program listens, and continues where a player has come to.
 * @param {import("./page").Report} report
 */
export function embedStarted(report) {
  /** @type {Record<string, string>} */
  const reports = { seek: "far", load: "load", playground: "playground" };
  /** @type {(type: string, value: string | number) => void} */
  const act = (type, value) => (reports[type] ? report(reports[type], value) : report("key", type));
  embed?.started(act);
  window.rollplayArrived?.(report);
}

/**
 * openPlayground opens the program's link to its run, after "playground".
 * @param {string} fragment
 */
export const openPlayground = (fragment) => embed?.open(fragment);

const least = 100; // ms between two ticks
let told = ""; // the last tick
let toldAt = -least;
let waits = 0; // timer of a tick that came too early
let ended = false;

/** @typedef {{ t: number, end: number, playing: boolean, counts: Record<string, number> }} Now */

/**
 * tick sends the cursor and the counts there, when they have changed and at most ten times a second. The last tick of a movement always
 * comes, and before "done".
 * @type {import("./go").Calls["tick"]}
 */
export function tick(t, end, playing, atEnd, desired, total, available, updated, terminating) {
  const now = { t, end, playing, counts: { desired, total, available, updated, terminating } };
  clearTimeout(waits);
  const wait = toldAt + least - performance.now();
  if (wait <= 0 || (atEnd && !ended)) tell(now);
  else waits = setTimeout(tell, wait, now);
  if (atEnd && !ended) embed?.post("done", { t, end });
  ended = atEnd;
}

/** @param {Now} now */
function tell(now) {
  const text = JSON.stringify(now);
  if (text === told) return;
  told = text;
  toldAt = performance.now();
  embed?.post("tick", now);
}
