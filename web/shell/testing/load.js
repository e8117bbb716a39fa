// For the tests of this folder: runs classic scripts as a browser would, with globals of the test.
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";

/** load runs scripts one after the other, and returns their globals. A value of the scripts is the result of run. */
export function load(names, globals) {
  const context = createContext({ URL, URLSearchParams, Request, Response, console, ...globals });
  context.window = context.self = context;
  for (const name of names) runInContext(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"), context, { filename: name });
  context.run = (code) => runInContext(code, context);
  return context;
}

/** fakeStorage is a storage with these items, of which Object.keys lists the keys, as in a browser. */
export function fakeStorage(items = {}) {
  return Object.create({
    get length() { return Object.keys(this).length; },
    key(i) { return Object.keys(this)[i] ?? null; },
    getItem(k) { return Object.hasOwn(this, k) ? this[k] : null; },
    setItem(k, v) { this[k] = String(v); },
    removeItem(k) { delete this[k]; },
  }, Object.getOwnPropertyDescriptors(items));
}
