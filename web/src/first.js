// @ts-check
// The page of a first visit until the program is there. The build has drawn it with the program's own code (app/first.go), as HTML at
// rest and as a list of what changes while it plays. Here the program's own scripts move it, so that nobody sees the program arrive. What is
// pressed here and needs the program is pressed again when it is there.
import { axes, mountAxes } from "./axes.js";
import { lookIn, turn } from "./dom.js";
import { placeSoon, setHighest } from "./notes.js";
import { callout, cursor, marks, mountOverlay } from "./overlay.js";
import { notesOf } from "./place.js";
import { size } from "./plot.js";
import { mountPods, pods } from "./pods.js";
import { mountScrub } from "./scrub.js";
import { mountSketch, sketch } from "./sketch.js";
import { onSpan } from "./span.js";
import { color, onThemeChange } from "./theme.js";
import { tick } from "./ticks.js";
import { adopt, attributes, nodeOf, redraw, setNodes } from "./tree.js";
import { setWords } from "./words.js";

/** @typedef {import("./place.js").Written} Written */
/**
 * The page at a moment; see app/first.go. What is as in the view before is left out.
 * @typedef {{ t: number, holds?: boolean, regions: Record<string, number>, groups?: object[], rows?: string, states?: number[], written?: Written }} View
 */
/**
 * @typedef {object} Script
 * @property {import("./tree.js").Node[]} nodes
 * @property {number} root
 * @property {Record<string, string>} words
 * @property {string[]} states
 * @property {{ option: string, ids: string[], lines: (number | null)[][], counts: import("./go").Axis[], end: number, open: { From: number, To: number }, marks: import("./go").Mark[], syncs: number[] }} chart
 * @property {Record<string, string>} commands
 * @property {View} rest
 * @property {View} calm
 * @property {View[]} views
 * @property {[t: number, pace: number][]} paces
 */

const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * whole completes views with what they leave out.
 * @param {View[]} views
 */
function whole(views) {
  let last = views[0];
  return views.map((v) => (last = { ...last, holds: false, ...v, regions: { ...last.regions, ...v.regions } }));
}

/**
 * latest is the last one of a list that fits.
 * @template T
 * @param {T[]} list
 * @param {(one: T) => boolean} fits
 */
function latest(list, fits) {
  for (let i = list.length - 1; i >= 0; i--) if (fits(list[i])) return list[i];
}

/** @param {number} t */
function clock(t) {
  /** @type {(n: number, digits: number) => string} */
  const pad = (n, digits) => String(Math.floor(n)).padStart(digits, "0");
  return `${pad(t / 60000, 2)}:${pad((t / 1000) % 60, 2)}.${pad(t % 1000, 3)}`;
}

/**
 * first draws the page, in several tasks, so that a press is answered between them, and returns what the program has to know when it comes.
 * @param {HTMLElement} page
 * @param {Script} script
 */
async function first(page, script) {
  lookIn(page);
  setWords(script.words);
  setNodes(script.nodes);
  adopt(page, script.root);
  await turn();
  const { chart, commands } = script, views = whole(script.views);
  const said = Object.entries(commands).map(([t, text]) => /** @type {[number, string]} */ ([Number(t), text]));
  const lines = chart.lines.map((line) => Float64Array.from(line, (n) => n ?? NaN));
  const begin = calm ? script.calm : script.rest;
  let view = begin, t = view.t, playing = false, touched = false, last = 0, part = 0, drawn = "";
  const paused = views.find((v) => v.holds)?.regions.transport ?? 0;
  /** @type {((report: import("./page").Report) => void) | null} */
  let wanted = null; // what the program does when it is there

  /** @param {string} selector */
  const inside = (selector) => /** @type {HTMLElement} */ (page.querySelector(selector));
  const highest = () => chart.counts[Math.min(Math.max(Math.floor(size.h / 26), 3), 7)];
  /** @type {import("./page").Query} */
  const query = (what, value) => {
    if (what === "numbers") return numbers(value === "" ? view : viewAt(Number(value)));
    if (what !== "place") return "done"; // of a drag of an edge, which the program will show
    const [w, h, from, to] = value.split(" ").map(Number), shape = [w, h, from, to].join();
    if (shape !== drawn) draw(); // which places again for another count at the upper edge
    drawn = shape;
    return view.written ? JSON.stringify(notesOf({ w, h, from, to, max: highest().Max }, view.written, said)) : "[]";
  };

  const style = JSON.parse(chart.option, (_, v) => {
    const variable = typeof v === "string" && /^var\((--[\w-]+)\)$/.exec(v);
    return variable ? { variable: variable[1] } : v;
  }).series;
  /** @type {(style: any) => any} */
  const resolve = (style) => style && { ...style, color: color(style.color.variable) };

  function draw() {
    if (!size.w) return;
    const count = highest();
    setHighest(count.Max);
    axes(count, tick);
    sketch(style.map((/** @type {any} */ s) => ({ ...s, lineStyle: resolve(s.lineStyle), areaStyle: resolve(s.areaStyle) })), lines, count.Max);
  }

  /** @param {number} at */
  const viewAt = (at) => latest(views, (v) => v.t <= at) ?? views[0];

  /**
   * numbers are those of the legend in a view.
   * @param {View} of
   */
  function numbers(of) {
    let text = "";
    /** @param {number} n */
    const look = (n) => {
      const node = nodeOf(n);
      if (typeof node === "string") return;
      const [, { "data-series": id }, ...children] = node;
      if (!id) children.forEach(look);
      else text += `${id}\t${nodeOf(/** @type {any} */ (nodeOf(children[children.length - 1]))[2]) ?? ""}\n`;
    };
    look(of.regions["chart-card"]);
    return text;
  }

  /** @param {View} next */
  function show(next) {
    const before = view;
    view = next;
    for (const [name, n] of Object.entries(view.regions)) {
      if (n === before.regions[name]) continue;
      if (name === "page") attributes(page, /** @type {any} */ (nodeOf(before.regions.page))[1], /** @type {any} */ (nodeOf(n))[1]);
      else redraw(inside(`.${name}`), n);
    }
    pods(view.groups === before.groups ? null : JSON.stringify(view.groups ?? []), view.rows === before.rows ? null : view.rows ?? "", Uint8Array.from(view.states ?? []));
    if (view.written && view.written !== before.written) {
      const { said, on, asks, hidden } = view.written;
      callout(said, on, asks, hidden);
      if (touched) say(said);
      placeSoon();
    }
    cursor(t, chart.end, playing ? pace() : 0, clock(t), clock(chart.end));
  }

  /** @param {string} text */
  function say(text) {
    const spoken = document.getElementById("loader-said");
    if (spoken && text && spoken.textContent !== text) spoken.textContent = text;
  }

  /**
   * go moves to a moment, and reports whether the run has ended there.
   * @param {number} to
   */
  function go(to) {
    t = Math.round(Math.min(Math.max(to, 0), chart.end));
    const next = viewAt(t);
    show(playing || next.holds ? next : { ...next, regions: { ...next.regions, transport: paused } });
    return t >= chart.end;
  }

  const pace = () => latest(script.paces, ([from]) => from <= t)?.[1] ?? 2; // ms of the run in one of the page

  /** @param {number} now */
  function frame(now) {
    if (!playing) return;
    const to = t + part + Math.min(Math.max(now - last, 0), 100) * pace();
    last = now;
    const stop = views.find((v) => v.holds && v.t > t && v.t <= to);
    part = stop ? 0 : to - Math.floor(to);
    if (go(stop ? stop.t : Math.floor(to)) || stop) pause();
    else requestAnimationFrame(frame);
  }

  function play() {
    touched = true;
    if (calm || t >= chart.end) {
      go(calm ? (views.find((v) => v.holds && v.t > t)?.t ?? chart.end) : 0);
      return;
    }
    playing = true;
    last = performance.now();
    requestAnimationFrame(frame);
  }

  /** @param {number} to */
  function leap(to) {
    touched = true;
    go(to);
  }

  /** @type {Record<string, () => void>} */
  const acts = {
    play: () => { if (playing) pause(); else play(); },
    start: () => { pause(); leap(0); },
    end: () => { pause(); leap(chart.end); },
    "lesson-next": () => leap(views.find((v) => v.holds && v.t > t)?.t ?? chart.end),
    "lesson-back": () => leap(latest(views, (v) => v.holds === true && v.t < t)?.t ?? 0),
    "lesson-onwards": play,
  };

  function pause() {
    playing = false;
    go(t);
  }

  /**
   * press does what an element does without the program, or remembers it.
   * @param {Event} e
   */
  function press(e) {
    const on = e.target instanceof Element ? e.target.closest("button, summary, input, select, [data-act]") : null;
    if (!(on instanceof HTMLElement) || on instanceof HTMLAnchorElement || on.closest(".plot, .scrubber")) return;
    e.preventDefault();
    e.stopPropagation();
    const act = acts[on.dataset.act ?? ""], again = () => same(on)?.click();
    if (act) act();
    else if (on.matches("button, summary, input, select")) {
      for (const before of page.querySelectorAll("[aria-busy]")) before.removeAttribute("aria-busy");
      on.setAttribute("aria-busy", "true");
      wanted = again;
    }
  }

  /**
   * same is the element of the program's page that stands for one of this page.
   * @param {Element | null} on
   */
  function same(on) {
    const of = on?.closest("[data-act]");
    if (!on || !(of instanceof HTMLElement) || !page.contains(of)) return null;
    const selector = `[data-act="${of.dataset.act}"]${on === of ? "" : ` > ${on.localName}`}`, i = [...page.querySelectorAll(selector)].indexOf(on);
    return /** @type {HTMLElement | undefined} */ (document.querySelectorAll(`body > :first-child ${selector}`)[i]);
  }

  const host = inside(".chart-host");
  mountAxes(host);
  mountSketch(host);
  mountOverlay(inside(".plot"), {
    seek: leap, query, onwards: play, explain: () => {},
    choose: (bound) => { wanted = (report) => report("bound", bound); },
  });
  mountScrub(leap, () => "");
  mountPods(inside(".pod-view"), script.states, () => {});
  await turn();
  marks({ all: chart.marks, decisions: Float64Array.from(chart.syncs), end: chart.end, opening: { from: chart.open.From, to: chart.open.To }, key: 1 });
  view = { t: 0, regions: script.rest.regions };
  if (document.documentElement.dataset.first === "link") go(t);
  else show(begin);
  stand(page);
  page.addEventListener("click", press, true);
  onThemeChange(draw);
  onSpan(draw);
  return {
    /** stops, and tells where */
    stop() {
      const at = { t, playing, touched };
      playing = false;
      return at;
    },
    /**
     * leave gives the focus and what was pressed to the program.
     * @param {import("./page").Report} report
     */
    leave(report) {
      same(document.activeElement)?.focus({ preventScroll: true });
      wanted?.(report);
    },
  };
}

/**
 * stand shows a page once nothing on its chart has moved for some frames: the room around the plot follows from the plot's size.
 * @param {HTMLElement} page
 */
function stand(page) {
  let same = 0, before = "";
  const look = () => {
    const now = [...page.querySelectorAll(".plot, .plot [style], .chart > .legend [style]")].map((e) => Object.values(e.getBoundingClientRect().toJSON()).join()).join();
    same = now === before && size.w ? same + 1 : 0;
    before = now;
    if (same < 3) requestAnimationFrame(look);
    else /** @type {HTMLElement} */ (page.parentElement).dataset.drawn = "";
  };
  look();
}

/** begin draws the page that arrive.js has put into the loader. */
export async function begin() {
  const place = /** @type {HTMLElement | null} */ (document.querySelector(".arrive-page")), page = place?.firstElementChild;
  if (!place || !(page instanceof HTMLElement)) throw new Error("there is no page");
  const answer = await fetch(place.dataset.script ?? "");
  return first(page, await answer.json());
}
