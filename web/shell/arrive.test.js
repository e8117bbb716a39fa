import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeStorage, load } from "./testing/load.js";

// arrive returns the attributes that the script sets for a visit, what it asks for, and the page that it puts into the loader.
function arrive({ hash = "", stored = {}, language = "en-GB", refused = false, supports = () => true, whole = true } = {}) {
  const root = { dataset: {}, lang: "" }, asked = [], pages = [];
  const made = (tag) => ({ tag, dataset: {}, append(content) { this.content = content; } });
  const template = (selector) => ({
    dataset: { script: `views of ${selector}` }, nextElementSibling: whole ? {} : null, content: { cloneNode: () => selector }, before: (page) => pages.push(page),
  });
  const document = {
    documentElement: root, addEventListener() {}, createElement: made, head: { append: (...links) => asked.push(...links.map((l) => l.href)) },
    currentScript: { dataset: { first: "first.js", en: "first-en.json", zh: "first-zh.json" } }, querySelector: template,
  };
  let read = () => {}, reading = false;
  const globals = { document, location: { hash }, navigator: { language }, matchMedia: () => ({ matches: false }), addEventListener() {}, CSS: { supports } };
  globals.MutationObserver = class {
    constructor(heard) { read = heard; }
    observe() { reading = true; }
    disconnect() { reading = false; }
  };
  if (!refused) globals.localStorage = fakeStorage(stored);
  load(["arrive.js"], globals);
  const waits = reading;
  read();
  return { ...root.dataset, lang: root.lang, asked, pages, waits, done: !reading };
}

// choice is what the page looks like.
function choice(visit) {
  const { theme, first, lang } = arrive(visit);
  return { theme, first, lang };
}

test("a first visit sees the first scenario in its language", () => {
  assert.deepEqual(choice(), { theme: "system", first: "visit", lang: "en" });
  assert.deepEqual(choice({ language: "zh-CN" }), { theme: "system", first: "visit", lang: "zh" });
});

test("choices of an earlier visit count more than the system's", () => {
  assert.deepEqual(choice({ stored: { "rollplay/theme": "dark", "rollplay/lang": "zh" } }), { theme: "dark", first: "visit", lang: "zh" });
  assert.equal(arrive({ stored: { "rollplay/theme": "pink" } }).theme, "system");
});

test("a link to the first scenario has its page, also in another language", () => {
  assert.deepEqual(choice({ hash: "#s=first-rollout&lang=zh", stored: { "rollplay/session": "{}" } }), { theme: "system", first: "link", lang: "zh" });
});

test("there is no page where the program shows another run", () => {
  for (const visit of [{ hash: "#s=surge-100" }, { hash: "#1.rabc" }, { stored: { "rollplay/session": "{}" } }, { stored: { "rollplay/draft/1": "" } }]) {
    const { first, asked, waits } = arrive(visit);
    assert.deepEqual({ first, asked, waits }, { first: undefined, asked: [], waits: false }, JSON.stringify(visit));
  }
  assert.equal(arrive({ stored: { "rollplay/sizes": "{}" } }).first, "visit");
});

test("the page of one language is asked for, and drawn once the browser has read all of it", () => {
  const { asked, pages, waits, done } = arrive({ language: "zh" });
  assert.deepEqual({ asked, waits, done }, { asked: ["first.js", "first-zh.json"], waits: true, done: true });
  assert.deepEqual(pages.map((p) => [p.className, p.content, p.dataset.script]), [["arrive-page", "template.arrive-zh", "views of template.arrive-zh"]]);
  const early = arrive({ whole: false });
  assert.deepEqual([early.pages, early.done], [[], false]);
});

test("a refused storage is an empty one", () => assert.equal(arrive({ refused: true }).first, "visit"));

test("a browser without the colours or the selectors is too old", () => {
  assert.equal(arrive({ supports: (what) => !what.includes("light-dark") }).old, "");
  assert.equal(arrive({ supports: (what) => !what.includes(":has") }).old, "");
  assert.equal(arrive().old, undefined);
});
