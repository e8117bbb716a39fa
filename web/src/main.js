// The browser's side of the page: window.rollplay, which app/browser calls. It must exist before the program starts, so the
// large parts (chart, editor) are separate modules that load in the meantime.
import { $, draw, soon, timed } from "./dom.js";
import { dragging } from "./edges.js";
import { embedOptions, embedStarted, openPlayground, tick as tellHost } from "./embed.js";
import { mountFiles } from "./files.js";
import { bindKeys, closeMenus } from "./keys.js";
import { callout, cursor, loop, marks, mountOverlay } from "./overlay.js";
import { cardCursor, podCard } from "./podcard.js";
import { notes, placeNow, setHighest } from "./notes.js";
import { mountPanes } from "./panes.js";
import { cursorTime } from "./plot.js";
import { mountPods, pods } from "./pods.js";
import { placeQuestion } from "./question.js";
import { save, savePicture } from "./save.js";
import { mountScrub, seek } from "./scrub.js";
import { fit, span, zoomAround } from "./span.js";
import { addressSoon, canShare, drawQR, fragment, mountLinks, pageURL, setAddress } from "./share.js";
import { mountStrips, strips } from "./strips.js";
import { focusTerminal, mountTerminal, terminal } from "./terminal.js";
import { onThemeChange, setTheme, showTheme } from "./theme.js";
import { setWords } from "./words.js";
import { endWorkers, giveWorkers, startWorkers } from "./workers.js";

// What the program listens with; set once by listen.
let report = () => {};
let onFrame = () => {};
let onState = () => ({});
let onAsk = () => "";
let onChart = () => "";

let drawNow = null; // of the chart's module, once it is there
const chartModule = import("./chart.js").then((module) => { drawNow = module.drawNow; return module; });
const long = 16384; // characters
let editor = null; // the module, once it is there
let editorText = "";
let editorDiagnostics = [];

let resolveReady, resolveEditor;
const ready = new Promise((resolve) => { resolveReady = resolve; });
const editorReady = new Promise((resolve) => { resolveEditor = resolve; });

function listen(reporter, frame, state, describe, ask, chartAsk) {
  report = (name, value = "") => reporter(name, String(value));
  onFrame = frame;
  onState = state;
  onAsk = ask;
  onChart = chartAsk;
  bindKeys(report);
  // What is typed in a field stays until the program has heard of it (see InputValue).
  document.addEventListener("input", ({ target }) => { target.unheard = true; }, true);
  if (!embedOptions()) mountPanes();
  mountScrub((t) => report("seek", t), describe);
  // A page that is put away may never come back: keep what there is.
  document.addEventListener("visibilitychange", () => document.hidden && report("hide"));
  window.addEventListener("pagehide", () => { report("hide"); report("leave"); });
  document.addEventListener("contentvisibilityautostatechange", (e) => { if (!e.skipped) window.rollplay.keepInView(); });
  window.rollplayMounted?.();
  mountLinks(report);
  if (embedOptions() === "") mountFiles((text) => report("file", text));
  embedStarted(report);
}

// Animation frames: asked for while something moves, and never a second one before the program is done with the
// first.
let running = false;
let busy = false;
let last = 0;
const lost = 2000; // ms; a frame without an answer for that long is asked for again, so that the page never stops for good
const dtMax = 100; // ms; after a pause of the browser the cursor continues without a leap

function frames(on) {
  busy = false;
  if (on && !running) {
    last = performance.now();
    requestAnimationFrame(tick);
  }
  running = on;
}

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

// step moves the program on by some ms. A frame is one task, in which the browser also draws: where the program needs much of it, it gets a
// task of its own; not while somebody drags, who would see it a frame later.
let slow = false;

function step(dt) {
  const begin = performance.now();
  onFrame(dt);
  slow = performance.now() - begin > 4;
}

// The chart gets the newest data once for each drawing, however often the program hands it over.
let chartData = null;
let chartWaits = false;

function chart(view) {
  const ids = view.ids.split("\n").filter(Boolean);
  let at = ids.length; // the lengths come first
  chartData = { option: view.option, ids, data: ids.map((_, i) => view.lines.subarray(at, at += view.lines[i])), count: JSON.parse(view.count) };
  setHighest(chartData.count.Max);
  placeQuestion();
  marks({ all: JSON.parse(view.marks), decisions: view.syncs, end: view.end, opening: { from: view.from, to: view.to }, key: view.key });
  if (dragging() && drawNow) { // in the frame of the pointer
    drawNow(chartData);
    placeNow();
    return;
  }
  if (chartWaits) return;
  chartWaits = true;
  chartModule.then((module) => draw(() => {
    chartWaits = false;
    timed(() => module.draw(chartData));
    resolveReady();
  }));
}

function mountChart(root) {
  mountOverlay(root.querySelector(".plot"), seek, (what, value) => onChart(what, value), (bound) => report("bound", bound), () => report("key", "onwards"));
  chartModule.then((module) => module.mount(root.querySelector(".chart-host")));
}

// mountEditor loads the editor when its drawer opens, which on most first visits it never does.
function mountEditor(root) {
  const host = root.querySelector(".editor-host");
  const opened = new ResizeObserver(() => {
    if (!host.offsetWidth) return;
    opened.disconnect();
    loadEditor(host);
  });
  opened.observe(host);
}

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
  });
}

onThemeChange(() => chartModule.then((module) => module.recolor()));

// A line of the prompt may apply the editor's text, so the program gets the latest text first.
function terminalReport(name, value) {
  editor?.flush();
  report(name, value);
}

window.rollplay = {
  ready,
  editorReady,
  listen,
  later: soon,
  frames,
  chart,
  cursor(...at) { cursor(...at); cardCursor(); },
  pods,
  podCard,
  terminal,
  focusTerminal,
  mountTerminal: (root) => mountTerminal(root, terminalReport, (what, value) => onAsk(what, value)),
  mountPods: (root, states) => mountPods(root, states, (name, value) => report(name, value)),
  loop,
  callout,
  notes: (json) => notes(JSON.parse(json)),
  mountChart,
  mountEditor,
  mountStrips: (root) => mountStrips(root, (record) => report("record", record), (workload) => report("workload", workload)),
  strips: (json) => strips(JSON.parse(json)),
  // present shows the figure alone, in large type.
  present(on) {
    if (on) {
      document.documentElement.dataset.presenting = "";
      document.activeElement?.blur();
    } else delete document.documentElement.dataset.presenting;
    chartModule.then((module) => module.recolor());
  },
  zoom: (how) => (how === "fit" ? fit() : zoomAround(how === "in" ? 0.5 : 2, cursorTime())),
  setTheme,
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
  giveWorkers: (id, text, missing) => giveWorkers(id, text, JSON.parse(missing)),
  endWorkers,
  state: () => onState(),
  seek: (ms) => report("seek", ms),
  span,
  chartOption: () => chartModule.then((module) => module.option()),
  reducedMotion: () => matchMedia("(prefers-reduced-motion: reduce)").matches,

  getText: () => (editor ? editor.getText() : editorText),
  // setText is what a person who types the text would do. It returns a promise: the program gets a long text in a task of its own.
  async setText(text) {
    window.rollplay.setEditorText(text);
    if (text.length >= long) await new Promise((done) => soon(done));
    report("text", text);
  },
  setEditorText(text) {
    editorText = text;
    editor?.setText(text);
  },
  flushEditor: () => editor?.flush(),
  setDiagnostics(json) {
    editorDiagnostics = JSON.parse(json) ?? [];
    editor?.setDiagnostics(editorDiagnostics);
  },
  gotoLine: (line, column) => editorReady.then(() => editor.gotoLine(line, column)),

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
  remove(key) { try { localStorage.removeItem(key); } catch { /* refused */ } },
  keys() {
    try { return Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i)).join("\n"); } catch { return ""; }
  },
  loadTab(key) { try { return sessionStorage.getItem(key) ?? ""; } catch { return ""; } },
  storeTab(key, value) { try { sessionStorage.setItem(key, value); } catch { /* full or refused */ } },
  forgets: () => Boolean(localStorage.forgets),
  newId: () => Array.from(crypto.getRandomValues(new Uint8Array(6)), (b) => b.toString(36)).join(""),

  language: () => navigator.language,
  showLang(lang, words) {
    document.documentElement.lang = lang;
    setWords(JSON.parse(words));
  },
  focusOn: (selector) => document.querySelector(selector)?.focus(),
  reveal: (selector) => requestAnimationFrame(() => document.querySelector(selector)?.scrollIntoView({ block: "nearest" })),
  // showChart brings the chart of a phone into the window, for the person who has just given a command below it. Whoever types stays.
  showChart() {
    if (!matchMedia("(max-width: 720px)").matches || document.activeElement?.closest("textarea, dialog")) return;
    const show = () => $("chart")?.scrollIntoView({ block: "nearest", behavior: "instant" });
    requestAnimationFrame(() => requestAnimationFrame(show)); // what the command adds is drawn then
  },
  closeMenus,
  wide: () => matchMedia("(min-width: 1680px)").matches,
  focusEditor: () => editorReady.then(() => editor.focus()),

  openDialog(id) {
    const d = document.getElementById(id);
    if (!d || d.open) return;
    const field = d.querySelector("[autofocus]");
    if (field) field.value = "";
    d.showModal();
  },
  dialogOpen: (id) => document.getElementById(id)?.open ?? false,
  closeDialog: (id) => document.getElementById(id)?.close(),

  // keepInView scrolls a list to its current row, inside the list alone and not while somebody reads in it.
  keepInView() {
    const box = document.querySelector(".tabpanel");
    if (box?.checkVisibility?.({ contentVisibilityAuto: true }) === false) return; // out of sight: its layout waits until it is seen
    const row = box?.querySelector('[aria-current="true"]');
    if (!row || box.matches(":hover, :focus-within")) return;
    const frame = box.getBoundingClientRect();
    const place = row.getBoundingClientRect();
    if (place.top < frame.top + 30 || place.bottom > frame.bottom - 10) {
      box.scrollTop += place.top - frame.top - frame.height / 2;
    }
  },
};
