import assert from "node:assert/strict";
import { test } from "node:test";
import * as plot from "./plot.js";

test("the room at the right has the names of the lines only on a wide chart", () => {
  plot.measure(671, 600, 200); // 671 - 40 - 112 = 519 px are too few
  assert.equal(plot.plotRight(), 18);
  plot.measure(672, 520, 200);
  assert.equal(plot.plotRight(), 112);
  assert.equal(plot.plotSides(), 152);
  assert.deepEqual(plot.size, { w: 520, h: 200 });
});

test("a pod has the same part of the height as of the highest count", () => {
  plot.measure(700, 500, 200);
  plot.setTopCount(14);
  assert.equal(plot.topCount(), 14);
  assert.equal(plot.perPod(), 200 / 14);
});

test("times have tenths of seconds below a minute, and minutes above", () => {
  assert.deepEqual([0, 1250, 59_940, 60_000, 65_999, 600_000].map((ms) => plot.seconds(ms)), ["0.0 s", "1.3 s", "59.9 s", "1:00", "1:05", "10:00"]);
  assert.equal(plot.seconds(1250, 2), "1.25 s");
});

test("the cursor's time and what a question hides are what was set", () => {
  assert.equal(plot.cursorTime(), 0);
  plot.setCursorTime(1500);
  assert.equal(plot.cursorTime(), 1500);
  assert.equal(plot.hiddenFrom(), Infinity);
  plot.setHiddenFrom(2000);
  assert.equal(plot.hiddenFrom(), 2000);
});
