// @ts-check
// Starts the page: downloads and compiles the wasm while the modules load, then runs it. The build puts it
// after Go's wasm_exec.js and storage.js in one file.
"use strict";
(() => {
  if ("old" in document.documentElement.dataset) return; // see arrive.js
  const { wasm = "", size = "0", texts = "", offline, version, worker, first } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset;
  /** @param {string} id */
  const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const bar = /** @type {HTMLProgressElement} */ ($("loader-bar"));

  // The browser's memory of a person's visits, which ?reset clears. The theme and the language stay.
  const kept = /^rollplay\/(session$|unfinished$|start$|tab$|bar$|visit$|head\/|draft\/)/;

  const runs = /^rollplay\/(session$|visit$|draft\/)/; // those that hold a run
  /** @param {Storage} storage */
  const keysOf = (storage) => Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? "");

  // Deferred scripts and modules run in the order of the page, all before this event. By then the bundle has set window.rollplay, if it
  // could be loaded at all. In an embed they all load after a click.
  const modulesRan = window.rollplayModules ?? new Promise((done) => document.addEventListener("DOMContentLoaded", done, { once: true }));

  // go-app reads both storages when it starts. Inside a sandboxed frame, or where cookies are blocked, merely asking
  // for them throws; there the page remembers things until it is closed.
  for (const name of /** @type {const} */ (["localStorage", "sessionStorage"])) {
    let value;
    try {
      window[name].getItem("");
      value = patientStorage(window[name]);
    } catch {
      value = memoryStorage();
    }
    Object.defineProperty(window, name, { value, configurable: true });
  }

  if (new URLSearchParams(location.search).has("reset")) {
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of keysOf(storage)) if (kept.test(key)) storage.removeItem(key);
    }
    history.replaceState(null, "", location.pathname);
  }

  // go-app takes the prefix off the path before it looks for a route. The page is always the route "/", wherever the
  // site lies and whether or not the host shows the name index.html.
  /** @type {Record<string, string>} */
  const env = { GOAPP_ROOT_PREFIX: location.pathname.replace(/\/$/, "") };
  window.goappGetenv = (name) => env[name] ?? "";

  // The texts of the scenarios, except the first, which is part of the program. See app/browser/texts.go.
  /** @type {Promise<void> | null} */
  let loading = null;
  window.rollplayTexts = {
    all: null,
    load() {
      loading ??= fetchTexts().catch((err) => { loading = null; throw err; });
      return loading;
    },
  };

  async function fetchTexts() {
    const response = await fetch(texts);
    if (!response.ok) throw new Error(`the server answered ${response.status} for ${texts}`);
    window.rollplayTexts.all = await response.json();
  }

  // A link, or a run in this browser's storage, may be about any scenario. Any other visit starts without their texts. A Chinese page waits for
  // them, too, because they contain what it says; without them it speaks English.
  function textsFirst() {
    const fragment = window.rollplayEmbed ? JSON.parse(window.rollplayEmbed.options()).fragment : location.hash;
    const any = !/^(#|#s=first-rollout(&.*)?)?$/.test(fragment) || [localStorage, sessionStorage].some((storage) => keysOf(storage).some((key) => runs.test(key)));
    if (any) return window.rollplayTexts.load();
    return document.documentElement.lang === "zh" || fragment.includes("&lang=zh") ? window.rollplayTexts.load().catch(() => {}) : null;
  }

  // An embed has its reader's language; web/shell/arrive.js has chosen the playground's.
  /** @type {Record<string, string>} */
  const words = window.rollplayWords ?? JSON.parse($("loader").dataset.words ?? "{}")[document.documentElement.lang];
  let said = -1;
  tell(words.loading.replace("%d", "0"), 0);

  /**
   * tell shows the progress; a screen reader reads it at each quarter.
   * @param {string} text
   * @param {number} percent
   */
  function tell(text, percent) {
    $("app-wasm-loader-label").textContent = text;
    const quarter = Math.floor(percent / 25);
    if (quarter === said) return;
    said = quarter;
    $("loader-said").textContent = text;
  }

  // again offers to begin once more.
  function again() {
    if (document.getElementById("loader-again")) return;
    const button = Object.assign(document.createElement("button"), { id: "loader-again", type: "button", className: "button", textContent: words.again });
    button.addEventListener("click", () => location.reload());
    $("app-wasm-loader-label").after(button);
  }

  // A download may stop without an end: the page says so after some time, and continues by itself when the download does.
  const stall = 20000; // ms
  let stalled = 0;
  function watchStall() {
    clearTimeout(stalled);
    stalled = setTimeout(() => {
      const text = words.waits.replace("%d", String(bar.value));
      $("app-wasm-loader-label").textContent = $("loader-said").textContent = text;
      $("loader").dataset.state = "waits";
      again();
    }, stall);
  }

  /** @param {number} loaded bytes */
  function showProgress(loaded) {
    const percent = Math.min(100, Math.floor((100 * loaded) / Number(size)));
    if (bar.hidden || bar.value === percent) return; // after a failure its words stay
    bar.value = percent;
    tell(percent < 100 ? words.loading.replace("%d", String(percent)) : words.starting, percent);
  }

  /**
   * @param {string} title
   * @param {string} detail
   */
  function showFailure(title, detail) {
    clearTimeout(stalled);
    $("loader").dataset.state = "failed";
    delete document.documentElement.dataset.below;
    $("loader").hidden = false;
    bar.hidden = true;
    $("loader-title").textContent = title;
    $("app-wasm-loader-label").textContent = detail;
    $("loader-said").textContent = `${title} ${detail}`;
    const reset = document.getElementById("loader-reset"); // an embed has no reset, because it keeps nothing
    if (!reset?.firstElementChild) return;
    reset.firstElementChild.textContent = words.reset;
    reset.hidden = false;
  }

  /** @param {number} loaded bytes */
  function got(loaded) {
    watchStall();
    if ($("loader").dataset.state === "waits") $("loader").dataset.state = "loading";
    showProgress(loaded);
  }

  // A worker starts while the page is painted. A frame without an origin may have none.
  const compiler = (() => {
    try {
      return worker && !window.rollplayEmbed ? new Worker(worker) : null;
    } catch {
      return null;
    }
  })();

  /**
   * compiled is the program, from the worker. If that does not start, the page does its work.
   * @returns {Promise<WebAssembly.Module>}
   */
  function compiled() {
    if (!compiler) return loadProgram(wasm, got);
    return new Promise((done, fail) => {
      compiler.onerror = (e) => { e.preventDefault(); done(loadProgram(wasm, got)); };
      compiler.onmessage = ({ data }) => {
        if (typeof data === "number") got(data);
        else if (typeof data === "string") fail(new Error(data));
        else done(data);
      };
      compiler.postMessage(wasm); // relative to the page, beside which the worker lies
    });
  }

  /** @param {Go} go */
  async function download(go) {
    watchStall();
    const module = await compiled().finally(() => compiler?.terminate());
    window.rollplayProgram = { module, worker }; // for web/src/workers.js
    const instance = await WebAssembly.instantiate(module, go.importObject);
    await new Promise((done) => setTimeout(done)); // the program's first task does not begin within that of the instance
    return instance;
  }

  async function start() {
    if (typeof WebAssembly !== "object" || !WebAssembly.compileStreaming) {
      showFailure(words.cannot, words["cannot-why"]);
      return;
    }
    const go = new Go();
    let instance;
    await painted();
    try {
      [instance] = await Promise.all([download(go), modulesRan, textsFirst()]);
      if (!window.rollplay) throw new Error([words.missing, document.documentElement.dataset.lost].filter(Boolean).join(": "));
      clearTimeout(stalled);
    } catch (err) {
      again();
      showFailure(words.failed, words["failed-why"].replace("%s", () => (err instanceof Error ? err.message : String(err))));
      return;
    }
    await run(go, instance);
  }

  // painted waits until the words and the page are on the screen: the download would compete with them, and the program keeps the
  // thread for a while. A tab in the background draws nothing.
  const paintMax = 1000; // ms
  function painted() {
    if (window.rollplayEmbed || document.hidden) return null;
    const drawn = new Promise((/** @type {(value?: unknown) => void} */ done) => requestAnimationFrame(() => setTimeout(done)));
    return Promise.race([drawn, new Promise((done) => setTimeout(done, paintMax))]);
  }

  // Of a first visit the page is there before the program, which continues at its moment; see web/src/first.js.
  /** @type {import("../src/page").First | null} */
  let page = null;
  async function move() {
    page = await (await import(`./${first}`)).begin();
  }

  /** @type {(() => void) | null} */
  let leave = null;
  let moment = 0; // virtual ms, at which the program continues
  window.rollplayArrived = (report) => {
    if (!page) return;
    const { t, playing, touched } = page.stop();
    report("arrive", `${t} ${touched}`);
    moment = t;
    leave = () => {
      if (playing) report("key", "play");
      page?.leave(report);
    };
  };

  /**
   * run mounts the page below the loader. An attribute hides it there: a selector that looks at the loader costs half of all frames.
   * @param {Go} go
   * @param {WebAssembly.Instance} instance
   */
  async function run(go, instance) {
    let detail = words["stopped-where"];
    if (!window.rollplayEmbed) document.documentElement.dataset.below = "";
    try {
      window.rollplayMounted = () => (window.rollplayEmbed ? show() : setTimeout(show, page ? 10 * opening : opening));
      window.rollplayOpened = show;
      const stopped = go.run(instance);
      await stopped;
    } catch (err) {
      detail = String(err);
      console.error(err);
    }
    again();
    showFailure(words.stopped, words["stopped-why"].replace("%s", () => detail));
  }

  // show takes the loader away when the program has drawn its first run below it, or when that takes long: so nobody sees how the page grows.
  // A page that plays may stand there for longer.
  const opening = 2000; // ms
  let shown = false;
  function show() {
    if (shown) return;
    shown = true;
    if (page) follow(frames);
    else uncover();
  }

  // follow waits until the program has drawn the moment of the page.
  const frames = 90;
  /** @param {number} left */
  function follow(left) {
    const { t, late } = /** @type {{ t: number, late: boolean }} */ (window.rollplay.state());
    const behind = t !== moment || late || document.querySelector('body > :first-child .status-line[aria-busy="true"]');
    if (left > 0 && behind) requestAnimationFrame(() => follow(left - 1));
    else requestAnimationFrame(() => requestAnimationFrame(uncover));
  }

  /**
   * anew lays an element out anew: browsers remember where things stood while they were hidden, and would count that they have moved.
   * @param {HTMLElement} e
   */
  function anew(e) {
    e.style.display = "none";
    void e.offsetWidth;
    e.style.display = "";
  }

  function uncover() {
    if ($("loader").dataset.state !== "failed") $("loader").hidden = true;
    delete document.documentElement.dataset.below;
    if (page) anew(/** @type {HTMLElement} */ (document.body.firstElementChild));
    if (leave) {
      scrollTo(0, $("loader").scrollTop);
      leave();
    }
    document.querySelector(".arrive-page")?.remove();
    page = null;
    if (offline && window.top === window) (window.requestIdleCallback ?? setTimeout)(afterwards);
  }

  // afterwards comes when all else is done. Without the texts the page asks for them again when it needs one.
  function afterwards() {
    window.rollplayTexts.load().catch(() => {}).then(keepOffline);
  }

  // In a frame there is nothing to keep: the page around is not ours.
  function keepOffline() {
    import(`./${offline}`).then((module) => module.keep(version)).catch((err) => console.info("rollplay cannot be kept for offline use:", err));
  }

  if ("first" in document.documentElement.dataset) move().catch((err) => console.info("the page stands still:", err));
  start();
})();
