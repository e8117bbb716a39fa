// Workers: the page's program once more for each processor, so that many runs are measured at the same time. They share the code that
// the page has compiled. What they get and answer are texts of the program, which nobody reads here.
const most = 8;
const ahead = 2; // runs that a worker has: it begins the next one without waiting for the page
const every = 80; // ms between two reports, because the page draws after each

let crew = [];
let task = null; // what they work on
let heard = []; // answers that are not reported yet
let timer = 0;

// startWorkers starts as many as there are processors, and reports when the first one is ready. A frame without an origin may have none.
export function startWorkers(limit, tell) {
  const { module, worker } = window.rollplayProgram ?? {};
  if (!module || !worker || crew.length > 0) return;
  const count = Math.min(most, limit, navigator.hardwareConcurrency || 1);
  try {
    while (crew.length < count) crew.push(start(worker, module, tell));
  } catch {
    lose(tell);
  }
}

function start(address, module, tell) {
  const one = { worker: new Worker(address), ready: false, has: 0, task: null };
  one.worker.onmessage = ({ data }) => {
    if (!crew.includes(one)) return; // it was ended meanwhile
    if (data === "gone") lose(tell);
    else if (data === "ready") arrive(one, tell);
    else hear(one, data, tell);
  };
  one.worker.onerror = one.worker.onmessageerror = (e) => {
    e.preventDefault();
    if (crew.includes(one)) lose(tell);
  };
  one.worker.postMessage(module);
  return one;
}

function arrive(one, tell) {
  const first = !crew.some((other) => other.ready);
  one.ready = true;
  if (first) tell(JSON.stringify({ Ready: true }));
  feed(one);
}

// giveWorkers hands over a task, of which the runs with these numbers are missing. What they did before is forgotten.
export function giveWorkers(id, text, missing) {
  report();
  task = { id, text, missing };
  crew.forEach(feed);
}

function feed(one) {
  while (one.ready && task && one.has < ahead && task.missing.length > 0) {
    one.has++;
    one.worker.postMessage({ id: task.id, text: one.task === task ? "" : task.text, i: task.missing.shift() });
    one.task = task;
  }
}

function hear(one, { id, i, answer }, tell) {
  one.has--;
  feed(one);
  if (id !== task?.id) return;
  heard.push(`{"I":${i},"Answer":${answer}}`);
  report.tell = tell;
  if (task.missing.length === 0 && crew.every((other) => other.has === 0)) report();
  else timer ||= setTimeout(report, every);
}

function report() {
  clearTimeout(timer);
  timer = 0;
  if (heard.length === 0) return;
  const answers = heard;
  heard = [];
  report.tell(`{"Of":${task.id},"Answers":[${answers.join()}]}`);
}

// lose ends all workers when one of them fails: the page measures the rest.
function lose(tell) {
  endWorkers();
  tell(JSON.stringify({ Lost: true }));
}

export function endWorkers() {
  for (const { worker } of crew) worker.terminate();
  clearTimeout(timer);
  crew = [];
  heard = [];
  task = null;
  timer = 0;
}
