import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeStorage, load } from "./testing/load.js";

// arrive returns the attributes that the script sets for a visit.
function arrive({ hash = "", stored = {}, language = "en-GB", dark = false, refused = false, supports = () => true } = {}) {
  const root = { dataset: {}, lang: "" };
  const globals = { document: { documentElement: root }, location: { hash }, navigator: { language }, matchMedia: () => ({ matches: dark }), addEventListener() {} };
  globals.CSS = { supports };
  globals.document.addEventListener = () => {};
  const pictures = {};
  globals.document.querySelector = (selector) => pictures[selector] ??= { dataset: { src: `data:${selector}` } };
  let read = () => {}, reading = false;
  globals.MutationObserver = class {
    constructor(heard) { read = heard; }
    observe() { reading = true; }
    disconnect() { reading = false; }
  };
  if (!refused) globals.localStorage = fakeStorage(stored);
  load(["arrive.js"], globals);
  const waits = reading;
  read();
  return { ...root.dataset, lang: root.lang, sources: Object.values(pictures).map((p) => p.src), waits, done: !reading };
}

// choice is what the page looks like.
function choice(visit) {
  const { theme, poster, lang } = arrive(visit);
  return { theme, poster, lang };
}

test("a first visit sees the first scenario in its language and theme", () => {
  assert.deepEqual(choice(), { theme: "system", poster: "en-light", lang: "en" });
  assert.deepEqual(choice({ language: "zh-CN", dark: true }), { theme: "system", poster: "zh-dark", lang: "zh" });
});

test("choices of an earlier visit count more than the system's", () => {
  const stored = { "rollplay/theme": "dark", "rollplay/lang": "zh" };
  assert.deepEqual(choice({ stored }), { theme: "dark", poster: "zh-dark", lang: "zh" });
  assert.equal(arrive({ stored: { "rollplay/theme": "pink" }, dark: true }).poster, "en-dark");
  assert.equal(arrive({ stored: { "rollplay/theme": "light" }, dark: true }).poster, "en-light");
});

test("a link to the first scenario has the picture, also in another language", () => {
  assert.deepEqual(choice({ hash: "#s=first-rollout&lang=zh", stored: { "rollplay/session": "{}" } }), { theme: "system", poster: "zh-light", lang: "zh" });
});

test("there is no picture where the program shows another run", () => {
  for (const visit of [{ hash: "#s=surge-100" }, { hash: "#1.rabc" }, { stored: { "rollplay/session": "{}" } }, { stored: { "rollplay/draft/1": "" } }]) {
    assert.equal(arrive(visit).poster, undefined, JSON.stringify(visit));
  }
  assert.equal(arrive({ stored: { "rollplay/sizes": "{}" } }).poster, "en-light");
});

test("only the chosen picture gets its source, once the browser has read it", () => {
  const { sources, waits, done } = arrive({ language: "zh", dark: true });
  assert.deepEqual({ sources, waits, done }, { sources: ["data:img.arrive-zh-dark"], waits: true, done: true });
  assert.equal(arrive({ hash: "#s=surge-100" }).waits, false);
});

test("a refused storage is an empty one", () => assert.equal(arrive({ refused: true }).poster, "en-light"));

test("a browser without the colours or the selectors is too old", () => {
  assert.equal(arrive({ supports: (what) => !what.includes("light-dark") }).old, "");
  assert.equal(arrive({ supports: (what) => !what.includes(":has") }).old, "");
  assert.equal(arrive().old, undefined);
});
