import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { fit, follow, onSpan, part, setRun, span, stay, step, timeAt, zoom, zoomAround } from "./span.js";

let key = 0;
let changes = 0;
onSpan(() => changes++);

// A run of 100 s that opens with its first 20.
beforeEach(() => {
  setRun(100_000, { from: 0, to: 20_000 }, ++key);
  changes = 0;
});

test("a new scenario shows its opening", () => {
  assert.deepEqual(span(), { from: 0, to: 20_000 });
  fit();
  setRun(50_000, { from: 0, to: 10_000 }, ++key);
  assert.deepEqual(span(), { from: 0, to: 10_000 });
});

test("a choice holds while the run of its scenario grows", () => {
  fit();
  setRun(120_000, { from: 0, to: 20_000 }, key);
  assert.deepEqual(span(), { from: 0, to: 120_000 });
  stay();
  setRun(130_000, { from: 0, to: 30_000 }, key);
  assert.deepEqual(span(), { from: 0, to: 120_000 });
});

test("places and times are the inverse of each other inside the plot", () => {
  assert.equal(part(5_000), 0.25);
  assert.equal(timeAt(0.25), 5_000);
  assert.deepEqual([timeAt(-1), timeAt(2)], [0, 20_000]);
});

test("a zoom keeps its time in place, and stays within the run", () => {
  zoom(0.5, 10_000);
  assert.deepEqual(span(), { from: 5_000, to: 15_000 });
  assert.equal(part(10_000), 0.5);
  zoom(100, 10_000);
  assert.deepEqual(span(), { from: 0, to: 100_000 });
  zoom(0, 50_000);
  assert.deepEqual(span(), { from: 49_900, to: 50_100 }); // 200 ms are the least
});

test("the zoom of a button brings its time to a third of the plot", () => {
  zoomAround(0.5, 50_000);
  assert.equal(part(50_000).toFixed(3), "0.333");
});

test("the span follows a cursor that leaves it", () => {
  follow(10_000, true);
  assert.equal(changes, 0);
  follow(30_000, true);
  assert.deepEqual(span(), { from: 28_000, to: 48_000 });
});

test("the opening comes back with the cursor", () => {
  follow(30_000, true);
  follow(0, false);
  assert.deepEqual(span(), { from: 0, to: 20_000 });
});

test("listeners hear only of changes", () => {
  zoom(0.5, 10_000);
  zoom(1, 10_000);
  assert.equal(changes, 1);
});

test("ticks are round times, about eight of them", () => {
  for (const [length, want] of [[400, 50], [401, 100], [20_000, 5_000], [100_000, 15_000]]) {
    setRun(3_600_000, { from: 0, to: length }, ++key);
    assert.equal(step(), want, `${length} ms`);
  }
});
