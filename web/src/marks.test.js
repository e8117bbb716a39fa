import assert from "node:assert/strict";
import { test } from "node:test";
import { byKind, marksAt, placeOf } from "./marks.js";
import { setWords } from "./words.js";

const mark = (kind, t, line, to = t) => ({ kind, t, to, line, failed: false });

test("the thumb's middle goes from 8 px to 8 px before the end", () => {
  assert.deepEqual([0, 5_000, 10_000].map((t) => placeOf(t, 10_000, 216)), [8, 108, 208]);
});

test("marks are sorted by kind, and other kinds are left out", () => {
  const all = byKind([mark("command", 1, "a"), mark("parting", 2, "b"), mark("outage", 3, "c")], [10, 7, 20, 8]);
  assert.deepEqual(all.command.map((m) => m.line), ["a"]);
  assert.deepEqual(all.outage.map((m) => m.line), ["c"]);
  assert.deepEqual(all.decisions, [{ t: 10, record: 7 }, { t: 20, record: 8 }]);
  assert.equal(Object.values(all).flat().length, 4);
});

// A scrubber of 1016 px for 10 s: 10 ms a px.
const at = (marks, pairs, t, describe = (record) => `record ${record}`) =>
  marksAt(byKind(marks, pairs), placeOf(t, 10_000, 1016), 10_000, 1016, describe);

test("marks within 6 px are listed by time, with the nearest decision alone", () => {
  const marks = [mark("condition", 1_050, "Available"), mark("command", 1_000, "apply"), mark("command", 1_200, "far away")];
  assert.deepEqual(at(marks, [1_010, 4, 1_030, 5, 1_045, 6], 1_040), ["1.000 s  apply", "1.045 s  record 6", "1.050 s  Available"]);
});

test("a violation is listed all along its time", () => {
  assert.deepEqual(at([mark("violation", 2_000, "below the bound", 6_000)], [], 4_000), ["2.000 s  below the bound"]);
  assert.deepEqual(at([mark("violation", 2_000, "below the bound", 6_000)], [], 6_070), []);
});

test("of many marks five are listed, and the rest is counted", () => {
  setWords({ "and-more": "and %d more" });
  const lines = at(Array.from({ length: 8 }, (_, i) => mark("command", 3_000 + i, `c${i}`)), [], 3_003);
  assert.deepEqual(lines.slice(-2), ["3.004 s  c4", "and 3 more"]);
});

test("there is no list while the program is at work", () => assert.equal(at([], [1_000, 4], 1_000, () => null), null));
