import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./testing/load.js";

const { memoryStorage, patientStorage } = load(["storage.js"], {});

test("a storage in memory behaves as the browser's, and says that it forgets", () => {
  const s = memoryStorage();
  s.setItem("a", 1);
  s.setItem("b", "2");
  assert.deepEqual([s.length, s.key(0), s.key(2), s.getItem("a"), s.getItem("c"), s.forgets], [2, "a", null, "1", null, true]);
  s.removeItem("a");
  assert.equal(s.length, 1);
  s.clear();
  assert.equal(s.length, 0);
});

test("a storage that fails is empty, and does not throw", () => {
  const fails = () => { throw new Error("taken away"); };
  const s = patientStorage({ get length() { return fails(); }, key: fails, getItem: fails, setItem: fails, removeItem: fails, clear: fails });
  s.setItem("a", "1");
  s.removeItem("a");
  s.clear();
  assert.deepEqual([s.length, s.key(0), s.getItem("a")], [0, null, null]);
});

test("a storage that works is used", () => {
  const real = memoryStorage();
  patientStorage(real).setItem("a", "1");
  assert.equal(real.getItem("a"), "1");
});
