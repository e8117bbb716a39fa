// @ts-check
// The browser's side of the page: window.rollplay, which app/browser calls. It must exist before the program starts, so the
// large parts (chart, editor) are separate modules that load in the meantime.
import { $, dialog, draw, read, soon, timed } from "./dom.js";
import { requestDots, sendDots } from "./dots.js";
import { dragging } from "./edges.js";
import { embedOptions, embedStarted, openPlayground, tick as tellHost } from "./embed.js";
import { mountFiles } from "./files.js";
import { bindKeys, closeMenus } from "./keys.js";
import { holdDraft, openDrafts } from "./locks.js";
import { missing } from "./missing.js";
import { callout, cursor, loop, marks, mountOverlay, playing } from "./overlay.js";
import { cardCursor, podCard } from "./podcard.js";
import { notes, placeNow, setHighest, whenPlaced } from "./notes.js";
import { mountPanes } from "./panes.js";
import { cursorTime } from "./plot.js";
import { mountPods, pods } from "./pods.js";
import { focusResult, placeQuestion } from "./question.js";
import { save, savePicture } from "./save.js";
import { mountScrub, seek } from "./scrub.js";
import { fit, span, zoomAround } from "./span.js";
import { addressSoon, canShare, drawQR, fragment, mountLinks, pageURL, setAddress } from "./share.js";
import { sound, toggleSound } from "./sound.js";
import { mountStrips, strips } from "./strips.js";
import { focusTerminal, mountTerminal, terminal } from "./terminal.js";
import { onThemeChange, setTheme, showTheme } from "./theme.js";
import { setWords } from "./words.js";
import { endWorkers, giveWorkers, startWorkers } from "./workers.js";

/** @typedef {import("./page").Page} Page */

/** @type {Parameters<Page["listen"]>[0]} */
let program; // the functions of the program, from listen on
/** @type {import("./page").Report} */
const report = (action, value = "") => program?.report(action, String(value));

/** @type {typeof import("./chart.js").drawNow | null} */
let drawNow = null; // of the chart's module, once it is loaded
const chartLoads = import("./chart.js");
/** @type {typeof chartLoads} */
const chartModule = chartLoads.then((module) => { drawNow = module.drawNow; return module; }, () => new Promise(() => {})); // without it there is no chart
/** @type {(module: Awaited<typeof chartLoads>) => void} */
let resolveChart = () => {};
/** @type {typeof chartLoads} */
const chartMounted = new Promise((resolve) => { resolveChart = resolve; });
const long = 16384; // characters
/** @type {typeof import("./editor.js") | null} */
let editor = null; // the module, once it is loaded
let editorText = "";
let held = ""; // a long value that is stored in the next task
/** @type {import("./go").Diagnostic[]} */
let editorDiagnostics = [];

/** @type {() => void} */
let resolveReady = () => {};
/** @type {() => void} */
let resolveEditor = () => {};
/** @type {Promise<void>} */
const ready = new Promise((resolve) => { resolveReady = resolve; });
/** @type {Promise<void>} */
const editorReady = new Promise((resolve) => { resolveEditor = resolve; });

/** @type {Page["listen"]} */
function listen(all) {
  program = all;
  bindKeys(report);
  // A field keeps the typed text until the program has read it (see InputValue).
  document.addEventListener("input", ({ target }) => Object.assign(target ?? {}, { unheard: true }), true);
  if (!embedOptions()) mountPanes();
  mountScrub((t) => report("seek", t), all.describe);
  // A page that is put away may never come back: keep what there is.
  const hide = () => report("hide", editor?.unsent());
  document.addEventListener("visibilitychange", () => document.hidden && hide());
  window.addEventListener("pagehide", () => { hide(); report("leave"); });
  // The event only tells that there is a panel: the browser counts as in sight what is up to a window and a half away.
  const inSight = new IntersectionObserver((all) => { for (const { isIntersecting } of all) report("out-of-sight", String(!isIntersecting)); });
  document.addEventListener("contentvisibilityautostatechange", ({ target }) => {
    if (target instanceof Element && target.matches(".tabpanel")) inSight.observe(target);
  });
  window.rollplayMounted?.();
  chartLoads.catch(() => missing("chart.js", report));
  mountLinks(report);
  if (embedOptions() === "") mountFiles((text) => report("file", text), (name) => report("file-refused", name));
  embedStarted(report);
}

// Animation frames: requested while something moves, and never a second frame before the program is done with the first.
let running = false;
let busy = false;
let last = 0;
const lost = 2000; // ms; after that time without an answer the page requests the frame again, so that it never stops for good
const dtMax = 250; // ms; after a pause of the browser the cursor continues without a leap, and where a slow frame has led it

/** @type {Page["frames"]} */
function frames(on) {
  busy = false;
  if (on && !running) {
    last = performance.now();
    requestAnimationFrame(tick);
  }
  running = on;
}

/** @param {number} now */
function tick(now) {
  if (!running) return;
  if (!busy || now - last > lost) {
    busy = true;
    const dt = Math.max(0, Math.min(now - last, dtMax));
    last = now;
    if (slow && !dragging()) soon(() => { if (running) step(dt); });
    else step(dt);
  }
  requestAnimationFrame(tick);
}

let slow = false;

/**
 * step advances the program by some ms. A frame is one task, in which the browser also draws: a slow program gets a task of its own,
 * except during a drag, which would be a frame late.
 * @param {number} dt
 */
function step(dt) {
  const begin = performance.now();
  program.frame(dt);
  slow = performance.now() - begin > 4;
}

// The chart gets the newest data once for each drawing, however often the program sends data.
let chartWaits = false;
/** @type {import("./chart.js").Data} */
let chartData;
/** @type {import("./go").Mark[]} */
let chartMarks = [];

/** @type {Page["chart"]} */
function chart(view) {
  const ids = view.ids.split("\n").filter(Boolean);
  let at = ids.length; // the lengths come first
  chartData = { option: view.option, ids, data: ids.map((_, i) => view.lines.subarray(at, at += view.lines[i])), count: read(view.count) };
  setHighest(chartData.count.Max);
  placeQuestion();
  chartMarks = read(view.marks) ?? [];
  marks({ all: chartMarks, decisions: view.syncs, end: view.end, opening: { from: view.from, to: view.to }, key: view.key });
  if (dragging() && drawNow) { // in the frame of the pointer
    drawNow(chartData);
    placeNow();
    return;
  }
  if (chartWaits) return;
  chartWaits = true;
  chartMounted.then((module) => draw(() => {
    if (module.drawAxes(chartData)) soon(lines);
    else lines();
    function lines() {
      chartWaits = false;
      timed(() => module.draw(chartData));
      resolveReady();
      whenDrawn();
      whenDrawn = () => {};
    }
  }));
}

let whenDrawn = () => {};

/**
 * inside finds an element that the program has drawn.
 * @param {HTMLElement} root
 * @param {string} selector
 */
function inside(root, selector) {
  const found = root.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`there is no ${selector}`);
  return found;
}

/** @type {Page["mountChart"]} */
function mountChart(root) {
  mountOverlay(inside(root, ".plot"), {
    seek, query: (what, value) => program.chart(what, value), choose: (bound) => report("bound", bound), onwards: () => report("key", "onwards"),
    explain: () => { if (document.getElementById("pane-why")?.hidden) report("pane", "why"); },
  });
  chartModule.then((module) => {
    module.mount(inside(root, ".chart-host"));
    resolveChart(module);
  });
}

/**
 * mountEditor loads the editor when its drawer opens, which rarely happens in a first visit.
 * @param {HTMLElement} host
 */
function mountEditor(host) {
  const opened = new ResizeObserver(() => {
    if (!host.offsetWidth) return;
    opened.disconnect();
    loadEditor(host);
  });
  opened.observe(host);
}

/** @param {HTMLElement} host */
function loadEditor(host) {
  // CodeMirror reads a long text in pieces of 25 to 45 ms; where it can ask whether somebody types, it takes 100.
  Object.defineProperty(navigator, "scheduling", { value: undefined, configurable: true });
  import("./editor.js").then((module) => {
    module.mount(host, editorText, {
      change: (text) => { editorText = text; report("text", text); },
      paste: (text) => { editorText = text; report("paste", text); },
      apply: () => report("apply"),
    });
    module.setDiagnostics(editorDiagnostics);
    editor = module;
    resolveEditor();
  }, () => missing("editor.js", report));
}

onThemeChange(() => chartModule.then((module) => module.recolor()));

/**
 * terminalReport reports the latest text first, because a line of the prompt may apply it.
 * @type {import("./page").Report}
 */
function terminalReport(name, value) {
  editor?.flush();
  report(name, value);
}

/** @type {Page} */
const page = {
  ready,
  editorReady,
  listen,
  later: soon,
  frames,
  chart,
  cursor(t, end, pace, text, endText) {
    cursor(t, end, pace, text, endText);
    cardCursor();
    focusResult();
    sendDots(t, pace);
    sound(chartData, chartMarks, t, playing());
  },
  pods,
  podCard,
  terminal,
  focusTerminal,
  mount(name, root, states) {
    if (name === "terminal") mountTerminal(root, terminalReport, (what, value) => program.ask(what, value));
    else if (name === "pod-view") mountPods(root, read(states) ?? [], report);
    else if (name === "editor") mountEditor(root);
    else mountStrips(root, (record) => report("record", record), (workload) => report("workload", workload), (ms) => report("requests", ms));
  },
  loop,
  callout,
  notes: (json) => notes(read(json) ?? []),
  mountChart,
  opened() {
    whenDrawn = () => whenPlaced(() => window.rollplayOpened?.());
    if (!chartWaits) whenDrawn();
  },
  strips(json) {
    const rows = /** @type {import("./go").Strip[] | null} */ (read(json)) ?? [];
    strips(rows);
    requestDots(rows);
  },
  // present shows the figure alone, in large type.
  present(on) {
    if (on) {
      document.documentElement.dataset.presenting = "";
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    } else delete document.documentElement.dataset.presenting;
    chartModule.then((module) => module.recolor());
  },
  zoom: (how) => (how === "fit" ? fit() : zoomAround(how === "in" ? 0.5 : 2, cursorTime())),
  setTheme,
  sound: toggleSound,
  showTheme,
  fragment,
  pageURL,
  addressSoon,
  canShare,
  setAddress,
  drawQR,
  save,
  savePicture,
  embedded: embedOptions() !== "",
  embedOptions,
  tick: tellHost,
  playground: openPlayground,
  startWorkers: (limit) => startWorkers(limit, (text) => report("numbers-heard", text)),
  giveWorkers: (id, text, missing) => giveWorkers(id, text, read(missing) ?? []),
  endWorkers,
  state: () => (program ? program.state() : {}),
  seek: (ms) => report("seek", ms),
  span,
  chartOption: () => chartModule.then((module) => module.option()),
  reducedMotion: () => matchMedia("(prefers-reduced-motion: reduce)").matches,

  getText: () => (editor ? editor.getText() : editorText),
  // setText acts as a person who types the text. It returns a promise, because the program gets a long text in a task of its own.
  async setText(text) {
    page.setEditorText(text);
    if (text.length >= long) await new Promise((/** @type {(value: void) => void} */ done) => soon(done));
    report("text", text);
  },
  setEditorText(text) {
    editorText = text;
    editor?.setText(text);
  },
  flushEditor: () => editor?.flush(),
  setDiagnostics(json) {
    editorDiagnostics = /** @type {import("./go").Diagnostic[] | null} */ (read(json)) ?? [];
    editor?.setDiagnostics(editorDiagnostics);
  },
  gotoLine: (line, column) => void editorReady.then(() => editor?.gotoLine(line, column)),

  // A browser may refuse its storage; the page then just forgets.
  load(key) {
    try { return localStorage.getItem(key) ?? ""; } catch { return ""; }
  },
  store(key, value) {
    try {
      localStorage.setItem(key, value);
      return localStorage.getItem(key) === value; // storage.js says nothing when it fails
    } catch { return false; } // full or refused
  },
  hold(value) { held = value; },
  storeHeld(key) {
    const value = held;
    held = "";
    return window.rollplay.store(key, value);
  },
  remove(key) { try { localStorage.removeItem(key); } catch { /* refused */ } },
  keys() {
    try { return Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i)).join("\n"); } catch { return ""; }
  },
  loadTab(key) { try { return sessionStorage.getItem(key) ?? ""; } catch { return ""; } },
  storeTab(key, value) { try { sessionStorage.setItem(key, value); } catch { /* full or refused */ } },
  forgets: () => Boolean(localStorage.forgets),
  holdDraft,
  openDrafts,
  newId: () => Array.from(crypto.getRandomValues(new Uint8Array(6)), (b) => b.toString(36)).join(""),

  language: () => navigator.language,
  showLang(lang, words) {
    document.documentElement.lang = lang;
    setWords(/** @type {Record<string, string>} */ (read(words)));
  },
  focusOn(selector) {
    const e = document.querySelector(selector);
    if (e instanceof HTMLElement) e.focus();
  },
  reveal: (selector) => void requestAnimationFrame(() => document.querySelector(selector)?.scrollIntoView({ block: "nearest" })),
  // showChart scrolls the chart of a phone into the window after a command below it, but not while somebody types.
  showChart() {
    if (!matchMedia("(max-width: 720px)").matches || document.activeElement?.closest("textarea, dialog")) return;
    const show = () => $("chart")?.scrollIntoView({ block: "nearest", behavior: "instant" });
    requestAnimationFrame(() => requestAnimationFrame(show)); // what the command adds is drawn then
  },
  closeMenus,
  wide: () => matchMedia("(min-width: 1680px)").matches,
  focusEditor: () => void editorReady.then(() => editor?.focus()),

  openDialog(id) {
    const d = dialog(id);
    if (!d || d.open) return;
    const field = d.querySelector("[autofocus]");
    if (field instanceof HTMLInputElement) field.value = "";
    d.showModal();
  },
  dialogOpen: (id) => dialog(id)?.open ?? false,
  closeDialog: (id) => dialog(id)?.close(),

  // keepInView scrolls a list to its current row, inside the list alone and not while somebody reads in it.
  keepInView() {
    const box = document.querySelector(".tabpanel");
    if (box?.checkVisibility?.({ contentVisibilityAuto: true }) === false) return; // out of sight: its layout waits until it is seen
    const row = box?.querySelector('[aria-current="true"]');
    if (!box || !row || box.matches(":hover, :focus-within")) return;
    const frame = box.getBoundingClientRect();
    const place = row.getBoundingClientRect();
    if (place.top < frame.top + 30 || place.bottom > frame.bottom - 10) {
      box.scrollTop += place.top - frame.top - frame.height / 2;
    }
  },
};

window.rollplay = page;
