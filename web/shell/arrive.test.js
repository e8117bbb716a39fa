import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeStorage, load } from "./testing/load.js";

// arrive returns the attributes that the script sets for a visit.
function arrive({ hash = "", stored = {}, language = "en-GB", dark = false, refused = false, supports = () => true } = {}) {
  const root = { dataset: {}, lang: "" };
  const globals = { document: { documentElement: root }, location: { hash }, navigator: { language }, matchMedia: () => ({ matches: dark }), addEventListener() {} };
  globals.CSS = { supports };
  globals.document.addEventListener = () => {};
  if (!refused) globals.localStorage = fakeStorage(stored);
  load(["arrive.js"], globals);
  return { ...root.dataset, lang: root.lang };
}

test("a first visit sees the first scenario in its language and theme", () => {
  assert.deepEqual(arrive(), { theme: "system", poster: "en-light", lang: "en" });
  assert.deepEqual(arrive({ language: "zh-CN", dark: true }), { theme: "system", poster: "zh-dark", lang: "zh" });
});

test("choices of an earlier visit count more than the system's", () => {
  const stored = { "rollplay/theme": "dark", "rollplay/lang": "zh" };
  assert.deepEqual(arrive({ stored }), { theme: "dark", poster: "zh-dark", lang: "zh" });
  assert.equal(arrive({ stored: { "rollplay/theme": "pink" }, dark: true }).poster, "en-dark");
  assert.equal(arrive({ stored: { "rollplay/theme": "light" }, dark: true }).poster, "en-light");
});

test("a link to the first scenario has the picture, also in another language", () => {
  assert.deepEqual(arrive({ hash: "#s=first-rollout&lang=zh", stored: { "rollplay/session": "{}" } }), { theme: "system", poster: "zh-light", lang: "zh" });
});

test("there is no picture where the program shows another run", () => {
  for (const visit of [{ hash: "#s=surge-100" }, { hash: "#1.rabc" }, { stored: { "rollplay/session": "{}" } }, { stored: { "rollplay/draft/1": "" } }]) {
    assert.equal(arrive(visit).poster, undefined, JSON.stringify(visit));
  }
  assert.equal(arrive({ stored: { "rollplay/sizes": "{}" } }).poster, "en-light");
});

test("a refused storage is an empty one", () => assert.equal(arrive({ refused: true }).poster, "en-light"));

test("a browser without the colours or the selectors is too old", () => {
  assert.equal(arrive({ supports: (what) => !what.includes("light-dark") }).old, "");
  assert.equal(arrive({ supports: (what) => !what.includes(":has") }).old, "");
  assert.equal(arrive().old, undefined);
});
