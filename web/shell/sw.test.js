import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./testing/load.js";

const site = "https://rollplay.example/play/";
const prelude = {
  version: "v2", files: [["./", ""], ["main-ABCDEFGH.js", "sha256-x"]],
  words: { en: { title: "Not here", text: "Offline.", link: "Playground" }, zh: { title: "无", text: "离线", link: "返回" } },
};

// worker runs the script with caches and a network: address → text; undefined is no connection.
function worker({ network = {}, cached = {}, windows = 1 } = {}) {
  const stores = new Map(Object.entries(cached).map(([name, all]) => [name, new Map(Object.entries(all))]));
  const on = {}, skipped = [], requested = [];
  const open = async (name) => {
    if (!stores.has(name)) stores.set(name, new Map());
    const store = stores.get(name);
    return {
      addAll: async (all) => all.forEach((r) => store.set(r.url, "added")),
      put: async (url, r) => store.set(url, await r.text()),
      keys: async () => [...store.keys()],
      delete: async (url) => store.delete(url),
    };
  };
  load(["sw.js"], {
    ...prelude, location: new URL("sw.js", site), navigator: { language: "en" }, addEventListener: (type, f) => { on[type] = f; },
    Request: class { constructor(url) { this.url = new URL(url, site).href; } },
    caches: {
      open, keys: async () => [...stores.keys()], delete: async (name) => stores.delete(name),
      match: async (url, { cacheName }) => (stores.get(cacheName)?.has(url) ? new Response(stores.get(cacheName).get(url)) : undefined),
    },
    async fetch(request) {
      const url = request.url ?? request;
      requested.push(url);
      if (network[url] === undefined) throw new TypeError("no connection");
      return network[url] === 500 ? new Response("", { status: 500 }) : new Response(network[url]);
    },
    clients: { matchAll: async () => Array(windows) }, skipWaiting: async () => { skipped.push(1); },
  });
  return {
    stores, skipped, requested,
    // send fires an event and waits for all that it began; the result is the text of the answer, undefined where the browser answers.
    async send(type, event) {
      const work = [];
      let answer;
      on[type]({ ...event, waitUntil: (p) => work.push(p), respondWith: (p) => { answer = p; } });
      const text = answer && await (await answer).text();
      await Promise.all(work);
      return text;
    },
    get(url, mode = "navigate", method = "GET") { return this.send("fetch", { request: { url, mode, method } }); },
  };
}

const own = `rollplay ${site} v2`, visited = `rollplay ${site} visited`;

test("an update deletes this site's older caches, and no others", async () => {
  const w = worker({ cached: { [`rollplay ${site} v1`]: {}, [own]: {}, [visited]: {}, "rollplay https://rollplay.example/other/ v1": {}, foreign: {} } });
  await w.send("activate", {});
  assert.deepEqual([...w.stores.keys()], [own, visited, "rollplay https://rollplay.example/other/ v1", "foreign"]);
});

test("the published page comes first, and the cached page without a connection", async () => {
  const cached = { [own]: { [site]: "cached" } };
  assert.equal(await worker({ cached, network: { [site]: "published" } }).get(site), "published");
  assert.equal(await worker({ cached }).get(site), "cached");
  assert.equal(await worker({ cached, network: { [site]: 500 } }).get(site), "cached");
});

test("a page whose files are missing is not taken", async () => {
  const cached = { [own]: { [site]: "cached" } };
  const page = `<script src="main-22222222.js"></script><script src="main-ABCDEFGH.js"></script>`;
  const broken = worker({ cached, network: { [site]: page } });
  assert.equal(await broken.get(site), "cached");
  assert.deepEqual(broken.requested, [site, `${site}main-22222222.js`]); // its own file needs no request
  assert.equal(await worker({ cached, network: { [site]: page, [`${site}main-22222222.js`]: "" } }).get(site), page);
});

test("files of this version come from the cache", async () => {
  const url = `${site}main-ABCDEFGH.js`;
  const w = worker({ cached: { [own]: { [url]: "cached" } } });
  assert.equal(await w.get(url, "no-cors"), "cached");
  assert.deepEqual(w.requested, []);
});

test("visited pages are kept, and others have a page that says so", async () => {
  const url = `${site}scenarios/`;
  const w = worker({ network: { [url]: "gallery" } });
  assert.equal(await w.get(url), "gallery");
  assert.equal(w.stores.get(visited).get(url), "gallery");
  assert.equal(await worker({ cached: { [visited]: { [url]: "gallery" } } }).get(url), "gallery");
  assert.match(await worker().get(url), /<h1>Not here<\/h1>.*href="https:\/\/rollplay\.example\/play\/">Playground/);
});

test("the cache keeps the last 200 visited pages", async () => {
  const old = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`${site}s/${i}/`, ""]));
  const w = worker({ network: { [`${site}s/new/`]: "new" }, cached: { [visited]: old } });
  await w.get(`${site}s/new/`);
  const kept = [...w.stores.get(visited).keys()];
  assert.deepEqual([kept.length, kept[0], kept.at(-1)], [200, `${site}s/1/`, `${site}s/new/`]);
});

test("other requests are the browser's", async () => {
  for (const [url, mode, method] of [["https://other.example/s/", "navigate"], [site, "navigate", "POST"], [`${site}licenses.txt`, "no-cors"]]) {
    assert.equal(await worker().get(url, mode, method), undefined, url);
  }
});

test("a page of another version hears of the new one; this version's only window takes it", async () => {
  const hear = async (data, windows) => {
    const told = [];
    const w = worker({ windows });
    await w.send("message", { data, source: { postMessage: (m) => told.push(m) } });
    return [told, w.skipped.length];
  };
  assert.deepEqual(await hear({ page: "v1" }, 1), [["new version"], 0]);
  assert.deepEqual(await hear({ page: "v2" }, 1), [[], 1]);
  assert.deepEqual(await hear({ page: "v2" }, 2), [[], 0]);
  assert.deepEqual(await hear("activate", 2), [[], 1]);
});
