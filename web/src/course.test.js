// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { move, steer, stop } from "./course.js";

test("a cursor that moves as foreseen is placed once, and tells its time now and then", () => {
  stop();
  assert.equal(steer(1000, 0, 9000, 100), "place");
  assert.equal(steer(1032, 2, 9000, 116), "place");
  const then = [1, 2, 3, 4, 5, 6].map((k) => steer(1032 + 32 * k, 2, 9000, 116 + 16 * k));
  assert.deepEqual(then, ["", "", "", "", "tell", ""]);
});

test("a late frame changes nothing, and a leap, another pace, a stop and the end of the plot place it", () => {
  const on = () => { stop(); steer(0, 0, 9000, 0); steer(32, 2, 9000, 16); };
  for (const [what, t, pace, now, want] of /** @type {[string, number, number, number, string][]} */ ([
    ["late", 64, 2, 80, ""], ["a leap", 264, 2, 32, "place"], ["back", 0, 2, 80, "place"], ["pace", 64, 5, 32, "place"], ["stop", 64, 0, 32, "place"],
    ["the next course", 532, 2, 266, "place"],
  ])) {
    on();
    assert.equal(steer(t, pace, 9000, now), want, what);
  }
  stop();
  steer(0, 0, 100, 0);
  steer(32, 2, 100, 16);
  assert.equal(steer(100, 2, 100, 50), "place", "the end of the plot");
});

test("a cursor that waits is placed where it is", () => {
  stop();
  steer(0, 0, 9000, 0);
  steer(32, 2, 9000, 16);
  assert.equal(steer(32, 2, 9000, 100), "place");
  assert.equal(steer(32, 2, 9000, 116), "place");
});

test("what moves gets an animation only while there is a course, and one at a time", () => {
  let running = 0;
  /** @type {Record<string, string>[]} */
  const led = [];
  const e = /** @type {HTMLElement} */ (/** @type {unknown} */ ({
    style: {}, animate(/** @type {{ translate: string[] }} */ frames) { running++; led.push({ to: frames.translate[1] }); return { cancel: () => { running--; } }; },
  }));
  const style = (/** @type {number} */ t) => `${t}px`;
  stop();
  steer(0, 0, 9000, 0);
  move(e, "translate", style);
  assert.deepEqual([e.style.translate, running], ["0px", 0]);
  steer(20, 2, 9000, 10);
  move(e, "translate", style);
  assert.deepEqual([e.style.translate, running, led.at(-1)?.to], ["20px", 1, "1020px"]);
  steer(1000, 2, 9000, 20);
  move(e, "translate", style);
  assert.equal(running, 1);
  steer(1000, 0, 9000, 30);
  move(e, "translate", style);
  assert.deepEqual([e.style.translate, running], ["1000px", 0]);
});
