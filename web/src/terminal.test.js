import assert from "node:assert/strict";
import { test } from "node:test";
import { finished, shared, unfinished } from "./terminal.js";

test("a line continues after a backslash and inside a here-document", () => {
  for (const [text, want] of [
    ["kubectl get pods", false],
    ["kubectl get \\", true],
    ["echo \\\\", false],
    ["kubectl apply -f - <<EOF\nkind: Pod", true],
    ["kubectl apply -f - <<EOF\nkind: Pod\nEOF", false],
    ["kubectl apply -f - <<'END'\nEOF\n  END  ", false],
    ["kubectl apply -f - <<-\"END\"\nEND", false],
  ]) assert.equal(unfinished(text), want, text);
});

test("a completed word is followed by a space, unless a sign waits for more", () => {
  assert.deepEqual(["pods", "deployment/", "--output="].map(finished), ["pods ", "deployment/", "--output="]);
});

test("several words share their start", () => {
  assert.equal(["rollout", "rolling", "role"].reduce(shared), "rol");
  assert.equal(shared("get", "apply"), "");
});
