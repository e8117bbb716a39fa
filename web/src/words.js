// The words that scripts write on the page, in its language. The program hands them over before anything is drawn, and again
// when the language changes (app/script_words.go).
let words = {};
const listeners = [];

// say is a message with its numbers and names filled in, as in the catalogue.
export function say(key, ...args) {
  const text = words[key] ?? key;
  return args.length === 0 ? text : text.replace(/%[sd]/g, () => args.shift());
}

export function setWords(now) {
  words = now;
  for (const listener of listeners) listener();
}

// onWords is for texts that are written once and stay.
export function onWords(listener) { listeners.push(listener); }
