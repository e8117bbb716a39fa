import assert from "node:assert/strict";
import { test } from "node:test";
import { outline, patternFor, stacked } from "./sketch.js";

test("a stacked line lies on those below it, and other lines do not", () => {
  const series = [{ stack: "pods" }, {}, { stack: "pods" }, { stack: "other" }];
  const data = [[0, 2, 10, 3], [0, 9, 10, 9], [0, 1, 10, 4], [0, 5]];
  const layers = stacked(series, data);
  assert.deepEqual(layers.map(({ high }) => [...high]), [[0, 2, 10, 3], [0, 9, 10, 9], [0, 3, 10, 7], [0, 5]]);
  assert.equal(layers[2].low, layers[0].high);
  assert.equal(layers[3].low, undefined);
});

test("a step keeps its count until the next time", () => {
  const same = (v) => v;
  assert.deepEqual(outline([0, 1, 10, 3], same, same, "end"), [[0, 1], [10, 1], [10, 3]]);
  assert.deepEqual(outline([0, 1, 10, 3], same, same), [[0, 1], [10, 3]]);
  assert.deepEqual(outline([], same, same, "end"), []);
});

test("a line that goes up and down more than twice is solid", () => {
  assert.equal(patternFor("dashed", [0, 0, 1, 10, 2, 0, 3, 10, 4, 0], 10), "dashed"); // 40 = 4 × 10
  assert.equal(patternFor("dashed", [0, 0, 1, 10, 2, 0, 3, 10, 4, 0, 5, 1], 10), "solid");
});
