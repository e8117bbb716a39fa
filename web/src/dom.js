// @ts-check
// Finding and making elements, and the tasks in which they are drawn.

/** @type {Map<string, HTMLElement>} */
const known = new Map(); // those of the page: some are looked for in each frame
/** @type {ParentNode | null} */
let page = null; // null: the document

/**
 * lookIn makes an element the page: first.js draws one that stands behind that of the program.
 * @param {ParentNode} root
 */
export function lookIn(root) { page = root; }

/**
 * $ finds the element that the program marks with a name.
 * @param {string} act
 * @param {ParentNode} [root]
 * @returns {HTMLElement | null}
 */
export function $(act, root = page ?? document) {
  const last = root === (page ?? document) ? known.get(act) : undefined;
  if (last?.isConnected && last.dataset.act === act) return last;
  let found = /** @type {HTMLElement | null} */ (root.querySelector(`[data-act="${act}"]`));
  if (root === document && found?.closest("#loader")) found = null; // of the page before the program
  if (found && root === (page ?? document)) known.set(act, found);
  return found;
}

/**
 * dialog finds a dialog by its id.
 * @param {string} id
 */
export function dialog(id) {
  const found = document.getElementById(id);
  return found instanceof HTMLDialogElement ? found : null;
}

/**
 * around finds the element of a selector around the target of an event.
 * @param {Event} e
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export const around = (e, selector) => (e.target instanceof Element ? e.target.closest(selector) : null);

/**
 * element makes an element, inside a parent if there is one.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} className
 * @param {Element | null} [parent]
 * @param {string} [act]
 */
export function element(tag, className, parent, act) {
  const e = document.createElement(tag);
  e.className = className;
  if (act) e.dataset.act = act;
  parent?.append(e);
  return e;
}

/**
 * read takes a value from the program's JSON.
 * @template T
 * @param {import("./go").Json<T>} json
 * @returns {T}
 */
export const read = (json) => JSON.parse(json);

/**
 * blank empties a canvas of a size in px and returns its pen. New memory costs the browser up to 20 ms, so the canvas gets it only for a new size.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 */
export function blank(canvas, width, height) {
  const ratio = devicePixelRatio || 1;
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

/**
 * soon runs something in a task of its own: a frame has other work, and a timer would wait for 4 ms.
 * @param {() => void} run
 */
export function soon(run) {
  waiting.push(run);
  if (!tasks) {
    tasks = new MessageChannel();
    tasks.port1.onmessage = () => waiting.shift()?.();
  }
  tasks.port2.postMessage(0);
}

/** turn is over in a task of its own. */
export const turn = () => new Promise((/** @type {(value?: unknown) => void} */ done) => soon(done));

/**
 * draw runs a drawing in the next frame; where the chart takes long to draw, in a task of its own, because a frame is one task.
 * @param {() => void} run
 */
export const draw = (run) => { (dear ? soon : requestAnimationFrame)(run); };

/**
 * timed runs a drawing of the chart, and notes whether it takes long.
 * @param {() => void} run
 */
export function timed(run) {
  const begin = performance.now();
  run();
  dear = performance.now() - begin > 4;
}

let dear = false;

/** @type {(() => void)[]} */
const waiting = [];
/** @type {MessageChannel | undefined} */
let tasks;
