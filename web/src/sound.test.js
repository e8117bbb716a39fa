import assert from "node:assert/strict";
import { test } from "node:test";
import { countAt, heard } from "./sound.js";

const data = { ids: ["lower", "total", "available"], count: { Max: 20 }, data: [[0, 8], [0, 10, 1000, 13], [0, 10, 1000, 8, 1500, 9]].map((a) => new Float64Array(a)) };
const marks = [{ kind: "command", t: 1000 }, { kind: "violation", t: 1500 }];
const sounds = (from, to) => {
  const { tones, click } = heard(data, marks, from, to);
  return { tones: tones.map(Math.round), click };
};

test("a line has a count from its first moment on", () => {
  const line = new Float64Array([100, 3, 200, 5]);
  assert.deepEqual([0, 100, 199, 200, 999].map((t) => countAt(line, t)), [undefined, 3, 3, 5, 5]);
});

test("what changes is heard, and a command clicks", () => {
  assert.deepEqual(sounds(0, 900), { tones: [], click: false });
  assert.deepEqual(sounds(990, 1000), { tones: [773, 233], click: true });
  assert.deepEqual(sounds(1000, 1499), { tones: [], click: false });
  assert.deepEqual(sounds(1400, 1600), { tones: [244], click: false });
});

test("more pods are a higher tone, and available is always lower than total", () => {
  const at = (n, of) => heard({ ...data, ids: [of], data: [new Float64Array([0, -1, 5, n])] }, [], 0, 10).tones[0];
  for (let n = 1; n <= 30; n++) {
    assert.ok(n > 20 || at(n, "total") > at(n - 1, "total"), n);
    assert.ok(at(n, "available") < at(0, "total"), n);
  }
});

test("a jump is silent, and so is the way back", () => {
  assert.deepEqual(sounds(0, 9000), { tones: [], click: false });
  assert.deepEqual(sounds(1100, 900), { tones: [], click: false });
});
