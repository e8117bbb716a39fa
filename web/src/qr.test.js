import assert from "node:assert/strict";
import { test } from "node:test";
import { drawCode } from "./qr.js";

test("a code has a border of four modules and three finders", () => {
  const { size, path } = drawCode("https://rollplay.example/#s=first-rollout");
  const dark = new Set([...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x} ${y}`));
  assert.equal(path.length, [...dark].reduce((sum, at) => sum + `M${at}h1v1h-1z`.length, 0)); // and nothing else
  for (const at of dark) {
    const [x, y] = at.split(" ").map(Number);
    assert.ok(x >= 4 && y >= 4 && x < size - 4 && y < size - 4, at);
  }
  for (const [x, y] of [[4, 4], [size - 11, 4], [4, size - 11]]) {
    for (let i = 0; i < 7; i++) assert.ok(dark.has(`${x + i} ${y}`) && dark.has(`${x} ${y + i}`), `the finder at ${x} ${y}`);
    assert.ok(!dark.has(`${x + 1} ${y + 1}`));
  }
});

test("a long text gets less correction, so that its code stays smaller", () => {
  assert.ok(drawCode("a".repeat(401)).size < drawCode("a".repeat(400)).size);
});
