// Finding and making elements.

// $ finds the element that the program marks with a name.
export const $ = (act, root = document) => root.querySelector(`[data-act="${act}"]`);

// element makes one, inside a parent if there is one.
export function element(tag, className, parent, act) {
  const e = document.createElement(tag);
  e.className = className;
  if (act) e.dataset.act = act;
  parent?.append(e);
  return e;
}

// blank empties a canvas of a size in px and returns its pen. New memory costs the browser up to 20 ms, so the canvas gets it only for a new size.
export function blank(canvas, width, height) {
  const ratio = devicePixelRatio || 1;
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

// soon runs something in a task of its own: a frame has other work, and a timer would wait for 4 ms.
export function soon(run) {
  waiting.push(run);
  tasks.port2.postMessage(0);
}

// draw runs a drawing in the next frame; where the chart takes long to draw, in a task of its own, because a frame is one task.
export const draw = (run) => (dear ? soon : requestAnimationFrame)(run);

// timed runs a drawing of the chart, and notes whether it takes long.
export function timed(run) {
  const begin = performance.now();
  run();
  dear = performance.now() - begin > 4;
}

let dear = false;

const waiting = [];
const tasks = new MessageChannel();
tasks.port1.onmessage = () => waiting.shift()();

// asked says that a question waits for its answer, so that nothing may show what comes after the cursor.
let waits = false;
export const asked = () => waits;
export function setAsked(on) { waits = on; }
