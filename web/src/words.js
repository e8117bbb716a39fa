// The words that scripts write on the page, in its language. The program sets them before it draws anything, and again when the
// language changes.
let words = {};
const listeners = [];

// say returns a message with its numbers and names, as in the catalogue.
export function say(key, ...args) {
  const text = words[key] ?? key;
  return args.length === 0 ? text : text.replace(/%[sd]/g, () => args.shift());
}

export function setWords(now) {
  words = now;
  for (const listener of listeners) listener();
}

// onWords is for texts that are written only once.
export function onWords(listener) { listeners.push(listener); }
