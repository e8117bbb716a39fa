import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { endWorkers, giveWorkers, startWorkers } from "./workers.js";

let crew, told;
const tell = (text) => told.push(JSON.parse(text));

class FakeWorker {
  sent = [];
  ended = false;
  constructor(address) {
    this.address = address;
    crew.push(this);
  }
  postMessage(message) { this.sent.push(message); }
  terminate() { this.ended = true; }
  say(data) { this.onmessage({ data }); }
  answer(id, i) { this.say({ id, i, answer: i * 10 }); }
}

beforeEach(() => {
  crew = [];
  told = [];
  mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.Worker = FakeWorker;
  globalThis.window = { rollplayProgram: { module: "module", worker: "worker.js" } };
  Object.defineProperty(globalThis, "navigator", { value: { hardwareConcurrency: 2 }, configurable: true });
});

afterEach(() => {
  endWorkers();
  mock.timers.reset();
});

test("each processor gets a worker, at most as many as the limit", () => {
  startWorkers(1, tell);
  assert.equal(crew.length, 1);
  endWorkers();
  startWorkers(9, tell);
  assert.equal(crew.length, 3);
  assert.deepEqual(crew.map((w) => [w.address, w.sent[0]]), Array(3).fill(["worker.js", "module"]));
});

test("the first ready worker is reported, once", () => {
  startWorkers(9, tell);
  crew.forEach((w) => w.say("ready"));
  assert.deepEqual(told, [{ Ready: true }]);
});

test("a worker has two runs at a time, and the text of the task once", () => {
  startWorkers(1, tell);
  crew[0].say("ready");
  giveWorkers(7, "task", [3, 4, 5]);
  assert.deepEqual(crew[0].sent.slice(1), [{ id: 7, text: "task", i: 3 }, { id: 7, text: "", i: 4 }]);
  crew[0].answer(7, 3);
  assert.deepEqual(crew[0].sent.at(-1), { id: 7, text: "", i: 5 });
});

test("answers are reported together after a while, and at once at the end", () => {
  startWorkers(1, tell);
  crew[0].say("ready");
  giveWorkers(7, "task", [3, 4, 5]);
  told = [];
  crew[0].answer(7, 3);
  assert.deepEqual(told, []);
  mock.timers.tick(80);
  assert.deepEqual(told, [{ Of: 7, Answers: [{ I: 3, Answer: 30 }] }]);
  crew[0].answer(7, 4);
  crew[0].answer(7, 5);
  assert.deepEqual(told.at(-1), { Of: 7, Answers: [{ I: 4, Answer: 40 }, { I: 5, Answer: 50 }] });
});

test("answers to an earlier task are dropped", () => {
  startWorkers(1, tell);
  crew[0].say("ready");
  giveWorkers(7, "task", [3]);
  giveWorkers(8, "other", [1]);
  told = [];
  crew[0].answer(7, 3);
  crew[0].answer(8, 1);
  assert.deepEqual(told, [{ Of: 8, Answers: [{ I: 1, Answer: 10 }] }]);
});

test("all workers end when one is lost", () => {
  startWorkers(9, tell);
  crew[0].say("gone");
  assert.ok(crew.every((w) => w.ended));
  assert.deepEqual(told, [{ Lost: true }]);
  crew[1].say("ready"); // too late
  assert.equal(told.length, 1);
});

test("workers that the browser has ended without a word are given up", () => {
  startWorkers(9, tell);
  crew.forEach((w) => w.say("ready"));
  giveWorkers(7, "task", [1, 2, 3, 4, 5, 6, 7, 8]);
  mock.timers.tick(19_000);
  crew[0].answer(7, 1); // the others are silent
  crew[0].answer(7, 7);
  mock.timers.tick(19_000);
  assert.ok(!told.some((t) => t.Lost));
  mock.timers.tick(1_000);
  assert.deepEqual(told.at(-1), { Lost: true });
  assert.ok(crew.every((w) => w.ended));
});

test("workers without work are not given up", () => {
  startWorkers(1, tell);
  crew[0].say("ready");
  giveWorkers(7, "task", [1]);
  crew[0].answer(7, 1);
  mock.timers.tick(100_000);
  assert.ok(!told.some((t) => t.Lost) && !crew[0].ended);
});

test("nothing starts without a program", () => {
  globalThis.window = {};
  startWorkers(9, tell);
  assert.equal(crew.length, 0);
});
