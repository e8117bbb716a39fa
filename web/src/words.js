// @ts-check
// The words that scripts write on the page, in its language. The program sets them before it draws anything, and again when the
// language changes.

/** @type {Record<string, string>} */
let words = {};
/** @type {(() => void)[]} */
const listeners = [];

/**
 * say returns a message with its numbers and names, as in the catalogue.
 * @param {string} key
 * @param {(string | number)[]} args
 */
export function say(key, ...args) {
  const text = words[key] ?? key;
  return args.length === 0 ? text : text.replace(/%[sd]/g, () => String(args.shift()));
}

/** @param {Record<string, string>} now */
export function setWords(now) {
  words = now;
  for (const listener of listeners) listener();
}

/**
 * onWords is for texts that are written only once.
 * @param {() => void} listener
 */
export function onWords(listener) { listeners.push(listener); }
