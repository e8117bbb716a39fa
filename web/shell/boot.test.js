import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeStorage, load } from "./testing/load.js";

const words = { loading: "Loading %d %", starting: "Starting", failed: "Failed", "failed-why": "Because %s", reset: "Reset", cannot: "Old", "cannot-why": "Update", missing: "A script is missing", again: "Again", waits: "Stopped at %d %" };

// boot runs the script for a visit until the program runs or the page shows why it does not.
async function boot({ hash = "", search = "", stored = {}, lang = "en", network = {}, page = {}, wasm = true, Worker } = {}) {
  const elements = {}, requested = [];
  const element = (id) => elements[id] ??= { dataset: {}, textContent: "", value: 0, hidden: false, firstElementChild: { textContent: "" }, after: (e) => { elements[e.id] = e; } };
  element("loader").dataset.words = JSON.stringify({ en: words, zh: words });
  let ended;
  const end = new Promise((done) => { ended = done; });
  Object.defineProperty(element("loader").dataset, "state", { set: ended }); // "failed"
  const context = load(["storage.js", "program.js", "boot.js"], {
    document: {
      currentScript: { dataset: { worker: "worker.js", wasm: "app.wasm", size: "100", texts: "texts.json", version: "v1" } }, documentElement: { lang, dataset: {} },
      getElementById: (id) => (id === "loader-again" ? elements[id] ?? null : element(id)), createElement: () => ({ addEventListener: () => {} }), querySelectorAll: () => [], hidden: true, addEventListener: (type, done) => done(),
    },
    location: { hash, search, pathname: "/play/" }, history: { replaceState: () => {} }, setTimeout: (f, ms) => { if (!ms) setImmediate(f); }, clearTimeout: () => {}, TransformStream,
    localStorage: fakeStorage(stored), sessionStorage: fakeStorage(),
    rollplay: page, Worker,
    async fetch(url) {
      requested.push(url);
      return network[url] ? new Response("", { status: network[url] }) : new Response(url === "texts.json" ? "{}" : "x".repeat(100));
    },
    WebAssembly: wasm && { compileStreaming: async (response) => { await response.text(); return {}; }, instantiate: async () => ({}) },
    Go: class {
      importObject = {};
      run() { ended("runs"); return new Promise(() => {}); }
    },
  });
  const state = await end;
  await new Promise(setImmediate); // what is under way ends
  return { state, requested, elements, context };
}

test("a first visit runs without the texts of the scenarios", async () => {
  const { state, requested, elements } = await boot();
  assert.equal(state, "runs");
  assert.deepEqual(requested, ["app.wasm"]);
  assert.equal(elements["loader-bar"].value, 100);
  assert.equal(elements["app-wasm-loader-label"].textContent, "Starting");
});

test("a link, a stored run and Chinese need the texts", async () => {
  for (const visit of [{ hash: "#s=surge-100" }, { hash: "#1.rabc" }, { stored: { "rollplay/session": "{}" } }, { stored: { "rollplay/draft/1": "" } }, { lang: "zh" }, { hash: "#s=first-rollout&lang=zh" }]) {
    assert.deepEqual((await boot(visit)).requested, ["app.wasm", "texts.json"], JSON.stringify(visit));
  }
  for (const visit of [{ hash: "#s=first-rollout" }, { hash: "#s=first-rollout&lang=en" }, { stored: { "rollplay/theme": "dark" } }]) {
    assert.deepEqual((await boot(visit)).requested, ["app.wasm"], JSON.stringify(visit));
  }
});

test("Chinese works without the texts, a link does not", async () => {
  assert.equal((await boot({ lang: "zh", network: { "texts.json": 503 } })).state, "runs");
  const { state, elements } = await boot({ hash: "#s=surge-100", network: { "texts.json": 503 } });
  assert.equal(state, "failed");
  assert.equal(elements["app-wasm-loader-label"].textContent, "Because the server answered 503 for texts.json");
});

test("a failure says why, and offers a reset", async () => {
  const { state, elements } = await boot({ network: { "app.wasm": 404 } });
  assert.equal(state, "failed");
  assert.equal(elements["loader-title"].textContent, "Failed");
  assert.equal(elements["app-wasm-loader-label"].textContent, "Because the server answered 404 for app.wasm");
  assert.equal(elements["loader-reset"].firstElementChild.textContent, "Reset");
  assert.equal(elements["loader-again"].textContent, "Again");
  assert.equal((await boot({ page: null })).elements["app-wasm-loader-label"].textContent, "Because A script is missing");
  assert.equal((await boot({ wasm: false })).elements["loader-title"].textContent, "Old");
});

test("?reset clears the runs, and keeps theme and language", async () => {
  const stored = { "rollplay/session": "{}", "rollplay/draft/1": "", "rollplay/head/1": "", "rollplay/theme": "dark", "rollplay/lang": "zh", other: "1" };
  const { context } = await boot({ search: "?reset", stored });
  assert.deepEqual(["rollplay/session", "rollplay/draft/1", "rollplay/head/1", "rollplay/theme", "rollplay/lang", "other"].map((k) => context.localStorage.getItem(k)), [null, null, null, "dark", "zh", "1"]);
});

test("the program finds the page at its route wherever the site is", async () => {
  const { context } = await boot();
  assert.equal(context.goappGetenv("GOAPP_ROOT_PREFIX"), "/play");
  assert.equal(context.goappGetenv("OTHER"), "");
});

// worker is a class of workers that answer the page's first message with these messages, or fail.
const worker = (...answers) => class {
  static ended = 0;
  constructor(address) { this.address = address; }
  postMessage(program) {
    assert.deepEqual([this.address, program], ["worker.js", "app.wasm"]);
    setImmediate(() => {
      if (answers.length === 0) this.onerror({ preventDefault() {} });
      for (const data of answers) this.onmessage({ data });
    });
  }
  terminate() { this.constructor.ended++; }
};

test("a worker downloads and compiles the program", async () => {
  const Worker = worker(40, 100, {});
  const { state, requested, elements } = await boot({ Worker });
  assert.deepEqual({ state, requested, ended: Worker.ended }, { state: "runs", requested: [], ended: 1 });
  assert.equal(elements["loader-bar"].value, 100);
});

test("without a worker the page does it", async () => {
  const { state, requested } = await boot({ Worker: worker() });
  assert.deepEqual({ state, requested }, { state: "runs", requested: ["app.wasm"] });
});

test("a worker's failure is the page's", async () => {
  const { state, elements } = await boot({ Worker: worker("the server answered 404 for app.wasm") });
  assert.deepEqual([state, elements["app-wasm-loader-label"].textContent], ["failed", "Because the server answered 404 for app.wasm"]);
});
