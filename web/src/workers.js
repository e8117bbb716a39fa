// @ts-check
// Workers: the page's program once more for each processor, so that many runs are measured at the same time. They share the compiled code
// of the page. Their tasks and answers are texts of the program; this module only passes them on.
const most = 8;
const ahead = 2; // runs that a worker has: it begins the next one without waiting for the page
const every = 80; // ms between two reports, because the page draws after each
const patience = 20_000; // ms without an answer, after which the workers are given up: a browser that ends one for lack of memory may not tell

/** @typedef {{ id: number, text: string, missing: number[] }} Task a text of the program, and the numbers of the runs still to measure */
/** @typedef {{ worker: Worker, ready: boolean, has: number, task: Task | null }} Hand a worker, how many runs it has, and its last task */
/** @typedef {(text: string) => void} Tell */

/** @type {Hand[]} */
let crew = [];
/** @type {Task | null} */
let task = null; // of all workers
/** @type {string[]} */
let heard = []; // answers that are not reported yet
/** @type {Tell} */
let tellLast = () => {};
let timer = 0;
let silence = 0; // a timer, while answers are due

/**
 * startWorkers starts a worker for each processor, and reports when the first of them is ready. A frame without an origin may have none.
 * @param {number} limit
 * @param {Tell} tell
 */
export function startWorkers(limit, tell) {
  const { module, worker } = window.rollplayProgram ?? {};
  if (!module || !worker || crew.length > 0) return;
  tellLast = tell;
  const count = Math.min(most, limit, navigator.hardwareConcurrency || 1);
  try {
    while (crew.length < count) crew.push(start(worker, module, tell));
  } catch {
    lose(tell);
  }
}

/**
 * @param {string} address
 * @param {WebAssembly.Module} module
 * @param {Tell} tell
 */
function start(address, module, tell) {
  /** @type {Hand} */
  const one = { worker: new Worker(address), ready: false, has: 0, task: null };
  one.worker.onmessage = ({ data }) => {
    if (!crew.includes(one)) return; // it was ended meanwhile
    if (data === "gone") lose(tell);
    else if (data === "ready") arrive(one, tell);
    else hear(one, data);
  };
  one.worker.onerror = one.worker.onmessageerror = (/** @type {Event} */ e) => {
    e.preventDefault();
    if (crew.includes(one)) lose(tell);
  };
  one.worker.postMessage(module);
  return one;
}

/**
 * @param {Hand} one
 * @param {Tell} tell
 */
function arrive(one, tell) {
  const first = !crew.some((other) => other.ready);
  one.ready = true;
  if (first) tell(JSON.stringify({ Ready: true }));
  feed(one);
  listen();
}

// listen waits for the next answer.
function listen() {
  clearTimeout(silence);
  silence = crew.some((one) => one.has > 0) ? setTimeout(() => lose(tellLast), patience) : 0;
}

/**
 * giveWorkers hands over a task, of which the runs with these numbers are missing. The workers drop their earlier task.
 * @param {number} id
 * @param {string} text
 * @param {number[]} missing
 */
export function giveWorkers(id, text, missing) {
  report();
  task = { id, text, missing };
  crew.forEach(feed);
  listen();
}

/** @param {Hand} one */
function feed(one) {
  while (one.ready && task && one.has < ahead && task.missing.length > 0) {
    one.has++;
    one.worker.postMessage({ id: task.id, text: one.task === task ? "" : task.text, i: task.missing.shift() });
    one.task = task;
  }
}

/**
 * @param {Hand} one
 * @param {{ id: number, i: number, answer: string }} message
 */
function hear(one, { id, i, answer }) {
  one.has--;
  feed(one);
  listen();
  if (!task || id !== task.id) return;
  heard.push(`{"I":${i},"Answer":${answer}}`);
  if (task.missing.length === 0 && crew.every((other) => other.has === 0)) report();
  else timer ||= setTimeout(report, every);
}

function report() {
  clearTimeout(timer);
  timer = 0;
  if (heard.length === 0 || !task) return;
  const answers = heard;
  heard = [];
  tellLast(`{"Of":${task.id},"Answers":[${answers.join()}]}`);
}

/**
 * lose ends all workers when one of them fails: the page measures the rest.
 * @param {Tell} tell
 */
function lose(tell) {
  endWorkers();
  tell(JSON.stringify({ Lost: true }));
}

export function endWorkers() {
  for (const { worker } of crew) worker.terminate();
  clearTimeout(timer);
  clearTimeout(silence);
  crew = [];
  heard = [];
  task = null;
  timer = 0;
}
