import assert from "node:assert/strict";
import { before, test } from "node:test";
import { Text } from "@codemirror/state";
import { fieldNames } from "./fields.js";

const schema = {
  "x-kinds": { "rollplay/v1alpha1": ["Scenario"], "apps/v1": ["Deployment"] },
  $defs: {
    Scenario: { properties: { kind: {}, spec: { $ref: "#/$defs/Spec" } } },
    Spec: { properties: { seed: { "x-type": "number", description: "The seed." }, images: { items: { $ref: "#/$defs/Image" } }, draws: { enum: ["keyed", "ordered"] } } },
    Image: { properties: { match: {}, pull: {} } },
  },
};

before(() => {
  globalThis.document = { baseURI: "https://rollplay.example/", documentElement: { lang: "en" } };
  globalThis.fetch = async (url) => {
    assert.equal(String(url), "https://rollplay.example/schema/rollplay-v1alpha1.json");
    return { ok: true, json: async () => schema };
  };
});

// complete returns the labels offered at the bar.
async function complete(text, explicit = false) {
  const pos = text.indexOf("|");
  const doc = Text.of(text.replace("|", "").split("\n"));
  return (await fieldNames({ state: { doc }, pos, explicit }))?.options.map((o) => o.label) ?? null;
}

const deployment = "kind: Deployment\nspec:\n  replicas: 3\n  ";

test("a workload's spec and its pods' spec have different fields", async () => {
  const own = await complete(`${deployment}s|`);
  assert.ok(own.includes("strategy") && !own.includes("containers"));
  const pods = await complete(`${deployment}template:\n    spec:\n      c|`);
  assert.ok(pods.includes("containers") && !pods.includes("strategy"));
  assert.deepEqual(await complete(`${deployment}strategy:\n    rollingUpdate:\n      m|`), ["maxSurge", "maxUnavailable", "partition"]);
});

test("a scenario's fields come from the schema, also inside lists", async () => {
  assert.deepEqual(await complete("kind: Scenario\nspec:\n  s|"), ["seed", "images", "draws"]);
  assert.deepEqual(await complete("kind: Scenario\nspec:\n  images:\n  - m|"), ["match", "pull"]);
  assert.deepEqual(await complete("spec:\n  s|\nkind: Scenario"), ["seed", "images", "draws"]); // whatever the order of the keys
});

test("each document has its own kind", async () => {
  const names = await complete("kind: Scenario\n---\nkind: Deployment\nspec:\n  r|");
  assert.ok(names.includes("replicas") && !names.includes("seed"));
});

test("values come from the schema, or from Kubernetes' table", async () => {
  assert.deepEqual(await complete("kind: |"), ["Scenario", "Deployment"]);
  assert.deepEqual(await complete("kind: Scenario\nspec:\n  draws: k|"), ["keyed", "ordered"]);
  assert.deepEqual(await complete(`${deployment}paused: t|`), ["true", "false"]);
});

test("an empty line offers fields only on request", async () => {
  assert.equal(await complete("kind: Scenario\nspec:\n  |"), null);
  assert.deepEqual(await complete("kind: Scenario\nspec:\n  |", true), ["seed", "images", "draws"]);
});
