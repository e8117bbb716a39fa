import assert from "node:assert/strict";
import { test } from "node:test";
import { onWords, say, setWords } from "./words.js";

test("a message has its numbers and names in their order", () => {
  let heard = 0;
  onWords(() => heard++);
  setWords({ "time-of": "%s of %s", "tile-rank": ", %d in the order of deletion", plain: "100 %s" });
  assert.equal(heard, 1);
  assert.equal(say("time-of", "12.0 s", "20.0 s"), "12.0 s of 20.0 s");
  assert.equal(say("tile-rank", 3), ", 3 in the order of deletion");
  assert.equal(say("plain"), "100 %s"); // without arguments nothing is replaced
  assert.equal(say("time-of", "%s", "b"), "%s of b"); // a name is not a message
});

test("an unknown key stands for itself", () => assert.equal(say("Tab"), "Tab"));
