import assert from "node:assert/strict";
import { test } from "node:test";
import { load, options } from "./element.js";
import remarkRollplay from "./remark.js";

const fence = (meta) => ({ type: "code", lang: "rollplay", meta, value: "kind: Deployment" });
const attributes = (node) => Object.fromEntries(node.attributes.map(({ name, value }) => [name, value]));

test("a fence becomes an embed above a block of YAML, also inside a list", () => {
  const tree = { type: "root", children: [{ type: "list", children: [{ type: "listItem", children: [fence(null)] }] }, { type: "code", lang: "yaml", value: "a: b" }] };
  remarkRollplay()(tree);
  const [embed, block] = tree.children[0].children[0].children;
  assert.equal(embed.name, "rollplay-embed");
  assert.deepEqual(attributes(embed), { yaml: "kind: Deployment" });
  assert.deepEqual([block.type, block.lang, block.value], ["code", "yaml", "kind: Deployment"]);
  assert.equal(tree.children.length, 2);
});

test("options stand behind the language, and others are left out", () => {
  const tree = { type: "root", children: [fence(`panels="why, pods" height=480 title='a "b"' autoplay onclick="x" {1,3} yaml="z"`)] };
  remarkRollplay()(tree);
  assert.deepEqual(attributes(tree.children[0]), { yaml: "kind: Deployment", panels: "why, pods", height: "480", title: 'a "b"', autoplay: "" });
});

test("on a server nothing is loaded", () => {
  assert.equal(load("https://rollplay.example/"), undefined);
  assert.ok(options.includes("panels") && !options.includes("yaml"));
});
