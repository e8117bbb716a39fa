// @ts-check
// Elements as app/first.go lists them, each once: a text, or a tag, attributes and the numbers of its children.

/** @typedef {string | [tag: string, attributes: Record<string, string>, ...children: number[]]} Node */

/** @type {Node[]} */
let nodes = [];
/** @type {WeakMap<globalThis.Node, number>} */
const drawn = new WeakMap(); // what an element shows

/** @param {Node[]} all */
export function setNodes(all) { nodes = all; }

/** @param {number} n */
export const nodeOf = (n) => nodes[n];

/**
 * adopt takes an element that the build has written as HTML.
 * @param {globalThis.Node} e
 * @param {number} n
 */
export function adopt(e, n) {
  drawn.set(e, n);
  const node = nodes[n];
  if (typeof node !== "string") node.slice(2).forEach((child, i) => adopt(e.childNodes[i], /** @type {number} */ (child)));
}

const svg = "http://www.w3.org/2000/svg";

/**
 * @param {number} n
 * @param {string | null} [space]
 * @returns {globalThis.Node}
 */
function make(n, space = null) {
  const node = nodes[n];
  /** @type {globalThis.Node} */
  let made;
  if (typeof node === "string") made = document.createTextNode(node);
  else {
    const [tag, attributes, ...children] = node, inside = tag === "svg" ? svg : space;
    const e = inside ? document.createElementNS(inside, tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
    e.append(...children.map((child) => make(child, inside)));
    made = e;
  }
  drawn.set(made, n);
  return made;
}

/**
 * redraw turns an element into another one and returns what stands in its place. What scripts have added to it stays.
 * @param {ChildNode} e
 * @param {number} n
 * @returns {globalThis.Node}
 */
export function redraw(e, n) {
  const had = drawn.get(e);
  if (had === n) return e;
  const was = had === undefined ? "" : nodes[had], now = nodes[n];
  if (typeof was === "string" || typeof now === "string" || was[0] !== now[0] || !(e instanceof Element)) {
    if (typeof was === "string" && typeof now === "string" && e instanceof Text) e.data = now;
    else {
      const made = make(n, e.parentElement?.namespaceURI === svg ? svg : null);
      e.replaceWith(made);
      return made;
    }
    drawn.set(e, n);
    return e;
  }
  attributes(e, was[1], now[1]);
  const before = Array.from({ length: was.length - 2 }, (_, i) => e.childNodes[i]);
  now.slice(2).forEach((child, i) => {
    if (i < before.length) redraw(before[i], /** @type {number} */ (child));
    else e.append(make(/** @type {number} */ (child), e.namespaceURI === svg ? svg : null));
  });
  for (const gone of before.slice(now.length - 2)) gone.remove();
  drawn.set(e, n);
  return e;
}

/**
 * @param {Element} e
 * @param {Record<string, string>} was
 * @param {Record<string, string>} now
 */
export function attributes(e, was, now) {
  for (const name of Object.keys(was)) if (!(name in now)) e.removeAttribute(name);
  for (const [name, value] of Object.entries(now)) if (was[name] !== value) e.setAttribute(name, value);
}
